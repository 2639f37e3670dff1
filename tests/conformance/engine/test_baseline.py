"""Reading, applying, writing and pruning a baseline, and entries that name a case which is not judged."""

from __future__ import annotations

import io
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace

from loopspec.contract.axes import Posture
from loopspec.contract.faults import UsageError
from loopspec.contract.roles import Role
from loopspec.contract.target import Identity
from loopspec.engine.baseline import UNEXPLAINED, Baseline, load_baseline, prune, write_baseline
from loopspec.engine.baseline_text import Known
from loopspec.engine.result import Result, Verdict
from loopspec.engine.run import SuiteRun, Summary
from loopspec.reports.account import account_of
from loopspec.reports.summary import as_page
from loopspec.reports.terminal import print_summary
from loopspec.specification.cases import Case
from loopspec.specification.features import cases_of_rule, compiled
from loopspec.specification.invariants import invariants
from loopspec.targets.resolve import AbsentTarget
from loopspec_lab.variants import variants, varied_cases

from ..staging import case_of, result_of

FIRST, SECOND = case_of("AMD-DEPTH-01"), case_of("AMD-DEPTH-01", 1)


def test_a_baseline_is_read(tmp_path: Path) -> None:
    """An entry names a case or a rule, has a reason, and may have a link."""
    (tmp_path / "b.toml").write_text(
        f'[[known]]\ncase = "{FIRST.id}"\nreason = "why"\nlink = "https://example.com"\n'
        '[[known]]\ncase = "AMD-DEPTH-02"\nreason = "so"\n',
        encoding="utf-8",
    )

    assert load_baseline(tmp_path / "b.toml", compiled()) == Baseline(
        known=(Known(case=FIRST.id, reason="why", link="https://example.com"), Known(case="AMD-DEPTH-02", reason="so"))
    )


def test_cases_with_one_reason_are_one_entry(tmp_path: Path) -> None:
    """Each case is known by itself."""
    (tmp_path / "b.toml").write_text(
        f'[[known]]\ncases = ["{FIRST.id}", "AMD-DEPTH-02"]\nreason = "why"\nlink = "https://example.com"\n',
        encoding="utf-8",
    )

    assert load_baseline(tmp_path / "b.toml", compiled()).known == tuple(
        Known(case=name, reason="why", link="https://example.com") for name in (FIRST.id, "AMD-DEPTH-02")
    )


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ('cases = [\n  "AMD-DEPTH-01",\n  "AMD-DEPHT-02",\n]', "line 7: there is no case or rule 'AMD-DEPHT-02'"),
        ('cases = [\n  "AMD-DEPTH-01",\n  "AMD-CFG-01",\n]', "line 7: 'AMD-CFG-01' is listed twice: keep one entry"),
        ('case = "AMD-DEPTH-01"\ncases = ["AMD-DEPTH-02"]', "line 4: give `case` or `cases`, and not both"),
        ("cases = []", "line 4: give `case` or `cases`, and not both"),
    ],
)
def test_an_invalid_entry_is_an_error_with_its_line(names: str, sentence: str, tmp_path: Path) -> None:
    """A case of several is found at its own line."""
    known = '[[known]]\ncase = "AMD-CFG-01"\nreason = "why"\n'
    (tmp_path / "b.toml").write_text(f'{known}[[known]]\n{names}\nreason = "why"\n', encoding="utf-8")

    with pytest.raises(UsageError) as raised:
        load_baseline(tmp_path / "b.toml", compiled())
    assert sentence in str(raised.value)


@pytest.mark.parametrize(
    ("verdict", "judged"),
    [
        ("failed", "known"),
        ("passed", "stale"),
        ("errored", "errored"),
        ("crashed", "crashed"),
        ("timed-out", "timed-out"),
        ("not-run", "not-run"),
        ("inapplicable", "inapplicable"),
    ],
)
@pytest.mark.parametrize("name", [FIRST.id, "AMD-DEPTH-01"])
def test_only_a_plain_failure_can_be_known(name: str, verdict: Verdict, judged: Verdict) -> None:
    """A crash, an error or a time-out is not a known difference."""
    baseline = Baseline(known=(Known(case=name, reason="why"),))

    if name != FIRST.id and verdict == "passed":
        judged = "passed"  # another case of the rule may still fail, so the verdict is decided at the end of the run
    assert baseline.judged(result_of(FIRST, verdict)).verdict == judged
    assert baseline.judged(replace(result_of(FIRST, verdict), case="another", rules=("OTHER-01",))).verdict == verdict


