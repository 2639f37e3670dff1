"""The messages between a caller, a model and its tools.

There are two message types. A `Message` is a role with one text. An `AgenticMessage` is a role with content blocks, and
a tool result is a block of a *user* message. Code that supports both types uses `AnyMessage` only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, Self, TypeAlias, TypeVar

from msgspec import Struct

from .errors import NothingReturnedError

# Any value JSON can hold. Python's type system has no such type that msgspec can also decode.
Json: TypeAlias = Any

Role = Literal["system", "user", "assistant", "tool"]


class ToolCall(Struct, frozen=True, gc=False):
    """A model's call of one tool. `arguments` is the text that the model produced, unchecked."""

    id: str
    name: str
    arguments: str = "{}"


class TextPart(Struct, frozen=True, tag="text", gc=False):
    """A text part of a tool result."""

    text: str


class ImagePart(Struct, frozen=True, tag="image", gc=False):
    """An image part of a tool result, by its URL."""

    url: str
    mime_type: str = ""


Part = TextPart | ImagePart


class AnyMessage(Protocol):
    """The interface of both message types."""

    @property
    def role(self) -> Role:
        """The role of the author."""

    @property
    def text(self) -> str:
        """The whole text of the message."""

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The tool calls of this message, in order."""

    @property
    def outcome(self) -> str:
        """The text of a run that ends with this message: the message's own text, or else that of its tool results."""

    @property
    def extra(self) -> Mapping[str, Json]:
        """Data that travels with the message and is never sent to a model."""

    @classmethod
    def system(cls, text: str) -> Self:
        """Build a system message."""

    @classmethod
    def user(cls, text: str, extra: Mapping[str, Json] | None = None) -> Self:
        """Build a user message."""

    @classmethod
    def assistant(cls, text: str, tool_calls: Iterable[ToolCall] = ()) -> Self:
        """Build a model's answer."""

    @classmethod
    def tool_result(cls, call: ToolCall, text: str, parts: Iterable[Part] = ()) -> Self:
        """Build the result of one tool call: a text, or parts with an empty text (TOOLS-06)."""

    @classmethod
    def concat(cls, chunks: Sequence[Self]) -> Self:
        """Join the chunks of one streamed message. Raises `NothingReturnedError` without a chunk."""


M = TypeVar("M", bound=AnyMessage)


