"""What the programs share: a tool, and an answer that calls tools."""

from haystack.dataclasses import ChatMessage, ToolCall
from haystack.tools import tool

ASKED = [ChatMessage.from_user("What is the weather?")]


@tool
def weather() -> str:
    """Look up the weather."""
    return "sunny"


def calls(*names: str, **arguments: object) -> ChatMessage:
    """Return an answer that calls the tools."""
    called = [ToolCall(name, dict(arguments), id=f"call {at}") for at, name in enumerate(names, 1)]
    return ChatMessage.from_assistant(tool_calls=called)
