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

from ..doubles import QUESTION, Answers, Function, Tracer, agent, asks, heard, raising, reported, returning, said


def failure(events: Sequence[Event]) -> Exception:
    """The error a run ended with."""
    last = events[-1]
    assert isinstance(last, ErrorEvent)
    return last.error


def test_an_answer_without_calls_ends_the_run() -> None:
    """It is the one event."""
    assert heard(agent(Answers("4")).run([QUESTION])) == [MessageEvent("agent", ("agent",), Message.assistant("4"))]


def test_the_model_is_given_instruction_and_conversation() -> None:
    """The instruction is the system message; a result follows the answer that asked for it."""
    model = Answers(asks("add"), "4")
    heard(agent(model, instruction="Be terse.", tools=[returning("add", "four")]).run([QUESTION]))

    start = (Message.system("Be terse."), QUESTION)
    result = Message.tool_result(ToolCall("call-add", "add"), "four")
    assert model.given == [start, (*start, asks("add"), result)]


def test_without_an_instruction_there_is_no_system_message() -> None:
    """Only messages of the conversation are sent."""
    model = Answers("4")
    heard(agent(model).run([QUESTION]))

    assert model.given == [(QUESTION,)]


def test_the_instruction_is_a_template_when_the_session_has_values() -> None:
    """Keys stand for values and doubled braces for single ones."""
    model = Answers("4")
    heard(agent(model, instruction="You work for {user}. {{}}").run([], {"user": "Ada"}))

    assert model.given == [(Message.system("You work for Ada. {}"),)]


def test_without_a_session_doubled_braces_are_single_all_the_same() -> None:
    """The instruction is rendered in any case."""
    model = Answers("4")
    heard(agent(model, instruction="You work for {{user}}.").run([]))

    assert model.given == [(Message.system("You work for {user}."),)]


def test_a_key_the_session_lacks_ends_the_run() -> None:
    """The error names it."""
    error = failure(heard(agent(Answers("4"), instruction="{user}").run([], {"name": "Ada"})))

    assert isinstance(error, InstructionError)
    assert "'user'" in str(error)


def test_the_model_is_offered_all_tools_each_time() -> None:
    """In the order in which they were registered."""
    model = Answers(asks("add"), "4")
    heard(agent(model, tools=[returning("search", ""), returning("add", "4")]).run([QUESTION]))

    assert model.offered == [("search", "add")] * 2


def test_a_tool_gets_the_models_own_words() -> None:
    """Nobody checks or mends the arguments on the way."""
    tool = returning("add", "4")
    heard(agent(Answers(Message.assistant("", [ToolCall("1", "add", "{2 +")]), "4"), tools=[tool]).run([QUESTION]))

    assert tool.calls == [(ToolContext("add", "1"), "{2 +")]


def test_results_follow_in_the_order_of_the_calls() -> None:
    """Tools run at the same time; events come as they finish, the conversation does not."""
    finished = asyncio.Event()

    async def slow(context: ToolContext, arguments: str) -> str:
        await finished.wait()
        return "slow"

    async def fast(context: ToolContext, arguments: str) -> str:
        finished.set()
        return "fast"

    model = Answers(asks("slow", "fast"), "done")
    events = heard(agent(model, tools=[Function("slow", slow), Function("fast", fast)]).run([QUESTION]))

    assert said(events) == ["", "fast", "slow", "done"]
    assert [message.text for message in model.given[1]] == [QUESTION.text, "", "slow", "fast"]


def test_an_unknown_tool_ends_the_run() -> None:
    """The error names the tool and the agent."""
    error = failure(heard(agent(Answers(asks("fly")), tools=[returning("add", "4")]).run([QUESTION])))

    assert isinstance(error, UnknownToolError)
    assert str(error) == "the model called the tool 'fly', which 'agent' does not have"


def test_an_agent_without_tools_takes_any_answer_for_the_last() -> None:
    """A call of a tool is not looked up when no tool is offered."""
    assert heard(agent(Answers(asks("fly"))).run([QUESTION])) == [MessageEvent("agent", ("agent",), asks("fly"))]


def test_a_failing_tool_lets_the_others_finish() -> None:
    """Their results are reported before the error, which is raised unchanged; the model is not called again."""
    error, finished = RuntimeError("broken"), []

    async def slow(context: ToolContext, arguments: str) -> str:
        await asyncio.sleep(0)
        finished.append(context.name)
        return "slow"

    model = Answers(asks("break", "slow"), "never")
    events = heard(agent(model, tools=[raising("break", error), Function("slow", slow)]).run([QUESTION]))

    assert (said(events), finished, len(model.given)) == (["", "slow"], ["slow"], 1)
    assert failure(events) is error


