"""Functions for handlers and tools that work only inside a run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from loopspec_reference import (
    CustomEvent,
    Handler,
    Json,
    Message,
    MessageEvent,
    ModelContext,
    OutsideRunError,
    State,
    ToolContext,
    delete_run_local_value,
    get_run_local_value,
    send_event,
    set_run_local_value,
)

from ..doubles import QUESTION, Answers, Function, agent, asks, drain, returning, sent


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


def test_a_value_lasts_from_one_model_call_to_the_next() -> None:
    """The value belongs to the run."""
    model = Answers(asks("add"), asks("add"), "4")
    counting = agent(model, tools=[returning("add", "4")], handlers=[_Counter()])

    assert sent(drain(counting.run([QUESTION]))) == [1, 2, 3]


def test_a_value_does_not_reach_the_next_run() -> None:
    """Each run starts without values."""
    counting = agent(Answers("4"), handlers=[_Counter()])

    assert [sent(drain(counting.run([QUESTION]))) for _ in range(2)] == [[1], [1]]


def test_a_missing_value_differs_from_none() -> None:
    """A value may be None, and a deleted value is missing; deleting twice is no error."""
    seen: list[tuple[Json, bool]] = []

    async def use(context: ToolContext, arguments: str) -> str:
        seen.append(get_run_local_value("key"))
        set_run_local_value("key", None)
        seen.append(get_run_local_value("key"))
        delete_run_local_value("key")
        delete_run_local_value("key")
        seen.append(get_run_local_value("key"))
        return "used"

    drain(agent(Answers(asks("use"), "done"), tools=[Function("use", use)]).run([QUESTION]))

    assert seen == [(None, False), (None, True), (None, False)]


def test_a_tool_shares_the_values_of_its_run() -> None:
    """Handlers and tools of one agent share their run-local values."""

    async def reset(context: ToolContext, arguments: str) -> str:
        delete_run_local_value("count")
        return "reset"

    events = drain(
        agent(Answers(asks("reset"), "4"), tools=[Function("reset", reset)], handlers=[_Counter()]).run([QUESTION])
    )

    assert sent(events) == [1, 1]


def test_a_custom_event_is_reported_in_order() -> None:
    """The event is between the messages and has the name of its agent."""
    events = drain(
        agent(Answers(asks("add"), "4"), tools=[returning("add", "4")], handlers=[_Counter()]).run([QUESTION])
    )

    assert [type(event) for event in events] == [CustomEvent, MessageEvent, MessageEvent, CustomEvent, MessageEvent]
    assert events[0] == CustomEvent("agent", ("agent",), 1)


def test_a_run_does_not_change_the_callers_context() -> None:
    """Outside the run its values are not available."""
    drain(agent(Answers("4"), handlers=[_Counter()]).run([QUESTION]))

    with pytest.raises(OutsideRunError):
        get_run_local_value("count")
