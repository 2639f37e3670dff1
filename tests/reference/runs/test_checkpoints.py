"""A run that stops, as bytes, and goes on."""

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

from ..doubles import QUESTION, Answers, Function, Tracer, agent, asks, heard, raising, returning, said


def confirming(name: str = "confirm", times: int = 1) -> Function:
    """A tool that interrupts a number of times, and then returns the answers that it received."""

    async def confirm(context: ToolContext, arguments: str) -> str:
        done = context.resumed.state if context.resumed else 0
        if done < times:
            raise InterruptRun(info=f"Sure? ({name})", state=done + 1)
        return f"{name}: {context.resumed.data if context.resumed else None}"

    return Function(name, confirm)


def stopped(events: Sequence[Event]) -> InterruptEvent:
    """The interrupt a run ended with."""
    last = events[-1]
    assert isinstance(last, InterruptEvent)
    return last


@pytest.mark.parametrize("message_type", [Message, AgenticMessage])
def test_a_stored_checkpoint_is_the_same_checkpoint(message_type: type[AnyMessage]) -> None:
    """Its conversation is read as the type the agent speaks."""
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
    """It says which call stopped, and what the tool has to say to the caller."""
    events = heard(agent(Answers(asks("confirm")), tools=[confirming()]).run([QUESTION]))

    assert said(events) == [""]
    assert stopped(events).interrupts == (Interrupt("call-confirm", "Sure? (confirm)"),)


def test_a_resumed_run_makes_the_call_again_and_goes_on() -> None:
    """In a new agent, the tool gets its state and the caller's answer, and the model the whole conversation."""
    first, tool, model = Answers(asks("confirm")), confirming(), Answers("Done.")
    checkpoint = stopped(heard(agent(first, instruction="Be terse.", tools=[confirming()]).run([QUESTION]))).checkpoint
    events = heard(agent(model, instruction="Be kind.", tools=[tool]).resume(checkpoint, {"call-confirm": "yes"}))

    assert tool.calls == [(ToolContext("confirm", "call-confirm", Resumed(1, "yes")), "{}")]
    result = Message.tool_result(ToolCall("call-confirm", "confirm"), "confirm: yes")
    assert model.given == [(*first.given[0], asks("confirm"), result)]
    assert said(events) == ["confirm: yes", "Done."]


def test_without_an_answer_the_tool_gets_null() -> None:
    """It is the tool's business what to make of it."""
    checkpoint = stopped(heard(agent(Answers(asks("confirm")), tools=[confirming()]).run([QUESTION]))).checkpoint

    assert said(heard(agent(Answers("Done."), tools=[confirming()]).resume(checkpoint))) == ["confirm: None", "Done."]


def test_a_finished_call_is_not_made_again() -> None:
    """Its result is in the checkpoint, and takes its place among the others."""
    other, model = returning("add", "4"), Answers("Done.")
    tools = [confirming(), other]
    checkpoint = stopped(heard(agent(Answers(asks("confirm", "add")), tools=tools).run([QUESTION]))).checkpoint
    heard(agent(model, tools=tools).resume(checkpoint, {"call-confirm": "yes"}))

    assert len(other.calls) == 1
    assert [message.text for message in model.given[0][-2:]] == ["confirm: yes", "4"]


def test_several_interrupts_may_be_answered_one_after_the_other() -> None:
    """Each stop keeps what the one before it had."""
    tools = [confirming("a", 1), confirming("b", 2)]
    first = stopped(heard(agent(Answers(asks("a", "b")), tools=tools).run([QUESTION])))
    second = stopped(heard(agent(Answers("Done."), tools=tools).resume(first.checkpoint, {"call-a": 1, "call-b": 2})))
    model = Answers("Done.")
    heard(agent(model, tools=tools).resume(second.checkpoint, {"call-a": 3, "call-b": 4}))

    assert [[interrupt.call_id for interrupt in stop.interrupts] for stop in (first, second)] == [
        ["call-a", "call-b"],
        ["call-b"],
    ]
    assert [message.text for message in model.given[0][-2:]] == ["a: 1", "b: 4"]


def test_a_checkpoint_can_be_used_twice() -> None:
    """Each use goes its own way."""
    checkpoint = stopped(heard(agent(Answers(asks("confirm")), tools=[confirming()]).run([QUESTION]))).checkpoint
    ways = [
        said(heard(agent(Answers("Done."), tools=[confirming()]).resume(checkpoint, {"call-confirm": answer})))
        for answer in ("yes", "no")
    ]

    assert ways == [["confirm: yes", "Done."], ["confirm: no", "Done."]]


def test_values_of_the_run_come_along() -> None:
    """What the run kept and what its session held are there again."""
    seen = []

    async def use(context: ToolContext, arguments: str) -> str:
        if context.resumed is None:
            set_run_local_value("key", [1, None])
            raise InterruptRun
        seen.append(get_run_local_value("key"))
        return "used"

    checkpoint = stopped(heard(agent(Answers(asks("use")), tools=[Function("use", use)]).run([QUESTION]))).checkpoint
    heard(agent(Answers("Done."), tools=[Function("use", use)]).resume(checkpoint))

    assert seen == [([1, None], True)]