def test_of_several_errors_the_first_call_decides() -> None:
    """As if the calls had been made one after the other."""
    first, second = RuntimeError("first"), RuntimeError("second")
    tools = [raising("a", first), raising("b", second)]

    assert failure(heard(agent(Answers(asks("b", "a")), tools=tools).run([QUESTION]))) is second


def test_an_error_of_the_model_ends_the_run() -> None:
    """It comes out as it was raised, and not as an exception of the stream."""
    error = RuntimeError("no connection")

    class Broken(Answers):
        async def generate(self, request: ModelRequest[Message]) -> Message:
            raise error

    assert failure(heard(agent(Broken()).run([QUESTION]))) is error


def test_the_limit_counts_model_calls() -> None:
    """The call beyond it is not made."""
    model = Answers(asks("add"))
    events = heard(agent(model, tools=[returning("add", "4")], max_iterations=3).run([QUESTION]))

    assert (len(model.given), len(said(events))) == (3, 6)
    assert isinstance(failure(events), IterationLimitError)


def test_an_answer_at_the_limit_is_an_answer() -> None:
    """Reaching the limit is not exceeding it."""
    events = heard(agent(Answers(asks("add"), "4"), tools=[returning("add", "4")], max_iterations=2).run([QUESTION]))

    assert events[-1] == MessageEvent("agent", ("agent",), Message.assistant("4"))


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_that_allows_no_call_is_the_default(limit: int) -> None:
    """Twenty calls."""
    model = Answers(asks("add"))
    heard(agent(model, tools=[returning("add", "4")], max_iterations=limit).run([QUESTION]))

    assert len(model.given) == 20


def test_an_agent_needs_a_model() -> None:
    """It is said when the agent is built."""
    with pytest.raises(ConfigError):
        Agent(model=None, message_type=Message)


def test_one_agent_may_have_several_runs_at_once() -> None:
    """Their conversations do not meet."""
    model = Answers("4")
    two = agent(model)

    async def both() -> list[list[Event]]:
        async def listen(question: str) -> list[Event]:
            return [event async for event in two.run([Message.user(question)])]

        return list(await asyncio.gather(listen("a"), listen("b")))

    assert [len(events) for events in asyncio.run(both())] == [1, 1]
    assert sorted(model.given, key=lambda given: given[0].text) == [(Message.user("a"),), (Message.user("b"),)]


def test_a_caller_who_stops_listening_stops_the_run() -> None:
    """What was going on is cancelled and has ended when the stream is closed."""
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

    asyncio.run(asyncio.wait_for(listen_once(), 60))  # a run that goes on would never end

    assert ended == ["wait"]


def test_agentic_messages_travel_the_same_way() -> None:
    """A result is a user message of theirs."""
    given = []

    class Model:
        async def generate(self, request: ModelRequest[AgenticMessage]) -> AgenticMessage:
            given.append(tuple(request.messages))
            return AgenticMessage.assistant("4", [ToolCall("1", "add")] if len(given) == 1 else [])

        async def stream(self, request: ModelRequest[AgenticMessage]) -> AsyncIterator[AgenticMessage]:
            yield await self.generate(request)

    built = Agent(name="agent", model=Model(), message_type=AgenticMessage, tools=[returning("add", "four")])
    heard(built.run([AgenticMessage.user("2 + 2?")]))

    assert given[1][2] == AgenticMessage.tool_result(ToolCall("1", "add"), "four")


def test_calls_with_one_id_each_get_their_own_result() -> None:
    """Models repeat ids; results go by the place of the call."""

    async def echo(context: ToolContext, arguments: str) -> str:
        return arguments

    calls = [ToolCall("1", "echo", "one"), ToolCall("1", "echo", "two")]
    model = Answers(Message.assistant("", calls), "done")
    heard(agent(model, tools=[Function("echo", echo)]).run([QUESTION]))

    assert [message.text for message in model.given[1][2:]] == ["one", "two"]


def test_of_two_equal_calls_a_failing_one_is_not_lost() -> None:
    """The run ends with its error, though the other one succeeds."""
    failing = [True, False]

    async def fails_once(context: ToolContext, arguments: str) -> str:
        if failing.pop(0):
            raise LookupError("the first")
        return "fine"

    call = ToolCall("1", "add")
    events = heard(
        agent(Answers(Message.assistant("", [call, call])), tools=[Function("add", fails_once)]).run([QUESTION])
    )

    assert repr(failure(events)) == "LookupError('the first')"


