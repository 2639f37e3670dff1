"""The seam of an agent: a handler sees every step of a run from both sides."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from ..calls.models import ModelRequest
from ..calls.outputs import Output
from ..tools.kinds import AnyTool, ToolArgument, ToolContext, ToolInfo, ToolRequest, ToolResult
from ..values.messages import M

if TYPE_CHECKING:
    from ..calls.failovers import FailoverConfig
    from ..calls.retries import RetryConfig

H = TypeVar("H")


@dataclass(frozen=True, slots=True)
class AgentContext:
    """What a run starts with. `tools` are the tools themselves, as they were configured.

    `tool_search` is what the model is told about its way to find deferred tools, at every call of the run (HOOK-BA-10).
    """

    instruction: str
    tools: tuple[AnyTool, ...] = ()
    return_directly: frozenset[str] = frozenset()
    tool_search: ToolInfo | None = None


@dataclass(frozen=True)
class State(Generic[M]):
    """What a run carries from one model call to the next: the conversation, and the tools the model is offered."""

    messages: tuple[M, ...]
    tools: tuple[ToolInfo, ...] = ()
    deferred_tools: tuple[ToolInfo, ...] = ()


@dataclass(frozen=True)
class ModelContext(Generic[M]):
    """What a model call happens in: the tools offered, and what is done when it fails (HOOK-WM-11, HOOK-WM-12)."""

    tools: Sequence[ToolInfo] = ()
    retry: RetryConfig[M] | None = None
    failover: FailoverConfig[M] | None = None


ModelEndpoint = Callable[[ModelRequest[M]], Awaitable[Output[M]]]
ToolEndpoint = Callable[[ToolRequest[str]], Awaitable[str]]
StreamingToolEndpoint = Callable[[ToolRequest[str]], AsyncIterator[str]]
EnhancedToolEndpoint = Callable[[ToolRequest[ToolArgument]], Awaitable[ToolResult]]
EnhancedStreamingToolEndpoint = Callable[[ToolRequest[ToolArgument]], AsyncIterator[ToolResult]]


class ToolMiddleware:
    """Four wraps that do nothing, one for each kind of tool; the one for the kind at hand is asked (TOOLS-01).

    When: at each tool call, at the moment the wrapper outside it calls in; the first registered is outermost.
    Persists: the result only. What is passed on differently holds for this call.
    Not called: when a wrapper outside answers by itself, and for tools of the other kinds.
    """

    def wrap_tool(self, endpoint: ToolEndpoint, context: ToolContext) -> ToolEndpoint:
        """Return what shall be called in the place of a tool that is invoked."""
        return endpoint

    def wrap_streaming_tool(self, endpoint: StreamingToolEndpoint, context: ToolContext) -> StreamingToolEndpoint:
        """Return what shall be called in the place of a tool that streams."""
        return endpoint

    def wrap_enhanced_tool(self, endpoint: EnhancedToolEndpoint, context: ToolContext) -> EnhancedToolEndpoint:
        """Return what shall be called in the place of an enhanced tool that is invoked."""
        return endpoint

    def wrap_enhanced_streaming_tool(
        self, endpoint: EnhancedStreamingToolEndpoint, context: ToolContext
    ) -> EnhancedStreamingToolEndpoint:
        """Return what shall be called in the place of an enhanced tool that streams."""
        return endpoint


class Handler(ToolMiddleware, Generic[M]):
    """A handler that does nothing. Override the hooks you need; the rest stay no-ops.

    Several handlers of one agent are called in the order in which they were registered.
    """

    async def before_agent(self, context: AgentContext) -> AgentContext:
        """Return what the run shall start with.

        When: once per run or resumption, before everything else.
        Persists: for this run; after a resumption the conversation and the tools offered are the saved ones.
        Not called: never left out (HOOK-BA-17).
        """
        return context

    async def before_model(self, state: State[M], context: ModelContext[M]) -> State[M]:
        """Return the state the model call shall use.

        When: before each model call; the next handler gets what this one returns.
        Persists: yes, later calls of the run start from it.
        Not called: after an error of an earlier hook.
        """
        return state

    def wrap_model(self, endpoint: ModelEndpoint[M], context: ModelContext[M]) -> ModelEndpoint[M]:
        """Return what shall be called in the model's place, which may call `endpoint`.

        When: at each attempt, at the moment the wrapper outside it calls in; the first handler is outermost.
        Persists: the answer only. What is passed on differently holds for this attempt.
        Not called: when a wrapper outside answers by itself.
        """
        return endpoint

    async def after_model(self, state: State[M], context: ModelContext[M]) -> State[M]:
        """Return the state the run shall go on with; its last message decides how.

        When: after each model call that succeeded, with the whole answer as the last message.
        Persists: yes.
        Not called: when the model call failed.
        """
        return state

    async def after_agent(self, state: State[M]) -> None:
        """Look at the final state, whose last message is the answer.

        When: once, after a run that succeeded.
        Persists: nothing.
        Not called: after an error, and when the run was interrupted or cancelled.
        """


def overridden(objects: Sequence[H], hook: str) -> Sequence[H]:
    """Those of the objects that do not leave the hook as the no-op it is: a no-op costs nothing in a run."""
    noop = getattr(Handler, hook)
    return tuple(one for one in objects if getattr(getattr(one, hook, None), "__func__", None) is not noop)
