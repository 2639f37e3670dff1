"""Conversations that outlive a run: what a run leaves, and with what the next one begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Generic

from msgspec.structs import replace

from ..values.errors import ConversationInUseError
from ..values.messages import AgenticMessage, M, ToolResultBlock, answers

NOT_COMPLETED = "not completed: the run stopped before the call returned"


class Conversation(Generic[M]):
    """The messages of several runs, without instructions.

    A run that stops leaves what it has completed: an answer with calls may then lack some of their results, until the
    next run begins (STOP-01).
    """

    def __init__(self, messages: Sequence[M] = ()) -> None:
        self.messages = tuple(messages)
        self._has_run = False

    @asynccontextmanager
    async def run_alone(self, waiting: Callable[[], Sequence[M]]) -> AsyncIterator[None]:
        """Hold the conversation for one run, and keep the messages that wait at its end (STOP-03).

        Raises `ConversationInUseError` during another run (STOP-30).
        """
        if self._has_run:
            raise ConversationInUseError("another run of this conversation is under way: wait until it ends")
        self._has_run = True
        try:
            yield
        finally:
            self._has_run = False
            self.messages = (*self.messages, *waiting())

    def begin(self, messages: Sequence[M]) -> Sequence[M]:
        """Repair what the last run has left, add the messages of a new run, and return all."""
        self.messages = (*repaired(self.messages), *messages)
        return self.messages

    def keep(self, messages: Sequence[M]) -> None:
        """Keep the messages that a run has now; the instruction belongs to the run."""
        lead = tuple(message for message in messages[:1] if message.role == "system")
        self.messages = tuple(messages[1:] if lead and lead != self.messages[:1] else messages)


def repaired(messages: Sequence[M]) -> tuple[M, ...]:
    """Return a conversation in which each call has one result, directly after its answer.

    A call without a result gets one that says that it was not completed. Of several results the first is kept, and a
    result without a call is left out. A conversation without a fault is returned as it is, so that a second repair
    changes nothing (STOP-07).
    """
    if _is_sound(messages):
        return tuple(messages)
    kept: list[tuple[M, dict[int, M]]] = []  # each message but results, and the results of its calls by their places
    opened: dict[str | None, list[tuple[dict[int, M], int]]] = {}
    for message in messages:
        other, found = _split(message)
        for call_id, result in found:
            if opened.get(call_id):  # of several calls with one id, that of the last answer
                results, place = opened[call_id].pop()
                results[place] = result
        if other is not None:
            kept.append((other, {}))
            for place in reversed(range(len(other.tool_calls))):
                opened.setdefault(other.tool_calls[place].id, []).append((kept[-1][1], place))
    return tuple(_joined(kept))


def _joined(kept: Sequence[tuple[M, dict[int, M]]]) -> Iterator[M]:
    """The messages, each answer with the results of its calls."""
    for message, results in kept:
        yield message
        for place, call in enumerate(message.tool_calls):
            yield results.get(place) or type(message).tool_result(call, NOT_COMPLETED)


def _is_sound(messages: Sequence[M]) -> bool:
    opened = Counter[str | None]()
    for message in messages:
        found = Counter(call_id for call_id, _ in answers(message))
        if (opened and not found) or found - opened:
            return False
        opened = opened - found + Counter(call.id for call in message.tool_calls)
    return not opened


def _split(message: Any) -> tuple[Any, list[tuple[str | None, Any]]]:  # Any: a message of either type
    """A message without its results, or None if nothing else is in it; and each result as a message."""
    if isinstance(message, AgenticMessage):
        found = [block for block in message.blocks if isinstance(block, ToolResultBlock)]
        rest = tuple(block for block in message.blocks if not isinstance(block, ToolResultBlock))
        other = message if not found else replace(message, blocks=rest) if rest else None
        return other, [(block.call_id, replace(message, blocks=(block,))) for block in found]
    if message.role == "tool":
        return None, [(message.call_id, message)]
    return message, []
