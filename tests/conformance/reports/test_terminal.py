"""What a run prints on the terminal: failures, counts, and one last sentence."""

from __future__ import annotations

import io
import shlex
from dataclasses import replace

import pytest

from loopspec import Posture
from loopspec.engine.baseline import UNEXPLAINED, Baseline, Known
from loopspec.engine.checking import inapplicable
from loopspec.engine.result import IN_ORDER, Verdict
from loopspec.engine.run import SuiteRun
from loopspec.reports.terminal import print_summary
from loopspec.specification.reasons import Inapplicable
from loopspec.specification.selection import Selection, plan

from ..staging import Acting, case_of, result_of
from .made_up import ADVISORY, DEPTH, OTHER, failed, suite_run_of

LONG = case_of("BACKEND-41")
NEXT = "loopspec explain RULE, loopspec docs FOLDER; or --report FILE, and loopspec report FILE --html PAGE"


def printed(run: SuiteRun, *, quiet: bool = False, verbose: bool = False, interrupted: bool = False) -> list[str]:
    """The lines that a pipe gets."""
    file = io.StringIO()
    print_summary(run, run.finish(interrupted), file, quiet=quiet, verbose=verbose)
    return file.getvalue().splitlines()


def test_a_failure_is_shown_with_what_to_do() -> None:
    """The output has the rule, the step, both values, the number of other failures, and the next command."""
    run = suite_run_of(*DEPTH)
    for case in DEPTH[:2]:
        run.take(failed(case))
    run.take(result_of(DEPTH[2], "passed"))

    assert printed(run, quiet=True) == [
        "failed AMD-DEPTH-01 Imports are followed up to five levels below a configured file",
        "  agentsmd/loading/depth.feature:12  Then it is so",
        "  so",
        "  expected: a",
        "  seen:     b",
        "  and 1 more scenario of it",
        "  why:   loopspec explain AMD-DEPTH-01",
        f"  again: loopspec run py:some:target --case {shlex.quote(DEPTH[0].id)}",
        "",
        "py:some:target is not conformant: 2 normative cases failed.",
    ]


TAGGED = case_of("LOOP-14")
HINT = "if your implementation documents another choice, declare a posture on the axis tool-failure"


@pytest.mark.parametrize(
    ("postures", "verdict", "hints"),
    [
        ({}, "failed", [f"  or:    {HINT}"]),
        ({}, "crashed", []),
        ({"tool-failure": Posture("ends", measured=True)}, "failed", []),
    ],
)
def test_a_failure_that_may_be_a_choice_says_so(
    postures: dict[str, Posture], verdict: Verdict, hints: list[str]
) -> None:
    """The scenario has the tag of an axis on which the target declares no posture."""
    run = SuiteRun(Acting(postures=postures), "py:some:target", [TAGGED])
    run.canary = True
    run.take(result_of(TAGGED, verdict, "so"))

    for verbose in (False, True):
        assert [line for line in printed(run, quiet=True, verbose=verbose) if "posture on" in line] == hints


def test_a_failure_without_an_axis_has_no_hint() -> None:
    """No posture excuses the failure."""
    run = suite_run_of(DEPTH[0])
    run.take(failed(DEPTH[0]))

    assert "posture" not in " ".join(printed(run, quiet=True))


def test_the_name_of_a_target_is_printed_as_it_is() -> None:
    """A name between colons is no emoji."""
    run = SuiteRun(Acting(), "py:a:target", [DEPTH[0]])
    run.canary = True
    run.take(result_of(DEPTH[0], "passed"))

    assert printed(run)[-1] == "py:a:target is conformant."


def test_a_failing_order_is_shown_as_givens() -> None:
    """The Givens of the failing order follow both values, so that a reader can paste them."""
    run = suite_run_of(*DEPTH)
    result = failed(DEPTH[0])
    run.take(replace(result, message=f"{result.message}\n{IN_ORDER}\nAnd call 1 waits\nAnd call 2 waits"))

    assert printed(run, quiet=True)[3:8] == [
        "  expected: a",
        "  seen:     b",
        "  in the order of these Givens:",
        "      And call 1 waits",
        "      And call 2 waits",
    ]


def test_verbose_shows_every_failure_with_all_of_its_steps() -> None:
    """The failing step is marked; each inapplicable case has a reason."""
    run = suite_run_of(*DEPTH)
    then = DEPTH[0].steps[-1]
    for case in DEPTH[:2]:
        run.take(replace(failed(case), location=f"{case.file}:{case.steps[-1].line}", step=str(then)))
    run.take(inapplicable(DEPTH[2], Inapplicable("capability", ("edits",))))

    lines = printed(run, verbose=True)

    for case in DEPTH[:2]:
        at = lines.index(f"  {case.id}")
        steps = [f"    {case.file}:{step.line}  {step}" for step in case.steps[:-1]]
        assert lines[at + 1 : at + 1 + len(case.steps)] == [
            *steps,
            f"  > {case.file}:{case.steps[-1].line}  {case.steps[-1]}",
        ]
    assert f"    {DEPTH[2].id}: needs edits" in lines


