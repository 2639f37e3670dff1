"""Conversion between the values of the reference and those of the contract ("wire")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

import loopspec_reference as ref
from loopspec.contract.calls import ModelContext, ModelRequest, Resumed, State, ToolRequest
from loopspec.contract.values import Json, Message, MessageType, Part, ToolCall, ToolInfo, ToolKind

MESSAGE_TYPES: Mapping[MessageType, type[ref.AnyMessage]] = {"message": ref.Message, "agentic": ref.AgenticMessage}

# The last converted messages by their identities: each request repeats those of the request before.
_CONVERTED: dict[int, tuple[ref.AnyMessage, Message]] = {}
_AT_MOST = 200


def to_wire(message: ref.AnyMessage) -> Message:
    """Convert a message of the reference, of either type."""
    known = _CONVERTED.get(id(message))
    if known is None or known[0] is not message:
        if len(_CONVERTED) >= _AT_MOST:
            _CONVERTED.clear()
        known = _CONVERTED[id(message)] = message, _to_wire(message)
    return known[1]


def _to_wire(message: ref.AnyMessage) -> Message:
    extra = dict(message.extra)
    if isinstance(message, ref.AgenticMessage):
        for block in message.blocks:
            if isinstance(block, ref.ToolResultBlock):
                return Message(
                    role="tool",
                    content=block.text,
                    parts=parts_to_wire(block.parts),
                    tool_call_id=block.call_id,
                    tool_name=block.tool_name,
                    extra=extra,
                )
    return Message(
        role=message.role,
        content=message.text,
        parts=parts_to_wire(getattr(message, "parts", ())),
        tool_calls=tuple([ToolCall(id=call.id, name=call.name, args=call.arguments) for call in message.tool_calls]),
        tool_call_id=getattr(message, "call_id", None),
        tool_name=getattr(message, "tool_name", None),
        extra=extra,
    )


def from_wire(message: Message, message_type: type[ref.AnyMessage]) -> ref.AnyMessage:
    """Convert a message of the contract to one of the reference."""
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
            built = message_type.tool_result(call, message.content, parts_from_wire(message.parts))
    if message.extra and isinstance(built, msgspec.Struct):
        return msgspec.structs.replace(built, extra=message.extra)
    return built


def parts_to_wire(parts: Iterable[ref.Part]) -> tuple[Part, ...]:
    """Convert the parts of a result."""
    return tuple([Part(text=part.text) if isinstance(part, ref.TextPart) else Part(url=part.url) for part in parts])


def parts_from_wire(parts: Iterable[Part]) -> tuple[ref.Part, ...]:
    """Convert the parts of a result to those of the reference."""
    return tuple(ref.ImagePart(part.url) if part.url else ref.TextPart(part.text) for part in parts)


def info_to_wire(info: ref.ToolInfo) -> ToolInfo:
    """Convert the description of a tool."""
    return ToolInfo(name=info.name, description=info.description, parameters=dict(info.parameters))


def info_from_wire(info: ToolInfo) -> ref.ToolInfo:
    """Convert the description of a tool to one of the reference."""
    return ref.ToolInfo(info.name, info.description, info.parameters)


def request_to_wire(request: ref.ModelRequest[ref.AnyMessage]) -> ModelRequest:
    """Convert the request of a model call."""
    assert len({type(message) for message in request.messages}) < 2, "a request has messages of one type"
    return ModelRequest(
        messages=tuple(map(to_wire, request.messages)),
        tools=tuple(map(info_to_wire, request.tools)),
        deferred_tools=tuple(map(info_to_wire, request.deferred_tools)),
        tool_search=info_to_wire(request.tool_search) if request.tool_search else None,
        streaming=request.streaming,
    )


def state_to_wire(state: ref.State[ref.AnyMessage]) -> State:
    """Convert the state that a hook receives."""
    return State(
        messages=tuple(to_wire(message) for message in state.messages),
        tools=tuple(info.name for info in state.tools),
        deferred_tools=tuple(info.name for info in state.deferred_tools),
    )


def context_to_wire(context: ref.ModelContext[ref.AnyMessage]) -> ModelContext:
    """Convert the context of a model call."""
    return ModelContext(
        tools=tuple(info.name for info in context.tools),
        retry=context.retry is not None,
        failover=context.failover is not None,
    )


def call_to_wire(context: ref.ToolContext, args: str, options: Mapping[str, Json], kind: ToolKind) -> ToolRequest:
    """Convert the request of a tool call."""
    return ToolRequest(
        tool=context.name,
        call_id=context.call_id,
        args=args,
        kind=kind,
        options=dict(options),
        resumed=resumed_to_wire(context.resumed),
    )


def resumed_to_wire(resumed: ref.Resumed | None) -> Resumed | None:
    """Convert what a repeated call receives."""
    return Resumed(state=resumed.state, data=resumed.data) if resumed else None
