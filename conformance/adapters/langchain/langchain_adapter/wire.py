"""LangChain's messages, as they cross the seam."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, InvalidToolCall, SystemMessage, ToolMessage
from langchain_core.messages import ToolCall as LangChainToolCall
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from loopspec.contract.values import Json, Message, ToolCall, ToolInfo


def to_wire(message: BaseMessage) -> Message:
    """A message of LangChain's as it crosses the seam."""
    extra = dict(message.additional_kwargs)
    match message:
        case SystemMessage():
            return Message(role="system", content=str(message.text), extra=extra)
        case AIMessage():
            return Message(role="assistant", content=str(message.text), tool_calls=_calls_to_wire(message), extra=extra)
        case ToolMessage():
            return Message(
                role="tool",
                content=str(message.text),
                tool_call_id=message.tool_call_id,
                tool_name=message.name,
                extra=extra,
            )
        case _:
            return Message(role="user", content=str(message.text), extra=extra)


def all_to_wire(messages: Iterable[BaseMessage]) -> tuple[Message, ...]:
    """A conversation of LangChain's."""
    return tuple(map(to_wire, messages))


def _calls_to_wire(message: AIMessage) -> tuple[ToolCall, ...]:
    """The calls of an answer; those whose arguments could not be read stand apart in LangChain, and come last."""
    calls = [
        ToolCall(id=call["id"] or "", name=call["name"], args=args_to_wire(call["args"])) for call in message.tool_calls
    ]
    return (
        *calls,
        *(
            ToolCall(id=call["id"] or "", name=call["name"] or "", args=call["args"] or "")
            for call in message.invalid_tool_calls
        ),
    )


def args_to_wire(args: Mapping[str, Any] | str) -> str:
    """Arguments as text: LangChain keeps what they say, and not how it was written."""
    return args if isinstance(args, str) else json.dumps(args, ensure_ascii=False)


def args_from_wire(args: str) -> dict[str, Json] | None:
    """Arguments as LangChain takes them, an object; None for a text that is none."""
    try:
        read = json.loads(args)
    except ValueError:
        return None
    return read if isinstance(read, dict) else None


def from_wire(message: Message) -> BaseMessage:
    """A message of the seam, as one of LangChain's."""
    extra = dict(message.extra)
    match message.role:
        case "system":
            return SystemMessage(message.content, additional_kwargs=extra)
        case "user":
            return HumanMessage(message.content, additional_kwargs=extra)
        case "assistant":
            return answer_from_wire(message)
        case "tool":
            return ToolMessage(
                message.content,
                tool_call_id=message.tool_call_id or "",
                name=message.tool_name,
                additional_kwargs=extra,
            )


def answer_from_wire(message: Message) -> AIMessage:
    """A model's answer, with calls as the integrations of LangChain make them."""
    calls: list[LangChainToolCall] = []
    invalid: list[InvalidToolCall] = []
    for call in message.tool_calls:
        args = args_from_wire(call.args)
        if args is None:
            invalid.append(
                InvalidToolCall(type="invalid_tool_call", id=call.id, name=call.name, args=call.args, error=None)
            )
        else:
            calls.append(LangChainToolCall(type="tool_call", id=call.id, name=call.name, args=args))
    return AIMessage(
        message.content, tool_calls=calls, invalid_tool_calls=invalid, additional_kwargs=dict(message.extra)
    )


def info_to_wire(tool: BaseTool | Mapping[str, Any]) -> ToolInfo:
    """What a model receives about a tool."""
    described: Mapping[str, Any] = convert_to_openai_tool(tool) if isinstance(tool, BaseTool) else tool
    function = described.get("function", described)
    parameters = function.get("parameters", {})
    return ToolInfo(
        name=function["name"],
        description=function.get("description", ""),
        parameters=dict(parameters),
    )
