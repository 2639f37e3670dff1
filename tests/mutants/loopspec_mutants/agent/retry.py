"""Mutants about retrying failed model calls."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec.contract.doubles import ScriptedCrash
from loopspec_reference import (
    Agent,
    AnyMessage,
    CustomEvent,
    RetriesExhaustedError,
    RetryConfig,
    RetryContext,
    State,
    StreamEvent,
    WillRetryError,
)
from loopspec_reference.calls import retries
from loopspec_reference.calls.attempts import Attempt, Caller
from loopspec_reference.calls.models import Model, ModelRequest
from loopspec_reference.calls.outputs import EventStream, Output
from loopspec_reference.loop import model_calls
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs.checkpoints import Stop
from loopspec_reference.runs.run import Run

from ..registry import mutant

Calls = ModelCalls[AnyMessage]
Call = Caller[AnyMessage]
Config = RetryConfig[AnyMessage]
Request = ModelRequest[AnyMessage]
Tried = Attempt[AnyMessage]


def _retrying_with(
    *,
    configured: Callable[[Config], Config] = lambda config: config,
    again: Callable[[Request], Request] = lambda request: request,
    then: Callable[[Tried, int], None] = lambda attempt, number: None,
) -> AbstractContextManager[object]:
    """Retry with another configuration, send other requests from the second attempt on, and change what comes out."""

    async def retrying(call: Call, config: Config, model: Model[AnyMessage], request: Request) -> Tried:
        number = 0

        async def counted(model: Model[AnyMessage], request: Request) -> Tried:
            nonlocal number
            number += 1
            return await call(model, again(request) if number > 1 else request)

        attempt = await retries.retrying(counted, configured(config), model, request)
        then(attempt, number)
        return attempt

    return patch.object(model_calls, "retrying", retrying)


def _tried_with(then: Callable[[Calls, Run, Tried], None]) -> AbstractContextManager[object]:
    """Do something more after each attempt."""
    attempt = ModelCalls._attempt

    async def tries(self: Calls, run: Run, model: Model[AnyMessage], request: Request) -> Tried:
        tried = await attempt(self, run, model, request)
        then(self, run, tried)
        return tried

    return patch.object(ModelCalls, "_attempt", tries)


@mutant("RETRY-01")
@contextmanager
def keeps_failures_in_the_conversation() -> Iterator[None]:
    """Leaves a note in the conversation when an answer came at a retry only."""
    finished = ModelCalls._finished
    late: list[AnyMessage] = []

    def notes(attempt: Tried, number: int) -> None:
        if number > 1 and attempt.message is not None:
            late.append(attempt.message)

    async def finishes(self: Calls, state: State[AnyMessage]) -> State[AnyMessage]:
        *before, answer = state.messages
        if any(answer is one for one in late):
            note = type(answer).assistant("(the model had to be asked again)")
            state = replace(state, messages=(*before, note, answer))
        return await finished(self, state)

    with _retrying_with(then=notes), patch.object(ModelCalls, "_finished", finishes):
        yield


@mutant("RETRY-02")
def retries_without_tools() -> AbstractContextManager[object]:
    """Binds the tools to the model for the first attempt only."""
    return _retrying_with(again=lambda request: replace(request, tools=()))


@mutant("RETRY-03")
def blames_the_first_error() -> AbstractContextManager[object]:
    """Reports spent retries with the error of the first attempt."""

    async def retrying(call: Call, config: Config, model: Model[AnyMessage], request: Request) -> Tried:
        errors: list[Exception] = []

        async def noting(model: Model[AnyMessage], request: Request) -> Tried:
            attempt = await call(model, request)
            errors.extend([attempt.error] if attempt.error is not None else [])
            return attempt

        attempt = await retries.retrying(noting, config, model, request)
        if isinstance(attempt.error, RetriesExhaustedError):
            attempt.error = RetriesExhaustedError(errors[0])
        return attempt

    return patch.object(model_calls, "retrying", retrying)


@mutant("RETRY-04")
def retries_declared_errors_only() -> AbstractContextManager[object]:
    """Lets an error that nobody has declared end the run at once."""
    rejects = RetryConfig.rejects

    def rejects_declared(self: Config, attempt: Tried, number: int, request: Request) -> bool:
        return not isinstance(attempt.error, ScriptedCrash) and rejects(self, attempt, number, request)

    return patch.object(RetryConfig, "rejects", rejects_declared)


@mutant("RETRY-05")
def shows_failed_attempts() -> AbstractContextManager[object]:
    """Puts an event into the stream of a synchronous run for each attempt that has failed."""

    def shows(calls: Calls, run: Run, attempt: Tried) -> None:
        if attempt.error is not None and not run.streaming and calls._retry is not None:
            run.emit(CustomEvent(run.agent, run.path, "an attempt has failed"))

    return _tried_with(shows)


def _exhausted(streaming: bool) -> AbstractContextManager[object]:
    """Wrap errors that are not retried."""

    def wraps(attempt: Tried, number: int) -> None:
        if (attempt.stream is not None) is streaming and attempt.error is not None:
            last = attempt.error.last if isinstance(attempt.error, RetriesExhaustedError) else attempt.error
            attempt.error = RetriesExhaustedError(last)

    return _retrying_with(then=wraps)


@mutant("RETRY-06")
def calls_every_failure_spent_retries() -> AbstractContextManager[object]:
    """Reports spent retries for an error that was not to be retried."""
    return _exhausted(streaming=False)


@mutant("RETRY-15")
def calls_every_broken_stream_spent_retries() -> AbstractContextManager[object]:
    """Reports spent retries for a stream that broke with an error that was not to be retried."""
    return _exhausted(streaming=True)


@mutant("RETRY-08")
def counts_retries_from_nought() -> AbstractContextManager[object]:
    """Asks for the delay of retry 0 first."""

    def configured(config: Config) -> Config:
        return replace(config, backoff=lambda retry: config.backoff(retry - 1))

    return _retrying_with(configured=configured)


@mutant("RETRY-09")
@contextmanager
def spends_retries_for_the_whole_run() -> Iterator[None]:
    """Has one budget of retries for all calls that a run makes of a model."""
    spent: dict[tuple[Run, Model[AnyMessage]], int] = {}

    async def retrying(
        call: Any, config: Config, model: Model[AnyMessage], request: Request
    ) -> Tried:  # Any: a partial
        key, before = (call.args[0], model), spent.get((call.args[0], model), 0)

        async def counted(model: Model[AnyMessage], request: Request) -> Tried:
            attempt: Tried = await call(model, request)
            if attempt.error is not None:
                spent[key] = spent.get(key, 0) + 1
            return attempt

        return await retries.retrying(
            counted, replace(config, max_retries=max(config.max_retries - before, 0)), model, request
        )

    with patch.object(model_calls, "retrying", retrying):
        yield


@mutant("RETRY-10")
def opens_streams_twice_unasked() -> AbstractContextManager[object]:
    """Tries to open the stream of a simple agent once more although nobody has configured it."""
    answered = ModelCalls._answered

    async def answers(self: Calls, run: Run, request: Request) -> Tried:
        attempt = await answered(self, run, request)
        bare = not (self._retry or self._failover or self._wraps or self._before or self._after or self._callbacks)
        if bare and run.streaming and not run.nested and attempt.error is not None and attempt.stream is None:
            second = await answered(self, run, request)
            return attempt if second.error is not None else second
        return attempt

    return patch.object(ModelCalls, "_answered", answers)


async def _no_chunks() -> AsyncIterator[AnyMessage]:
    return
    yield


@mutant("RETRY-11")
@contextmanager
def shows_streams_that_did_not_open() -> Iterator[None]:
    """Shows an empty stream for an attempt that failed before its first chunk."""
    attempt = ModelCalls._attempt

    async def tries(self: Calls, run: Run, model: Model[AnyMessage], request: Request) -> Tried:
        tried = await attempt(self, run, model, request)
        if run.streaming and self._retry is not None and tried.error is not None and tried.stream is None:
            output = Output(_no_chunks(), self._message_type.concat)
            await output.opened()
            tried.stream = EventStream(output)
            run.event_streams.append(tried.stream)
            run.emit(StreamEvent(run.agent, run.path, tried.stream))
        return tried

    with patch.object(ModelCalls, "_attempt", tries):
        yield


@mutant(
    "RETRY-12",
    neighbors={
        "RETRY-13": "where nothing says that the call is made again, nothing says which attempt it was",
        "RETRY-14": "its first stream is made again, too",
    },
)
def ends_streams_with_the_error_itself() -> AbstractContextManager[object]:
    """Ends a broken stream with the model's own error although the call is made again."""

    class Silent(Attempt[AnyMessage]):
        def settle(self, error: Exception) -> None:
            if self.stream is not None:
                self.stream.settle()

    async def retrying(call: Call, config: Config, model: Model[AnyMessage], request: Request) -> Tried:
        async def silent(model: Model[AnyMessage], request: Request) -> Tried:
            tried = await call(model, request)
            return Silent(tried.message, tried.error, tried.stream)

        return await retries.retrying(silent, config, model, request)

    return patch.object(model_calls, "retrying", retrying)