class Message(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A message with one text. A message of role `tool` answers the call `call_id`."""

    role: Role
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    call_id: str | None = None
    tool_name: str | None = None
    parts: tuple[Part, ...] = ()
    extra: Mapping[str, Json] = {}

    @property
    def text(self) -> str:
        """The message's text."""
        return self.content

    @property
    def outcome(self) -> str:
        """The message's text, or the one its parts hold."""
        return self.content or _joined(self.parts)

    @classmethod
    def system(cls, text: str) -> Self:
        return cls(role="system", content=text)

    @classmethod
    def user(cls, text: str, extra: Mapping[str, Json] | None = None) -> Self:
        return cls(role="user", content=text, extra=extra or {})

    @classmethod
    def assistant(cls, text: str, tool_calls: Iterable[ToolCall] = ()) -> Self:
        return cls(role="assistant", content=text, tool_calls=tuple(tool_calls))

    @classmethod
    def tool_result(cls, call: ToolCall, text: str, parts: Iterable[Part] = ()) -> Self:
        return cls(role="tool", content=text, call_id=call.id, tool_name=call.name, parts=tuple(parts))

    @classmethod
    def concat(cls, chunks: Sequence[Self]) -> Self:
        """One message: joined texts and parts, calls in order; role and ids are those of the first chunk."""
        first = _first(chunks)
        if len(chunks) == 1:
            return first
        return cls(
            role=first.role,
            content="".join(chunk.content for chunk in chunks),
            tool_calls=tuple(call for chunk in chunks for call in chunk.tool_calls),
            call_id=first.call_id,
            tool_name=first.tool_name,
            parts=tuple(part for chunk in chunks for part in chunk.parts),
            extra=_merged(chunks),
        )


class TextBlock(Struct, frozen=True, tag="text", gc=False):
    """A text block."""

    text: str


class ToolCallBlock(Struct, frozen=True, tag="tool_call"):
    """A model's call of a tool."""

    call: ToolCall


class ToolResultBlock(Struct, frozen=True, tag="tool_result"):
    """The result of a tool call."""

    call_id: str
    tool_name: str
    text: str
    parts: tuple[Part, ...] = ()


Block = TextBlock | ToolCallBlock | ToolResultBlock


class AgenticMessage(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A message of content blocks, without a tool role: a tool result is a block of a user message."""

    role: Literal["system", "user", "assistant"]
    blocks: tuple[Block, ...] = ()
    extra: Mapping[str, Json] = {}

    @property
    def text(self) -> str:
        """The joined text blocks."""
        return "".join(block.text for block in self.blocks if isinstance(block, TextBlock))

    @property
    def outcome(self) -> str:
        """The joined text blocks, or without text the joined tool results."""
        results = (block for block in self.blocks if isinstance(block, ToolResultBlock))
        return self.text or "".join(block.text or _joined(block.parts) for block in results)

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        return tuple(block.call for block in self.blocks if isinstance(block, ToolCallBlock))

    @classmethod
    def system(cls, text: str) -> Self:
        return cls(role="system", blocks=(TextBlock(text),))

    @classmethod
    def user(cls, text: str, extra: Mapping[str, Json] | None = None) -> Self:
        return cls(role="user", blocks=(TextBlock(text),), extra=extra or {})

    @classmethod
    def assistant(cls, text: str, tool_calls: Iterable[ToolCall] = ()) -> Self:
        texts: tuple[Block, ...] = (TextBlock(text),) if text else ()
        return cls(role="assistant", blocks=texts + tuple(ToolCallBlock(call) for call in tool_calls))

    @classmethod
    def tool_result(cls, call: ToolCall, text: str, parts: Iterable[Part] = ()) -> Self:
        return cls(role="user", blocks=(ToolResultBlock(call.id, call.name, text, tuple(parts)),))

    @classmethod
    def concat(cls, chunks: Sequence[Self]) -> Self:
        """One message: adjacent texts become one block, and so do adjacent results of one call."""
        first = _first(chunks)
        blocks: list[Block] = []
        for block in (block for chunk in chunks for block in chunk.blocks):
            last = blocks[-1] if blocks else None
            if isinstance(last, TextBlock) and isinstance(block, TextBlock):
                blocks[-1] = TextBlock(last.text + block.text)
            elif isinstance(last, ToolResultBlock) and isinstance(block, ToolResultBlock) and _same_call(last, block):
                text, parts = last.text + block.text, last.parts + block.parts
                blocks[-1] = ToolResultBlock(last.call_id, last.tool_name, text, parts)
            else:
                blocks.append(block)
        return cls(role=first.role, blocks=tuple(blocks), extra=_merged(chunks))


def _first(chunks: Sequence[M]) -> M:
    if not chunks:
        raise NothingReturnedError("a stream has ended without a chunk")
    return chunks[0]


def _merged(chunks: Sequence[AnyMessage]) -> Mapping[str, Json]:
    return {key: value for chunk in chunks for key, value in chunk.extra.items()}


def _joined(parts: Iterable[Part]) -> str:
    return "".join(part.text for part in parts if isinstance(part, TextPart))


def _same_call(one: ToolResultBlock, other: ToolResultBlock) -> bool:
    return one.call_id == other.call_id


def answers(message: AnyMessage) -> Iterator[tuple[str | None, str]]:
    """Yield the tool results in a message: the id of the call and the text."""
    if isinstance(message, Message) and message.role == "tool":
        yield message.call_id, message.outcome
    elif isinstance(message, AgenticMessage):
        for block in message.blocks:
            if isinstance(block, ToolResultBlock):
                yield block.call_id, block.text or _joined(block.parts)
