"""Mutants about model wrappers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from copy import copy
from functools import partial
from typing import Any, TypeVar
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import (
    AnyMessage,
    Model,
    ModelContext,
    ModelEndpoint,
    ModelRequest,
    Output,
    RetryConfig,
    State,
    ToolInfo,
)
from loopspec_reference.calls import chains
from loopspec_reference.calls.attempts import Attempt
from loopspec_reference.loop import model_calls
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs.run import Run

from ..registry import mutant

Calls = ModelCalls[AnyMessage]
Request = ModelRequest[AnyMessage]
A = TypeVar("A")
B = TypeVar("B")
Endpoint = Callable[[A], Awaitable[B]]
Wrap = Callable[[Endpoint[A, B]], Endpoint[A, B]]


def insisting(wrap: Wrap[A, B]) -> Wrap[A, B]:
    """Return the wrapper with a call of the inner endpoint added if the wrapper makes none."""

    def wraps(endpoint: Endpoint[A, B]) -> Endpoint[A, B]:
        reached: list[A] = []

        def inner(request: A) -> Awaitable[B]:
            reached.append(request)
            return endpoint(request)

        wrapped = wrap(inner)

        async def enter(request: A) -> B:
            answer = await wrapped(request)
            if not reached:
                await endpoint(request)
            return answer

        return enter

    return wraps


def ending(wrap: Wrap[A, B], innermost: Endpoint[A, B]) -> Wrap[A, B]:
    """Return the wrapper, which ends the chain if it returns the endpoint that it receives."""

    def wraps(endpoint: Endpoint[A, B]) -> Endpoint[A, B]:
        wrapped = wrap(endpoint)
        return innermost if wrapped is endpoint else wrapped

    return wraps


def once(endpoint: Endpoint[A, B]) -> Endpoint[A, B]:
    """Return the endpoint with its first answer repeated for every later call."""
    answers: list[B] = []

    async def remembers(request: A) -> B:
        if not answers:
            answers.append(await endpoint(request))
        return answers[0]

    return remembers


def _nests(change: Callable[[Sequence[Wrap[A, B]], Endpoint[A, B]], Endpoint[A, B]]) -> AbstractContextManager[object]:
    """Patch how the wrappers of a model call are nested."""
    return patch.object(model_calls, "nested", change)


@mutant(
    "HOOK-WM-01",
    neighbors={
        "CTX-05": "the second of three handlers sets a value for the third",
        "HOOK-WM-05": "the example has three handlers, with one on either side of the one that short-circuits",
    },
)
def nests_the_inner_model_wrappers_in_reverse() -> AbstractContextManager[object]:
    """Keeps the model wrapper of the first handler outermost, and nests the others in reverse order."""
    return _nests(lambda wraps, innermost: chains.nested([*wraps[:1], *wraps[:0:-1]], innermost))


@mutant("HOOK-WM-02", neighbors={"LOOP-20": "the runs make three model calls with a handler in every hook"})
def skips_the_model_wrappers_from_the_third_call_on() -> AbstractContextManager[object]:
    """Calls no model wrappers once the model has answered twice."""
    attempt = ModelCalls._attempt

    async def attempts(self: Calls, run: Run, model: Model[AnyMessage], request: Request) -> Attempt[AnyMessage]:
        late = sum(message.role == "assistant" for message in request.messages) >= 2
        return await attempt(_bare(self) if late else self, run, model, request)

    return patch.object(ModelCalls, "_attempt", attempts)


def _bare(calls: Calls) -> Calls:
    bare = copy(calls)
    bare._wraps = ()
    return bare


@contextmanager
def _keeping(
    change: Callable[[Calls, State[AnyMessage], Request, Output[AnyMessage]], Any],  # Any: a coroutine of a state
) -> Iterator[None]:
    """Patch the state after a model call: `change` receives the request and the answer of the model itself."""
    call, finished = ModelCalls._call, ModelCalls._finished
    last: dict[Calls, tuple[Request, Output[AnyMessage]]] = {}

    async def calls(self: Calls, model: Model[AnyMessage], request: Request) -> Output[AnyMessage]:
        output = await call(self, model, request)
        last[self] = request, output
        return output

    async def finishes(self: Calls, state: State[AnyMessage]) -> State[AnyMessage]:
        if self in last:
            state = await change(self, state, *last.pop(self))
        return await finished(self, state)

    with patch.multiple(ModelCalls, _call=calls, _finished=finishes):
        yield


@mutant("HOOK-WM-03")
def keeps_the_answer_without_the_changes_of_wrappers() -> AbstractContextManager[object]:
    """Keeps the model's own answer in the conversation; the changes of model wrappers appear only in the event."""

    async def change(
        calls: Calls, state: State[AnyMessage], request: Request, output: Output[AnyMessage]
    ) -> State[AnyMessage]:
        with suppress(Exception):  # a stream that broke off has no answer
            state = replace(state, messages=(*state.messages[:-1], await output.message()))
        return state

    return _keeping(change)