def test_the_session_comes_along() -> None:
    """A sub-agent that is asked after the stop knows its values."""
    inner = Answers("4")
    expert = agent(inner, name="expert", description="Knows numbers.", instruction="You work for {user}.")
    tools: list[AnyTool] = [confirming(), AgentTool(expert)]
    run = agent(Answers(asks("confirm")), tools=tools).run([QUESTION], {"user": "Ada"})
    asked = Message.assistant("", [ToolCall("call-1", "expert", '{"request": "2 + 2?"}')])
    heard(agent(Answers(asked, "4"), tools=tools).resume(stopped(heard(run)).checkpoint))

    assert inner.given == [(Message.system("You work for Ada."), Message.user("2 + 2?"))]


def test_the_model_calls_before_the_stop_count() -> None:
    """Resuming does not raise the limit."""
    tools = [confirming()]
    checkpoint = stopped(heard(agent(Answers(asks("confirm")), tools=tools).run([QUESTION]))).checkpoint
    model = Answers("never")
    events = heard(agent(model, tools=tools, max_iterations=1).resume(checkpoint))

    assert model.given == []
    assert isinstance(events[-1], ErrorEvent)
    assert isinstance(events[-1].error, IterationLimitError)


def test_of_the_start_of_a_run_only_the_first_hook_is_repeated() -> None:
    """The handlers go on where they were, and learn of the end once."""
    trace: list[str] = []
    tools, handlers = [confirming()], [Tracer("a", trace)]
    checkpoint = stopped(
        heard(agent(Answers(asks("confirm")), tools=tools, handlers=handlers).run([QUESTION]))
    ).checkpoint
    until, trace[:] = list(trace), []
    heard(agent(Answers("Done."), tools=tools, handlers=handlers).resume(checkpoint))

    assert until[-1] == "a into confirm"
    assert trace[:4] == ["a before agent", "a into confirm", "a out of confirm", "a before model"]
    assert trace[-1] == "a after agent"


def test_a_failure_beside_an_interrupt_ends_the_run() -> None:
    """There is nothing to resume."""
    error = RuntimeError("broken")
    tools = [confirming(), raising("break", error)]

    assert heard(agent(Answers(asks("confirm", "break")), tools=tools).run([QUESTION]))[-1] == ErrorEvent(
        "agent", ("agent",), error
    )


def is_refused(events: Sequence[Event]) -> bool:
    """Whether a resumption could not begin: there is one event, and it says so."""
    return [isinstance(event, ErrorEvent) and type(event.error) for event in events] == [CheckpointError]


def a_checkpoint(message_type: type[AnyMessage] = Message, **changes: Json) -> bytes:
    """That of a run which a tool has interrupted, with changes in it."""
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
def test_what_is_no_checkpoint_ends_the_run_with_one_error(checkpoint: bytes) -> None:
    """Nobody is called, and the session stays as it was."""
    trace: list[str] = []
    session: dict[str, Json] = {}
    tool, model = confirming(), Answers("never")
    events = heard(
        agent(model, tools=[tool], handlers=[Tracer("a", trace)]).resume(checkpoint, {"1": "yes"}, session=session)
    )

    assert is_refused(events)
    assert (trace, tool.calls, model.given, session) == ([], [], [], {})


def test_a_good_checkpoint_of_the_same_making_is_not_refused() -> None:
    """So it was what was wrong with the others that was refused."""
    session: dict[str, Json] = {}
    assert said(heard(agent(Answers("Done."), tools=[confirming()]).resume(a_checkpoint(), session=session)))[-1] == (
        "Done."
    )
    assert session == {"user": "Ada"}


@pytest.mark.parametrize("state", [1, "no checkpoint", "bm8gY2hlY2twb2ludA=="])
def test_a_state_that_is_no_checkpoint_of_a_sub_agent_ends_the_run_with_one_error(state: Json) -> None:
    """It may come from an agent in which a tool of this name was no agent."""
    expert = AgentTool(agent(Answers("never"), name="confirm", description="Knows numbers."))
    events = heard(agent(Answers("never"), tools=[expert]).resume(a_checkpoint(states={0: state})))

    assert is_refused(events)


def test_calls_with_one_id_are_both_interrupted() -> None:
    """Each keeps its state; the caller answers them together."""

    async def confirm(context: ToolContext, arguments: str) -> str:
        if context.resumed is None:
            raise InterruptRun(info=arguments, state=arguments)
        return f"{context.resumed.state} {context.resumed.data}"

    asked = Message.assistant("", [ToolCall("1", "confirm", "one"), ToolCall("1", "confirm", "two")])
    stop = stopped(heard(agent(Answers(asked), tools=[Function("confirm", confirm)]).run([QUESTION])))
    model = Answers("Done.")
    heard(agent(model, tools=[Function("confirm", confirm)]).resume(stop.checkpoint, {"1": "yes"}))

    assert stop.interrupts == (Interrupt("1", "one"), Interrupt("1", "two"))
    assert [message.text for message in model.given[0][2:]] == ["one yes", "two yes"]
