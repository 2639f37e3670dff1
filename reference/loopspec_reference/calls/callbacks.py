"""Callbacks: observers of the model and tool calls themselves."""

from __future__ import annotations

from typing import Generic, Protocol

from ..tools.kinds import ToolArgument, ToolContext, ToolRequest, ToolResult
from ..values.messages import M
from .models import ModelRequest


class Callbacks(Protocol, Generic[M]):
    """Called directly around the model and the tools, inside every wrapper (ORDER-MODEL-07, ORDER-TOOL-05).

    A model that reports its own calls is not reported twice (ORDER-MODEL-08). A call that fails has a start and no end.
    """

    def model_start(self, request: ModelRequest[M]) -> None:
        """Observe that a model is about to be called."""

    def model_end(self, message: M) -> None:
        """Observe that a model has answered; in streaming mode, that its answer is complete."""

    def tool_start(self, context: ToolContext, request: ToolRequest[str] | ToolRequest[ToolArgument]) -> None:
        """Observe that a tool is about to be called."""

    def tool_end(self, context: ToolContext, result: str | ToolResult) -> None:
        """Observe that a tool has returned; for a streaming tool, that its result is complete."""
