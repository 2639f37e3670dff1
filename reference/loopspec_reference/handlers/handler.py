"""The handler interface: hooks before, around and after the steps of a run.

The values are frozen. `msgspec.structs.replace`, and `copy.replace` since Python 3.13, make a changed copy.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

from ..calls.models import ModelRequest
from ..calls.outputs import Output
from ..tools.kinds import AnyTool, Resumed, ToolArgument, ToolContext, ToolInfo, ToolRequest, ToolResult
from ..values.messages import M

if TYPE_CHECKING:
    from ..calls.failovers import FailoverConfig
    from ..calls.retries import RetryConfig

H = TypeVar("H")


class AgentContext(Struct, frozen=True):
    """The start of a run: the instruction and the configured tools themselves.

    `tool_search` describes to the model, at every call of the run, how to find deferred tools (HOOK-BA-10).
    """

    instruction: str
    tools: tuple[AnyTool, ...] = ()
    return_directly: frozenset[str] = frozenset()
    tool_search: ToolInfo | None = None


class State(Struct, Generic[M], frozen=True):
    """The state of a run between model calls: the conversation and the tools offered to the model."""

    messages: tuple[M, ...]
    tools: tuple[ToolInfo, ...] = ()
    deferred_tools: tuple[ToolInfo, ...] = ()


class ModelContext(Struct, Generic[M], frozen=True):
    """The context of a model call: the offered tools, the retry and the failover (HOOK-WM-11, HOOK-WM-12).

    `resumed` is set for the hook that interrupted the run, in each call of it during the resumed model call.
    """

    tools: Sequence[ToolInfo] = ()
    retry: RetryConfig[M] | None = None
    failover: FailoverConfig[M] | None = None
    resumed: Resumed | None = None


ModelEndpoint = Callable[[ModelRequest[M]], Awaitable[Output[M]]]
ToolEndpoint = Callable[[ToolRequest[str]], Awaitable[str]]
StreamingToolEndpoint = Callable[[ToolRequest[str]], AsyncIterator[str]]
EnhancedToolEndpoint = Callable[[ToolRequest[ToolArgument]], Awaitable[ToolResult]]
EnhancedStreamingToolEndpoint = Callable[[ToolRequest[ToolArgument]], AsyncIterator[ToolResult]]


class ToolMiddleware:
    """Four wraps that do nothing, one for each kind of tool; only the wrap for the called kind is called (TOOLS-01).

    When: at each tool call, when the next outer wrapper calls its endpoint; the first registered is outermost.
    Persists: the result only. A changed request holds for this call.
    Not called: when an outer wrapper short-circuits, and for tools of the other kinds.
    """

    def wrap_tool(self, endpoint: ToolEndpoint, context: ToolContext) -> ToolEndpoint:
        """Return the endpoint to call instead of an invokable tool."""
        return endpoint

    def wrap_streaming_tool(self, endpoint: StreamingToolEndpoint, context: ToolContext) -> StreamingToolEndpoint:
        """Return the endpoint to call instead of a streaming tool."""
        return endpoint

    def wrap_enhanced_tool(self, endpoint: EnhancedToolEndpoint, context: ToolContext) -> EnhancedToolEndpoint:
        """Return the endpoint to call instead of an enhanced invokable tool."""
        return endpoint

    def wrap_enhanced_streaming_tool(
        self, endpoint: EnhancedStreamingToolEndpoint, context: ToolContext
    ) -> EnhancedStreamingToolEndpoint:
        """Return the endpoint to call instead of an enhanced streaming tool."""
        return endpoint


class Handler(ToolMiddleware, Generic[M]):
    """A handler that does nothing. Override the hooks you need; the others stay no-ops.

    The handlers of an agent are called in registration order.
    """

    async def before_agent(self, context: AgentContext) -> AgentContext:
        """Return the start of the run.

        When: once per run or resumption, before everything else.
        Persists: for this run. A resumed run has the conversation and the offered tools of its checkpoint.
        Not called: never omitted (HOOK-BA-17).
        """
        return context

    async def before_model(self, state: State[M], context: ModelContext[M]) -> State[M]:
        """Return the state for the model call.

        When: before each model call; the next handler receives the returned state.
        Persists: yes, for the rest of the run.
        Not called: after an error of an earlier hook.
        """
        return state

    def wrap_model(self, endpoint: ModelEndpoint[M], context: ModelContext[M]) -> ModelEndpoint[M]:
        """Return the endpoint to call instead of the model; it can call `endpoint`.

        When: at each attempt, when the next outer wrapper calls its endpoint; the first handler is outermost.
        Persists: the answer only. A changed request holds for this attempt.
        Not called: when an outer wrapper short-circuits.
        """
        return endpoint

    async def after_model(self, state: State[M], context: ModelContext[M]) -> State[M]:
        """Return the state with which the run continues; its last message decides how.

        When: after each successful model call, with the whole answer as the last message.
        Persists: yes.
        Not called: when the model call failed.
        """
        return state

    async def after_agent(self, state: State[M]) -> None:
        """Observe the final state; its last message is the answer.

        When: once, after a successful run.
        Persists: nothing.
        Not called: after an error, and when the run was interrupted or cancelled.
        """


def overridden(objects: Sequence[H], hook: str) -> Sequence[H]:
    """Return the objects that override the hook: a no-op costs nothing in a run."""
    noop = getattr(Handler, hook)
    return tuple(one for one in objects if getattr(getattr(one, hook, None), "__func__", None) is not noop)
