"""Mutants about the events of a run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from unittest.mock import patch

import loopspec_reference as ref
from loopspec_reference.calls.attempts import Attempt
from loopspec_reference.calls.models import Model, ModelRequest
from loopspec_reference.calls.outputs import EventStream, Output
from loopspec_reference.loop import model_calls
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.run import Run, current_run, discard
from loopspec_reference.tools.kinds import ToolContext
from loopspec_reference.tools.toolboxes import Toolbox
from loopspec_reference.values.events import ErrorEvent, Event, MessageEvent, StreamEvent
from loopspec_reference.values.messages import AnyMessage, ToolCall

from ..registry import mutant

Emit = Callable[[Event], None]


def tool_events(shown: Callable[[Run, ToolCall, Emit], Emit]) -> AbstractContextManager[object]:
    """Let the events of tools pass something first."""
    make = ToolCalls.call

    async def call(
        self: ToolCalls[AnyMessage],
        run: Run,
        box: Toolbox,
        asked: ToolCall,
        context: ToolContext,
        emit: Emit,
        exits: bool,
    ) -> AnyMessage:
        return await make(self, run, box, asked, context, shown(run, asked, emit), exits)

    return patch.object(ToolCalls, "call", call)


@mutant("EVENT-01", neighbors={"LOOP-20": "it compares all events of two runs"})
def takes_an_equal_result_for_told() -> AbstractContextManager[object]:
    """Tells of a tool's result only if the tool has not returned the same before."""
    known: set[tuple[Run, str, str]] = set()

    def shown(run: Run, asked: ToolCall, emit: Emit) -> Emit:
        def once(event: Event) -> None:
            if isinstance(event, MessageEvent):
                result = (run, asked.name, event.message.outcome)
                if result in known:
                    return
                known.add(result)
            emit(event)

        return once

    return tool_events(shown)


class _Short(EventStream[AnyMessage]):
    """A stream that shows no more than two chunks."""

    async def __aiter__(self) -> AsyncIterator[AnyMessage]:
        number = 0
        async for chunk in super().__aiter__():
            number += 1
            if number <= 2:
                yield chunk


@mutant("EVENT-02")
def shows_two_chunks_at_most() -> AbstractContextManager[object]:
    """Leaves out what comes after the second chunk of an event's stream."""
    return patch.object(model_calls, "EventStream", _Short)


class _Patient(EventStream[AnyMessage]):
    async def __aiter__(self) -> AsyncIterator[AnyMessage]:
        chunks: list[AnyMessage] = []
        broken: Exception | None = None
        try:
            async for chunk in super().__aiter__():
                chunks.append(chunk)
        except Exception as error:
            broken = error
        for chunk in chunks:
            yield chunk
        if broken is not None:
            raise broken


@mutant(
    "EVENT-20",
    neighbors={
        "CANCEL-01": "its second example cancels the run when the first chunk has appeared",
        "CANCEL-08": "its example cancels the run when the first chunk has appeared",
    },
)
def shows_answers_when_they_are_complete() -> AbstractContextManager[object]:
    """Keeps the chunks of a streamed answer until the answer is complete."""
    return patch.object(model_calls, "EventStream", _Patient)


@mutant(
    "EVENT-03",
    neighbors={
        "AGENTTOOL-22": "it looks at the kind of each event",
    },
)
def shows_every_result_as_a_stream() -> AbstractContextManager[object]:
    """Makes a stream of each tool's result in a streaming run."""

    def shown(run: Run, asked: ToolCall, emit: Emit) -> Emit:
        def streamed(event: Event) -> None:
            if run.streaming and isinstance(event, MessageEvent):
                event = StreamEvent(event.agent, event.path, Output.of(event.message).follow(), event.exits)
            emit(event)

        return streamed

    return tool_events(shown)