@mutant("HOOK-WM-04")
def keeps_the_messages_of_a_request() -> AbstractContextManager[object]:
    """Keeps the messages that model wrappers put into a request for the rest of the run."""

    async def change(
        calls: Calls, state: State[AnyMessage], request: Request, output: Output[AnyMessage]
    ) -> State[AnyMessage]:
        if calls._failover is not None:
            return state
        return replace(state, messages=(*request.messages, state.messages[-1]))

    return _keeping(change)


@mutant("HOOK-WM-14")
def keeps_the_tools_of_a_request() -> AbstractContextManager[object]:
    """Keeps the tools that a model wrapper put into one request for the later model calls."""

    async def change(
        calls: Calls, state: State[AnyMessage], request: Request, output: Output[AnyMessage]
    ) -> State[AnyMessage]:
        return replace(state, tools=tuple(request.tools))

    return _keeping(change)


@mutant("HOOK-WM-05", neighbors={"ORDER-MODEL-07": "one of the wrappers short-circuits"})
def calls_the_model_after_a_short_circuit() -> AbstractContextManager[object]:
    """Calls the inner endpoint when a model wrapper has short-circuited, and drops the result."""
    return _nests(lambda wraps, innermost: chains.nested([insisting(wrap) for wrap in wraps], innermost))


@mutant("HOOK-WM-07", neighbors={"HANDLER-06": "a handler that returns every argument unchanged is between two others"})
def stops_nesting_at_a_handler_without_a_model_wrapper() -> AbstractContextManager[object]:
    """Skips the inner model wrappers when a handler, other than the first, returns the endpoint that it receives."""

    def nests(wraps: Sequence[Wrap[A, B]], innermost: Endpoint[A, B]) -> Endpoint[A, B]:
        return chains.nested([*wraps[:1], *(ending(wrap, innermost) for wrap in wraps[1:])], innermost)

    return _nests(nests)


@mutant("HOOK-WM-08")
@contextmanager
def fails_an_attempt_that_a_wrapper_has_recovered() -> Iterator[None]:
    """Fails an attempt whose last model call failed, although a model wrapper has handled the error."""
    call, attempt = ModelCalls._call, ModelCalls._attempt
    errors: dict[Calls, Exception] = {}

    async def calls(self: Calls, model: Model[AnyMessage], request: Request) -> Output[AnyMessage]:
        errors.pop(self, None)
        try:
            return await call(self, model, request)
        except Exception as error:
            errors[self] = error
            raise

    async def attempts(self: Calls, run: Run, model: Model[AnyMessage], request: Request) -> Attempt[AnyMessage]:
        errors.pop(self, None)
        tried = await attempt(self, run, model, request)
        tried.error = tried.error or errors.get(self)
        return tried

    with patch.multiple(ModelCalls, _call=calls, _attempt=attempts):
        yield


@mutant("HOOK-WM-10", neighbors={"ORDER-MODEL-07": "one of the wrappers calls the inner endpoint twice"})
def repeats_the_first_answer_for_a_wrapper() -> AbstractContextManager[object]:
    """Returns the model's first answer again when a model wrapper calls the inner endpoint a second time."""
    return _nests(lambda wraps, innermost: chains.nested(wraps, once(innermost)))


