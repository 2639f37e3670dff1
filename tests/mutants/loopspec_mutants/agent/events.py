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


def tool_events(change: Callable[[Run, ToolCall, Emit], Emit]) -> AbstractContextManager[object]:
    """Patch how the events of tool calls are emitted."""
    make = ToolCalls.call

    async def call(
        self: ToolCalls[AnyMessage],
        run: Run,
        box: Toolbox,
        requested: ToolCall,
        context: ToolContext,
        emit: Emit,
        exits: bool,
    ) -> AnyMessage:
        return await make(self, run, box, requested, context, change(run, requested, emit), exits)

    return patch.object(ToolCalls, "call", call)


@mutant("EVENT-01", neighbors={"LOOP-20": "the rule's example compares all events of two runs"})
def drops_equal_results_of_a_tool() -> AbstractContextManager[object]:
    """Emits a tool's result only if the tool has not returned an equal result before."""
    known: set[tuple[Run, str, str]] = set()

    def changed(run: Run, requested: ToolCall, emit: Emit) -> Emit:
        def once(event: Event) -> None:
            if isinstance(event, MessageEvent):
                result = (run, requested.name, event.message.outcome)
                if result in known:
                    return
                known.add(result)
            emit(event)

        return once

    return tool_events(changed)


class _Short(EventStream[AnyMessage]):
    """A stream of at most two chunks."""

    async def __aiter__(self) -> AsyncIterator[AnyMessage]:
        number = 0
        async for chunk in super().__aiter__():
            number += 1
            if number <= 2:
                yield chunk


@mutant("EVENT-02")
def emits_two_chunks_at_most() -> AbstractContextManager[object]:
    """Drops the chunks after the second one from the stream of an event."""
    return patch.object(model_calls, "EventStream", _Short)


class _Buffered(EventStream[AnyMessage]):
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
        "CANCEL-01": "the second example cancels the run when the first chunk has appeared",
        "CANCEL-08": "the example cancels the run when the first chunk has appeared",
    },
)
def buffers_streamed_answers() -> AbstractContextManager[object]:
    """Holds the chunks of a streamed answer back until the answer is complete."""
    return patch.object(model_calls, "EventStream", _Buffered)


@mutant(
    "EVENT-03",
    neighbors={
        "AGENTTOOL-22": "the example compares the kind of each event",
    },
)
def emits_every_result_as_a_stream() -> AbstractContextManager[object]:
    """Emits each tool result as a stream in a streaming run."""

    def changed(run: Run, requested: ToolCall, emit: Emit) -> Emit:
        def streamed(event: Event) -> None:
            if run.streaming and isinstance(event, MessageEvent):
                event = StreamEvent(event.agent, event.path, Output.of(event.message).follow(), event.exits)
            emit(event)

        return streamed

    return tool_events(changed)


class _WithoutError(EventStream[AnyMessage]):
    """A stream that ends without an error when the model has failed."""

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
        "FAILOVER-17": "the rule is about the end of a broken stream",
        "RETRY-14": "the stream of an attempt that is not repeated ends with its own error",
        "RETRY-15": "the stream of the last attempt ends with its own error",
    },
)
def ends_broken_streams_as_complete() -> AbstractContextManager[object]:
    """Ends a broken stream without its error, which is reported only at the end of the run."""
    return patch.object(model_calls, "EventStream", _WithoutError)


@mutant(
    "RETRY-27",
    neighbors={
        "LOOP-25": "an example retries a broken stream",
        "RETRY-12": "the event of the retry follows the broken stream",
        "RETRY-13": "two of the three attempts are retries of a broken stream",
        "RETRY-14": "the last attempt is the retry of a broken stream",
        "ORDER-MODEL-03": "a broken stream is retried in one of the examples",
    },
)
@contextmanager
def emits_no_stream_after_a_broken_one() -> Iterator[None]:
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
        "ORDER-MODEL-05": "the rule states the same, and the position of the event",
        "HOOK-WM-03": "the example reads the answer of a wrapper from the event",
    },
)
@contextmanager
def emits_the_answer_without_the_changes_of_wrappers() -> Iterator[None]:
    """Emits a model's answer as the model gave it, without the changes of model wrappers."""
    call = ModelCalls._call
    answers: dict[Run, AnyMessage] = {}

    async def records(
        self: ModelCalls[AnyMessage], model: Model[AnyMessage], request: ModelRequest[AnyMessage]
    ) -> Output[AnyMessage]:
        output = await call(self, model, request)
        run = current_run.get()
        if run is not None and not request.streaming:
            answers[run] = await output.message()
        return output

    def event(agent: str, path: tuple[str, ...], message: AnyMessage) -> MessageEvent:
        run = current_run.get()
        return MessageEvent(agent, path, answers.get(run, message) if run else message)

    with patch.object(ModelCalls, "_call", records), patch.object(model_calls, "MessageEvent", event):
        yield


@mutant(
    "EVENT-15",
    neighbors={
        "EXIT-01": "the exit tool stands next to another tool in an example",
        "RETDIR-04": "the final answer of the example is the last event",
    },
)
def emits_direct_results_immediately() -> AbstractContextManager[object]:
    """Emits each tool result immediately, also the result of a return-directly tool."""
    return tool_events(lambda run, requested, emit: run.emit)


@mutant(
    "EVENT-16",
    neighbors={
        "LOOP-17": "a missing answer is also reported as one error",
        "LOOP-18": "a crash is also reported as one error",
    },
)
def emits_errors_of_wrappers_twice() -> AbstractContextManager[object]:
    """Emits an error of a model wrapper immediately, and again at the end of the run."""
    answered = ModelCalls._answered

    async def answers(self: ModelCalls[AnyMessage], run: Run, request: ModelRequest[AnyMessage]) -> Attempt[AnyMessage]:
        attempt = await answered(self, run, request)
        if attempt.error is not None and self._wraps and not run.streaming:
            run.emit(ErrorEvent(run.agent, run.path, attempt.error))
        return attempt

    return patch.object(ModelCalls, "_answered", answers)
