"""Items of the Responses API in groups: an answer is a message and its calls, which are several items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from agents import TResponseInputItem
from agents.items import TResponseOutputItem
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage

from loopspec import Message
from loopspec_adapting import answer_message, result_message

Item = Mapping[str, Any]  # Any: the values of an item, which the API types by a union of more than 20 kinds
Group = tuple[Item, ...]  # the items of one message of the contract

_ANSWER = ("assistant", "function_call")


def groups_of(items: str | Iterable[TResponseInputItem | TResponseOutputItem]) -> list[Group]:
    """Group items. A call belongs to the answer before it, and a message begins a group."""
    if isinstance(items, str):
        return [({"role": "user", "content": items},)]
    groups: list[Group] = []
    for item in map(_mapping, items):
        if groups and _kind(item) == "function_call" and _kind(groups[-1][-1]) in _ANSWER:
            groups[-1] += (item,)
        else:
            groups.append((item,))
    return groups


def input_of(groups: Iterable[Group]) -> list[TResponseInputItem]:
    """Return the items of groups as the input of a run or of a model call."""
    return [cast("TResponseInputItem", item) for group in groups for item in group]


def output_of(answer: Group) -> list[TResponseOutputItem]:
    """Return an answer as the output of a model."""
    return [
        ResponseFunctionToolCall.model_validate(item)
        if _kind(item) == "function_call"
        else ResponseOutputMessage.model_validate(item)
        for item in answer
    ]


def message_of(group: Group) -> Message:
    """Convert a group."""
    first, kind = group[0], _kind(group[0])
    if kind == "function_call_output":
        return result_message(text_of(first["output"]), first["call_id"], None)
    if kind not in _ANSWER:
        return Message(role=kind, content=text_of(first["content"]))
    texts = [text_of(item["content"]) for item in group if _kind(item) == "assistant"]
    calls = [item for item in group if _kind(item) == "function_call"]
    return answer_message("".join(texts), [(one["call_id"], one["name"], one["arguments"]) for one in calls])


def group_of(message: Message, item_id: str) -> Group:
    """Convert a message of the contract. An answer has the items that a model returns."""
    match message.role:
        case "assistant":
            calls = [call_item(call.id, call.name, call.args) for call in message.tool_calls]
            text = {"type": "output_text", "text": message.content, "annotations": []}
            answer = {"type": "message", "role": "assistant", "status": "completed", "id": item_id, "content": [text]}
            return (*([answer] if message.content or not calls else []), *calls)
        case "tool":
            return ({"type": "function_call_output", "call_id": message.tool_call_id, "output": message.content},)
        case role:
            return ({"role": role, "content": message.content},)


def call_item(call_id: str, name: str, args: str) -> Item:
    """Return a tool call as an item."""
    return {"type": "function_call", "call_id": call_id, "name": name, "arguments": args}


def text_of(content: object) -> str:
    """Return the text of a content: a text, a list of parts, or an object that the SDK turns into a text."""
    if isinstance(content, Sequence) and not isinstance(content, str):
        return "".join(part.get("text", "") for part in content)
    return str(content)


def _mapping(item: TResponseInputItem | TResponseOutputItem) -> Item:
    return cast("Item", item if isinstance(item, dict) else item.model_dump(exclude_none=True))


def _kind(item: Item) -> Any:  # Any: a role of a message, or the type of another item
    return item["role"] if item.get("type", "message") == "message" else item["type"]
