"""Postures of events: when a message becomes an event."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from unittest.mock import patch

from loopspec_reference import AnyMessage, State
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs import lifecycle
from loopspec_reference.runs.run import Run
from loopspec_reference.values.events import CustomEvent, ErrorEvent, Event, MessageEvent

from .postures import posture

AnyState = State[AnyMessage]
Calls = ModelCalls[AnyMessage]
Emit = Callable[[Event | None], None]


@posture("answer-event", "after-hooks")
def emits_answers_after_the_hooks() -> AbstractContextManager[object]:
    """Emit the message that the after-model hooks leave, in place of a whole answer."""
    call = ModelCalls.call

    async def calls(self: Calls, run: Run, state: AnyState) -> AnyState:
        emit, held = run.emit, list[MessageEvent]()

        def emits(event: Event) -> None:
            if isinstance(event, MessageEvent) and event.path == run.path:
                held.append(event)
            else:
                emit(event)

        run.emit = emits
        try:
            after = await call(self, run, state)
        finally:
            run.emit = emit
        for event in held:
            last = after.messages[-1]
            emit(MessageEvent(event.agent, event.path, last if last.role == "assistant" else event.message))
        return after

    return patch.object(ModelCalls, "call", calls)


@posture("message-events", "at-the-end")
def emits_messages_at_the_end() -> AbstractContextManager[object]:
    """Hold the messages of a synchronous run until the run ends, and drop the messages of a failed run."""
    whole = lifecycle._whole

    async def runs(run: Run, work: Callable[[], Awaitable[object]], emit: Emit) -> None:
        held: list[Event] = []

        def emits(event: Event) -> None:
            if run.streaming or isinstance(event, CustomEvent):
                emit(event)
            else:
                held.append(event)

        def ends(event: Event | None) -> None:
            failed = held and isinstance(held[-1], ErrorEvent)
            for each in held[-1:] if failed else held:
                emit(each)
            emit(event)

        run.emit = emits
        await whole(run, work, ends)

    return patch.object(lifecycle, "_whole", runs)
