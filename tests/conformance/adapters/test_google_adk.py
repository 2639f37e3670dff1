"""Google ADK is judged with the command from its adapter's README."""

from __future__ import annotations

import re

import pytest

from loopspec.engine.baseline import UNEXPLAINED

from .judged import ADAPTERS, Judged

pytestmark = pytest.mark.long

FOLDER = ADAPTERS / "google_adk"


def test_google_adk_is_conformant_apart_from_known_failures(google_adk: Judged) -> None:
    """Every failure is known, advisory rules included, no baseline entry is stale, and no case is errored."""
    assert google_adk.exit_code == 0, google_adk.output
    assert {case.verdict for case in google_adk.cases} <= {"passed", "known", "inapplicable"}
    assert google_adk.summary.planned == google_adk.summary.accounted == len(google_adk.cases)


def test_every_baseline_entry_is_a_known_failure(google_adk: Judged) -> None:
    """Each entry names a case that fails."""
    known = [case.case for case in google_adk.cases if case.verdict == "known"]
    assert sorted(known) == sorted(entry.case for entry in google_adk.baseline.known)


def test_every_baseline_entry_is_explained(google_adk: Judged) -> None:
    """Each entry has a reason, and a link to a line of Google ADK's source at the judged version."""
    for entry in google_adk.baseline.known:
        assert entry.reason != UNEXPLAINED
        assert re.match(r"https://github\.com/google/adk-python/blob/v2\.13\.0/src/[\w/]+\.py#L\d+$", entry.link)


def test_every_declared_capability_is_proven(google_adk: Judged) -> None:
    """A passed case needs each declared capability, and most cases pass."""
    assert set(google_adk.run.roles) == {"agent"}
    assert set(google_adk.run.capabilities) == google_adk.proven
    verdicts = [case.verdict for case in google_adk.cases]
    assert verdicts.count("passed") > 2 * verdicts.count("known")


def test_the_core_of_the_adapter_is_small() -> None:
    """An adapter on the toolkit has at most 190 lines of code in its core."""
    lines = (FOLDER / "google_adk_adapter" / "core.py").read_text(encoding="utf-8").splitlines()

    assert sum(bool(line.strip()) for line in lines) <= 190
