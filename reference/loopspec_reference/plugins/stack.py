"""The stack: the middlewares of an agent as one handler of the loop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any, Generic

from msgspec.structs import replace

from ..calls.models import ModelRequest
from ..calls.outputs import Output
from ..handlers.handler import (
    AgentContext,
    EnhancedStreamingToolEndpoint,
    EnhancedToolEndpoint,
    Handler,
    ModelContext,
    ModelEndpoint,
    State,
    StreamingToolEndpoint,
    ToolEndpoint,
)
from ..tools.kinds import AnyTool, ToolArgument, ToolContext, ToolRequest, ToolResult
from ..values.errors import checked
from ..values.messages import AgenticMessage, AnyMessage, M, Message, ToolCall
from .errors import StrategyError
from .hooks import through_hooks
from .layers import Layer, active_run
from .middleware import Middleware, ToolAnswer, ToolCallRequest, ToolHandler, ToolOutcome
from .model_wrapping import wrapped_model_call
from .tool_wrapping import CommandText, OwnedTool, Unowned, as_result, as_text, wrapped_tool_call


class Stack(Handler[M], Generic[M]):
    """The middlewares of one agent, in order, as one of its handlers.

    Before-hooks run in order, after-hooks in reverse order (XP-NODE-02, XP-HOOK-06), and the first wrapper is
    outermost. A hook that no middleware has is a no-op of the stack and costs nothing (XP-NODE-17). `message_type` is
    the agent's message type; it is needed only for an empty conversation. Raises `StrategyError` for two middlewares
    with one name, or with tools of one name.
    """

    def __init__(self, middlewares: Sequence[Middleware], message_type: type[M] | None = None) -> None:
        self._message_type = message_type
        self._layers = tuple(Layer(middleware) for middleware in middlewares)
        self._tools = _tools(self._layers)
        self._before_agent = self._with("before_agent")
        self._before_model = self._with("before_model")
        self._after_model = self._with("after_model")[::-1]
        self._after_agent = self._with("after_agent")[::-1]
        self._model_wraps = self._with("wrap_model_call")
        tool_wraps = self._with("wrap_tool_call")
        used = {
            "before_agent": self._tools or self._with("context_schema"),
            "before_model": self._before_agent or self._before_model,
            "after_model": self._after_model,
            "after_agent": self._after_agent,
            "wrap_model": self._model_wraps,
            "wrap_tool": tool_wraps or self._tools,
            "wrap_streaming_tool": tool_wraps,
            "wrap_enhanced_tool": tool_wraps,
            "wrap_enhanced_streaming_tool": tool_wraps,
        }
        for hook, needed in used.items():
            if not needed:
                setattr(self, hook, getattr(super(), hook))  # the no-op, which the loop does not call

    def _with(self, part: str) -> tuple[Layer, ...]:
        return tuple(layer for layer in self._layers if getattr(layer.middleware, part) is not None)

    async def before_agent(self, context: AgentContext) -> AgentContext:
        """Return the context with the middlewares' tools, after checking the context of every middleware.

        When: as `Handler.before_agent`, also at each resumption. The middlewares' own `before_agent` hooks are called
        before the first model call instead.
        Persists: as `Handler.before_agent`. An agent's own tool precedes one with the same name (XP-TOOLS-02,
        XP-TOOLS-03).
        Not called: without tools and context schemas. A context that does not fit ends the run (XP-CTX-04).
        """
        run = active_run()
        for layer in self._layers:
            layer.context(run)
        own = {tool.info.name for tool in context.tools}
        added = [tool for tool in self._tools if tool.info.name not in own]
        return replace(context, tools=(*context.tools, *added)) if added else context

    async def before_model(self, state: State[M], context: ModelContext[M]) -> State[M]:
        """Return the state after the before-model hooks, and before the first model call also the before-agent hooks.

        When: before each model call. The before-agent hooks run before the first model call of the run, and again only
        if this first call is repeated after a cancellation (XP-HOOK-01, XP-HOOK-02).
        Persists: yes.
        Not called: hooks after a jump, and before-model hooks if no model call follows (XP-JUMP-02).
        """
        run, jumped = active_run(), None
        if run.iteration == 0:
            state, jumped = await through_hooks(
                self._before_agent, "before_agent", run, state, self._types(state.messages)
            )
        if jumped in (None, "model"):
            types = self._types(state.messages)
            state, _ = await through_hooks(self._before_model, "before_model", run, state, types)
        return state

    def wrap_model(self, endpoint: ModelEndpoint[M], context: ModelContext[M]) -> ModelEndpoint[M]:
        """Return the endpoint inside the wrappers.

        When: at each attempt.
        Persists: the answer only (XP-WRAP-21).
        Not called: as `Handler.wrap_model`.
        """

        async def around(request: ModelRequest[M]) -> Output[M]:
            types = self._types(request.messages)
            return await wrapped_model_call(self._model_wraps, active_run(), types, endpoint, request)

        return around

    async def after_model(self, state: State[M], context: ModelContext[M]) -> State[M]:
        """Return the state after the after-model hooks, in reverse order (XP-HOOK-06).

        When: after each successful model call, before its tool calls.
        Persists: yes.
        Not called: without a model call.
        """
        state, _ = await through_hooks(
            self._after_model, "after_model", active_run(), state, self._types(state.messages)
        )
        return state

    def wrap_tool(self, endpoint: ToolEndpoint, context: ToolContext) -> ToolEndpoint:
        """Return the endpoint of an invokable tool inside the wrappers."""

        async def around(request: ToolRequest[str]) -> str:
            async def innermost(passed: ToolCallRequest) -> ToolAnswer:
                text = checked(await endpoint(replace(request, arguments=passed.call.arguments)), str, context.name)
                return text.command if isinstance(text, CommandText) else ToolOutcome(text)

            outcome = await self._outcome(context, request.arguments, innermost)
            text = as_text(outcome, repr(context.name))
            return CommandText(text, outcome.command) if isinstance(outcome, Unowned) and outcome.command else text

        return around

    def wrap_streaming_tool(self, endpoint: StreamingToolEndpoint, context: ToolContext) -> StreamingToolEndpoint:
        """Return the endpoint of a streaming tool inside the wrappers, which receive its joined chunks."""

        async def around(request: ToolRequest[str]) -> AsyncIterator[str]:
            async def innermost(passed: ToolCallRequest) -> ToolAnswer:
                pieces = endpoint(replace(request, arguments=passed.call.arguments))
                return ToolOutcome("".join([checked(piece, str, context.name) async for piece in pieces]))

            yield as_text(await self._outcome(context, request.arguments, innermost), repr(context.name))

        return around

    def wrap_enhanced_tool(self, endpoint: EnhancedToolEndpoint, context: ToolContext) -> EnhancedToolEndpoint:
        """Return the endpoint of an enhanced tool inside the wrappers."""

        async def around(request: ToolRequest[ToolArgument]) -> ToolResult:
            async def innermost(passed: ToolCallRequest) -> ToolAnswer:
                argument = replace(request, arguments=ToolArgument(passed.call.arguments))
                return ToolOutcome(parts=checked(await endpoint(argument), ToolResult, context.name).parts)

            return as_result(await self._outcome(context, request.arguments.text, innermost))

        return around

    def wrap_enhanced_streaming_tool(
        self, endpoint: EnhancedStreamingToolEndpoint, context: ToolContext
    ) -> EnhancedStreamingToolEndpoint:
        """Return the endpoint of an enhanced streaming tool inside the wrappers, which receive its joined chunks."""

        async def around(request: ToolRequest[ToolArgument]) -> AsyncIterator[ToolResult]:
            async def innermost(passed: ToolCallRequest) -> ToolAnswer:
                results = endpoint(replace(request, arguments=ToolArgument(passed.call.arguments)))
                pieces = [checked(piece, ToolResult, context.name) async for piece in results]
                return ToolOutcome(parts=tuple(part for piece in pieces for part in piece.parts))

            yield as_result(await self._outcome(context, request.arguments.text, innermost))

        return around

    def _types(self, messages: Sequence[M]) -> tuple[type[M], ...]:
        """Return the possible types of a message: the agent's, else that of these messages, else both."""
        known = self._message_type or (type(messages[0]) if messages else None)
        if known is not None:
            return (known,)
        either: tuple[type[AnyMessage], ...] = (Message, AgenticMessage)
        return either  # type: ignore[return-value]  # it is one of them

    async def _outcome(self, context: ToolContext, arguments: str, innermost: ToolHandler) -> ToolOutcome:
        call = ToolCall(context.call_id, context.name, arguments)
        return await wrapped_tool_call(self._layers, active_run(), call, innermost)

    async def after_agent(self, state: State[M]) -> None:
        """Call the after-agent hooks with the final state, in reverse order (XP-HOOK-04, XP-HOOK-20).

        When: once, after a successful run.
        Persists: the middlewares' own states only.
        Not called: after an error, and when the run was interrupted or cancelled.
        """
        await through_hooks(self._after_agent, "after_agent", active_run(), state, self._types(state.messages))


def _tools(layers: Sequence[Layer]) -> tuple[AnyTool, ...]:
    """Return the tools of all middlewares as tools of the loop. Raises `StrategyError` for a name used twice."""
    names: set[str] = set()
    owners: dict[str, str] = {}
    tools: list[AnyTool] = []
    for layer in layers:
        if layer.name in names:
            raise StrategyError(f"two middlewares of one agent have the name {layer.name!r}: rename one")
        names.add(layer.name)
        for tool in layer.middleware.tools:
            name = tool.info.name
            if name in owners:
                raise StrategyError(
                    f"the middlewares {owners[name]!r} and {layer.name!r} both have a tool {name!r}: leave one out"
                )
            owners[name] = layer.name
            tools.append(_adapted(tool, layer))
    return tuple(tools)


def _adapted(tool: Any, layer: Layer) -> AnyTool:  # Any: one of the five kinds of tools, by its methods
    """Return the tool as a tool of the loop. An invokable tool can return a command, an enhanced tool cannot."""
    if not hasattr(tool, "invoke") or hasattr(tool, "invoke_enhanced") or hasattr(tool, "stream_enhanced"):
        plain: AnyTool = tool
        return plain
    return OwnedTool(tool, layer)
