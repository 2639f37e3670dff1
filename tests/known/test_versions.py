"""Summaries of versions: those that ship, what changed between them, and the rules of gaps."""

from __future__ import annotations

import msgspec
import pytest

from loopspec.contract.target import Identity
from loopspec.engine.result import CaseLine, Verdict
from loopspec.reports.jsonl import RunLine
from loopspec.specification.features import compiled
from loopspec.specification.ledger import JUDGED, ledger
from loopspec_docs.site.versions import changed_rules, later_rules, versions
from loopspec_known.declarations import in_order, known, known_targets
from loopspec_known.results import Judged
from loopspec_known.versions import NOT_JUDGED, VersionGap, VersionSummary, gap_cases, summary_of

OLD = known("langchain@1.2.18")


@pytest.mark.parametrize("target", versions())
def test_the_summaries_that_ship_can_be_compared(target: str) -> None:
    """They are of one state of the features, and their rules exist; the files are as the command writes them."""
    summaries = versions()[target]
    folder = known_targets()[target].folder / "versions"
    judged = {rule for rule, row in ledger().rules.items() if row.status in JUDGED}

    assert len({one.features for one in summaries}) == 1
    assert {rule for one in summaries for rule in one.rules} <= judged
    assert [in_order(one.version) for one in summaries] == sorted(in_order(one.version) for one in summaries)
    for one in summaries:
        assert (folder / f"{one.version}.json").read_text(encoding="utf-8") == one.as_text()
        assert bool(one.reason) != bool(one.verdicts)
        assert "/lib/" not in one.reason.replace("…/lib/", "")


def test_a_rule_has_changed_if_its_verdict_differs_at_two_judged_versions() -> None:
    """What is not judged at a version has not changed there."""
    summaries = (
        VersionSummary(1, "it", "1.0", "f", reason="no"),
        VersionSummary(1, "it", "1.1", "f", verdicts={"passed": ("A-01", "A-02"), "failed": ("A-03",)}),
        VersionSummary(
            1, "it", "1.2", "f", verdicts={"passed": ("A-03",), "failed": ("A-01",)}, gaps=(VersionGap("x", ("A-02",)),)
        ),
        VersionSummary(1, "it", "1.3", "f", verdicts={"passed": ("A-02", "A-03", "A-04"), "failed": ("A-01",)}),
    )

    assert changed_rules(summaries) == {
        "A-01": (NOT_JUDGED, "passed", "failed", "failed"),
        "A-03": (NOT_JUDGED, "failed", "passed", "passed"),
        "A-04": (NOT_JUDGED, "inapplicable", "inapplicable", "passed"),
    }


def test_the_rules_that_are_newer_than_all_versions() -> None:
    """A rule of a gap is not newer, and a rule that only the versions have is none of today."""
    gap = VersionGap("it lacks a hook", ("A-03",))
    summaries = (
        VersionSummary(1, "it", "1.0", "f", verdicts={"passed": ("A-01", "A-05")}),
        VersionSummary(1, "it", "1.1", "f", verdicts={"failed": ("A-02",)}, gaps=(gap,)),
    )
    today = Judged("it 1.1", "adapters/it", {"passed": ("A-01", "A-03", "B-01"), "known": ("A-02", "A-04")})

    assert later_rules(today, summaries) == ["A-04", "B-01"]
    assert later_rules(today, ()) == ["A-01", "A-02", "A-03", "A-04", "B-01"]


def run_line() -> RunLine:
    return RunLine(
        features="f", target="known:langchain@1.2.18", identity=Identity(name="it", version="1.2.18"),
        roles=("agent", "plugins"), role=None, strict=False, seed=0, planned=(),
        capabilities=("missing-results", "return-directly", "streaming", "streaming-tools", "summarization"),
    )  # fmt: skip


def line_of(case: str, verdict: Verdict) -> CaseLine:
    (rules,) = {each.rule.ids for each in compiled() if each.id == case}
    return CaseLine(case=case, rules=rules, verdict=verdict, seconds=0, location="", message="")


def test_the_rules_of_a_gap_are_not_judged_unless_another_case_fails() -> None:
    """A case that the target does not apply to is in no gap."""
    gaps = gap_cases(OLD)
    of_gap = "LOOP-03 :: An empty result of a tool that is streamable, in a streaming run"
    other = next(one.id for one in compiled() if one.id.startswith("LOOP-03 ") and one.id not in gaps)

    passed = summary_of(OLD, run_line(), [line_of(other, "passed")])
    failed = summary_of(OLD, run_line(), [line_of(other, "failed")])

    assert of_gap in gaps
    assert passed.judgment("LOOP-03") == NOT_JUDGED
    assert failed.judgment("LOOP-03") == "failed"
    assert passed.judgment("XP-SUM-01") == NOT_JUDGED
    assert passed.judgment("LOOP-01") == "inapplicable"
    assert passed.judgment("TOOLS-04") == "inapplicable"


def test_a_version_that_the_adapter_cannot_drive_has_a_reason_only() -> None:
    """It is read as it was written."""
    made = VersionSummary(1, OLD.name, OLD.version, "f", "no such module")

    assert msgspec.json.decode(made.as_text(), type=VersionSummary) == made
    assert made.judgment("LOOP-01") == NOT_JUDGED
    assert made.rules == set()