@mutant("RETRY-13")
def numbers_every_attempt_alike() -> AbstractContextManager[object]:
    """Says of each stream that breaks that it was the first attempt."""
    return patch.object(retries, "WillRetryError", lambda attempt: WillRetryError(0))


@mutant("RETRY-14")
def promises_a_retry_too_many() -> AbstractContextManager[object]:
    """Says that the call is made again when the last permitted attempt has broken, too."""

    def promises(attempt: Tried, number: int) -> None:
        if isinstance(attempt.error, RetriesExhaustedError):
            attempt.settle(WillRetryError(number - 1))

    return _retrying_with(then=promises)


def _acts_again(interrupts: bool) -> AbstractContextManager[object]:
    """Make the calls of one answer again after an interrupt, or after an error."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], *rest: Any) -> object:  # Any: handed on
        try:
            return await act(self, *rest)
        except Exception as error:
            if self._models._retry is None or isinstance(error, Stop) is not interrupts:
                raise
            return await act(self, *rest)

    return patch.object(Agent, "_act", acts)


@mutant("RETRY-16")
def retries_tools() -> AbstractContextManager[object]:
    """Calls a tool again that has failed, where model calls may be retried."""
    return _acts_again(interrupts=False)


@mutant("RETRY-25")
def retries_interrupts() -> AbstractContextManager[object]:
    """Takes an interrupt for a failure, and calls the tool again."""
    return _acts_again(interrupts=True)


@mutant("RETRY-17")
@contextmanager
def retries_hooks() -> Iterator[None]:
    """Calls the hooks before or after the model again when they have failed."""

    def twice(step: Callable[..., Any]) -> Callable[..., Any]:  # Any: a method, handed on
        async def again(self: Calls, *rest: object) -> object:
            try:
                return await step(self, *rest)
            except Exception:
                if self._retry is None:
                    raise
                return await step(self, *rest)

        return again

    prepared, finished = twice(ModelCalls._prepared), twice(ModelCalls._finished)
    with patch.multiple(ModelCalls, _prepared=prepared, _finished=finished):
        yield


@mutant("RETRY-19")
def counts_judged_attempts_from_nought() -> AbstractContextManager[object]:
    """Numbers the attempts that are judged from 0 on."""
    return patch.object(retries, "RetryContext", lambda attempt, *rest: RetryContext(attempt - 1, *rest))


@mutant("RETRY-24")
def asks_again_to_be_sure() -> AbstractContextManager[object]:
    """Makes a call again that has succeeded at once and asks for no tools, and drops what comes of it."""

    async def retrying(call: Call, config: Config, model: Model[AnyMessage], request: Request) -> Tried:
        number = 0

        async def counted(model: Model[AnyMessage], request: Request) -> Tried:
            nonlocal number
            number += 1
            return await call(model, request)

        attempt = await retries.retrying(counted, config, model, request)
        if number == 1 and attempt.message is not None and not attempt.message.tool_calls:
            await call(model, request)
        return attempt

    return patch.object(model_calls, "retrying", retrying)
