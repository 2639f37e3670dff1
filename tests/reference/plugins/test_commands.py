"""Tools that middlewares bring, and commands: outcomes that change a state, or the way a run takes."""

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

from ..doubles import QUESTION, Answers, Tracer, agent, asks, heard, reported, returning, said
from .stacks import failure, stacked


class Count(msgspec.Struct):
    """A state."""

    count: int = 0


class Commanding:
    """A tool of a middleware that answers with this."""

    def __init__(self, answer: Any, name: str = "add") -> None:
        self.info = ToolInfo(name)
        self.answer = answer

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str | Command:
        """Answer."""
        answer: str | Command = self.answer
        return answer


def test_a_middleware_brings_tools() -> None:
    """They are offered after the agent's own tools, which take precedence, and they pass the wrappers."""
    model = Answers(asks("add"), asks("more"), "4")
    wrapped: list[str] = []

    async def note(request: ToolCallRequest, handler: ToolHandler) -> Any:
        wrapped.append(request.call.name)
        return await handler(request)

    tools: list[Tool] = [returning("more", "of the middleware"), returning("add", "never")]
    middleware = Middleware("m", tools=tools, wrap_tool_call=note)
    events = heard(stacked(model, middleware, tools=[returning("add", "own")]).run([QUESTION]))

    assert model.offered[0] == ("add", "more")
    assert said(events) == ["", "own", "", "of the middleware", "4"]
    assert wrapped == ["add", "more"]


@pytest.mark.parametrize("streaming", [False, True])
def test_a_tool_may_stream_and_be_invoked(streaming: bool) -> None:
    """The mode of the run decides, as it does for tools of the agent."""

    class Both(Commanding):
        async def stream(self, context: ToolContext, request: ToolRequest[str]) -> AsyncIterator[str]:
            yield "streamed"

    middleware = Middleware("m", tools=[Both("invoked")])
    texts = reported(stacked(Answers(asks("add"), "4"), middleware).run([QUESTION], streaming=streaming))

    assert texts[1] == ("~streamed" if streaming else "invoked")


def test_a_command_of_a_tool_changes_the_state_of_its_middleware() -> None:
    """Whoever passes it on, and though its result is replaced; handlers further in see a text."""
    trace: list[str] = []

    async def shout(request: ToolCallRequest, handler: ToolHandler) -> Any:
        command = await handler(request)
        assert isinstance(command, Command)
        return replace(command, result=ToolOutcome(command.result.text.upper()))

    outer = Middleware("outer", state_schema=Count, wrap_tool_call=shout)
    inner = Middleware("m", state_schema=Count, tools=[Commanding(Command({"count": 3}, result=ToolOutcome("done")))])
    session: dict[str, Any] = {}
    built = agent(Answers(asks("add"), "4"), handlers=[Stack([outer, inner]), Tracer("in", trace)])
    events = heard(built.run([QUESTION], session))

    assert said(events) == ["", "DONE", "4"]
    assert session == {"plugins": {"agent": {"m": {"count": 3}}}}
    assert "out of add" in " ".join(trace)


def test_a_dropped_command_has_no_effect() -> None:
    """Neither on the state nor on the way the run takes: what is returned at last counts."""

    async def ask_and_drop(request: ToolCallRequest, handler: ToolHandler) -> Any:
        await handler(request)
        return ToolOutcome("dropped")

    outer = Middleware("outer", wrap_tool_call=ask_and_drop)
    inner = Middleware("m", state_schema=Count, tools=[Commanding(Command({"count": 3}, "end"))])
    session: dict[str, Any] = {}

    assert said(heard(stacked(Answers(asks("add"), "4"), outer, inner).run([QUESTION], session))) == [
        "",
        "dropped",
        "4",
    ]
    assert session == {}


@pytest.mark.parametrize(("goto", "texts"), [("end", 3), ("model", 4), ("tools", 4), (None, 4)])
def test_a_command_says_where_the_run_goes(goto: str | None, texts: int) -> None:
    """To the end once all calls of the answer are done, the results in order; else on to the model."""

    async def command(request: ToolCallRequest, handler: ToolHandler) -> Any:
        if request.call.name != "add":
            return await handler(request)
        return Command({"count": 1}, goto, ToolOutcome("commanded"))

    seen: list[HookState] = []
    middleware = Middleware(
        "m", state_schema=Count, wrap_tool_call=command, after_agent=lambda state, runtime: seen.append(state)
    )
    tools: list[Tool] = [returning("add", "4"), returning("other", "other")]
    events: list[Event] = heard(stacked(Answers(asks("add", "other"), "4"), middleware, tools=tools).run([QUESTION]))

    assert sorted(said(events)) == sorted(["", "commanded", "other", "4"][:texts])
    assert [message.text for message in seen[0].messages[2:4]] == ["commanded", "other"]
    assert seen[0].own.count == 1


def test_an_agent_is_a_tool_among_others() -> None:
    """What a sub-agent's middleware commands stays within its run."""
    inner = stacked(
        Answers(asks("add"), "never"),
        Middleware("m", state_schema=Count, tools=[Commanding(Command({"count": 1}, "end", ToolOutcome("inner")))]),
        name="sub",
        description="Helps.",
    )
    call = Message.assistant("", [ToolCall("1", "sub", '{"request": "Help."}')])
    session: dict[str, Any] = {}
    events = heard(stacked(Answers(call, "4"), Middleware("m"), tools=[AgentTool(inner)]).run([QUESTION], session))

    assert said(events) == ["", "inner", "4"]
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
def test_an_invalid_value_from_a_tool_is_refused(answer: object, sentence: str) -> None:
    """It names the tool."""
    middleware = Middleware("m", tools=[Commanding(answer)])

    assert failure(heard(stacked(Answers(asks("add")), middleware).run([QUESTION]))).startswith(sentence)


@pytest.mark.parametrize("outermost", [True, False])
def test_a_command_finds_its_way_through_another_stack(outermost: bool) -> None:
    """It is carried out by the stack it belongs to, whichever of the two is further in."""

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
    events = heard(agent(Answers(asks("add"), "4"), handlers=stacks if outermost else stacks[::-1]).run([QUESTION]))

    assert said(events) == ["", "DONE"]
    assert seen == [3]


def test_a_command_cannot_be_made_in_the_name_of_another() -> None:
    """Whose it is, the middleware that returns it does not say."""
    forged = Commanding(Command({"count": 3}, owner="m"))
    built = stacked(Answers(asks("add")), Middleware("m", state_schema=Count), Middleware("n", tools=[forged]))

    assert failure(heard(built.run([QUESTION]))) == (
        "HookError: the tool 'add' of the middleware 'n' has returned a command with the owner 'm': leave it out"
    )
