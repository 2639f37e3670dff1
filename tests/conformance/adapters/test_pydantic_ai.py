"""pydantic-ai is judged with the command from its adapter's README."""

from __future__ import annotations

import re

import pytest

from loopspec.engine.baseline import UNEXPLAINED

from .judged import ADAPTERS, Judged

pytestmark = pytest.mark.long

FOLDER = ADAPTERS / "pydantic_ai"


def test_pydantic_ai_is_conformant_apart_from_known_failures(pydantic_ai: Judged) -> None:
    """Every failure is known, advisory rules included, no baseline entry is stale, and no case is errored."""
    assert pydantic_ai.exit_code == 0, pydantic_ai.output
    assert {case.verdict for case in pydantic_ai.cases} <= {"passed", "known", "inapplicable"}
    assert pydantic_ai.summary.planned == pydantic_ai.summary.accounted == len(pydantic_ai.cases)


def test_every_baseline_entry_is_a_known_failure(pydantic_ai: Judged) -> None:
    """Each entry names a case that fails."""
    known = [case.case for case in pydantic_ai.cases if case.verdict == "known"]
    assert sorted(known) == sorted(entry.case for entry in pydantic_ai.baseline.known)


def test_every_baseline_entry_is_explained(pydantic_ai: Judged) -> None:
    """Each entry has a reason, and a link to a line of pydantic-ai's source at the judged version."""
    for entry in pydantic_ai.baseline.known:
        assert entry.reason != UNEXPLAINED
        assert re.match(r"https://github\.com/pydantic/pydantic-ai/blob/v2\.68\.0/[\w/]+\.py#L\d+$", entry.link)


def test_every_declared_capability_is_proven(pydantic_ai: Judged) -> None:
    """A passed case needs each declared capability, and most cases pass."""
    assert set(pydantic_ai.run.roles) == {"agent"}
    assert set(pydantic_ai.run.capabilities) == pydantic_ai.proven
    verdicts = [case.verdict for case in pydantic_ai.cases]
    assert verdicts.count("passed") > 4 * verdicts.count("known")


def test_the_core_of_the_adapter_is_small() -> None:
    """An adapter on the toolkit has at most 190 lines of code in its core."""
    lines = (FOLDER / "pydantic_ai_adapter" / "core.py").read_text(encoding="utf-8").splitlines()

    assert sum(bool(line.strip()) for line in lines) <= 190
