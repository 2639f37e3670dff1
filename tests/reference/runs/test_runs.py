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
    set_run_local_value,
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