class _Calm(EventStream[AnyMessage]):
    """A stream that ends as if nothing had happened when a model has failed."""

    async def __aiter__(self) -> AsyncIterator[AnyMessage]:
        try:
            async for chunk in super().__aiter__():
                yield chunk
        except ref.LoopError:
            raise
        except Exception:
            return


@mutant(
    "EVENT-04",
    neighbors={
        "FAILOVER-17": "it looks at how a broken stream ends",
        "RETRY-14": "the stream of an attempt that is not repeated ends with its own error",
        "RETRY-15": "the stream of the last attempt ends with its own error",
    },
)
def ends_broken_streams_as_if_whole() -> AbstractContextManager[object]:
    """Keeps the error of a broken stream for the end of the run."""
    return patch.object(model_calls, "EventStream", _Calm)


@mutant(
    "RETRY-27",
    neighbors={
        "RETRY-12": "the event of the retry follows the broken stream",
        "RETRY-13": "two of its three attempts are retries of a broken stream",
        "RETRY-14": "its last attempt is the retry of a broken stream",
        "ORDER-MODEL-03": "a stream there breaks and is retried, too",
    },
)
@contextmanager
def shows_no_stream_after_a_broken_one() -> Iterator[None]:
    """Emits no event for the retry of a broken stream."""
    attempt = ModelCalls._attempt
    broken: set[Run] = set()

    async def tries(
        self: ModelCalls[AnyMessage], run: Run, model: Model[AnyMessage], request: ModelRequest[AnyMessage]
    ) -> Attempt[AnyMessage]:
        emit, run.emit = run.emit, discard if run in broken else run.emit
        tried = await attempt(self, run, model, request)
        run.emit = emit
        if self._retry is not None and tried.error is not None and tried.stream is not None:
            broken.add(run)
        else:
            broken.discard(run)
        return tried

    with patch.object(ModelCalls, "_attempt", tries):
        yield


@mutant(
    "EVENT-06",
    neighbors={
        "ORDER-MODEL-05": "it says the same, and where the event stands",
        "HOOK-WM-03": "it reads what a wrapper has answered from the event",
    },
)
@contextmanager
def shows_what_the_model_said() -> Iterator[None]:
    """Tells of a model's answer as the model gave it, whatever wrappers made of it."""
    call = ModelCalls._call
    said: dict[Run, AnyMessage] = {}

    async def listens(
        self: ModelCalls[AnyMessage], model: Model[AnyMessage], request: ModelRequest[AnyMessage]
    ) -> Output[AnyMessage]:
        output = await call(self, model, request)
        run = current_run.get()
        if run is not None and not request.streaming:
            said[run] = await output.message()
        return output

    def event(agent: str, path: tuple[str, ...], message: AnyMessage) -> MessageEvent:
        run = current_run.get()
        return MessageEvent(agent, path, said.get(run, message) if run else message)

    with patch.object(ModelCalls, "_call", listens), patch.object(model_calls, "MessageEvent", event):
        yield


@mutant(
    "EVENT-15",
    neighbors={
        "RETDIR-04": "the final answer there is the last event",
    },
)
def tells_every_result_at_once() -> AbstractContextManager[object]:
    """Tells of each result when it is there, that of a tool that returns directly, too."""
    return tool_events(lambda run, asked, emit: run.emit)


@mutant(
    "EVENT-16",
    neighbors={
        "LOOP-17": "an answer that is none is told as one error, too",
        "LOOP-18": "an unforeseen error is told once, too",
    },
)
def tells_an_error_where_it_happens() -> AbstractContextManager[object]:
    """Tells an error from the wrappers around the model at once, and again at the end of the run."""
    answered = ModelCalls._answered

    async def answers(self: ModelCalls[AnyMessage], run: Run, request: ModelRequest[AnyMessage]) -> Attempt[AnyMessage]:
        attempt = await answered(self, run, request)
        if attempt.error is not None and self._wraps and not run.streaming:
            run.emit(ErrorEvent(run.agent, run.path, attempt.error))
        return attempt

    return patch.object(ModelCalls, "_answered", answers)
