"""results.json: what ships of the results speaks of the rules, the cases and the baselines of today."""

from __future__ import annotations

import re

import pytest

from loopspec.contract.axes import Posture, axes, own_postures, posture_rules
from loopspec.contract.dialects import value_of_rule
from loopspec.engine.baseline import Baseline, load_baseline
from loopspec.engine.baseline_text import Known
from loopspec.engine.result import Result, Verdict
from loopspec.specification.features import compiled
from loopspec.specification.ledger import JUDGED, ledger
from loopspec.specification.sources import case_named, charged_rule
from loopspec_known.assessment import NAME as ASSESSMENT
from loopspec_known.assessment import assessment
from loopspec_known.declarations import Composed
from loopspec_known.declarations import Known as Target
from loopspec_known.results import OF_DIALECTS, Difference, Judged, Results, differences, in_results, judged, results
from tools.pages import ROOT
from tools.table import BLOCK, RESULTS, table

from ..conformance.adapters.judged import is_without_variant

# What a difference says of its entry.
SAID = ("reason", "link", "cause", "kind", "versions", "thread")
CASES = {case.id: case.rule.ids for case in compiled()}
ENTRIES = (
    Known(case="A-01 :: second", reason="slow", link="https://example.com/2"),
    Known(case="A-01 :: first", reason="slow", link="https://example.com/2"),
    Known(case="B-01", reason="missing"),
)


def test_the_rules_and_cases_exist() -> None:
    """After a change of the features, `python -m tools.table` writes the file again."""
    every = results().implementations
    rules = {rule for one in every for found in one.verdicts.values() for rule in found}
    cases = {case for one in every for difference in one.differences for case in difference.cases}

    in_dialects = {rule for rule, row in ledger().rules.items() if row.document == OF_DIALECTS}
    # no implementation in the table is judged by generated scenes
    judged_by = {rule for rule, row in ledger().rules.items() if row.status in JUDGED - {"generated"}}
    own = {axes()[name].values[value].rule for one in every for name, value in own_postures(one.postures).items()}
    # the reference is judged by all of them, and has no posture; each tool has a dialect of instruction files
    # nor by variants other than those of a plain run
    variants = {rule for rule, row in ledger().rules.items() if row.status == "variant"}
    assert rules - variants == judged_by - posture_rules() - in_dialects - variants | own
    assert in_dialects >= value_of_rule().keys()
    assert [case for case in cases if case_named(case) is None] == []


def test_every_known_target_that_does_more_than_read_files_has_results() -> None:
    """After the reference, in the order of `loopspec known`."""
    folders = [one.folder.name for one in in_results()]

    assert [one.adapter.rpartition("/")[2] for one in results().implementations] == ["reference", *folders]


def test_what_differs_from_the_results_that_ship() -> None:
    """A sentence for each rule."""
    before = Judged("it 1.0", "adapters/it", {"passed": ("LOOP-01", "VARIANT-01"), "known": ("LOOP-02",)})
    now = Judged("it 1.0", "adapters/it", {"passed": ("LOOP-02", "VARIANT-01"), "failed": ("LOOP-01",)})

    assert [*differences(before, before)] == []
    assert [*differences(before, now)] == [
        "it 1.0: LOOP-01 is failed, and passed in the results that ship",
        "it 1.0: LOOP-02 is passed, and known in the results that ship",
    ]


def test_versions_postures_and_known_failures_that_differ_from_the_results_that_ship() -> None:
    """The results page shows them as well."""
    own = {"after-order": Posture("reversed", "https://example.com/"), "edits-last": Posture("run", measured=True)}
    slow = Difference("slow", ("LOOP-01 :: first", "LOOP-01 :: second"))
    before = Judged("it 1.0", "adapters/it", {"known": ("LOOP-01",)}, (slow,), postures=own)
    third = Difference("slow", ("LOOP-01 :: first", "LOOP-01 :: third"))
    other = {"edits-last": Posture("request", measured=True)}
    now = Judged("it 1.1", "adapters/it", {"known": ("LOOP-01",)}, (third,), postures=other)

    assert [*differences(before, now)] == [
        "it 1.1 is judged, and the results that ship are those of it 1.0",
        "it 1.1: the posture after-order is not declared, and reversed in the results that ship",
        "it 1.1: the posture edits-last is request, and run in the results that ship",
        "it 1.1: 'LOOP-01 :: third' is a known failure, and is none in the results that ship",
        "it 1.1: 'LOOP-01 :: second' is no known failure, and is one in the results that ship",
    ]


def test_each_known_rule_has_a_reason_and_each_reason_a_known_rule() -> None:
    """So the page can say what each difference is."""
    for one in results().implementations:
        cases = {case for difference in one.differences for case in difference.cases}
        explained = {rule for case in cases for rule in CASES.get(case, (charged_rule(case),))}
        known = set(one.verdicts.get("known", ()))
        assert known <= explained
        # a normative variant can be known to fail for advisory rules only
        assert {rule for rule in explained - known if ledger().rules[rule].status != "variant"} == set()
        assert all(difference.reason for difference in one.differences)


