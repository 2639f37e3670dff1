"""A run stops with a checkpoint and is resumed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from loopspec_reference import (
    AgenticMessage,
    AgentTool,
    AnyMessage,
    AnyTool,
    CheckpointError,
    ErrorEvent,
    Event,
    Interrupt,
    InterruptEvent,
    InterruptRun,
    IterationLimitError,
    Message,
    Resumed,
    State,
    ToolCall,
    ToolContext,
    ToolInfo,
    get_run_local_value,
    set_run_local_value,
)
from loopspec_reference.runs.checkpoints import Checkpoint
from loopspec_reference.values.messages import Json

from ..doubles import QUESTION, Answers, Function, Tracer, agent, asks, drain, raising, returning, texts_of


def confirming(name: str = "confirm", times: int = 1) -> Function:
    """A tool that interrupts a number of times, and then returns the answers that it received."""

    async def confirm(context: ToolContext, arguments: str) -> str:
        done = context.resumed.state if context.resumed else 0
        if done < times:
            raise InterruptRun(info=f"Sure? ({name})", state=done + 1)
        return f"{name}: {context.resumed.data if context.resumed else None}"

    return Function(name, confirm)


def stopped(events: Sequence[Event]) -> InterruptEvent:
    """The interrupt that ends a run."""
    last = events[-1]
    assert isinstance(last, InterruptEvent)
    return last


@pytest.mark.parametrize("message_type", [Message, AgenticMessage])
def test_a_checkpoint_can_be_stored(message_type: type[AnyMessage]) -> None:
    """The conversation has the agent's type of message."""
    conversation = (message_type.user("2 + 2?", {"mark": True}), message_type.assistant("", [ToolCall("1", "add")]))
    saved = Checkpoint(
        messages=msgspec.Raw(msgspec.json.encode(conversation)),
        phase="tools",
        tools=(ToolInfo("add", "Adds."),),
        deferred_tools=(),
        iteration=1,
        streaming=True,
        local={"key": None},
        session={"user": "Ada"},
        results={},
        states={0: [1, 2]},
    )

    read = msgspec.json.decode(msgspec.json.encode(saved), type=Checkpoint)

    assert read.state(message_type) == State(conversation, (ToolInfo("add", "Adds."),))
    assert msgspec.structs.replace(read, messages=saved.messages) == saved


def test_an_interrupt_is_the_last_event() -> None:
    """The event names the interrupted calls and has the info of the tool."""
    events = drain(agent(Answers(asks("confirm")), tools=[confirming()]).run([QUESTION]))

    assert texts_of(events) == [""]
    assert stopped(events).interrupts == (Interrupt("call-confirm", "Sure? (confirm)"),)


def test_a_resumed_run_repeats_the_interrupted_call() -> None:
    """In a new agent, the tool receives its state and the answer, and the model the whole conversation."""
    first, tool, model = Answers(asks("confirm")), confirming(), Answers("Done.")
    checkpoint = stopped(drain(agent(first, instruction="Be terse.", tools=[confirming()]).run([QUESTION]))).checkpoint
    events = drain(agent(model, instruction="Be kind.", tools=[tool]).resume(checkpoint, {"call-confirm": "yes"}))

    assert tool.calls == [(ToolContext("confirm", "call-confirm", Resumed(1, "yes")), "{}")]
    result = Message.tool_result(ToolCall("call-confirm", "confirm"), "confirm: yes")
    assert model.given == [(*first.given[0], asks("confirm"), result)]
    assert texts_of(events) == ["confirm: yes", "Done."]


def test_without_an_answer_the_tool_receives_none() -> None:
    """The data of an unanswered interrupt is None."""
    checkpoint = stopped(drain(agent(Answers(asks("confirm")), tools=[confirming()]).run([QUESTION]))).checkpoint

    assert texts_of(drain(agent(Answers("Done."), tools=[confirming()]).resume(checkpoint))) == [
        "confirm: None",
        "Done.",
    ]


def test_a_finished_call_is_not_repeated() -> None:
    """The result is in the checkpoint, and keeps its position."""
    other, model = returning("add", "4"), Answers("Done.")
    tools = [confirming(), other]
    checkpoint = stopped(drain(agent(Answers(asks("confirm", "add")), tools=tools).run([QUESTION]))).checkpoint
    drain(agent(model, tools=tools).resume(checkpoint, {"call-confirm": "yes"}))

    assert len(other.calls) == 1
    assert [message.text for message in model.given[0][-2:]] == ["confirm: yes", "4"]


