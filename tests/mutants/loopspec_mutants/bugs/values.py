"""Realistic bugs about empty values, extra data and kinds of tools."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference.calls.chains import nested
from loopspec_reference.calls.models import ModelRequest
from loopspec_reference.loop import model_calls, tool_calls
from loopspec_reference.plugins.middleware import Update
from loopspec_reference.plugins.state import OwnState
from loopspec_reference.tools import toolboxes
from loopspec_reference.tools.kinds import AnyTool, ToolArgument, ToolRequest
from loopspec_reference.tools.toolboxes import Kind
from loopspec_reference.values import messages
from loopspec_reference.values.messages import AnyMessage, Json

from ..registry import bug


@bug("EVENT-22")
def keeps_the_extra_data_of_the_first_chunk() -> AbstractContextManager[object]:
    """Keeps the extra data of the first chunk only when chunks are joined."""

    def merged(chunks: Sequence[AnyMessage]) -> Any:  # Any: extra data is JSON
        return chunks[0].extra

    return patch.object(messages, "_merged", merged)


@bug("XP-STATE-04")
def takes_null_for_no_update() -> AbstractContextManager[object]:
    """Leaves a state field unchanged if an update sets the field to null."""
    checked = OwnState.checked

    def found(self: OwnState, update: Update, by: str) -> dict[str, Json]:
        return {key: value for key, value in checked(self, update, by).items() if value is not None}

    return patch.object(OwnState, "checked", found)


@bug("LOOP-21")
def writes_empty_arguments_as_an_object() -> AbstractContextManager[object]:
    """Passes a tool an empty object as its arguments if the model wrote none."""

    def request(arguments: Any) -> ToolRequest[Any]:  # Any: of either kind of tools
        if isinstance(arguments, ToolArgument):
            return ToolRequest(ToolArgument(arguments.text or "{}"))
        return ToolRequest(arguments or "{}")

    return patch.object(tool_calls, "ToolRequest", request)


@bug("TOOLS-09")
def prefers_the_plain_side_without_a_stream() -> AbstractContextManager[object]:
    """Calls the invokable side of a tool in a synchronous run if the enhanced side of the tool only streams."""
    kinds = toolboxes.kinds

    def chosen(tool: AnyTool) -> tuple[Kind, Kind]:
        whole, streamed = kinds(tool)
        return ("tool" if whole == "enhanced_streaming_tool" and hasattr(tool, "invoke") else whole), streamed

    return patch.object(toolboxes, "kinds", chosen)


@bug("TOOLS-09")
def matches_the_mode_before_the_kind() -> AbstractContextManager[object]:
    """Calls the plain side of a tool in a streaming run if only the plain side streams."""
    kinds = toolboxes.kinds

    def chosen(tool: AnyTool) -> tuple[Kind, Kind]:
        whole, streamed = kinds(tool)
        return whole, ("streaming_tool" if streamed == "enhanced_tool" and hasattr(tool, "stream") else streamed)

    return patch.object(toolboxes, "kinds", chosen)


@bug("HOOK-WM-15")
def ignores_the_deferred_tools_of_a_wrapper() -> AbstractContextManager[object]:
    """Sends the deferred tools of the run, whatever the model wrappers pass on."""

    def layers(wraps: Any, innermost: Any) -> Any:  # Any: endpoints of either message type
        def outer(request: ModelRequest[AnyMessage]) -> Any:
            def inner(changed: ModelRequest[AnyMessage]) -> Any:
                return innermost(replace(changed, deferred_tools=request.deferred_tools))

            return nested(wraps, inner)(request)

        return outer

    return patch.object(model_calls, "nested", layers)