@pytest.mark.parametrize(("verdict", "judged"), [("failed", "known"), ("passed", "passed"), ("crashed", "crashed")])
@pytest.mark.parametrize("name", [FIRST.id, "AMD-DEPTH-01"])
def test_a_pass_of_a_flaky_case_is_a_pass(name: str, verdict: Verdict, judged: Verdict) -> None:
    """And a failure is known."""
    baseline = Baseline(known=(Known(case=name, reason="a race", flaky=True),))

    assert baseline.judged(result_of(FIRST, verdict)).verdict == judged


def test_a_rewritten_baseline_keeps_flaky_entries(tmp_path: Path) -> None:
    """Whether the cases fail or pass; an entry for a rule stays one entry."""
    before = Baseline(
        known=(
            Known(case=FIRST.id, reason="a race", flaky=True),
            Known(case="AMD-DEPTH-02", reason="another race", link="https://example.com", flaky=True),
        )
    )
    results = [result_of(FIRST, "passed"), result_of(case_of("AMD-DEPTH-02"), "known"), result_of(SECOND, "failed")]

    write_baseline(tmp_path / "b.toml", "py:some:target", results, before)

    kept = load_baseline(tmp_path / "b.toml", compiled())
    assert kept.known == (Known(case=SECOND.id, reason=UNEXPLAINED), *before.known)


def test_a_rewritten_baseline_keeps_its_reasons(tmp_path: Path) -> None:
    """Cases with one reason are one entry; each new failure has an entry with a placeholder reason."""
    before = Baseline(known=(Known(case=FIRST.id, reason='"so"', link="https://example.com/ü"),))
    passed, crashed = case_of("AMD-DEPTH-02"), case_of("AMD-DEPTH-03")
    known, third = case_of("AMD-CFG-01"), case_of("AMD-CFG-02")
    before = Baseline(known=(*before.known, Known(case=known.id, reason='"so"', link="https://example.com/ü")))
    results = [
        result_of(FIRST, "known"),
        result_of(SECOND, "failed"),
        result_of(third, "failed"),
        result_of(known, "known"),
        result_of(passed, "passed"),
        result_of(crashed, "crashed"),
    ]

    assert write_baseline(tmp_path / "b.toml", "py:some:target", results, before) == 4

    text = (tmp_path / "b.toml").read_text(encoding="utf-8")
    assert text.startswith("# Known differences of py:some:target.")
    assert tomllib.loads(text) == {
        "known": [
            {"cases": [FIRST.id, known.id], "reason": '"so"', "link": "https://example.com/ü"},
            {"case": SECOND.id, "reason": UNEXPLAINED},
            {"case": third.id, "reason": UNEXPLAINED},
        ]
    }
    assert len(load_baseline(tmp_path / "b.toml", compiled()).known) == 4


def test_a_rewritten_baseline_keeps_all_that_an_entry_says(tmp_path: Path) -> None:
    """The cause, its kind, the versions and the report to the authors; equal entries are one."""
    said = Known(
        case=FIRST.id,
        reason="so",
        link="https://l",
        cause="a-cause",
        kind="defect",
        versions=("2", "1"),
        thread="https://t",
    )
    both = (said, replace(said, case=SECOND.id))

    write_baseline(tmp_path / "b.toml", "it", [result_of(case, "known") for case in (FIRST, SECOND)], Baseline(both))

    assert load_baseline(tmp_path / "b.toml", compiled()).known == both
    assert (tmp_path / "b.toml").read_text("utf-8").count("[[known]]") == 1


def test_a_baseline_that_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    """The error is one sentence."""
    with pytest.raises(UsageError, match="cannot be written: Is a directory"):
        write_baseline(tmp_path, "reference", [], Baseline())


def test_a_rewritten_baseline_keeps_cases_that_were_not_judged(tmp_path: Path) -> None:
    """A partial run keeps the entries of cases that it did not judge."""
    unjudged, elsewhere = case_of("AMD-DEPTH-02"), case_of("AMD-DEPTH-03")
    before = Baseline(known=tuple(Known(case=case.id, reason="why") for case in (FIRST, SECOND, unjudged, elsewhere)))
    results = [result_of(FIRST, "known"), result_of(SECOND, "stale"), result_of(unjudged, "inapplicable")]

    assert write_baseline(tmp_path / "b.toml", "py:some:target", results, before) == 1

    kept = load_baseline(tmp_path / "b.toml", compiled())
    assert [known.case for known in kept.known] == [FIRST.id, unjudged.id, elsewhere.id]
    assert {known.reason for known in kept.known} == {"why"}


