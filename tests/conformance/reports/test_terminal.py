"""What a run prints on the terminal: progress, failures, counts, and one last sentence."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from syrupy.assertion import SnapshotAssertion

from loopspec import Posture, __version__
from loopspec.contract.reasons import Inapplicable
from loopspec.engine.baseline import UNEXPLAINED, Baseline
from loopspec.engine.baseline_text import Known
from loopspec.engine.checking import inapplicable
from loopspec.engine.result import IN_ORDER, Result
from loopspec.engine.run import SuiteRun
from loopspec.reports.account import Account, account_of, ending
from loopspec.reports.progress import Progress
from loopspec.reports.terminal import print_summary
from loopspec.specification.selection import Selection, Shard, plan

from ..recorded import CASES, account_with, failing, run_of
from ..staging import Acting, case_of, result_of

DEPTH = [case_of("AMD-DEPTH-01", number) for number in range(3)]
ADVISORY = case_of("AMD-DEPTH-07")
OTHER = case_of("AMD-CFG-01")
TAGGED = case_of("LOOP-14")


def printed(account: Account, **how: bool) -> list[str]:
    """The lines that a pipe gets, without a number that changes with the ledger."""
    file = io.StringIO()
    print_summary(account, file, **how)
    text = file.getvalue().replace("x" * 1500, "x, 1,500 times")
    return [line for line in text.splitlines() if not line.startswith("  rules without a scenario: ")]


@pytest.fixture(scope="module")
def rich() -> Account:
    """A run with nearly everything that can be said about one."""
    (short,) = plan([case_of("BACKEND-41")], Selection(), [])
    advisory = [case_of("AMD-DEPTH-07"), case_of("AMD-CYCLE-05"), case_of("AMD-CFG-09")]
    loops = [case_of("LOOP-01"), case_of("LOOP-02"), case_of("LOOP-03"), case_of("LOOP-05")]
    stale, known = case_of("AMD-CYCLE-01"), case_of("AMD-CYCLE-02")
    running = run_of(
        [*DEPTH, *advisory, OTHER, TAGGED, *loops, short, stale, known], known=[stale, known, case_of("PLUGIN-01")]
    )
    running.baseline = Baseline((*running.baseline.known, Known(case="AMD-CYCLE-01", reason="a rule")))
    evidence = {"standard output": "one\ntwo\n", "messages": "not for the terminal"}
    order = f"\n{IN_ORDER}\nAnd call 1 waits\nAnd call 2 waits"
    results = [
        replace(failing(DEPTH[0], seen="first\n  second"), evidence=evidence),
        replace(failing(DEPTH[1]), message=f"so\n  expected: a\n  seen:     b{order}"),
        result_of(DEPTH[2], "passed", seconds=0.5),
        result_of(advisory[0], "errored", "x" * 2000),
        failing(advisory[1]),
        result_of(advisory[2], "failed"),
        result_of(OTHER, "crashed", "it is gone"),
        failing(TAGGED),
        inapplicable(loops[0], Inapplicable("capability", ("streaming",))),
        inapplicable(loops[1], Inapplicable("capability", ("streaming", "jump"))),
        inapplicable(loops[2], Inapplicable("plain-case")),
        inapplicable(loops[3], Inapplicable("role", ("agent",))),
        replace(result_of(short, "passed"), refused="no such name"),
        result_of(stale, "passed"),
        failing(known),
    ]
    no = replace(result_of(stale, "failed", "no"), case=f"{stale.id} + results-follow-calls", rules=("INVARIANT-12",))
    results[2] = replace(results[2], holds=("INVARIANT-01", "INVARIANT-02"), broken=(no,))
    return account_with(running, results)


@pytest.mark.parametrize("how", [{}, {"quiet": True}, {"verbose": True}], ids=["plain", "quiet", "verbose"])
def test_a_run_is_printed(how: dict[str, bool], rich: Account, snapshot: SnapshotAssertion) -> None:
    """Failures by rule, each with its values, evidence and next commands; the counts; and the last sentence."""
    assert "\n".join(printed(rich, **how)) == snapshot


def test_a_run_that_passes_is_short(snapshot: SnapshotAssertion) -> None:
    """Verdicts that do not occur are missing; what does not apply is one line, and a next step follows."""
    results = [replace(result_of(case, "passed"), seconds=0.5) for case in DEPTH]
    account = account_with(run_of([*DEPTH, ADVISORY]), [*results, result_of(ADVISORY, "inapplicable", "so")])

    assert "\n".join(printed(account)) == snapshot


def test_a_declared_posture_excuses_no_failure() -> None:
    """The hint is about axes on which the target declares no posture."""
    run = SuiteRun(Acting(postures={"tool-failure": Posture("ends", measured=True)}), "py:some:target", [TAGGED])
    run.canary = True
    run.take(failing(TAGGED))

    assert "posture on" not in "".join(printed(account_of(run, run.finish())))


def test_the_name_of_a_target_is_printed_as_it_is() -> None:
    """A name between colons is no emoji."""
    run = SuiteRun(Acting(), "py:a:target", [OTHER])
    run.canary = True
    run.take(result_of(OTHER, "passed"))

    assert printed(account_of(run, run.finish()))[-1] == "py:a:target is conformant."


def _shard(first: int) -> SuiteRun:
    run = SuiteRun(Acting(), "py:some:target", DEPTH, shard=Shard(first, 7))
    run.canary = True
    return run


def _known(*reasons: str) -> SuiteRun:
    run = run_of(DEPTH)
    run.baseline = Baseline(tuple(Known(case=case.id, reason=why) for case, why in zip(DEPTH, reasons, strict=True)))
    return run


def _mad() -> SuiteRun:
    run = run_of([OTHER])
    run.canary = False
    return run


def _early() -> SuiteRun:
    run = SuiteRun(Acting(), "py:some:target", DEPTH, stop_early=True)
    run.canary = True
    return run


PASSED, STALE, CLARIFIED = CASES["passed"], CASES["stale"], CASES["inapplicable"]
OWN = next(number for number in range(1, 8) if len(_shard(number).plan) == 1)
EMPTY = next(number for number in range(1, 8) if not _shard(number).plan)
HANGS = "it hangs; a target that hangs in this process cannot be stopped"


@pytest.mark.parametrize(
    ("running", "results", "sentence"),
    [
        (run_of([PASSED]), [result_of(PASSED, "passed")], "{} is conformant."),
        (run_of([PASSED], selected=True), [result_of(PASSED, "passed")], "{} is conformant in 1 selected case."),
        (run_of([CLARIFIED]), [failing(CLARIFIED)], "{} is conformant. 1 advisory case failed."),
        (
            _known("so", UNEXPLAINED, UNEXPLAINED),
            map(failing, DEPTH),
            "{} is conformant except for known failures: 3 cases, 2 of them not yet explained.",
        ),
        (run_of([PASSED]), [failing(PASSED)], "{} is not conformant: 1 normative case failed."),
        (
            run_of([*DEPTH, ADVISORY]),
            map(failing, (*DEPTH, ADVISORY)),
            "{} is not conformant: 3 normative cases failed, 1 advisory.",
        ),
        (
            run_of([*DEPTH, ADVISORY], strict=True),
            map(failing, (*DEPTH, ADVISORY)),
            "{} is not conformant: 3 normative cases failed, 1 advisory (which count under --strict).",
        ),
        (run_of([ADVISORY], strict=True), [failing(ADVISORY)], "{} is not conformant: 1 advisory case failed."),
        (
            _early(),
            [failing(DEPTH[0])],
            "{} is not conformant: 1 normative case failed. The run stopped there: 2 of 3 cases were not run.",
        ),
        (
            run_of([STALE], known=[STALE]),
            [result_of(STALE, "passed")],
            "{}: 1 entry of the baseline is stale, since the listed cases pass: prune the baseline.",
        ),
        (
            SuiteRun(Acting(), "py:some:target", DEPTH),
            [result_of(DEPTH[0], "timed-out", "it hangs")],
            "{} is unusable: " + HANGS + ". The rest was not run.",
        ),
        (
            run_of([PASSED, STALE]),
            [result_of(PASSED, "inapplicable", "needs a"), result_of(STALE, "inapplicable", "needs a")],
            "Nothing was judged: of 2 cases none is applicable to {} (needs a).",
        ),
        (
            run_of(DEPTH),
            [result_of(case, "inapplicable", f"needs {why}") for case, why in zip(DEPTH, "aba", strict=True)],
            "Nothing was judged: of 3 cases none is applicable to {} (most often needs a).",
        ),
        (run_of(DEPTH), [result_of(DEPTH[0], "passed")], "The suite is broken: 3 cases planned, and 1 accounted for."),
        (
            _mad(),
            [result_of(OTHER, "passed")],
            "The suite is broken: the case that must fail did not fail, so no verdict can be trusted.",
        ),
        (_shard(OWN), map(failing, DEPTH), f"{{}} (shard {OWN}/7) is not conformant: 1 normative case failed."),
        (_shard(EMPTY), [], f"{{}} (shard {EMPTY}/7) has nothing to judge: the applicable cases are in other shards."),
    ],
)
def test_each_end_of_a_run_has_a_sentence(running: SuiteRun, results: Sequence[Result], sentence: str) -> None:
    """The exit code decides, and the sentence has the numbers."""
    assert ending(account_with(running, list(results))) == sentence.format("py:some:target")


def test_an_interrupted_run_says_how_many_cases_are_left() -> None:
    """Earlier failures are shown; the last sentence counts the cases that apply and were not run, for one reason."""
    account = account_with(run_of([*DEPTH, OTHER]), [failing(DEPTH[0])], interrupted=True)

    assert [line for line in printed(account, quiet=True) if not line.startswith("  ")] == [
        f"failed AMD-DEPTH-01 {DEPTH[0].rule.sentence}",
        "",
        "interrupted: 2 of 4 cases were not run.",
    ]


FIRST, SECOND = case_of("AMD-DEPTH-01"), case_of("AMD-CFG-01")


class Terminal(io.StringIO):
    """A file that claims to be a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


