"""The loop: reason, act, observe."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from loopspec_reference import (
    AgenticMessage,
    ConfigError,
    ErrorEvent,
    Event,
    ExitTool,
    InstructionError,
    IterationLimitError,
    Message,
    MessageEvent,
    ModelRequest,
    ToolCall,
    ToolContext,
    ToolInfo,
    ToolRequest,
    UnknownToolError,
)
from loopspec_reference.loop.agents import Agent

from ..doubles import (
    QUESTION,
    Answers,
    Function,
    Tracer,
    agent,
    asks,
    drain,
    raising,
    reported,
    returning,
    texts_of,
)


def failure(events: Sequence[Event]) -> Exception:
    """The error of a failed run."""
    last = events[-1]
    assert isinstance(last, ErrorEvent)
    return last.error


def test_an_answer_without_calls_ends_the_run() -> None:
    """The answer is the only event."""
    assert drain(agent(Answers("4")).run([QUESTION])) == [MessageEvent("agent", ("agent",), Message.assistant("4"))]


def test_the_model_receives_instruction_and_conversation() -> None:
    """The instruction is the system message; a result follows the answer with its call."""
    model = Answers(asks("add"), "4")
    drain(agent(model, instruction="Be terse.", tools=[returning("add", "four")]).run([QUESTION]))

    start = (Message.system("Be terse."), QUESTION)
    result = Message.tool_result(ToolCall("call-add", "add"), "four")
    assert model.given == [start, (*start, asks("add"), result)]


def test_without_an_instruction_there_is_no_system_message() -> None:
    """Only the messages of the conversation are sent."""
    model = Answers("4")
    drain(agent(model).run([QUESTION]))

    assert model.given == [(QUESTION,)]


def test_the_instruction_is_a_template_when_the_session_has_values() -> None:
    """Keys are replaced by values, and doubled braces are halved."""
    model = Answers("4")
    drain(agent(model, instruction="You work for {user}. {{}}").run([], {"user": "Ada"}))

    assert model.given == [(Message.system("You work for Ada. {}"),)]


def test_without_a_session_doubled_braces_are_halved() -> None:
    """The instruction is always rendered."""
    model = Answers("4")
    drain(agent(model, instruction="You work for {{user}}.").run([]))

    assert model.given == [(Message.system("You work for {user}."),)]


def test_a_key_missing_in_the_session_ends_the_run() -> None:
    """The error names the key."""
    error = failure(drain(agent(Answers("4"), instruction="{user}").run([], {"name": "Ada"})))

    assert isinstance(error, InstructionError)
    assert "'user'" in str(error)


def test_each_model_call_receives_all_tools() -> None:
    """Tools are in the order of their registration."""
    model = Answers(asks("add"), "4")
    drain(agent(model, tools=[returning("search", ""), returning("add", "4")]).run([QUESTION]))

    assert model.offered == [("search", "add")] * 2


def test_a_tool_receives_the_models_arguments_unchanged() -> None:
    """The arguments are neither checked nor repaired."""
    tool = returning("add", "4")
    drain(agent(Answers(Message.assistant("", [ToolCall("1", "add", "{2 +")]), "4"), tools=[tool]).run([QUESTION]))

    assert tool.calls == [(ToolContext("add", "1"), "{2 +")]


def test_results_follow_in_the_order_of_the_calls() -> None:
    """Tools run concurrently; events are in the order of completion, results in the order of the calls."""
    finished = asyncio.Event()

    async def slow(context: ToolContext, arguments: str) -> str:
        await finished.wait()
        return "slow"

    async def fast(context: ToolContext, arguments: str) -> str:
        finished.set()
        return "fast"

    model = Answers(asks("slow", "fast"), "done")
    events = drain(agent(model, tools=[Function("slow", slow), Function("fast", fast)]).run([QUESTION]))

    assert texts_of(events) == ["", "fast", "slow", "done"]
    assert [message.text for message in model.given[1]] == [QUESTION.text, "", "slow", "fast"]


def test_an_unknown_tool_ends_the_run() -> None:
    """The error names the tool and the agent."""
    error = failure(drain(agent(Answers(asks("fly")), tools=[returning("add", "4")]).run([QUESTION])))

    assert isinstance(error, UnknownToolError)
    assert str(error) == "the model called the tool 'fly', which 'agent' does not have"


def test_without_tools_any_answer_is_final() -> None:
    """Without tools, a call is not looked up."""
    assert drain(agent(Answers(asks("fly"))).run([QUESTION])) == [MessageEvent("agent", ("agent",), asks("fly"))]


def test_a_failing_tool_lets_the_others_finish() -> None:
    """The results precede the error, which is unchanged; the model is not called again."""
    error, finished = RuntimeError("broken"), []

    async def slow(context: ToolContext, arguments: str) -> str:
        await asyncio.sleep(0)
        finished.append(context.name)
        return "slow"

    model = Answers(asks("break", "slow"), "never")
    events = drain(agent(model, tools=[raising("break", error), Function("slow", slow)]).run([QUESTION]))

    assert (texts_of(events), finished, len(model.given)) == (["", "slow"], ["slow"], 1)
    assert failure(events) is error


def test_the_error_of_the_first_call_is_reported() -> None:
    """The error is the same as for sequential calls."""
    first, second = RuntimeError("first"), RuntimeError("second")
    tools = [raising("a", first), raising("b", second)]

    assert failure(drain(agent(Answers(asks("b", "a")), tools=tools).run([QUESTION]))) is second


def test_an_error_of_the_model_ends_the_run() -> None:
    """The error is unchanged, and is an event."""
    error = RuntimeError("no connection")

    class Broken(Answers):
        async def generate(self, request: ModelRequest[Message]) -> Message:
            raise error

    assert failure(drain(agent(Broken()).run([QUESTION]))) is error


def test_the_limit_counts_model_calls() -> None:
    """No call beyond the limit is made."""
    model = Answers(asks("add"))
    events = drain(agent(model, tools=[returning("add", "4")], max_iterations=3).run([QUESTION]))

    assert (len(model.given), len(texts_of(events))) == (3, 6)
    assert isinstance(failure(events), IterationLimitError)


def test_an_answer_at_the_limit_is_an_answer() -> None:
    """The limit itself is allowed."""
    events = drain(agent(Answers(asks("add"), "4"), tools=[returning("add", "4")], max_iterations=2).run([QUESTION]))

    assert events[-1] == MessageEvent("agent", ("agent",), Message.assistant("4"))


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_that_allows_no_call_is_the_default(limit: int) -> None:
    """The default is 20 calls."""
    model = Answers(asks("add"))
    drain(agent(model, tools=[returning("add", "4")], max_iterations=limit).run([QUESTION]))

    assert len(model.given) == 20


def test_one_agent_may_have_concurrent_runs() -> None:
    """The conversations of concurrent runs are separate."""
    model = Answers("4")
    two = agent(model)

    async def both() -> list[list[Event]]:
        async def listen(question: str) -> list[Event]:
            return [event async for event in two.run([Message.user(question)])]

        return list(await asyncio.gather(listen("a"), listen("b")))

    assert [len(events) for events in asyncio.run(both())] == [1, 1]
    assert sorted(model.given, key=lambda given: given[0].text) == [(Message.user("a"),), (Message.user("b"),)]


def test_closing_the_event_stream_stops_the_run() -> None:
    """Running calls are cancelled and have ended when the stream is closed."""
    begun, ended = asyncio.Event(), []

    async def wait(context: ToolContext, arguments: str) -> str:
        begun.set()
        try:
            return str(await asyncio.Event().wait())
        finally:
            ended.append(context.name)

    async def listen_once() -> None:
        events = agent(Answers(asks("wait")), tools=[Function("wait", wait)]).run([QUESTION])
        async for _ in events:
            await begun.wait()
            break
        await events.aclose()  # type: ignore[attr-defined]  # the stream is a generator, which its type does not promise

    asyncio.run(asyncio.wait_for(listen_once(), 60))  # a run that continues would never end

    assert ended == ["wait"]


def test_an_agent_with_agentic_messages() -> None:
    """A result is a user message."""
    given = []

    class Model:
        async def generate(self, request: ModelRequest[AgenticMessage]) -> AgenticMessage:
            given.append(tuple(request.messages))
            return AgenticMessage.assistant("4", [ToolCall("1", "add")] if len(given) == 1 else [])

        async def stream(self, request: ModelRequest[AgenticMessage]) -> AsyncIterator[AgenticMessage]:
            yield await self.generate(request)

    built = Agent(name="agent", model=Model(), message_type=AgenticMessage, tools=[returning("add", "four")])
    drain(built.run([AgenticMessage.user("2 + 2?")]))

    assert given[1][2] == AgenticMessage.tool_result(ToolCall("1", "add"), "four")


def test_calls_with_the_same_id_have_separate_results() -> None:
    """Results belong to positions, since models repeat ids."""

    async def echo(context: ToolContext, arguments: str) -> str:
        return arguments

    calls = [ToolCall("1", "echo", "one"), ToolCall("1", "echo", "two")]
    model = Answers(Message.assistant("", calls), "done")
    drain(agent(model, tools=[Function("echo", echo)]).run([QUESTION]))

    assert [message.text for message in model.given[1][2:]] == ["one", "two"]


def test_an_error_of_one_of_two_equal_calls_is_reported() -> None:
    """The run ends with the error, although the other call succeeds."""
    failing = [True, False]

    async def fails_once(context: ToolContext, arguments: str) -> str:
        if failing.pop(0):
            raise LookupError("the first")
        return "fine"

    call = ToolCall("1", "add")
    events = drain(
        agent(Answers(Message.assistant("", [call, call])), tools=[Function("add", fails_once)]).run([QUESTION])
    )

    assert repr(failure(events)) == "LookupError('the first')"


@pytest.mark.parametrize("streaming", [False, True])
def test_the_result_of_the_first_return_directly_tool_is_final(streaming: bool) -> None:
    """All calls are made; the event of the return-directly tool is last, and the session has its text."""
    model, session = Answers(asks("add", "b", "c")), dict[str, object]()
    tools = [returning("add", "1"), returning("b", "2"), returning("c", "3")]
    direct = {"add": False, "b": True, "c": True}
    built = agent(model, tools=tools, return_directly=direct, output_key="out", max_iterations=1)

    assert reported(built.run([QUESTION], session, streaming=streaming))[1:] == ["1", "3", "2"]
    assert (session, len(model.given)) == ({"out": "2"}, 1)


def test_the_exit_tool_ends_the_run() -> None:
    """The event exits the run; the exit tool follows the other tools."""
    model = Answers(Message.assistant("", [ToolCall("1", "exit", '{"final_result": "4"}')]))
    events = drain(agent(model, tools=[returning("add", "")], exit_tool=ExitTool()).run([QUESTION]))
    last = events[-1]

    assert isinstance(last, MessageEvent)
    assert (last.exits, last.message.text, model.offered) == (True, "4", [("add", "exit")])


def test_malformed_arguments_of_the_exit_tool_are_an_error() -> None:
    """The final result is not guessed."""
    model = Answers(Message.assistant("", [ToolCall("1", "exit", "{}")]))

    assert reported(agent(model, exit_tool=ExitTool()).run([QUESTION])) == ["", "ValidationError"]


def test_a_custom_input_is_not_rendered() -> None:
    """The function receives the unrendered instruction, and its result is the input of the model."""

    async def make_input(instruction: str, messages: Sequence[Message]) -> Sequence[Message]:
        return [*messages, Message.user(instruction)]

    model = Answers("4")
    drain(agent(model, instruction="{user}", make_input=make_input).run([QUESTION], {"user": "Ada"}))

    assert model.given == [(QUESTION, Message.user("{user}"))]


class _WithoutInfo:
    @property
    def info(self) -> ToolInfo:
        raise RuntimeError("no info")

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        raise AssertionError("never")


class _Nothing:
    info = ToolInfo("nothing")


@pytest.mark.parametrize(("tool", "error"), [(_WithoutInfo(), "RuntimeError"), (_Nothing(), "ConfigError")])
def test_a_tool_that_cannot_be_used_ends_the_run_before_its_start(tool: object, error: str) -> None:
    """The agent can be built."""
    trace: list[str] = []
    built = agent(Answers("4"), tools=[tool], handlers=[Tracer("a", trace)])  # type: ignore[list-item]  # not a tool

    assert (reported(built.run([QUESTION])), trace) == ([error], [])


def test_two_tools_with_one_name_are_rejected() -> None:
    """The error names the tool."""
    with pytest.raises(ConfigError, match="'add'"):
        agent(Answers("4"), tools=[returning("add", ""), returning("add", "")])


def test_streaming_changes_only_the_events() -> None:
    """Events of the model are streams, events of a tool are messages."""
    model = Answers(asks("add"), "done")
    events = reported(agent(model, tools=[returning("add", "4")]).run([QUESTION], streaming=True))

    assert events == ["~", "4", "~done"]
    assert [message.text for message in model.given[1]] == [QUESTION.text, "", "4"]


def test_a_model_without_an_answer_is_an_error() -> None:
    """A missing answer is an error in both modes."""

    class Silent(Answers):
        async def generate(self, request: ModelRequest[Message]) -> Message:
            return None  # type: ignore[return-value]  # the case under test

        async def stream(self, request: ModelRequest[Message]) -> AsyncIterator[Message]:
            nothing: tuple[Message, ...] = ()
            for answer in nothing:
                yield answer

    for streaming in (False, True):
        assert reported(agent(Silent()).run([QUESTION], streaming=streaming))[-1] == "NothingReturnedError"


def test_an_unrequested_cancellation_is_an_error() -> None:
    """The run ends with an event, and the other calls finish."""
    tools = [raising("break", asyncio.CancelledError()), returning("add", "4")]

    assert reported(agent(Answers(asks("break", "add")), tools=tools).run([QUESTION])) == ["", "4", "LoopError"]
