"""Tools of middlewares, and commands: results that change a state or make the run jump."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from loopspec_reference import (
    AgentTool,
    Event,
    ImagePart,
    Message,
    Tool,
    ToolCall,
    ToolContext,
    ToolInfo,
    ToolRequest,
)
from loopspec_reference.plugins import (
    Command,
    HookState,
    Middleware,
    Stack,
    ToolCallRequest,
    ToolHandler,
    ToolOutcome,
)

from ..doubles import QUESTION, Answers, Tracer, agent, asks, drain, reported, returning, texts_of
from .stacks import failure, stacked


class Count(msgspec.Struct):
    """A state."""

    count: int = 0


class Commanding:
    """A tool that returns an answer."""

    def __init__(self, answer: Any, name: str = "add") -> None:
        self.info = ToolInfo(name)
        self.answer = answer

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str | Command:
        """Return the answer."""
        answer: str | Command = self.answer
        return answer


def test_a_middleware_provides_tools() -> None:
    """The tools follow the agent's tools, which take precedence, and are wrapped."""
    model = Answers(asks("add"), asks("more"), "4")
    wrapped: list[str] = []

    async def note(request: ToolCallRequest, handler: ToolHandler) -> Any:
        wrapped.append(request.call.name)
        return await handler(request)

    tools: list[Tool] = [returning("more", "of the middleware"), returning("add", "never")]
    middleware = Middleware("m", tools=tools, wrap_tool_call=note)
    events = drain(stacked(model, middleware, tools=[returning("add", "own")]).run([QUESTION]))

    assert model.offered[0] == ("add", "more")
    assert texts_of(events) == ["", "own", "", "of the middleware", "4"]
    assert wrapped == ["add", "more"]


@pytest.mark.parametrize("streaming", [False, True])
def test_a_tool_may_stream_and_be_invoked(streaming: bool) -> None:
    """The mode of the run decides, as for tools of the agent."""

    class Both(Commanding):
        async def stream(self, context: ToolContext, request: ToolRequest[str]) -> AsyncIterator[str]:
            yield "streamed"

    middleware = Middleware("m", tools=[Both("invoked")])
    texts = reported(stacked(Answers(asks("add"), "4"), middleware).run([QUESTION], streaming=streaming))

    assert texts[1] == ("~streamed" if streaming else "invoked")


def test_a_command_of_a_tool_changes_the_state_of_its_middleware() -> None:
    """The state changes although a wrapper replaces the result; inner handlers receive a text."""
    trace: list[str] = []

    async def shout(request: ToolCallRequest, handler: ToolHandler) -> Any:
        command = await handler(request)
        assert isinstance(command, Command)
        return replace(command, result=ToolOutcome(command.result.text.upper()))

    outer = Middleware("outer", state_schema=Count, wrap_tool_call=shout)
    inner = Middleware("m", state_schema=Count, tools=[Commanding(Command({"count": 3}, result=ToolOutcome("done")))])
    session: dict[str, Any] = {}
    built = agent(Answers(asks("add"), "4"), handlers=[Stack([outer, inner]), Tracer("in", trace)])
    events = drain(built.run([QUESTION], session))

    assert texts_of(events) == ["", "DONE", "4"]
    assert session == {"plugins": {"agent": {"m": {"count": 3}}}}
    assert "out of add" in " ".join(trace)


def test_a_dropped_command_has_no_effect() -> None:
    """Only the value that the outermost wrapper returns has an effect."""

    async def ask_and_drop(request: ToolCallRequest, handler: ToolHandler) -> Any:
        await handler(request)
        return ToolOutcome("dropped")

    outer = Middleware("outer", wrap_tool_call=ask_and_drop)
    inner = Middleware("m", state_schema=Count, tools=[Commanding(Command({"count": 3}, "end"))])
    session: dict[str, Any] = {}

    assert texts_of(drain(stacked(Answers(asks("add"), "4"), outer, inner).run([QUESTION], session))) == [
        "",
        "dropped",
        "4",
    ]
    assert session == {}


