"""Functions for handlers and tools that work only inside a run."""

from __future__ import annotations

import pytest

from loopspec_reference import (
    Handler,
    Message,
    ModelContext,
    OutsideRunError,
    State,
    get_run_local_value,
    get_session_value,
    set_run_local_value,
    set_session_value,
)

from ..doubles import QUESTION, Answers, agent, drain


class _Setting(Handler[Message]):
    """Sets a run-local value."""

    async def before_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
        """Set the value."""
        set_run_local_value("key", 1)
        return state


def test_a_run_does_not_change_the_callers_context() -> None:
    """Outside the run its values are not available."""
    drain(agent(Answers("4"), handlers=[_Setting()]).run([QUESTION]))

    with pytest.raises(OutsideRunError):
        get_run_local_value("key")


class _Greeting(Handler[Message]):
    """Sets a session value, and records whether the session had it."""

    def __init__(self) -> None:
        self.found: list[bool] = []

    async def before_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
        """Record and set the value."""
        self.found.append(get_session_value("greeted")[1])
        set_session_value("greeted", True)
        return state


def test_two_runs_without_a_session_share_none() -> None:
    """The runs of a scene always have a session."""
    greeting = _Greeting()
    built = agent(Answers("4"), handlers=[greeting])
    drain(built.run([QUESTION]))
    drain(built.run([QUESTION]))

    assert greeting.found == [False, False]
