"""Microsoft Agent Framework is judged with the command from its adapter's README."""

from __future__ import annotations

import re

import pytest

from loopspec.engine.baseline import UNEXPLAINED

from .judged import ADAPTERS, Judged

pytestmark = pytest.mark.long

FOLDER = ADAPTERS / "agent_framework"
SOURCE = (
    r"https://github\.com/microsoft/agent-framework/blob/python-1\.23\.0/python/packages/core/agent_framework/\w+\.py"
)


def test_agent_framework_is_conformant_apart_from_known_failures(agent_framework: Judged) -> None:
    """Every failure is known, advisory rules included, no baseline entry is stale, and no case is errored."""
    assert agent_framework.exit_code == 0, agent_framework.output
    assert {case.verdict for case in agent_framework.cases} <= {"passed", "known", "inapplicable"}
    assert agent_framework.summary.planned == agent_framework.summary.accounted == len(agent_framework.cases)


def test_every_baseline_entry_is_a_known_failure(agent_framework: Judged) -> None:
    """Each entry names a case that fails."""
    known = [case.case for case in agent_framework.cases if case.verdict == "known"]
    assert sorted(known) == sorted(entry.case for entry in agent_framework.baseline.known)


def test_every_baseline_entry_is_explained(agent_framework: Judged) -> None:
    """Each entry has a reason, and a link to a line of the framework's source at the judged version."""
    for entry in agent_framework.baseline.known:
        assert entry.reason != UNEXPLAINED
        assert re.fullmatch(SOURCE + r"#L\d+", entry.link)


def test_every_declared_capability_is_proven(agent_framework: Judged) -> None:
    """A passed case needs each declared capability, and most cases pass."""
    assert set(agent_framework.run.roles) == {"agent"}
    assert set(agent_framework.run.capabilities) == agent_framework.proven
    verdicts = [case.verdict for case in agent_framework.cases]
    assert verdicts.count("passed") > 3 * verdicts.count("known")


def test_the_core_of_the_adapter_is_small() -> None:
    """An adapter on the toolkit has at most 190 lines of code in its core."""
    lines = (FOLDER / "agent_framework_adapter" / "core.py").read_text(encoding="utf-8").splitlines()

    assert sum(bool(line.strip()) for line in lines) <= 190
