"""What a model may ask for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import msgspec
from msgspec import Struct

from ..values.messages import Json, Part

A = TypeVar("A")


class ToolInfo(Struct, frozen=True, omit_defaults=True):
    """What a model is told about a tool. `parameters` is a JSON Schema."""

    name: str
    description: str = ""
    parameters: Mapping[str, Json] = {}


class Resumed(Struct, frozen=True):
    """Why a tool is called a second time: the state it left when it interrupted, and the caller's answer."""

    state: Json
    data: Json


class ToolContext(Struct, frozen=True):
    """The call a tool, or a wrapper around it, is part of."""

    name: str
    call_id: str
    resumed: Resumed | None = None


class ToolArgument(Struct, frozen=True):
    """What an enhanced tool is given: the model's own text, unchecked."""

    text: str


class ToolResult(Struct, frozen=True):
    """What an enhanced tool answers."""

    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class ToolRequest(Generic[A]):
    """What one tool call sends. `options` are for wrappers to tell the tool something (HOOK-WT-15)."""

    arguments: A
    options: Mapping[str, Json] = field(default_factory=dict)


class HasInfo(Protocol):
    """What all tools have in common."""

    @property
    def info(self) -> ToolInfo:
        """What the model is told. An error raised here ends the run before its first hook (CFG-07)."""
        ...


class Tool(HasInfo, Protocol):
    """Something a model may ask for by name: a text goes in, a text comes out."""

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Do it. The arguments are the model's own text, unchecked. May raise `InterruptRun`."""
        ...


class StreamingTool(HasInfo, Protocol):
    """A tool whose result comes in pieces."""

    def stream(self, context: ToolContext, request: ToolRequest[str]) -> AsyncIterator[str]:
        """Do it, piece by piece."""
        ...


class EnhancedTool(HasInfo, Protocol):
    """A tool whose result has parts: texts and pictures."""

    async def invoke_enhanced(self, context: ToolContext, request: ToolRequest[ToolArgument]) -> ToolResult:
        """Do it."""
        ...


class EnhancedStreamingTool(HasInfo, Protocol):
    """A tool whose result has parts and comes in pieces."""

    def stream_enhanced(self, context: ToolContext, request: ToolRequest[ToolArgument]) -> AsyncIterator[ToolResult]:
        """Do it, piece by piece."""
        ...


# A tool may be several of them at once: the mode of the run decides which one is called (TOOLS-03).
AnyTool = Tool | StreamingTool | EnhancedTool | EnhancedStreamingTool


class InterruptRun(Exception):
    """Raised by a tool that cannot finish now: the run ends with a checkpoint and this call is made again on resume.

    `info` is shown to the caller, `state` comes back to the tool. Calls beside it run to their end.
    """

    def __init__(self, info: Json = None, state: Json = None) -> None:
        super().__init__(info)
        self.info = info
        self.state = state


class _Exit(Struct):
    final_result: str


class ExitTool:
    """Ends the run: its argument `final_result` is the final output (EXIT-01)."""

    info = ToolInfo(
        "exit",
        "Ends the conversation and gives the final result.",
        {
            "type": "object",
            "properties": {"final_result": {"type": "string"}},
            "required": ["final_result"],
        },
    )

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Return the final result. Arguments without one are an error (EXIT-04)."""
        return msgspec.json.decode(request.arguments, type=_Exit).final_result