@pytest.mark.parametrize(
    "text",
    [
        'known = [{case = "AMD-DEPTH-01", reason = "x"}]\n',
        '[["known"]]\ncase = "AMD-DEPTH-01"\nreason = "x"\n',
        '[[known]]\ncase = "AMD-DEPTH-01"\nreason = """\n[[known]]\n"""\n',
    ],
)
def test_pruning_an_unsupported_form_is_an_error(text: str, tmp_path: Path) -> None:
    """The file is not changed."""
    (tmp_path / "b.toml").write_text(text, encoding="utf-8")
    load_baseline(tmp_path / "b.toml", compiled())

    with pytest.raises(UsageError, match="cannot be pruned: write each entry below a line"):
        prune(tmp_path / "b.toml", ["AMD-DEPTH-01"])
    assert (tmp_path / "b.toml").read_text(encoding="utf-8") == text


def test_pruning_keeps_line_endings_and_accepts_a_byte_order_mark(tmp_path: Path) -> None:
    """Windows line endings are kept; a byte order mark is accepted."""
    entries = [f'[[known]]\r\ncase = "{case.id}"\r\nreason = "x"\r\n' for case in (FIRST, SECOND)]
    (tmp_path / "b.toml").write_bytes("\r\n".join(entries).encode("utf-8-sig"))

    assert len(load_baseline(tmp_path / "b.toml", compiled()).known) == 2
    assert prune(tmp_path / "b.toml", [FIRST.id]) == 1
    assert (tmp_path / "b.toml").read_bytes() == entries[1].encode()


def test_pruning_leaves_the_other_cases_of_an_entry(tmp_path: Path) -> None:
    """An entry without a case is removed, and comments about other cases stay."""
    file = tmp_path / "b.toml"
    entry = '[[known]]\ncases = [\n  "A",  # one\n  # two\n  "B \\"C\\"",\n  "D",\n]\nreason = "x"\n'
    file.write_text(f'{entry}\n# last\n[[known]]\ncases = ["E", "F"]\nreason = "y"\n', encoding="utf-8")

    assert prune(file, ["A", "D", "E"]) == 3
    assert file.read_text(encoding="utf-8") == (
        '[[known]]\ncases = [\n  # two\n  "B \\"C\\"",\n]\nreason = "x"\n\n'
        '# last\n[[known]]\ncases = ["F"]\nreason = "y"\n'
    )
    assert prune(file, ['B "C"', "F"]) == 2
    assert file.read_text(encoding="utf-8") == "# last\n"


CASE, OTHER = cases_of_rule("LOOP-03")[:2]
VARIED = next(iter(varied_cases(CASE, [variants()["run-before"]])))
INVARIANT = next(one for one in invariants().values() if one.postures == {"limit-ends": "error"})
OWN = {"limit-ends": Posture("last-answer", measured=True)}
POSTURE = "another posture: limit-ends is last-answer"


def run_of(
    entry: str | Known, results: Iterable[Result], postures: dict[str, Posture], role: Role | None = None, *plan: Case
) -> tuple[SuiteRun, Summary]:
    """A finished run with one entry in its baseline."""
    target = AbsentTarget(Identity("absent"), ["agent"], [], postures)
    listed = Baseline((Known(case=entry, reason="a test") if isinstance(entry, str) else entry,))
    run = SuiteRun(target, "py:absent", plan or (CASE, OTHER, VARIED), baseline=listed, role=role)
    run.canary = True
    for result in results:
        run.take_reported(result)
    return run, run.finish()


def result(case: Case, verdict: Verdict = "passed", message: str = "", holds: tuple[str, ...] = ()) -> Result:
    return Result(case.id, case.rule.ids, verdict, message=message, holds=holds)


@pytest.mark.parametrize("name", [CASE.id, "LOOP-03"])
@pytest.mark.parametrize("flaky", [False, True])
def test_a_flaky_entry_is_not_stale(name: str, flaky: bool) -> None:
    """An entry of a case and one of a rule. The same entry that is not flaky is stale."""
    plan = tuple(cases_of_rule("LOOP-03"))

    _, summary = run_of(Known(case=name, reason="a race", flaky=flaky), map(result, plan), {}, None, *plan)

    assert summary.stale == (() if flaky else (name,))
    assert summary.exit_code == (0 if flaky else 3)