def test_progress_is_one_line_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line is printed before the target is imported, rewritten with each result, and cleared at the end."""
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("loopspec.reports.progress._LIVE", 0.0)
    terminal = Terminal()
    progress = Progress(2, terminal)

    progress.begin("py:some:target")
    before = terminal.getvalue()
    progress.show(result_of(FIRST, "failed"))
    progress.show(result_of(dataclasses.replace(SECOND, id="AMD-CFG-01 :: A"), "passed"))
    progress.end()

    head, *states = terminal.getvalue().split("\r")
    assert before.startswith(f"loopspec {__version__}: 2 cases on py:some:target\n")
    assert head == f"loopspec {__version__}: 2 cases on py:some:target\n"
    shown = [state.rstrip() for state in states if state]
    assert shown == [
        "starting it …",
        "1/2  1 failed  0 s left  AMD-DEPTH-01 :: A chain that reac…",
        "2/2  1 failed  AMD-CFG-01 :: A",
        "",
    ]
    assert {len(state) for state in states if state} == {59}


def test_progress_in_a_log_is_a_line_every_ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log has a head, a line every ten seconds, and no progress line in a short run."""
    now = [0.0]
    monkeypatch.setattr("loopspec.reports.progress.time.monotonic", lambda: now[0])
    log = io.StringIO()
    progress = Progress(40, log)
    progress.begin("reference", "the last failures")

    for n in range(40):
        now[0] = n * 0.5
        progress.show(result_of(FIRST, "passed"))
    progress.end()

    assert log.getvalue().splitlines() == [
        f"loopspec {__version__}: 40 cases on reference; the last failures",
        "  21/40  0 failed  9 s left",
        "  40/40  0 failed",
    ]


def test_the_time_left_is_that_of_the_applicable_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cases that do not apply take no time: 20 of 40 cases, 19 of them applicable, leave one more, and not 20."""
    now = [0.0]
    monkeypatch.setattr("loopspec.reports.progress.time.monotonic", lambda: now[0])
    log, names = io.StringIO(), [f"CASE-{n}" for n in range(40)]
    progress = Progress(40, log)
    progress.begin("reference")
    progress.expect(lambda: names[1:21])

    for n, name in enumerate(names[:20]):
        now[0] = n * 1.0
        progress.show(result_of(dataclasses.replace(SECOND, id=name), "passed"))

    assert log.getvalue().splitlines()[1:] == ["  11/40  0 failed  10 s left"]


def test_progress_can_be_silent_and_its_reader_may_close(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written with `silent` or after a broken pipe."""
    silent, gone = Terminal(), []
    Progress(1, silent, silent=True).begin("reference")
    monkeypatch.setattr("loopspec.reports.progress.print_no_more", lambda: gone.append(True))

    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    progress = Progress(1, Closed())
    progress.begin("reference")
    progress.show(result_of(SECOND, "passed"))

    assert (silent.getvalue(), gone) == ("", [True])
