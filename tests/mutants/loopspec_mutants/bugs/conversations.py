"""Realistic bugs about the messages that a model receives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import AnyMessage, Event, Message, ModelRequest, State
from loopspec_reference.loop.agents import Agent
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs.run import Run

from ..registry import bug

Messages = tuple[AnyMessage, ...]


def _sending(change: Callable[[Messages], Sequence[AnyMessage]]) -> AbstractContextManager[object]:
    """Patch the messages of each model call."""
    answered = ModelCalls._answered

    async def answers(self: ModelCalls[AnyMessage], run: Run, request: ModelRequest[AnyMessage]) -> Any:
        return await answered(self, run, replace(request, messages=tuple(change(tuple(request.messages)))))

    return patch.object(ModelCalls, "_answered", answers)


def _appending(change: Callable[[Messages, Messages], Messages]) -> AbstractContextManager[object]:
    """Patch the messages that a tool step appends; `change` receives the conversation before and after the step."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any
    ) -> tuple[State[AnyMessage], bool]:  # Any: passed on
        after, ended = await act(self, run, start, state, *rest)
        return replace(after, messages=change(state.messages, after.messages)), ended

    return patch.object(Agent, "_act", acts)


@bug("LOOP-05")
def sends_equal_messages_once() -> AbstractContextManager[object]:
    """Sends the last of equal messages only: the conversation is a set by role and content."""

    def key(one: AnyMessage) -> tuple[str, str, int]:
        return one.role, one.outcome, len(one.tool_calls)

    return _sending(
        lambda messages: [
            one for at, one in enumerate(messages) if all(key(one) != key(other) for other in messages[at + 1 :])
        ]
    )


@bug("LOOP-06")
def makes_equal_calls_once() -> AbstractContextManager[object]:
    """Makes equal calls of one answer once, and uses the result for each of them."""
    make_all = Agent._make_all

    async def makes(self: Agent[AnyMessage], make: Any, opened: Sequence[int]) -> None:
        cells = make.__closure__
        names = make.__code__.co_freevars
        free = dict(zip(names, (cell.cell_contents for cell in cells), strict=True))
        calls, results = free["calls"], free["results"]
        first: dict[tuple[str, str], int] = {}
        for at in opened:
            first.setdefault((calls[at].name, calls[at].arguments), at)
        await make_all(self, make, sorted(first.values()))
        for at in opened:
            source = first[calls[at].name, calls[at].arguments]
            if at != source and source in results:
                results[at] = self.message_type.tool_result(calls[at], results[source].outcome)

    return patch.object(Agent, "_make_all", makes)


@bug("LOOP-29")
def puts_results_with_parts_last() -> AbstractContextManager[object]:
    """Appends results with parts after the results that are texts."""

    def parts_last(before: Messages, after: Messages) -> Messages:
        return (*before, *sorted(after[len(before) :], key=lambda one: bool(getattr(one, "parts", ()))))

    return _appending(parts_last)


@bug("LOOP-05")
def drops_empty_user_messages() -> AbstractContextManager[object]:
    """Sends no message without a text and without tool calls, except results."""
    return _sending(
        lambda messages: [
            one for one in messages if one.role == "tool" or one.outcome or one.tool_calls or _has_blocks(one)
        ]
    )


def _has_blocks(message: AnyMessage) -> bool:
    return any(not hasattr(block, "text") or hasattr(block, "call_id") for block in getattr(message, "blocks", ()))


@bug("LOOP-05")
def strips_texts() -> AbstractContextManager[object]:
    """Strips white space around the text of each plain message before the message is sent."""
    return _sending(
        lambda messages: [
            replace(one, content=one.content.strip()) if isinstance(one, Message) else one for one in messages
        ]
    )


@bug("LOOP-05")
def sends_the_last_forty_messages() -> AbstractContextManager[object]:
    """Sends the last forty messages of a longer conversation."""
    return _sending(lambda messages: messages[-40:])


@bug("LOOP-05")
def merges_adjacent_user_messages() -> AbstractContextManager[object]:
    """Sends two adjacent plain user messages as one."""

    def merged(messages: Messages) -> list[AnyMessage]:
        found: list[Any] = []  # Any: plain messages can be joined, agentic ones are left alone
        for one in messages:
            if found and hasattr(one, "content") and one.role == "user" == found[-1].role:
                found[-1] = replace(found[-1], content=f"{found[-1].content}\n{one.content}")
            else:
                found.append(one)
        return found

    return _sending(merged)


@bug("LOOP-05")
def moves_system_messages_to_the_start() -> AbstractContextManager[object]:
    """Sends all system messages before all other messages."""
    return _sending(lambda messages: sorted(messages, key=lambda one: one.role != "system"))


@bug("LOOP-03")
def drops_a_stream_without_text() -> AbstractContextManager[object]:
    """Appends no result for a streamable tool whose stream has no text."""

    def filled(before: Messages, after: Messages) -> Messages:
        return (*before, *(one for one in after[len(before) :] if one.outcome or getattr(one, "parts", True)))

    return _appending(filled)


@bug("EVENT-01")
@contextmanager
def emits_equal_events_once() -> Iterator[None]:
    """Emits no event that is equal to the event before it."""
    fresh = Agent._fresh

    async def begins(self: Agent[AnyMessage], run: Run, messages: Sequence[AnyMessage]) -> AnyMessage:
        emit = run.emit
        last: list[object] = []

        def emits(event: Event) -> None:
            text = _shown(event)
            if text is None or [text] != last:
                emit(event)
            last[:] = [text]

        run.emit = emits
        return await fresh(self, run, messages)

    with patch.object(Agent, "_fresh", begins):
        yield


def _shown(event: Event) -> object:
    message = getattr(event, "message", None)
    if message is not None:
        return None if message.tool_calls else (message.role, message.outcome)
    return ("custom", str(event.payload)) if hasattr(event, "payload") else None
