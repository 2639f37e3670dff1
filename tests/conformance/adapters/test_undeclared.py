"""Each capability that an adapter does not declare has a reason; for the adapters in Node see `test_node.py`."""

from __future__ import annotations

import pytest

from loopspec.targets.known import known_targets

from .judged import Judged

pytestmark = pytest.mark.long

# A known target, and the fixture that judges it.
JUDGED = {
    "agent-framework": "agent_framework",
    "eino": "eino",
    "google-adk": "google_adk",
    "langchain": "langchain",
    "openai-agents": "openai_agents",
    "pydantic-ai": "pydantic_ai",
}


@pytest.mark.parametrize("name", JUDGED)
def test_the_reasons_are_about_what_is_not_declared(name: str, request: pytest.FixtureRequest) -> None:
    """The framework is judged with the command from its README."""
    judged: Judged = request.getfixturevalue(JUDGED[name])

    judged.assert_all_else_has_a_reason(known_targets()[name].folder)