@pytest.mark.parametrize("streaming", [False, True])
def test_the_first_tool_that_returns_directly_has_the_last_word(streaming: bool) -> None:
    """All calls are made; its event comes last, and the session has its text."""
    model, session = Answers(asks("add", "b", "c")), dict[str, object]()
    tools = [returning("add", "1"), returning("b", "2"), returning("c", "3")]
    direct = {"add": False, "b": True, "c": True}
    built = agent(model, tools=tools, return_directly=direct, output_key="out", max_iterations=1)

    assert reported(built.run([QUESTION], session, streaming=streaming))[1:] == ["1", "3", "2"]
    assert (session, len(model.given)) == ({"out": "2"}, 1)


def test_the_exit_tool_ends_the_run() -> None:
    """Its event says so; it is offered after the others."""
    model = Answers(Message.assistant("", [ToolCall("1", "exit", '{"final_result": "4"}')]))
    events = heard(agent(model, tools=[returning("add", "")], exit_tool=ExitTool()).run([QUESTION]))
    last = events[-1]

    assert isinstance(last, MessageEvent)
    assert (last.exits, last.message.text, model.offered) == (True, "4", [("add", "exit")])


def test_malformed_arguments_of_the_exit_tool_are_an_error() -> None:
    """Nobody guesses what the end was."""
    model = Answers(Message.assistant("", [ToolCall("1", "exit", "{}")]))

    assert reported(agent(model, exit_tool=ExitTool()).run([QUESTION])) == ["", "ValidationError"]


def test_an_input_of_ones_own_is_not_rendered() -> None:
    """It gets the instruction as it is and is what the model sees."""

    async def make_input(instruction: str, messages: Sequence[Message]) -> Sequence[Message]:
        return [*messages, Message.user(instruction)]

    model = Answers("4")
    heard(agent(model, instruction="{user}", make_input=make_input).run([QUESTION], {"user": "Ada"}))

    assert model.given == [(QUESTION, Message.user("{user}"))]


class _Untold:
    @property
    def info(self) -> ToolInfo:
        raise RuntimeError("no info")

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        raise AssertionError("never")


class _Nothing:
    info = ToolInfo("nothing")


@pytest.mark.parametrize(("tool", "error"), [(_Untold(), "RuntimeError"), (_Nothing(), "ConfigError")])
def test_a_tool_that_cannot_be_used_ends_the_run_before_its_start(tool: object, error: str) -> None:
    """The agent can be built all the same."""
    trace: list[str] = []
    built = agent(Answers("4"), tools=[tool], handlers=[Tracer("a", trace)])  # type: ignore[list-item]  # that is the point

    assert (reported(built.run([QUESTION])), trace) == ([error], [])


def test_two_tools_of_one_name_are_refused() -> None:
    """The error names it."""
    with pytest.raises(ConfigError, match="'add'"):
        agent(Answers("4"), tools=[returning("add", ""), returning("add", "")])


def test_streaming_changes_how_it_is_reported_and_nothing_else() -> None:
    """The model's events are streams, a tool's is a message."""
    model = Answers(asks("add"), "done")
    events = reported(agent(model, tools=[returning("add", "4")]).run([QUESTION], streaming=True))

    assert events == ["~", "4", "~done"]
    assert [message.text for message in model.given[1]] == [QUESTION.text, "", "4"]


def test_a_model_that_says_nothing_is_an_error() -> None:
    """In either mode."""

    class Silent(Answers):
        async def generate(self, request: ModelRequest[Message]) -> Message:
            return None  # type: ignore[return-value]  # that is the point

        async def stream(self, request: ModelRequest[Message]) -> AsyncIterator[Message]:
            nothing: tuple[Message, ...] = ()
            for answer in nothing:
                yield answer

    for streaming in (False, True):
        assert reported(agent(Silent()).run([QUESTION], streaming=streaming))[-1] == "NothingReturnedError"


def test_an_unrequested_cancellation_is_an_error() -> None:
    """The run still ends with an event, and the other calls finish."""
    tools = [raising("break", asyncio.CancelledError()), returning("add", "4")]

    assert reported(agent(Answers(asks("break", "add")), tools=tools).run([QUESTION])) == ["", "4", "LoopError"]
