"""The doubles of the plugin layer as an adapter sees them: the factories of strategies, and the middlewares.

The methods are coroutines and may be held; they raise the errors of the scene.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Protocol

from .agents import Plugin
from .calls import Edited, InvalidValue, ModelRequest, State, ToolAnswer, ToolRequest, View
from .doubles import BegunAnswer
from .plugins import Strategy
from .values import Json, Message

StateHook = Literal["before agent", "before model", "after model", "after agent"]

# Changes a value of the runtime context in place, if the implementation allows it.
Assign = Callable[[str, Json], None]


class ModelEndpoint(Protocol):
    """The inner endpoint around a model call."""

    async def model(self, request: ModelRequest | InvalidValue) -> BegunAnswer[Message]:
        """Call the inner endpoint."""
        ...


class ToolEndpoint(Protocol):
    """The inner endpoint around a tool call."""

    async def tool(self, request: ToolRequest | InvalidValue) -> BegunAnswer[ToolAnswer]:
        """Call the inner endpoint."""
        ...


class Middlewares(Protocol):
    """The middlewares of the plugin layer, by name. A node's middleware is what `create` returned for it."""

    async def create(
        self, strategy: Strategy, node: str, agent: str, options: Mapping[str, Json]
    ) -> Plugin | InvalidValue:
        """Return the middleware that a strategy's factory makes for a node of an agent.

        Raises `ScriptedError` for options that the factory rejects.
        """
        ...

    async def change(
        self, name: str, hook: StateHook, state: State, view: View, assign: Assign
    ) -> Edited | InvalidValue | None:
        """Return the edits of a hook that receives the state; None: the hook returned nothing."""
        ...

    async def around_model(
        self, name: str, request: ModelRequest, view: View, inner: ModelEndpoint
    ) -> BegunAnswer[Message] | Message | InvalidValue:
        """Return a middleware's answer around a model call: what `inner` returned, unchanged, or its own answer."""
        ...

    async def around_tool(
        self, name: str, request: ToolRequest, view: View, inner: ToolEndpoint
    ) -> BegunAnswer[ToolAnswer] | ToolAnswer | InvalidValue:
        """Return a middleware's answer around a tool call."""
        ...

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """Return the number of tokens of a conversation: the words in its contents."""
        ...

    def executed(
        self, node: str, inputs: Sequence[Message], output: str | None = None, error: str | None = None
    ) -> None:
        """Record an entry of the execution trace."""
        ...
