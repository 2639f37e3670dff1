"""A request to a model: the system instruction, the tools, and the changes that a before-model callback makes."""

from __future__ import annotations

from google.adk.agents.callback_context import CallbackContext
from google.adk.models import LlmRequest
from google.genai import types

from loopspec import ToolInfo
from loopspec import adapting as kit

from .tools import tool_of


class WithoutIdentity:
    """A before-model callback that removes the sentence with the agent's name, which ADK adds to each instruction."""

    def __init__(self, name: str, description: str = "") -> None:
        self.sentence = f'You are an agent. Your internal name is "{name}".'
        if description:
            self.sentence += f' The description about you is "{description}".'

    def __call__(self, callback_context: CallbackContext, llm_request: LlmRequest) -> None:
        """Change the request. A callback that returns nothing lets the next callback run."""
        llm_request.config.system_instruction = system_of(llm_request).removesuffix(self.sentence).rstrip() or None


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
        tools = parts.pick(change.tools or (), dict(request.tools_dict), tool_of)
        request.config.tools, request.tools_dict = [], {}
        request.append_tools(tools)
