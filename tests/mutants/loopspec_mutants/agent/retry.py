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
    change: Callable[[Tried, int], None] = lambda attempt, number: None,
) -> AbstractContextManager[object]:
    """Patch the retry configuration, the requests of retries, and the last attempt."""

    async def retrying(call: Call, config: Config, model: Model[AnyMessage], request: Request) -> Tried:
        number = 0

        async def counted(model: Model[AnyMessage], request: Request) -> Tried:
            nonlocal number
            number += 1
            return await call(model, again(request) if number > 1 else request)

        attempt = await retries.retrying(counted, configured(config), model, request)
        change(attempt, number)
        return attempt

    return patch.object(model_calls, "retrying", retrying)


def _tried_with(change: Callable[[Calls, Run, Tried], None]) -> AbstractContextManager[object]:
    """Call a function after each attempt."""
    attempt = ModelCalls._attempt

    async def tries(self: Calls, run: Run, model: Model[AnyMessage], request: Request) -> Tried:
        tried = await attempt(self, run, model, request)
        change(self, run, tried)
        return tried

    return patch.object(ModelCalls, "_attempt", tries)


@mutant("RETRY-01")
@contextmanager
def records_retries_in_the_conversation() -> Iterator[None]:
    """Appends a note to the conversation when a retried call has succeeded."""
    finished = ModelCalls._finished
    late: list[AnyMessage] = []

    def notes(attempt: Tried, number: int) -> None:
        if number > 1 and attempt.message is not None:
            late.append(attempt.message)

    async def finishes(self: Calls, state: State[AnyMessage]) -> State[AnyMessage]:
        *before, answer = state.messages
        if any(answer is one for one in late):
            note = type(answer).assistant("(the call was retried)")
            state = replace(state, messages=(*before, note, answer))
        return await finished(self, state)

    with _retrying_with(change=notes), patch.object(ModelCalls, "_finished", finishes):
        yield


@mutant("RETRY-02", neighbors={"CFG-03": "an example retries a model call"})
def retries_without_tools() -> AbstractContextManager[object]:
    """Passes the tools to the model for the first attempt only."""
    return _retrying_with(again=lambda request: replace(request, tools=()))


@mutant("RETRY-03")
def reports_the_first_error() -> AbstractContextManager[object]:
    """Reports exhausted retries with the error of the first attempt."""

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


@mutant(
    "RETRY-26",
    neighbors={
        "RETRY-09": "an example counts the attempts of two runs",
        "RETRY-03": "the error of the additional attempt is the last one",
        "RETRY-14": "the stream of the last allowed attempt is retried",
    },
)
def retries_once_more_than_configured() -> AbstractContextManager[object]:
    """Allows one retry more than the configuration."""
    return _retrying_with(configured=lambda config: replace(config, max_retries=config.max_retries + 1))


@mutant("RETRY-04")
def does_not_retry_crashes() -> AbstractContextManager[object]:
    """Does not retry a model call that has crashed."""
    rejects = RetryConfig.rejects

    def rejects_declared(self: Config, attempt: Tried, number: int, request: Request) -> bool:
        return not isinstance(attempt.error, ScriptedCrash) and rejects(self, attempt, number, request)

    return patch.object(RetryConfig, "rejects", rejects_declared)


@mutant("RETRY-05")
def emits_failed_attempts() -> AbstractContextManager[object]:
    """Emits an event for each failed attempt of a synchronous run."""

    def shows(calls: Calls, run: Run, attempt: Tried) -> None:
        if attempt.error is not None and not run.streaming and calls._retry is not None:
            run.emit(CustomEvent(run.agent, run.path, "an attempt has failed"))

    return _tried_with(shows)


def _exhausted(streaming: bool) -> AbstractContextManager[object]:
    """Report exhausted retries for errors that are not retried."""

    def wraps(attempt: Tried, number: int) -> None:
        if (attempt.stream is not None) is streaming and attempt.error is not None:
            last = attempt.error.last if isinstance(attempt.error, RetriesExhaustedError) else attempt.error
            attempt.error = RetriesExhaustedError(last)

    return _retrying_with(change=wraps)


@mutant("RETRY-06")
def reports_other_failures_as_exhausted_retries() -> AbstractContextManager[object]:
    """Reports exhausted retries for an error that the retry predicate has rejected."""
    return _exhausted(streaming=False)


