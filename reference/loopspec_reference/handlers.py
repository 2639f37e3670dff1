"""The seam of an agent: a handler sees every step of a run from both sides."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic

from .messages import M
from .tools import ToolContext, ToolInfo


@dataclass(frozen=True, slots=True)
class AgentContext:
    """What a run starts with."""

    instruction: str
    tools: tuple[ToolInfo, ...]


@dataclass(frozen=True, slots=True)
class State(Generic[M]):
    """What a run carries from one model call to the next: the conversation, and the tools the model is offered."""

    messages: tuple[M, ...]
    tools: tuple[ToolInfo, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelRequest(Generic[M]):
    """What one model call sends."""

    messages: Sequence[M]
    tools: Sequence[ToolInfo] = ()


ModelEndpoint = Callable[[ModelRequest[M]], Awaitable[M]]
ToolEndpoint = Callable[[str], Awaitable[str]]


class Handler(Generic[M]):
    """A handler that does nothing. Override the hooks you need; the rest stay no-ops.

    Several handlers of one agent are called in the order in which they were registered.
    """

    async def before_agent(self, context: AgentContext) -> AgentContext:
        """Return what the run shall start with.

        When: once per run, before everything else.
        Persists: for this run.
        Not called: never left out.
        """
        return context

    async def before_model(self, state: State[M]) -> State[M]:
        """Return the state the model call shall use.

        When: before each model call; the next handler gets what this one returns.
        Persists: yes, later calls of the run start from it.
        Not called: after an error of an earlier hook.
        """
        return state

    def wrap_model(self, endpoint: ModelEndpoint[M]) -> ModelEndpoint[M]:
        """Return what shall be called in the model's place, which may call `endpoint`.

        When: at each model call, at the moment the wrapper outside it calls in; the first handler is outermost.
        Persists: the answer only. What is passed on differently holds for this call.
        Not called: when a wrapper outside answers by itself.
        """
        return endpoint

    async def after_model(self, state: State[M]) -> State[M]:
        """Return the state the run shall go on with; its last message decides how.

        When: after each model call that succeeded, with the answer as the last message.
        Persists: yes.
        Not called: when the model call failed.
        """
        return state

    def wrap_tool(self, context: ToolContext, endpoint: ToolEndpoint) -> ToolEndpoint:
        """Return what shall be called in the tool's place, which may call `endpoint`.

        When: at each tool call, at the moment the wrapper outside it calls in; the first handler is outermost.
        Persists: the result only.
        Not called: when a wrapper outside answers by itself.
        """
        return endpoint

    async def after_agent(self, state: State[M]) -> None:
        """Look at the final state, whose last message is the answer.

        When: once, after a run that succeeded.
        Persists: nothing.
        Not called: after an error, and when the run was interrupted.
        """
