"""Who is told about the calls themselves."""

from __future__ import annotations

from typing import Generic, Protocol

from ..tools.kinds import ToolArgument, ToolContext, ToolRequest, ToolResult
from ..values.messages import M
from .models import ModelRequest


class Callbacks(Protocol, Generic[M]):
    """Told directly around the real model and the real tools, inside every wrapper (ORDER-MODEL-07, ORDER-TOOL-05).

    A model that reports its own calls is not reported a second time (ORDER-MODEL-08). A call that fails has no end.
    """

    def model_start(self, request: ModelRequest[M]) -> None:
        """A model is about to be called."""
        ...

    def model_end(self, message: M) -> None:
        """A model has answered; in streaming mode its answer is complete."""
        ...

    def tool_start(self, context: ToolContext, request: ToolRequest[str] | ToolRequest[ToolArgument]) -> None:
        """A tool is about to be called."""
        ...

    def tool_end(self, context: ToolContext, result: str | ToolResult) -> None:
        """A tool has returned; the result of one that streams is complete."""
        ...
