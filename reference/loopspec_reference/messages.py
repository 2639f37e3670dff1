"""What travels between a caller, a model and its tools.

Two message types exist side by side. `Message` is one text with a role; `AgenticMessage` is a role with content
blocks, in which a tool's result is a block of a *user* message. Code that serves both knows only `AnyMessage`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Protocol, Self, TypeAlias, TypeVar

from msgspec import Struct

# Any value JSON can hold. Python's type system has no such type that msgspec can also decode.
Json: TypeAlias = Any

Role = Literal["system", "user", "assistant", "tool"]


class ToolCall(Struct, frozen=True):
    """One asking of a model for one tool. `arguments` is the text the model produced, unchecked."""

    id: str
    name: str
    arguments: str = "{}"


class AnyMessage(Protocol):
    """What both message types have in common."""

    @property
    def role(self) -> Role:
        """Who speaks."""
        ...

    @property
    def text(self) -> str:
        """What is said, as one text."""
        ...

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The calls this message asks for, in order."""
        ...

    @property
    def extra(self) -> Mapping[str, Json]:
        """What travels with the message and is never shown to a model."""
        ...

    @classmethod
    def system(cls, text: str) -> Self:
        """Build a system message."""
        ...

    @classmethod
    def user(cls, text: str, extra: Mapping[str, Json] | None = None) -> Self:
        """Build a user message."""
        ...

    @classmethod
    def assistant(cls, text: str, tool_calls: Iterable[ToolCall] = ()) -> Self:
        """Build a model's answer."""
        ...

    @classmethod
    def tool_result(cls, call: ToolCall, text: str) -> Self:
        """Build the result of one tool call."""
        ...


M = TypeVar("M", bound=AnyMessage)


class Message(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message with one text. A message of role `tool` answers the call `call_id`."""

    role: Role
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    call_id: str | None = None
    tool_name: str | None = None
    extra: Mapping[str, Json] = {}

    @property
    def text(self) -> str:
        """The message's text."""
        return self.content

    @classmethod
    def system(cls, text: str) -> Self:
        """A system message."""
        return cls(role="system", content=text)

    @classmethod
    def user(cls, text: str, extra: Mapping[str, Json] | None = None) -> Self:
        """A user message."""
        return cls(role="user", content=text, extra=extra or {})

    @classmethod
    def assistant(cls, text: str, tool_calls: Iterable[ToolCall] = ()) -> Self:
        """A model's answer."""
        return cls(role="assistant", content=text, tool_calls=tuple(tool_calls))

    @classmethod
    def tool_result(cls, call: ToolCall, text: str) -> Self:
        """The result of one tool call."""
        return cls(role="tool", content=text, call_id=call.id, tool_name=call.name)


class TextBlock(Struct, frozen=True, tag="text"):
    """A piece of text."""

    text: str


class ToolCallBlock(Struct, frozen=True, tag="tool_call"):
    """A model's asking for a tool."""

    call: ToolCall


class ToolResultBlock(Struct, frozen=True, tag="tool_result"):
    """What a tool answered."""

    call_id: str
    tool_name: str
    text: str


Block = TextBlock | ToolCallBlock | ToolResultBlock


class AgenticMessage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message of content blocks. It has no tool role: a tool's result is a block of a user message."""

    role: Literal["system", "user", "assistant"]
    blocks: tuple[Block, ...] = ()
    extra: Mapping[str, Json] = {}

    @property
    def text(self) -> str:
        """The text blocks, joined."""
        return "".join(block.text for block in self.blocks if isinstance(block, TextBlock))

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The calls this message asks for, in order."""
        return tuple(block.call for block in self.blocks if isinstance(block, ToolCallBlock))

    @classmethod
    def system(cls, text: str) -> Self:
        """A system message."""
        return cls(role="system", blocks=(TextBlock(text),))

    @classmethod
    def user(cls, text: str, extra: Mapping[str, Json] | None = None) -> Self:
        """A user message."""
        return cls(role="user", blocks=(TextBlock(text),), extra=extra or {})

    @classmethod
    def assistant(cls, text: str, tool_calls: Iterable[ToolCall] = ()) -> Self:
        """A model's answer."""
        texts: tuple[Block, ...] = (TextBlock(text),) if text else ()
        return cls(role="assistant", blocks=texts + tuple(ToolCallBlock(call) for call in tool_calls))

    @classmethod
    def tool_result(cls, call: ToolCall, text: str) -> Self:
        """The result of one tool call."""
        return cls(role="user", blocks=(ToolResultBlock(call.id, call.name, text),))
