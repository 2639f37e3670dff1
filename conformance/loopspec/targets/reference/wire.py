"""The reference's messages, as they cross the seam."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

import loopspec_reference as ref

from ...contract.values import Message, MessageType, ToolCall

MESSAGE_TYPES: Mapping[MessageType, type[ref.AnyMessage]] = {"message": ref.Message, "agentic": ref.AgenticMessage}


def to_wire(message: ref.AnyMessage) -> Message:
    """A message of the reference, either type, as it crosses the seam."""
    extra = dict(message.extra)
    if isinstance(message, ref.AgenticMessage):
        for block in message.blocks:
            if isinstance(block, ref.ToolResultBlock):
                return Message(
                    role="tool", content=block.text, tool_call_id=block.call_id, tool_name=block.tool_name, extra=extra
                )
    calls = tuple(ToolCall(id=call.id, name=call.name, args=call.arguments) for call in message.tool_calls)
    call_id, tool_name = getattr(message, "call_id", None), getattr(message, "tool_name", None)
    return Message(
        role=message.role,
        content=message.text,
        tool_calls=calls,
        tool_call_id=call_id,
        tool_name=tool_name,
        extra=extra,
    )


def from_wire(message: Message, message_type: type[ref.AnyMessage]) -> ref.AnyMessage:
    """A message of the seam, as one of the reference's."""
    built: ref.AnyMessage
    match message.role:
        case "system":
            built = message_type.system(message.content)
        case "user":
            built = message_type.user(message.content)
        case "assistant":
            calls = (ref.ToolCall(call.id, call.name, call.args) for call in message.tool_calls)
            built = message_type.assistant(message.content, calls)
        case "tool":
            call = ref.ToolCall(message.tool_call_id or "", message.tool_name or "")
            built = message_type.tool_result(call, message.content)
    if message.extra and isinstance(built, msgspec.Struct):
        return msgspec.structs.replace(built, extra=message.extra)
    return built
