"""What a handler or a tool can do inside a run, and cannot do outside."""

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

from ..doubles import QUESTION, Answers, Function, agent, asks, heard, returning, sent


class _Counter(Handler[Message]):
    """Counts the model calls of a run in a run-local value, and tells."""

    async def before_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
        """Count."""
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
def test_outside_a_run_there_is_nothing_to_use(use: Callable[[], object]) -> None:
    """The error is one of the package and a plain runtime error, too."""
    with pytest.raises(OutsideRunError) as caught:
        use()

    assert isinstance(caught.value, RuntimeError)


def test_a_value_lasts_from_one_model_call_to_the_next() -> None:
    """It belongs to the run."""
    model = Answers(asks("add"), asks("add"), "4")
    counting = agent(model, tools=[returning("add", "4")], handlers=[_Counter()])

    assert sent(heard(counting.run([QUESTION]))) == [1, 2, 3]


def test_a_value_does_not_reach_the_next_run() -> None:
    """Each run begins without any."""
    counting = agent(Answers("4"), handlers=[_Counter()])

    assert [sent(heard(counting.run([QUESTION]))) for _ in range(2)] == [[1], [1]]


def test_what_was_never_set_differs_from_null() -> None:
    """A value may be null, and a deleted one is gone; deleting twice is no error."""
    seen: list[tuple[Json, bool]] = []

    async def use(context: ToolContext, arguments: str) -> str:
        seen.append(get_run_local_value("key"))
        set_run_local_value("key", None)
        seen.append(get_run_local_value("key"))
        delete_run_local_value("key")
        delete_run_local_value("key")
        seen.append(get_run_local_value("key"))
        return "used"

    heard(agent(Answers(asks("use"), "done"), tools=[Function("use", use)]).run([QUESTION]))

    assert seen == [(None, False), (None, True), (None, False)]


def test_a_tool_shares_the_values_of_its_run() -> None:
    """Handlers and tools of one agent talk about the same run."""

    async def reset(context: ToolContext, arguments: str) -> str:
        delete_run_local_value("count")
        return "reset"

    events = heard(
        agent(Answers(asks("reset"), "4"), tools=[Function("reset", reset)], handlers=[_Counter()]).run([QUESTION])
    )

    assert sent(events) == [1, 1]


def test_a_custom_event_stands_where_it_was_sent() -> None:
    """Between the messages, and with the name of its agent."""
    events = heard(
        agent(Answers(asks("add"), "4"), tools=[returning("add", "4")], handlers=[_Counter()]).run([QUESTION])
    )

    assert [type(event) for event in events] == [CustomEvent, MessageEvent, MessageEvent, CustomEvent, MessageEvent]
    assert events[0] == CustomEvent("agent", ("agent",), 1)


def test_a_run_leaves_nothing_in_its_caller() -> None:
    """After a run one is outside a run."""
    heard(agent(Answers("4"), handlers=[_Counter()]).run([QUESTION]))

    with pytest.raises(OutsideRunError):
        get_run_local_value("count")
