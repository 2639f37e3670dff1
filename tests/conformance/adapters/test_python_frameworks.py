"""Agent frameworks in Python are judged with the commands from their READMEs; LangChain has tests of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from loopspec.engine.baseline import UNEXPLAINED

from .judged import ADAPTERS, Judged

pytestmark = pytest.mark.long


@dataclass(frozen=True)
class Framework:
    """A fixture, the files of the source at the judged version, and how many cases pass for each known failure."""

    fixture: str
    source: str
    passed_per_known: int


FRAMEWORKS = (
    Framework(
        "agent_framework",
        r"https://github\.com/microsoft/agent-framework/blob/python-1\.23\.0/python/packages/core/agent_framework/\w+\.py",
        passed_per_known=3,
    ),
    Framework("google_adk", r"https://github\.com/google/adk-python/blob/v2\.13\.0/src/[\w/]+\.py", passed_per_known=2),
    Framework(
        "openai_agents",
        r"https://github\.com/openai/openai-agents-python/blob/v0\.24\.0/src/[\w/]+\.py",
        passed_per_known=4,
    ),
    Framework("pydantic_ai", r"https://github\.com/pydantic/pydantic-ai/blob/v2\.68\.0/[\w/]+\.py", passed_per_known=4),
)
each = pytest.mark.parametrize("framework", FRAMEWORKS, ids=lambda one: one.fixture)


@pytest.fixture
def judged(framework: Framework, request: pytest.FixtureRequest) -> Judged:
    """The result of the framework, which is judged once per session."""
    found: Judged = request.getfixturevalue(framework.fixture)
    return found


@each
def test_a_framework_is_conformant_apart_from_known_failures(judged: Judged) -> None:
    """Every failure is known, advisory rules included, no baseline entry is stale, and no case is errored."""
    assert judged.exit_code == 0, judged.output
    assert {case.verdict for case in judged.cases} <= {"passed", "known", "inapplicable"}
    assert judged.summary.planned == judged.summary.accounted == len(judged.cases)


@each
def test_every_baseline_entry_is_a_known_failure(judged: Judged) -> None:
    """Each entry names a case that fails."""
    known = [case.case for case in judged.cases if case.verdict == "known"]
    assert sorted(known) == sorted(entry.case for entry in judged.baseline.known)


@each
def test_every_baseline_entry_is_explained(framework: Framework, judged: Judged) -> None:
    """Each entry has a reason, and a link to a line of the framework's source at the judged version."""
    for entry in judged.baseline.known:
        assert entry.reason != UNEXPLAINED
        assert re.fullmatch(framework.source + r"#L\d+", entry.link)


@each
def test_every_declared_capability_is_proven(framework: Framework, judged: Judged) -> None:
    """A passed case needs each declared capability, each other one has a reason, and most cases pass."""
    assert set(judged.run.roles) == {"agent"}
    assert set(judged.run.capabilities) == judged.proven
    judged.assert_all_else_has_a_reason(ADAPTERS / framework.fixture)
    verdicts = [case.verdict for case in judged.cases]
    assert verdicts.count("passed") > framework.passed_per_known * verdicts.count("known")


@each
def test_the_core_of_the_adapter_is_small(framework: Framework) -> None:
    """An adapter on the toolkit has at most 190 lines of code in its core."""
    core = ADAPTERS / framework.fixture / f"{framework.fixture}_adapter" / "core.py"
    lines = core.read_text(encoding="utf-8").splitlines()

    assert sum(bool(line.strip()) for line in lines) <= 190
