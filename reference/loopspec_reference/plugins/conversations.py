"""Conversations of either message type: their length, and where they can be cut."""

from __future__ import annotations

from collections.abc import Sequence

from ..values.messages import AnyMessage, answers

_CHARACTERS_PER_TOKEN = 4


def estimated_tokens(messages: Sequence[AnyMessage]) -> int:
    """Estimate the tokens of messages: one for four characters, tool calls and results included."""
    characters = 0
    for message in messages:
        results = [text for _, text in answers(message)]
        characters += sum(map(len, results)) if results else len(message.text)
        characters += sum(len(call.id) + len(call.name) + len(call.arguments) for call in message.tool_calls)
    return -(-characters // _CHARACTERS_PER_TOKEN)


def safe_cut(messages: Sequence[AnyMessage], cut: int) -> int:
    """Return the last position at or before `cut` that separates no tool call from its result (XP-SUM-12).

    Calls in the last message have no result yet and are kept with the messages that follow.
    """
    called_at: dict[str | None, int] = {}
    spans: list[tuple[int, int]] = []  # of a call and its result
    for at, message in enumerate(messages):
        spans += [(called_at[call_id], at) for call_id, _ in answers(message) if call_id in called_at]
        called_at.update((call.id, at) for call in message.tool_calls)
    if messages and messages[-1].tool_calls:
        spans.append((len(messages) - 1, len(messages)))
    for start, end in sorted(spans, reverse=True):
        if start < cut <= end:
            cut = start
    return cut