@pytest.mark.parametrize(
    ("entry", "own", "of_case", "reason"),
    [
        pytest.param(CASE.id, {}, result(CASE, "inapplicable", "needs a"), "needs a", id="a_case"),
        pytest.param(f"{CASE.id} + {INVARIANT.name}", OWN, result(CASE), POSTURE, id="an_invariant_of_another_posture"),
        pytest.param(INVARIANT.rule, OWN, result(CASE), POSTURE, id="the_rule_of_an_invariant_of_another_posture"),
        pytest.param(
            f"{CASE.id} + {INVARIANT.name}",
            {},
            result(CASE),
            "the invariant is not judged in this case",
            id="an_invariant_that_the_scene_breaks",
        ),
        pytest.param(
            f"{CASE.id} + {INVARIANT.name}",
            {},
            result(CASE, "inapplicable", "needs a"),
            "needs a",
            id="an_invariant_of_a_case_that_is_not_judged",
        ),
        pytest.param(CASE.id, {}, result(CASE), "", id="a_case_that_passes"),
        pytest.param(CASE.id, {}, result(CASE, "failed"), "", id="a_case_that_fails"),
        pytest.param(f"{CASE.id} + {INVARIANT.name}", {}, result(CASE, "crashed"), "", id="an_invariant_of_a_crash"),
        pytest.param(
            f"{CASE.id} + {INVARIANT.name}", {}, result(CASE, holds=(INVARIANT.rule,)), "", id="an_invariant_that_holds"
        ),
    ],
)
def test_an_entry_whose_case_is_not_judged_has_a_reason(
    entry: str, own: dict[str, Posture], of_case: Result, reason: str
) -> None:
    """A case that is judged is no such entry, and the exit code stays."""
    _, summary = run_of(entry, [of_case, result(OTHER), result(VARIED)], own)

    assert summary.not_judged == ({entry: reason} if reason else {})
    assert summary.exit_code != 3 or not reason


def test_a_varied_case_a_rule_and_cases_outside_the_plan() -> None:
    """A rule is not judged if each of its cases is inapplicable; a case outside the plan is the caller's choice."""
    cases = cases_of_rule("LOOP-03")
    inapplicable = [result(case, "inapplicable", "needs a") for case in cases]
    own = [result(CASE), result(OTHER), result(VARIED, "inapplicable", "needs a plain case that passes")]

    assert run_of(VARIED.id, own, {})[1].not_judged == {VARIED.id: "needs a plain case that passes"}
    assert run_of("LOOP-03", inapplicable, {}, None, *cases)[1].not_judged == {
        "LOOP-03": "each case of the rule is inapplicable"
    }
    assert run_of("LOOP-03", inapplicable[1:], {}, None, *cases[1:])[1].not_judged == {}
    assert run_of(cases_of_rule("LOOP-01")[0].id, own, {})[1].not_judged == {}
    assert run_of(CASE.id, inapplicable, {}, "agent", *cases)[1].not_judged == {}


def test_the_invariant_that_does_not_hold_is_judged() -> None:
    """The entry is a known failure."""
    name = f"{CASE.id} + {INVARIANT.name}"
    broken = Result(name, (INVARIANT.rule,), "failed")
    _, summary = run_of(name, [result(CASE), broken, result(OTHER), result(VARIED)], {})

    assert (summary.cases["known"], summary.not_judged) == (1, {})


def test_the_output_and_the_summary_have_such_entries() -> None:
    """The output has the first five; -v prints all of them."""
    cases = [*cases_of_rule("LOOP-02"), *cases_of_rule("LOOP-03"), *cases_of_rule("LOOP-04")][:7]
    target = AbsentTarget(Identity("absent"), ["agent"], [])
    listed = Baseline(tuple(Known(case=case.id, reason="a test") for case in cases[1:]))
    run = SuiteRun(target, "py:absent", cases, baseline=listed)
    run.canary = True
    run.take(result(cases[0]))
    for case in cases[1:]:
        run.take(result(case, "inapplicable", "needs streaming"))
    summary = run.finish()
    short, long = io.StringIO(), io.StringIO()
    account = account_of(run, summary)
    print_summary(account, short)
    print_summary(account, long, verbose=True)

    assert "  baseline: 6 entries name cases that are not judged here\n" in short.getvalue()
    assert short.getvalue().count(": needs streaming") == 5
    assert "    and 1 more, which -v prints\n" in short.getvalue()
    assert f"    {cases[6].id}: needs streaming\n" in long.getvalue().partition("  baseline: ")[2]
    assert "## 6 entries of the baseline not judged here" in as_page(account)
    assert summary.exit_code == 0
