"""Conversations: an agent of Strands keeps its conversation, so that each conversation of a scene has one agent."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

import strands

from loopspec.contract.scene import Run

_agents: ContextVar[dict[str, strands.Agent]] = ContextVar("strands_conversations")


def new_conversations() -> None:
    """Begin without conversations: those of a scene are its own."""
    _agents.set({})


def agent_for(run: Run, make: Callable[[], strands.Agent]) -> strands.Agent:
    """Return the agent of a run's conversation; a run without a conversation has an agent of its own."""
    if not run.conversation:
        return make()
    agents = _agents.get()
    if run.conversation not in agents:
        agents[run.conversation] = make()
    return agents[run.conversation]
