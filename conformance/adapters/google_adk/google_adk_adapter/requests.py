"""A request to a model: the system instruction, the tools, and the changes that a before-model callback makes."""

from __future__ import annotations

from collections.abc import Sequence

from google.adk.models.llm_request import LlmRequest
from google.genai import types

import loopspec_adapting as kit
from loopspec import ToolInfo

from .tools import tool_of


class NoValue(Exception):
    """A placeholder of the instruction has no value. ADK raises a KeyError that says so."""


def is_no_value(error: KeyError) -> bool:
    """Whether an error is about a placeholder of the instruction."""
    return "Context variable not found" in str(error)


def system_of(request: LlmRequest) -> str:
    """The system instruction of a request."""
    return str(request.config.system_instruction or "")


def infos_of(request: LlmRequest) -> list[ToolInfo]:
    """The information about tools in a request."""
    declared = [
        one for tool in request.config.tools or () for one in getattr(tool, "function_declarations", None) or ()
    ]
    return [
        ToolInfo(name=one.name or "", description=one.description or "", parameters=one.parameters_json_schema or {})
        for one in declared
    ]


def change_request(request: LlmRequest, change: kit.Change[types.Content], parts: kit.Parts[types.Content]) -> None:
    """Change a request as a handler wants it. The next request is built from the session again."""
    if change.messages_changed:
        request.contents = list(change.messages)
    if change.system_changed:
        request.config.system_instruction = change.system or None
    if change.tools_changed:
        offer(request, change.tools or (), parts)


def offer(request: LlmRequest, names: Sequence[str], parts: kit.Parts[types.Content]) -> None:
    """Change the tools that the model receives. A tool that the model does not receive can still be called."""
    known = {one.name: one for tool in declared_in(request) for one in tool.function_declarations or ()}
    kept = [known[name] for name in names if name in known]
    request.config.tools = [types.Tool(function_declarations=kept)] if kept else []
    request.append_tools([tool_of(parts.tool(name)) for name in names if name not in known])


def declared_in(request: LlmRequest) -> list[types.Tool]:
    """The tools of a request that declare functions."""
    return [tool for tool in request.config.tools or () if isinstance(tool, types.Tool)]
