"""The doubles of the plugin layer as an adapter sees them: what strategies make, what middlewares do.

They are coroutines and may be held; they raise what the scene says they raise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Protocol

from .agents import Plugin
from .calls import Edited, InvalidValue, ModelRequest, State, ToolAnswer, ToolRequest, View
from .doubles import Begun
from .plugins import Strategy
from .values import Json, Message

StateHook = Literal["before agent", "before model", "after model", "after agent"]

# What changes a value of the runtime context in place, if an implementation lets it.
Assign = Callable[[str, Json], None]


class ModelFurtherIn(Protocol):
    """Around a model call."""

    async def model(self, request: ModelRequest | InvalidValue) -> Begun[Message]:
        """Call further in."""
        ...


class ToolFurtherIn(Protocol):
    """Around a tool call."""

    async def tool(self, request: ToolRequest | InvalidValue) -> Begun[ToolAnswer]:
        """Call further in."""
        ...


class Middlewares(Protocol):
    """The middlewares of the plugin layer, by name. A node's middleware is what `create` returned for it."""

    async def create(
        self, strategy: Strategy, node: str, agent: str, options: Mapping[str, Json]
    ) -> Plugin | InvalidValue:
        """Return what a strategy's factory makes for a node of an agent. Raises `ScriptedError` for poor options."""
        ...

    async def change(
        self, name: str, hook: StateHook, state: State, view: View, assign: Assign
    ) -> Edited | InvalidValue | None:
        """Return what one of the hooks that get the state wants; None: nothing."""
        ...

    async def around_model(
        self, name: str, request: ModelRequest, view: View, inner: ModelFurtherIn
    ) -> Begun[Message] | Message | InvalidValue:
        """Let a middleware answer in the model's place: with what `inner` returned, handed on, or by itself."""
        ...

    async def around_tool(
        self, name: str, request: ToolRequest, view: View, inner: ToolFurtherIn
    ) -> Begun[ToolAnswer] | ToolAnswer | InvalidValue:
        """Let a middleware answer in a tool's place: likewise."""
        ...

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """How many tokens a conversation has: the words in its texts."""
        ...

    def executed(
        self, node: str, inputs: Sequence[Message], output: str | None = None, error: str | None = None
    ) -> None:
        """Take an entry of the execution trace."""
        ...
