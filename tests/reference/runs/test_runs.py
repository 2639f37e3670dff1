"""Functions for handlers and tools that work only inside a run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from loopspec_reference import (
    Handler,
    Message,
    ModelContext,
    OutsideRunError,
    State,
    delete_run_local_value,
    get_run_local_value,
    send_event,
    set_run_local_value,
)

from ..doubles import QUESTION, Answers, agent, drain


class _Counter(Handler[Message]):
    """Counts the model calls of a run in a run-local value, and sends the count as an event."""

    async def before_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
        """Count the call."""
        count, found = get_run_local_value("count")
        set_run_local_value("count", count + 1 if found else 1)
        send_event(get_run_local_value("count")[0])
        return state


@pytest.mark.parametrize(
    "use",
    [
        lambda: set_run_local_value("key", 1),
        lambda: get_run_local_value("key"),
        lambda: delete_run_local_value("key"),
        lambda: send_event("hello"),
    ],
    ids=["set", "get", "delete", "send"],
)
def test_functions_of_a_run_fail_outside_a_run(use: Callable[[], object]) -> None:
    """The error is an error of the package and a RuntimeError."""
    with pytest.raises(OutsideRunError) as caught:
        use()

    assert isinstance(caught.value, RuntimeError)


def test_a_run_does_not_change_the_callers_context() -> None:
    """Outside the run its values are not available."""
    drain(agent(Answers("4"), handlers=[_Counter()]).run([QUESTION]))

    with pytest.raises(OutsideRunError):
        get_run_local_value("count")