@mutant("RETRY-15")
def reports_broken_streams_as_exhausted_retries() -> AbstractContextManager[object]:
    """Reports exhausted retries for a broken stream whose error the retry predicate has rejected."""
    return _exhausted(streaming=True)


@mutant("RETRY-08")
def counts_retries_from_zero() -> AbstractContextManager[object]:
    """Calls the back-off callback with retry 0 first."""

    def configured(config: Config) -> Config:
        return replace(config, backoff=lambda retry: config.backoff(retry - 1))

    return _retrying_with(configured=configured)


@mutant("RETRY-09")
@contextmanager
def shares_retries_among_calls() -> Iterator[None]:
    """Shares the allowed retries among all calls that a run makes of a model."""
    used: dict[tuple[Run, Model[AnyMessage]], int] = {}

    async def retrying(
        call: Any, config: Config, model: Model[AnyMessage], request: Request
    ) -> Tried:  # Any: a partial
        key, before = (call.args[0], model), used.get((call.args[0], model), 0)

        async def counted(model: Model[AnyMessage], request: Request) -> Tried:
            attempt: Tried = await call(model, request)
            if attempt.error is not None:
                used[key] = used.get(key, 0) + 1
            return attempt

        return await retries.retrying(
            counted, replace(config, max_retries=max(config.max_retries - before, 0)), model, request
        )

    with patch.object(model_calls, "retrying", retrying):
        yield


@mutant("RETRY-10")
def opens_streams_twice_without_retry() -> AbstractContextManager[object]:
    """Opens a failed stream a second time although no retry is configured."""
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
def emits_streams_that_did_not_open() -> Iterator[None]:
    """Emits an empty stream for an attempt that failed before its first chunk."""
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
        "LOOP-25": "an example retries a broken stream",
        "RETRY-13": "without a retry notice, nothing gives the number of the attempt",
        "RETRY-14": "the first stream of the example is also retried",
    },
)
def ends_retried_streams_with_the_error_of_the_model() -> AbstractContextManager[object]:
    """Ends a broken stream with the model's own error although the call is retried."""

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
    """Gives every retry notice the number of the first attempt."""
    return patch.object(retries, "WillRetryError", lambda attempt: WillRetryError(0))


@mutant("RETRY-14")
def announces_a_retry_after_the_last_attempt() -> AbstractContextManager[object]:
    """Ends the broken stream of the last allowed attempt with a retry notice."""

    def announces(attempt: Tried, number: int) -> None:
        if isinstance(attempt.error, RetriesExhaustedError):
            attempt.settle(WillRetryError(number - 1))

    return _retrying_with(change=announces)


def _acts_again(interrupts: bool) -> AbstractContextManager[object]:
    """Repeat the calls of one answer after an interrupt, or after an error."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], *rest: Any) -> object:  # Any: passed on
        try:
            return await act(self, *rest)
        except Exception as error:
            if self._models._retry is None or isinstance(error, Stop) is not interrupts:
                raise
            return await act(self, *rest)

    return patch.object(Agent, "_act", acts)


@mutant("RETRY-16")
def retries_tools() -> AbstractContextManager[object]:
    """Repeats a failed tool call if retries of model calls are configured."""
    return _acts_again(interrupts=False)


@mutant("RETRY-25")
def retries_interrupts() -> AbstractContextManager[object]:
    """Repeats an interrupted tool call as if it had failed."""
    return _acts_again(interrupts=True)


@mutant("RETRY-17")
@contextmanager
def retries_hooks() -> Iterator[None]:
    """Repeats a failed before-model or after-model hook if retries of model calls are configured."""

    def twice(step: Callable[..., Any]) -> Callable[..., Any]:  # Any: a method, passed on
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
def counts_judged_attempts_from_zero() -> AbstractContextManager[object]:
    """Numbers the attempts that the answer check receives from zero."""
    return patch.object(retries, "RetryContext", lambda attempt, *rest: RetryContext(attempt - 1, *rest))


@mutant("RETRY-24")
def repeats_a_successful_call() -> AbstractContextManager[object]:
    """Repeats a successful call without tool calls, and drops the second answer."""

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
