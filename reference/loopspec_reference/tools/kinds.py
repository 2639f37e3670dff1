"""The four kinds of tools, and the values of a tool call."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, Generic, Protocol, TypeVar

import msgspec
from msgspec import Struct

from ..values.messages import Json, Part

A = TypeVar("A")


class ToolInfo(Struct, frozen=True, omit_defaults=True):
    """The description of a tool that a model receives. `parameters` is a JSON Schema."""

    name: str
    description: str = ""
    parameters: Mapping[str, Json] = {}


class Resumed(Struct, frozen=True):
    """A repeated call: the state that a tool or a hook left when it interrupted the run, and the caller's answer."""

    state: Json
    data: Json


class ToolContext(Struct, frozen=True):
    """The tool call that a tool, or a wrapper around the tool, serves. `resumed` is for the one that interrupted.

    `place` is that of the call among the calls of its answer, of which two can have one id.
    """

    name: str
    call_id: str
    resumed: Resumed | None = None
    place: int = 0


class ToolArgument(Struct, frozen=True):
    """The argument of an enhanced tool: the text that the model produced, unchecked."""

    text: str


class ToolResult(Struct, frozen=True):
    """The result of an enhanced tool."""

    parts: tuple[Part, ...] = ()


class ToolRequest(Struct, Generic[A], frozen=True):
    """The input of one tool call. Wrappers can pass `options` to the tool (HOOK-WT-15)."""

    arguments: A
    options: Mapping[str, Json] = {}


class HasInfo(Protocol):
    """The part of the interface that all tools share."""

    @property
    def info(self) -> ToolInfo:
        """The description for the model. An error raised here ends the run before its first hook (CFG-07)."""


class Tool(HasInfo, Protocol):
    """A tool that takes a text and returns a text."""

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Run the tool. The arguments are the text that the model produced, unchecked. May raise `InterruptRun`."""


class StreamingTool(HasInfo, Protocol):
    """A tool that returns its text in chunks."""

    def stream(self, context: ToolContext, request: ToolRequest[str]) -> AsyncIterator[str]:
        """Run the tool and yield the chunks of its result."""


class EnhancedTool(HasInfo, Protocol):
    """A tool whose result has parts: texts and images."""

    async def invoke_enhanced(self, context: ToolContext, request: ToolRequest[ToolArgument]) -> ToolResult:
        """Run the tool."""


class EnhancedStreamingTool(HasInfo, Protocol):
    """A tool that returns a result with parts in chunks."""

    def stream_enhanced(self, context: ToolContext, request: ToolRequest[ToolArgument]) -> AsyncIterator[ToolResult]:
        """Run the tool and yield the chunks of its result."""


# A tool can be of several kinds: the mode of the run decides which method is called (TOOLS-03).
AnyTool = Tool | StreamingTool | EnhancedTool | EnhancedStreamingTool


class InterruptRun(Exception):
    """Raised by a tool or a hook that cannot finish now: the run ends with a checkpoint. A resumption calls it again.

    The caller receives `info`, and the repeated call receives `state`. Other calls under way complete. The hooks before
    and after the model and the wrappers can raise it; in another hook it is an error. A wrapper that is called again
    receives the answers of the inner calls that it has made, and the model or the tool is not called again.
    """

    def __init__(self, info: Json = None, state: Json = None) -> None:
        super().__init__(info)
        self.info = info
        self.state = state
        self.depth: int | None = None  # of the wrapper that raised it
        self.answers: list[dict[int, Any]] = []  # Any: what the wrappers around it have received, see `Replay`


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
        """Return the final result. Arguments without a final result are an error (EXIT-04)."""
        return msgspec.json.decode(request.arguments, type=_Exit).final_result