def test_printed_output_is_shown_with_the_failure() -> None:
    """A value of several lines is printed below its name with its own indentation."""
    run = suite_run_of(DEPTH[0])
    evidence = {"standard output": "one\ntwo\n", "messages": "not for the terminal"}
    run.take(replace(failed(DEPTH[0]), evidence=evidence, seen="first\n  second"))

    assert printed(run, quiet=True)[3:10] == [
        "  expected: a",
        "  seen:",
        "      first",
        "        second",
        "  standard output:",
        "      one",
        "      two",
    ]


def test_what_passed_is_counted_by_document() -> None:
    """Verdicts that do not occur are missing; what does not apply is one line, and a next step follows."""
    run = suite_run_of(*DEPTH, ADVISORY, OTHER)
    for case in DEPTH:
        run.take(replace(result_of(case, "passed"), seconds=0.5))
    run.take(inapplicable(ADVISORY, Inapplicable("role", ("agent",))))
    run.take(inapplicable(OTHER, Inapplicable("plain-case")))

    assert printed(run) == [
        "acting 1: 3 examples of 1 rule passed in 1.5 s",
        "  rules passed  normative   advisory",
        "  AgentsMD            1/1          –",
        "  2 examples do not apply to this target: -v says why",
        f"next: {NEXT}",
        "py:some:target is conformant.",
    ]


def test_other_verdicts_are_counted() -> None:
    """The worst verdict is the first."""
    run = suite_run_of(*DEPTH, ADVISORY)
    verdicts: tuple[Verdict, ...] = ("failed", "passed", "errored", "passed")
    for case, verdict in zip((*DEPTH, ADVISORY), verdicts, strict=True):
        run.take(result_of(case, verdict))

    lines = printed(run)

    assert "acting 1: 2 of 4 examples of 2 rules passed in 0.0 s: 1 errored, 1 failed" in lines
    assert "  AgentsMD            0/1        1/1" in lines


def test_invariants_are_counted_apart_from_rules_and_examples() -> None:
    """An example is one case, however many invariants are judged in it, and whether they hold or not."""
    case = case_of("LOOP-01")
    run = suite_run_of(case)
    no = replace(result_of(case, "failed"), case=f"{case.id} + results-follow-calls", rules=("INVARIANT-12",))
    run.take(replace(result_of(case, "passed"), holds=("INVARIANT-01", "INVARIANT-02"), broken=(no,)))

    lines = printed(run)

    assert lines[-7:-2] == [
        "acting 1: 1 example of 1 rule passed in 0.0 s",
        "  2 of 3 invariants hold in all examples: 1 failed",
        "  rules and invariants passed                  normative   advisory",
        "  ChatModelAgent                                     3/3          –",
        "  loopspec itself: rules beyond the documents          –        0/1",
    ]


def test_verbose_says_what_does_not_apply() -> None:
    """The reasons have their numbers, and the capabilities also the number of cases that lack no other."""
    run = suite_run_of(*DEPTH, ADVISORY, OTHER)
    run.take(result_of(DEPTH[0], "passed"))
    run.take(inapplicable(DEPTH[1], Inapplicable("capability", ("edits",))))
    run.take(inapplicable(DEPTH[2], Inapplicable("capability", ("edits", "streaming"))))
    run.take(inapplicable(ADVISORY, Inapplicable("role", ("agent",))))
    run.take(inapplicable(OTHER, Inapplicable("plain-case")))

    lines = printed(run, verbose=True)

    assert lines[3].startswith("  rules without a scenario: ")
    assert lines[4:-2] == [
        "  5 cases planned, 5 accounted for",
        "  4 examples do not apply to this target",
        "    missing role: agent 1",
        "    missing capability (and the cases that lack no other): edits 2 (1), streaming 1 (0)",
        "    other reason: needs a plain case that passes 1",
        f"    {DEPTH[1].id}: needs edits",
        f"    {DEPTH[2].id}: needs edits, streaming",
        f"    {ADVISORY.id}: needs the role agent",
        f"    {OTHER.id}: needs a plain case that passes",
    ]


def test_a_short_form_is_named() -> None:
    """A run without --soak says how many examples it has judged in their short form."""
    (case,) = plan([LONG], Selection(), [])
    run = suite_run_of(case)
    run.take(result_of(case, "passed"))

    assert "  1 example was judged in its short form: --soak judges it in full" in printed(run)
    assert plan([LONG], Selection(soak=True), []) == [LONG]