def test_several_interrupts_may_be_answered_in_turn() -> None:
    """Each checkpoint keeps the earlier answers."""
    tools = [confirming("a", 1), confirming("b", 2)]
    first = stopped(drain(agent(Answers(asks("a", "b")), tools=tools).run([QUESTION])))
    second = stopped(drain(agent(Answers("Done."), tools=tools).resume(first.checkpoint, {"call-a": 1, "call-b": 2})))
    model = Answers("Done.")
    drain(agent(model, tools=tools).resume(second.checkpoint, {"call-a": 3, "call-b": 4}))

    assert [[interrupt.call_id for interrupt in stop.interrupts] for stop in (first, second)] == [
        ["call-a", "call-b"],
        ["call-b"],
    ]
    assert [message.text for message in model.given[0][-2:]] == ["a: 1", "b: 4"]


def test_a_checkpoint_can_be_used_twice() -> None:
    """Both runs are independent."""
    checkpoint = stopped(drain(agent(Answers(asks("confirm")), tools=[confirming()]).run([QUESTION]))).checkpoint
    ways = [
        texts_of(drain(agent(Answers("Done."), tools=[confirming()]).resume(checkpoint, {"call-confirm": answer})))
        for answer in ("yes", "no")
    ]

    assert ways == [["confirm: yes", "Done."], ["confirm: no", "Done."]]


def test_a_resumed_run_keeps_its_run_local_values() -> None:
    """Run-local values are in the checkpoint."""
    seen = []

    async def use(context: ToolContext, arguments: str) -> str:
        if context.resumed is None:
            set_run_local_value("key", [1, None])
            raise InterruptRun
        seen.append(get_run_local_value("key"))
        return "used"

    checkpoint = stopped(drain(agent(Answers(asks("use")), tools=[Function("use", use)]).run([QUESTION]))).checkpoint
    drain(agent(Answers("Done."), tools=[Function("use", use)]).resume(checkpoint))

    assert seen == [([1, None], True)]


def test_a_resumed_run_keeps_its_session() -> None:
    """A sub-agent called after the resumption receives the session values."""
    inner = Answers("4")
    expert = agent(inner, name="expert", description="Knows numbers.", instruction="You work for {user}.")
    tools: list[AnyTool] = [confirming(), AgentTool(expert)]
    run = agent(Answers(asks("confirm")), tools=tools).run([QUESTION], {"user": "Ada"})
    asked = Message.assistant("", [ToolCall("call-1", "expert", '{"request": "2 + 2?"}')])
    drain(agent(Answers(asked, "4"), tools=tools).resume(stopped(drain(run)).checkpoint))

    assert inner.given == [(Message.system("You work for Ada."), Message.user("2 + 2?"))]


def test_the_model_calls_before_the_stop_count() -> None:
    """A resumption does not reset the limit."""
    tools = [confirming()]
    checkpoint = stopped(drain(agent(Answers(asks("confirm")), tools=tools).run([QUESTION]))).checkpoint
    model = Answers("never")
    events = drain(agent(model, tools=tools, max_iterations=1).resume(checkpoint))

    assert model.given == []
    assert isinstance(events[-1], ErrorEvent)
    assert isinstance(events[-1].error, IterationLimitError)


def test_a_resumed_run_repeats_only_the_before_agent_hook() -> None:
    """Of the start, only the before-agent hook is called again; the after-agent hook is called once."""
    trace: list[str] = []
    tools, handlers = [confirming()], [Tracer("a", trace)]
    checkpoint = stopped(
        drain(agent(Answers(asks("confirm")), tools=tools, handlers=handlers).run([QUESTION]))
    ).checkpoint
    until, trace[:] = list(trace), []
    drain(agent(Answers("Done."), tools=tools, handlers=handlers).resume(checkpoint))

    assert until[-1] == "a into confirm"
    assert trace[:4] == ["a before agent", "a into confirm", "a out of confirm", "a before model"]
    assert trace[-1] == "a after agent"


def test_a_failure_next_to_an_interrupt_ends_the_run() -> None:
    """The run cannot be resumed."""
    error = RuntimeError("broken")
    tools = [confirming(), raising("break", error)]

    assert drain(agent(Answers(asks("confirm", "break")), tools=tools).run([QUESTION]))[-1] == ErrorEvent(
        "agent", ("agent",), error
    )