@pytest.mark.parametrize(("goto", "texts"), [("end", 3), ("model", 4), ("tools", 4), (None, 4)])
def test_a_command_makes_the_run_jump(goto: str | None, texts: int) -> None:
    """A jump to the end follows all calls of the answer, with results in order; otherwise the model is called."""

    async def command(request: ToolCallRequest, handler: ToolHandler) -> Any:
        if request.call.name != "add":
            return await handler(request)
        return Command({"count": 1}, goto, ToolOutcome("commanded"))

    seen: list[HookState] = []
    middleware = Middleware(
        "m", state_schema=Count, wrap_tool_call=command, after_agent=lambda state, runtime: seen.append(state)
    )
    tools: list[Tool] = [returning("add", "4"), returning("other", "other")]
    events: list[Event] = drain(stacked(Answers(asks("add", "other"), "4"), middleware, tools=tools).run([QUESTION]))

    assert sorted(texts_of(events)) == sorted(["", "commanded", "other", "4"][:texts])
    assert [message.text for message in seen[0].messages[2:4]] == ["commanded", "other"]
    assert seen[0].own.count == 1


def test_an_agent_is_a_tool_among_others() -> None:
    """A command in a sub-agent affects only the sub-agent's run."""
    inner = stacked(
        Answers(asks("add"), "never"),
        Middleware("m", state_schema=Count, tools=[Commanding(Command({"count": 1}, "end", ToolOutcome("inner")))]),
        name="sub",
        description="Helps.",
    )
    call = Message.assistant("", [ToolCall("1", "sub", '{"request": "Help."}')])
    session: dict[str, Any] = {}
    events = drain(stacked(Answers(call, "4"), Middleware("m"), tools=[AgentTool(inner)]).run([QUESTION], session))

    assert texts_of(events) == ["", "inner", "4"]
    assert session == {"plugins": {"agent/sub": {"m": {"count": 1}}}}


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (3, "HookError: the tool 'add' of the middleware 'm' has returned 3: return a text or a Command"),
        (
            Command(goto="start"),
            "JumpError: the tool 'add' of the middleware 'm' sends the run to 'start': choose from",
        ),
        (
            Command(result=ToolOutcome(parts=(ImagePart("u"),))),
            "HookError: the tool 'add' of the middleware 'm' returns an image",
        ),
    ],
)
def test_an_invalid_value_from_a_tool_is_rejected(answer: object, sentence: str) -> None:
    """The error names the tool."""
    middleware = Middleware("m", tools=[Commanding(answer)])

    assert failure(drain(stacked(Answers(asks("add")), middleware).run([QUESTION]))).startswith(sentence)


@pytest.mark.parametrize("outermost", [True, False])
def test_a_command_passes_through_another_stack(outermost: bool) -> None:
    """The stack of the command's owner performs the command, whether it is the outer or the inner stack."""

    async def shout(request: ToolCallRequest, handler: ToolHandler) -> Any:
        answer = await handler(request)
        if isinstance(answer, Command):
            return replace(answer, result=ToolOutcome(answer.result.text.upper()))
        return ToolOutcome(answer.text.upper())

    command = Command({"count": 3}, "end", ToolOutcome("done"))
    seen: list[int] = []
    bringing = Middleware(
        "m",
        state_schema=Count,
        tools=[Commanding(command)],
        after_agent=lambda state, runtime: seen.append(state.own.count),
    )
    stacks = [Stack[Message]([bringing]), Stack[Message]([Middleware("n", wrap_tool_call=shout)])]
    events = drain(agent(Answers(asks("add"), "4"), handlers=stacks if outermost else stacks[::-1]).run([QUESTION]))

    assert texts_of(events) == ["", "DONE"]
    assert seen == [3]


def test_a_command_cannot_name_another_owner() -> None:
    """The owner of a command is set by the stack."""
    forged = Commanding(Command({"count": 3}, owner="m"))
    built = stacked(Answers(asks("add")), Middleware("m", state_schema=Count), Middleware("n", tools=[forged]))

    assert failure(drain(built.run([QUESTION]))) == (
        "HookError: the tool 'add' of the middleware 'n' has returned a command with the owner 'm': leave it out"
    )