@pytest.mark.parametrize("one", results().implementations, ids=lambda one: one.adapter.rpartition("/")[2])
def test_the_reasons_are_those_of_the_baseline(one: Judged) -> None:
    """With all that the entry says, and the cases about the rules of today. A flaky entry may have no case."""
    folder = ROOT / one.adapter
    path = folder / "baseline.toml"
    entries = load_baseline(path, compiled()).known if path.exists() else ()
    by_name = {entry.case: entry for entry in entries}
    cases = {case: difference for difference in one.differences for case in difference.cases}
    used = {case: case if case in by_name else charged_rule(case) for case in cases}

    assert folder.is_dir()
    always = {name for name, entry in by_name.items() if not entry.flaky}
    seen = {*filter(is_without_variant, used.values())}
    assert {*filter(is_without_variant, always)} <= seen <= {*filter(is_without_variant, by_name)}
    for case, name in used.items():
        said, entry = cases[case], by_name[name]
        assert all(getattr(said, field) == getattr(entry, field) for field in SAID), case


def test_the_file_and_readme_are_as_the_command_writes_them() -> None:
    """The table has a row for each implementation, at most nine columns, and links to the file and the assessments."""
    written = table(results())

    assert RESULTS.read_text(encoding="utf-8") == results().as_text()
    assert BLOCK.has(written)
    rows = [line for line in written.splitlines() if line.startswith("| ")]
    assert len(rows) == 3 + len(results().implementations)
    assert {row.count("|") for row in rows} <= {5, 6, 7, 8, 9, 10}
    assert f"]({RESULTS.relative_to(ROOT)})" in written
    assert all(f"({one.folder.relative_to(ROOT)}/{ASSESSMENT})" in written for one in in_results())


@pytest.mark.parametrize("one", in_results(), ids=lambda one: one.folder.name)
def test_an_assessment_is_as_the_command_writes_it(one: Target) -> None:
    """It names each cause of the baseline, and the link to each program leads to a file."""
    text = (one.folder / ASSESSMENT).read_text(encoding="utf-8")

    assert text == assessment(one, results())
    causes = {difference.cause for difference in results().of(one).differences}
    assert set(re.findall(r"^### (.*)$", text, re.MULTILINE)) == causes
    assert all((one.folder / link).is_file() for link in re.findall(r"\((witnesses/[^)]*)\)", text))


def test_what_a_fix_would_change() -> None:
    """A rule with two causes does not pass without one of them."""
    of = next(one for one in in_results() if one.name == "langchain")
    slow = ("LOOP-01 :: An agent with an unused tool", 'LOOP-02 :: A tool call with the text ""')
    odd = ('LOOP-02 :: A tool call with the text "Let me look."',)
    found = Judged(
        name="it 1.0",
        adapter=str(of.folder.relative_to(ROOT)),
        verdicts={"known": ("LOOP-01", "LOOP-02"), "passed": ("LOOP-03", "LOOP-05")},
        differences=(
            Difference("it is slow", slow, "https://l", "is-slow", "defect", ("1.0", "0.9"), "https://t"),
            Difference("it is odd", odd, "https://l", "is-odd", "open", ("1.0",)),
        ),
        composed=(Composed(("LOOP-03",), "it composes", "https://c"),),
    )

    text = assessment(of, Results(1, (found,)))

    defects, odd_ones = text.partition("## Defects (1)")[2].split("## Open (1)")
    assert (
        "It is slow ([source](https://l)).\nSeen in 1.0, 0.9; [a program that shows it](witnesses/is-slow.py).\n"
        in defects
    )
    assert "Reported in https://t." in defects
    assert "- Without it, 2 examples and 1 rule would pass." in defects
    assert "- Without it, 1 example and no rule would pass." in odd_ones
    assert "Of 4 rules, 2 pass, and 1 without the compositions below." in text
    assert "- LOOP-03: it composes ([source](https://c))." in text


def test_the_results_of_one_implementation() -> None:
    """A rule has the worst verdict of its cases; cases with one reason stand together; the rest has no line."""
    verdicts: dict[str, tuple[str, Verdict]] = {
        "A-01 :: first": ("A-01", "known"),
        "A-01 :: second": ("A-01", "known"),
        "A-01 :: third": ("A-01", "passed"),
        "B-01 :: only": ("B-01", "known"),
        "C-01 :: only": ("C-01", "passed"),
        "D-01 :: only": ("D-01", "inapplicable"),
        "INS-ORDER-01 :: only": ("INS-ORDER-01", "passed"),  # left out: a rule of a dialect
    }
    cases = [Result(case, (rule,), verdict) for case, (rule, verdict) in verdicts.items()]

    found = judged("it 1.0", "adapters/it", cases, Baseline(ENTRIES))

    assert found == Judged(
        name="it 1.0",
        adapter="adapters/it",
        verdicts={"known": ("A-01", "B-01"), "passed": ("C-01",)},
        differences=(
            Difference("missing", ("B-01 :: only",)),
            Difference("slow", ("A-01 :: first", "A-01 :: second"), "https://example.com/2"),
        ),
    )
    assert [found.verdict(rule) for rule in ("A-01", "C-01", "D-01")] == ["known", "passed", "inapplicable"]