def test_an_error_is_shown_by_its_message() -> None:
    """An error has no expected and seen value; an advisory rule is marked."""
    run = suite_run_of(ADVISORY)
    run.take(result_of(ADVISORY, "errored", "x" * 2000))

    assert printed(run, quiet=True) == [
        f"errored AMD-DEPTH-07 {ADVISORY.rule.sentence} (advisory: counts under --strict)",
        f"  agentsmd/loading/depth.feature:{ADVISORY.line}  {ADVISORY.title}",
        f"  {'x' * 1500} … (2000 characters; --report has all of them)",
        "  why:   loopspec explain AMD-DEPTH-07",
        f"  again: loopspec run py:some:target --case {shlex.quote(ADVISORY.id)}",
        "",
        "py:some:target is not conformant: 1 advisory case failed.",
    ]


def test_a_failure_without_a_message_is_shown() -> None:
    """A failure without a message is shown by its place."""
    run = suite_run_of(ADVISORY)
    run.take(result_of(ADVISORY, "failed"))

    assert printed(run, quiet=True)[1:4] == [
        f"  agentsmd/loading/depth.feature:{ADVISORY.line}  {ADVISORY.title}",
        "  why:   loopspec explain AMD-DEPTH-07",
        f"  again: loopspec run py:some:target --case {shlex.quote(ADVISORY.id)}",
    ]


def test_cases_that_were_not_run_are_counted_and_not_shown() -> None:
    """The last sentence has the reason; earlier failures are shown."""
    run = suite_run_of(*DEPTH, OTHER)
    run.take(failed(DEPTH[0]))

    lines = printed(run, quiet=True, interrupted=True)

    assert [line for line in lines if not line.startswith("  ")] == [
        "failed AMD-DEPTH-01 Imports are followed up to five levels below a configured file",
        "",
        "interrupted: 3 of 4 cases were not run.",
    ]


def test_the_last_sentence_reports_stale_entries_and_hangs() -> None:
    """Each exit code has its own sentence."""
    stale = suite_run_of(DEPTH[0], baseline=Baseline(known=(Known(case=DEPTH[0].id, reason="why"),)))
    stale.take(result_of(DEPTH[0], "passed"))
    hanging = suite_run_of(*DEPTH)
    hanging.take(result_of(DEPTH[0], "timed-out", "it hangs"))
    unjudged = suite_run_of(DEPTH[0])
    unjudged.take(result_of(DEPTH[0], "inapplicable"))
    lost = suite_run_of(*DEPTH)
    lost.take(result_of(DEPTH[0], "passed"))
    mad = suite_run_of(DEPTH[0])
    mad.canary = False
    mad.take(result_of(DEPTH[0], "passed"))

    assert [printed(run, quiet=True)[-1] for run in (stale, hanging, unjudged, lost, mad)] == [
        "py:some:target: 1 entry of the baseline is stale, since the listed cases pass: prune the baseline.",
        f"py:some:target is unusable: {hanging.aborted}. The rest was not run.",
        "Nothing was judged: of 1 case none is applicable to py:some:target.",
        "The suite is broken: 3 cases planned, and 1 accounted for.",
        "The suite is broken: the case that must fail did not fail, so no verdict can be trusted.",
    ]


def test_the_last_sentence_counts_failures() -> None:
    """Normative, advisory, known and unexplained failures are counted separately."""
    both = suite_run_of(*DEPTH, ADVISORY)
    for case in (*DEPTH, ADVISORY):
        both.take(result_of(case, "failed"))
    advisory = suite_run_of(DEPTH[0], ADVISORY)
    advisory.take(result_of(DEPTH[0], "passed"))
    advisory.take(result_of(ADVISORY, "failed"))
    entries = [
        Known(case=case.id, reason=why) for case, why in zip(DEPTH, ("so", UNEXPLAINED, UNEXPLAINED), strict=True)
    ]
    known = suite_run_of(*DEPTH, baseline=Baseline(known=tuple(entries)))
    for case in DEPTH:
        known.take(result_of(case, "failed"))
    early = SuiteRun(Acting(), "py:some:target", DEPTH, stop_early=True)
    early.canary = True
    early.take(result_of(DEPTH[0], "failed"))

    assert [printed(run, quiet=True)[-1] for run in (both, advisory, known, early)] == [
        "py:some:target is not conformant: 3 normative cases failed, 1 advisory.",
        "py:some:target is conformant. 1 advisory case failed.",
        "py:some:target is conformant except for known failures: 3 cases, 2 of them not yet explained.",
        "py:some:target is not conformant: 1 normative case failed. The run stopped there: 2 of 3 cases were not run.",
    ]
