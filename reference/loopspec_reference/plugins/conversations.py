"""What a conversation of either message type holds: which calls are answered where, and how long it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..values.messages import AgenticMessage, AnyMessage, Message, TextPart, ToolResultBlock

_CHARACTERS_PER_TOKEN = 4


def answers(message: AnyMessage) -> Iterator[tuple[str | None, str]]:
    """The results of tool calls in a message: the call's id and the text."""
    if isinstance(message, Message) and message.role == "tool":
        yield message.call_id, message.outcome
    elif isinstance(message, AgenticMessage):
        for block in message.blocks:
            if isinstance(block, ToolResultBlock):
                texts = (part.text for part in block.parts if isinstance(part, TextPart))
                yield block.call_id, block.text or "".join(texts)


def estimated_tokens(messages: Sequence[AnyMessage]) -> int:
    """About how many tokens these messages are: one for four characters, tool calls and results included."""
    characters = 0
    for message in messages:
        results = [text for _, text in answers(message)]
        characters += sum(map(len, results)) if results else len(message.text)
        characters += sum(len(call.id) + len(call.name) + len(call.arguments) for call in message.tool_calls)
    return -(-characters // _CHARACTERS_PER_TOKEN)


def uncut(messages: Sequence[AnyMessage], cut: int) -> int:
    """The last place at or before `cut` that has no tool call before it and its result behind it (XP-SUM-12).

    Calls at the very end have no result yet: they belong to what is still to come.
    """
    asked: dict[str | None, int] = {}
    spans: list[tuple[int, int]] = []  # of a call and its result
    for at, message in enumerate(messages):
        spans += [(asked[call_id], at) for call_id, _ in answers(message) if call_id in asked]
        asked.update((call.id, at) for call in message.tool_calls)
    if messages and messages[-1].tool_calls:
        spans.append((len(messages) - 1, len(messages)))
    for start, end in sorted(spans, reverse=True):
        if start < cut <= end:
            cut = start
    return cut