def _model_context(
    change: Callable[[ModelContext[AnyMessage]], ModelContext[AnyMessage]],
) -> AbstractContextManager[object]:
    """Patch the model context that model wrappers receive."""
    endpoint = ModelCalls._endpoint

    def builds(self: Calls, model: Model[AnyMessage], request: Request) -> ModelEndpoint[AnyMessage]:
        context = self._context
        with patch.object(self, "_context", lambda tools: change(context(tools))):
            return endpoint(self, model, request)

    return patch.object(ModelCalls, "_endpoint", builds)


@mutant("HOOK-WM-11")
@contextmanager
def passes_wrappers_the_tools_of_the_first_call() -> Iterator[None]:
    """Passes model wrappers the tools of the first model call in every later call, because it wraps only once."""
    first: dict[Calls, Sequence[ToolInfo]] = {}
    endpoint = ModelCalls._endpoint

    def builds(self: Calls, model: Model[AnyMessage], request: Request) -> ModelEndpoint[AnyMessage]:
        tools = first.setdefault(self, request.tools)
        with patch.object(self, "_context", partial(_early, self._context, tools)):
            return endpoint(self, model, request)

    with patch.object(ModelCalls, "_endpoint", builds):
        yield


def _early(
    context: Callable[[Sequence[object]], ModelContext[AnyMessage]], tools: Sequence[ToolInfo], now: Sequence[object]
) -> ModelContext[AnyMessage]:
    return context(tools)


@mutant("HOOK-WM-12")
def hides_the_failover_configuration_from_wrappers() -> AbstractContextManager[object]:
    """Passes model wrappers the retry configuration, but never the failover configuration."""
    return _model_context(lambda context: replace(context, failover=None))


@mutant("ORDER-MODEL-03")
@contextmanager
def retries_inside_the_outermost_wrapper_only() -> Iterator[None]:
    """Retries a model call inside the first model wrapper only; the other wrappers are skipped."""
    attempt = ModelCalls._attempt
    last: dict[Calls, tuple[object, object]] = {}

    async def attempts(self: Calls, run: Run, model: Model[AnyMessage], request: Request) -> Attempt[AnyMessage]:
        known = last.get(self, (None, None))
        again = known[0] is model and known[1] is request
        last[self] = model, request
        if again:
            self = copy(self)
            self._wraps = self._wraps[:1]
        return await attempt(self, run, model, request)

    with patch.object(ModelCalls, "_attempt", attempts):
        yield


@mutant("HOOK-WM-06")
@contextmanager
def retries_only_failures_of_the_model() -> Iterator[None]:
    """Does not retry a call that has failed before it reached the model."""
    call, attempt = ModelCalls._call, ModelCalls._attempt
    reached: set[Calls] = set()

    async def calls(self: Calls, model: Model[AnyMessage], request: Request) -> Output[AnyMessage]:
        reached.add(self)
        return await call(self, model, request)

    async def attempts(self: Calls, run: Run, model: Model[AnyMessage], request: Request) -> Attempt[AnyMessage]:
        reached.discard(self)
        tried = await attempt(self, run, model, request)
        if tried.error is not None and self not in reached and self._retry is not None:
            raise tried.error
        return tried

    with patch.multiple(ModelCalls, _call=calls, _attempt=attempts):
        yield


@mutant("HOOK-WM-06")
@contextmanager
def does_not_retry_a_failure_after_the_answer() -> Iterator[None]:
    """Does not retry a synchronous call if a model wrapper fails after the model has answered."""
    call, rejects = ModelCalls._call, RetryConfig.rejects
    answered: list[bool] = []

    async def calls(self: Calls, model: Model[AnyMessage], request: Request) -> Output[AnyMessage]:
        answered.clear()
        output = await call(self, model, request)
        answered.extend([True] if not request.streaming else [])
        return output

    def rejects_silence(
        self: RetryConfig[AnyMessage], attempt: Attempt[AnyMessage], number: int, request: Request
    ) -> bool:
        return (not answered or attempt.error is None) and rejects(self, attempt, number, request)

    with patch.object(ModelCalls, "_call", calls), patch.object(RetryConfig, "rejects", rejects_silence):
        yield
