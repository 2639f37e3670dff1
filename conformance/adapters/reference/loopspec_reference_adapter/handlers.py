"""The scripted handlers of a scene as handlers of the reference."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import TypeVar, cast

import loopspec_reference as ref
from loopspec.contract.acting import Hook
from loopspec.contract.agents import Agent, Legacy, Plugin, Scripted, TodoList, agents_in, tools_of
from loopspec.contract.calls import AgentStart, Edited, InvalidValue, ToolAnswer, ToolRequest
from loopspec.contract.doubles import Doubles, ScriptedError, StateHook
from loopspec.contract.values import Message, ToolKind

from .inside import InnerModelAnswer, InnerToolAnswer, Inside, InsideModel, InsideTool, interrupts
from .wire import (
    call_to_wire,
    context_to_wire,
    from_wire,
    parts_from_wire,
    parts_to_wire,
    request_to_wire,
    resumed_to_wire,
    state_to_wire,
)

AdditionalTools = Mapping[str, Callable[[], ref.AnyTool]]
W = TypeVar("W", bound="ToolWraps")

Change = Callable[[ref.MutableState[ref.AnyMessage]], Awaitable[None]]


class ToolWraps(ref.ToolMiddleware):
    """The wrappers of tool calls: of a handler, a tool middleware or a legacy middleware."""

    def __init__(self, name: str, hooks: frozenset[Hook], doubles: Doubles) -> None:
        self._name = name
        self._hooks = hooks
        self._doubles = doubles

    def wrap_tool(self, endpoint: ref.ToolEndpoint, context: ref.ToolContext) -> ref.ToolEndpoint:
        if "around tool" not in self._hooks:
            return super().wrap_tool(endpoint, context)

        async def inner(wire: ToolRequest) -> InnerToolAnswer:
            return InnerToolAnswer(ToolAnswer(text=await endpoint(ref.ToolRequest(wire.args, wire.options))))

        async def around(request: ref.ToolRequest[str]) -> str:
            wire = call_to_wire(context, request.arguments, request.options, "invokable")
            answer = await self._around(wire, inner)
            return None if answer is None else (await _whole(answer)).text  # type: ignore[return-value]  # a mistake

        return around

    def wrap_streaming_tool(
        self, endpoint: ref.StreamingToolEndpoint, context: ref.ToolContext
    ) -> ref.StreamingToolEndpoint:
        if "around tool" not in self._hooks:
            return super().wrap_streaming_tool(endpoint, context)

        async def inner(wire: ToolRequest) -> InnerToolAnswer:
            texts = endpoint(ref.ToolRequest(wire.args, wire.options))
            return await InnerToolAnswer.reading(ToolAnswer(text=text) async for text in texts)

        async def around(request: ref.ToolRequest[str]) -> AsyncIterator[str]:
            wire = call_to_wire(context, request.arguments, request.options, "streamable")
            answer = await self._around(wire, inner)
            async for piece in _pieces(answer):
                yield piece.text

        return around

    def wrap_enhanced_tool(
        self, endpoint: ref.EnhancedToolEndpoint, context: ref.ToolContext
    ) -> ref.EnhancedToolEndpoint:
        if "around tool" not in self._hooks:
            return super().wrap_enhanced_tool(endpoint, context)

        async def inner(wire: ToolRequest) -> InnerToolAnswer:
            result = await endpoint(ref.ToolRequest(ref.ToolArgument(wire.args), wire.options))
            return InnerToolAnswer(ToolAnswer(parts=parts_to_wire(result.parts)))

        async def around(request: ref.ToolRequest[ref.ToolArgument]) -> ref.ToolResult:
            wire = call_to_wire(context, request.arguments.text, request.options, "enhanced invokable")
            answer = await self._around(wire, inner)
            whole = ToolAnswer() if answer is None else await _whole(answer)
            return ref.ToolResult(parts_from_wire(whole.parts))

        return around

    def wrap_enhanced_streaming_tool(
        self, endpoint: ref.EnhancedStreamingToolEndpoint, context: ref.ToolContext
    ) -> ref.EnhancedStreamingToolEndpoint:
        if "around tool" not in self._hooks:
            return super().wrap_enhanced_streaming_tool(endpoint, context)

        async def inner(wire: ToolRequest) -> InnerToolAnswer:
            results = endpoint(ref.ToolRequest(ref.ToolArgument(wire.args), wire.options))
            return await InnerToolAnswer.reading(ToolAnswer(parts=parts_to_wire(one.parts)) async for one in results)

        async def around(request: ref.ToolRequest[ref.ToolArgument]) -> AsyncIterator[ref.ToolResult]:
            wire = call_to_wire(context, request.arguments.text, request.options, "enhanced streamable")
            async for piece in _pieces(await self._around(wire, inner)):
                yield ref.ToolResult(parts_from_wire(piece.parts))

        return around

    async def _around(
        self, wire: ToolRequest, inner: Callable[[ToolRequest], Awaitable[InnerToolAnswer]]
    ) -> InnerToolAnswer | ToolAnswer | None:
        with interrupts():
            answer = await self._doubles.around_tool(self._name, wire, InsideTool(inner))
        return cast("InnerToolAnswer | ToolAnswer | None", answer)  # the one of `InsideTool`, if it is passed on


class ScriptedHandler(ToolWraps, ref.Handler[ref.AnyMessage]):
    """A handler of the scene. Hooks without a script are no-ops."""

    def __init__(
        self, handler: Scripted, doubles: Doubles, message_type: type[ref.AnyMessage], additional: AdditionalTools
    ) -> None:
        super().__init__(handler.name, handler.hooks, doubles)
        self._type = message_type
        self._additional = additional

    async def before_agent(self, context: ref.AgentContext) -> ref.AgentContext:
        if "before agent" not in self._hooks:
            return await super().before_agent(context)
        tools = _by_name(context.tools)
        search = context.tool_search
        start = AgentStart(
            instruction=context.instruction,
            tools=tuple(tools),
            return_directly=tuple(sorted(context.return_directly)),
            tool_search=search.name if search else None,
        )
        wanted = await self._doubles.before_agent(self._name, start, Inside())
        if wanted is None:
            return None  # type: ignore[return-value]  # a handler's mistake
        return ref.AgentContext(
            instruction=wanted.instruction or "",
            tools=context.tools
            if wanted.tools is start.tools  # a list that a hook sets is another list, also if it is equal
            else tuple(tools[name] if name in tools else self._additional[name]() for name in wanted.tools or ()),
            return_directly=frozenset(wanted.return_directly or ()),
            tool_search=ref.ToolInfo(wanted.tool_search) if wanted.tool_search else None,
        )

    async def before_model(
        self, state: ref.State[ref.AnyMessage], context: ref.ModelContext[ref.AnyMessage]
    ) -> ref.State[ref.AnyMessage]:
        if "before model" not in self._hooks:
            return await super().before_model(state, context)
        return edited(state, await self._edit("before model", state, context), self._type)

    def wrap_model(
        self, endpoint: ref.ModelEndpoint[ref.AnyMessage], context: ref.ModelContext[ref.AnyMessage]
    ) -> ref.ModelEndpoint[ref.AnyMessage]:
        if "around model" not in self._hooks:
            return super().wrap_model(endpoint, context)

        async def around(request: ref.ModelRequest[ref.AnyMessage]) -> ref.Output[ref.AnyMessage]:
            inner = InsideModel(endpoint, request, self._type)
            wire = request_to_wire(request), inner, context_to_wire(context)
            with interrupts():
                answer = await self._doubles.around_model(self._name, *wire, resumed=resumed_to_wire(context.resumed))
            if answer is None:
                return None  # type: ignore[return-value]  # a handler's mistake
            if isinstance(answer, InnerModelAnswer):
                return answer.output
            assert isinstance(answer, Message), "a passed-on answer is the one that `InsideModel` returned"
            return ref.Output.of(from_wire(answer, self._type))

        return around

    async def after_model(
        self, state: ref.State[ref.AnyMessage], context: ref.ModelContext[ref.AnyMessage]
    ) -> ref.State[ref.AnyMessage]:
        if "after model" not in self._hooks:
            return await super().after_model(state, context)
        return edited(state, await self._edit("after model", state, context), self._type)

    async def _edit(
        self, hook: StateHook, state: ref.State[ref.AnyMessage], context: ref.ModelContext[ref.AnyMessage]
    ) -> Edited | InvalidValue | None:
        wire = state_to_wire(state), Inside(), context_to_wire(context)
        with interrupts():
            return await self._doubles.edit(hook, self._name, *wire, resumed=resumed_to_wire(context.resumed))

    async def after_agent(self, state: ref.State[ref.AnyMessage]) -> None:
        if "after agent" in self._hooks:
            wanted = await self._doubles.edit("after agent", self._name, state_to_wire(state), Inside())
            return edited(state, wanted, self._type)  # type: ignore[return-value]  # the loop must ignore it
        return await super().after_agent(state)


def _by_name(tools: Iterable[ref.AnyTool]) -> dict[str, ref.AnyTool]:
    """The tools of a run. One without information about itself must not keep its hook from being reported (CFG-07)."""
    found = {}
    for tool in tools:
        with suppress(ScriptedError):
            found[tool.info.name] = tool
    return found


_WRAPS: Mapping[ToolKind, str] = {
    "invokable": "wrap_tool",
    "streamable": "wrap_streaming_tool",
    "enhanced invokable": "wrap_enhanced_tool",
    "enhanced streamable": "wrap_enhanced_streaming_tool",
}


@cache
def wrapping(complete: type[W], kinds: frozenset[ToolKind]) -> type[W]:
    """Return the class with wraps for tools of these kinds only: a handler overrides what it needs (BASE-02)."""
    others = {wrap: getattr(ref.ToolMiddleware, wrap) for kind, wrap in _WRAPS.items() if kind not in kinds}
    return type(complete.__name__, (complete,), others)


def kinds_in(agent: Agent) -> frozenset[ToolKind]:
    """The kinds of the tools of an agent and its sub-agents: a handler can serve several agents."""
    found: set[ToolKind] = set()
    for one in agents_in(agent):
        own = [tool for handler in one.handlers if isinstance(handler, Plugin) for tool in handler.tools]
        found.update(kind for tool in (*tools_of(one), *own) for kind in tool.kinds)
        if one.exit_tool or any(isinstance(handler, TodoList) for handler in one.handlers):
            found.add("invokable")
    return frozenset(found)


def legacy_of(
    legacy: Legacy,
    tools: Sequence[ref.AnyTool],
    doubles: Doubles,
    message_type: type[ref.AnyMessage],
    kinds: frozenset[ToolKind],
) -> ref.LegacyMiddleware[ref.AnyMessage]:
    """Build a legacy middleware of the scene."""

    def function(hook: StateHook) -> Change:
        async def change(state: ref.MutableState[ref.AnyMessage]) -> None:
            now = ref.State(tuple(state.messages), tuple(state.tools), tuple(state.deferred_tools))
            wanted = edited(now, await doubles.edit(hook, legacy.name, state_to_wire(now), Inside()), message_type)
            state.messages[:] = wanted.messages
            state.tools[:] = wanted.tools
            state.deferred_tools[:] = wanted.deferred_tools

        return change

    wraps = wrapping(ToolWraps, kinds)(legacy.name, legacy.hooks, doubles)
    return ref.LegacyMiddleware(
        additional_instruction=legacy.instruction,
        additional_tools=tools,
        before_model=function("before model") if "before model" in legacy.hooks else None,
        after_model=function("after model") if "after model" in legacy.hooks else None,
        tools=wraps if "around tool" in legacy.hooks else None,
        message_types=(ref.Message,) if legacy.plain_only else (ref.Message, ref.AgenticMessage),
    )


def edited(
    state: ref.State[ref.AnyMessage], wanted: Edited | InvalidValue | None, message_type: type[ref.AnyMessage]
) -> ref.State[ref.AnyMessage]:
    """Return the state after a hook; messages that the hook keeps stay the same objects."""
    if not isinstance(wanted, Edited):
        return wanted  # type: ignore[return-value]  # a hook's mistake
    messages = (state.messages[m] if isinstance(m, int) else from_wire(m, message_type) for m in wanted.messages)
    known = {info.name: info for info in (*state.tools, *state.deferred_tools)}

    def infos(names: Iterable[str]) -> tuple[ref.ToolInfo, ...]:
        return tuple(known.get(name, ref.ToolInfo(name)) for name in names)

    tools = state.tools if wanted.tools is None else infos(wanted.tools)
    return ref.State(tuple(messages), tools, infos(wanted.deferred_tools))


async def _whole(answer: InnerToolAnswer | ToolAnswer) -> ToolAnswer:
    return answer if isinstance(answer, ToolAnswer) else await answer.complete()


async def _pieces(answer: InnerToolAnswer | ToolAnswer | None) -> AsyncIterator[ToolAnswer]:
    if isinstance(answer, ToolAnswer):
        yield answer
    elif answer is not None:
        async for piece in answer.pieces():
            yield piece
