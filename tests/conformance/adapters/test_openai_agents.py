"""The OpenAI Agents SDK is judged with the command from its adapter's README."""

from __future__ import annotations

import re

import pytest

from loopspec.engine.baseline import UNEXPLAINED

from .judged import ADAPTERS, Judged

pytestmark = pytest.mark.long

FOLDER = ADAPTERS / "openai_agents"


def test_openai_agents_is_conformant_apart_from_known_failures(openai_agents: Judged) -> None:
    """Every failure is known, advisory rules included, no baseline entry is stale, and no case is errored."""
    assert openai_agents.exit_code == 0, openai_agents.output
    assert {case.verdict for case in openai_agents.cases} <= {"passed", "known", "inapplicable"}
    assert openai_agents.summary.planned == openai_agents.summary.accounted == len(openai_agents.cases)


def test_every_baseline_entry_is_a_known_failure(openai_agents: Judged) -> None:
    """Each entry names a case that fails."""
    known = [case.case for case in openai_agents.cases if case.verdict == "known"]
    assert sorted(known) == sorted(entry.case for entry in openai_agents.baseline.known)


def test_every_baseline_entry_is_explained(openai_agents: Judged) -> None:
    """Each entry has a reason, and a link to a line of the SDK's source at the judged version."""
    for entry in openai_agents.baseline.known:
        assert entry.reason != UNEXPLAINED
        assert re.match(
            r"https://github\.com/openai/openai-agents-python/blob/v0\.24\.0/src/[\w/]+\.py#L\d+$", entry.link
        )


def test_every_declared_capability_is_proven(openai_agents: Judged) -> None:
    """A passed case needs each declared capability, and most cases pass."""
    assert set(openai_agents.run.roles) == {"agent"}
    assert set(openai_agents.run.capabilities) == openai_agents.proven
    verdicts = [case.verdict for case in openai_agents.cases]
    assert verdicts.count("passed") > 4 * verdicts.count("known")


def test_the_core_of_the_adapter_is_small() -> None:
    """An adapter on the toolkit has at most 190 lines of code in its core."""
    lines = (FOLDER / "openai_agents_adapter" / "core.py").read_text(encoding="utf-8").splitlines()

    assert sum(bool(line.strip()) for line in lines) <= 190