def is_rejected(events: Sequence[Event]) -> bool:
    """Whether a resumption failed at its beginning: the only event is a checkpoint error."""
    return [isinstance(event, ErrorEvent) and type(event.error) for event in events] == [CheckpointError]


def a_checkpoint(message_type: type[AnyMessage] = Message, **changes: Json) -> bytes:
    """The checkpoint of a run that a tool interrupted, with changes."""
    saved = Checkpoint(
        messages=msgspec.Raw(msgspec.json.encode((message_type.assistant("", [ToolCall("1", "confirm")]),))),
        phase="tools",
        tools=(),
        deferred_tools=(),
        iteration=1,
        streaming=False,
        local={},
        session={"user": "Ada"},
        states={0: 1},
    )
    return msgspec.json.encode(msgspec.structs.replace(saved, **changes))


@pytest.mark.parametrize(
    "checkpoint",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"no checkpoint", id="text"),
        pytest.param(b"\xff\xfe", id="bytes that are no text"),
        pytest.param(b'{"messages": []}', id="other JSON"),
        pytest.param(b"[" * 100_000, id="JSON too deep to read"),
        pytest.param(a_checkpoint()[:-20], id="truncated"),
        pytest.param(a_checkpoint(AgenticMessage), id="of an agent with another type of messages"),
        pytest.param(a_checkpoint(local={"key": ["unknown", 1]}), id="with a type unknown here"),
        pytest.param(a_checkpoint(session={"key": []}), id="with half a value"),
        pytest.param(a_checkpoint(results={0: msgspec.Raw(b'{"role": "unknown"}')}), id="with a result that is none"),
        pytest.param(a_checkpoint(states={1: 1}), id="with the state of a call that was never made"),
        pytest.param(a_checkpoint(messages=msgspec.Raw(b"[]")), id="without the answer that asks for the tools"),
    ],
)
def test_an_invalid_checkpoint_ends_the_run_with_one_error(checkpoint: bytes) -> None:
    """No tool, model or handler is called, and the session is unchanged."""
    trace: list[str] = []
    session: dict[str, Json] = {}
    tool, model = confirming(), Answers("never")
    events = drain(
        agent(model, tools=[tool], handlers=[Tracer("a", trace)]).resume(checkpoint, {"1": "yes"}, session=session)
    )

    assert is_rejected(events)
    assert (trace, tool.calls, model.given, session) == ([], [], [], {})


def test_the_unchanged_checkpoint_is_accepted() -> None:
    """The unchanged checkpoint is accepted, so the other tests reject only the changes."""
    session: dict[str, Json] = {}
    assert texts_of(drain(agent(Answers("Done."), tools=[confirming()]).resume(a_checkpoint(), session=session)))[
        -1
    ] == ("Done.")
    assert session == {"user": "Ada"}


@pytest.mark.parametrize("state", [1, "no checkpoint", "bm8gY2hlY2twb2ludA=="])
def test_an_invalid_state_of_a_sub_agent_ends_the_run_with_one_error(state: Json) -> None:
    """The state may come from an agent in which the tool of this name was no agent."""
    expert = AgentTool(agent(Answers("never"), name="confirm", description="Knows numbers."))
    events = drain(agent(Answers("never"), tools=[expert]).resume(a_checkpoint(states={0: state})))

    assert is_rejected(events)


def test_calls_with_one_id_are_both_interrupted() -> None:
    """Each call keeps its state; one answer is for both."""

    async def confirm(context: ToolContext, arguments: str) -> str:
        if context.resumed is None:
            raise InterruptRun(info=arguments, state=arguments)
        return f"{context.resumed.state} {context.resumed.data}"

    asked = Message.assistant("", [ToolCall("1", "confirm", "one"), ToolCall("1", "confirm", "two")])
    stop = stopped(drain(agent(Answers(asked), tools=[Function("confirm", confirm)]).run([QUESTION])))
    model = Answers("Done.")
    drain(agent(model, tools=[Function("confirm", confirm)]).resume(stop.checkpoint, {"1": "yes"}))

    assert stop.interrupts == (Interrupt("1", "one"), Interrupt("1", "two"))
    assert [message.text for message in model.given[0][2:]] == ["one yes", "two yes"]
