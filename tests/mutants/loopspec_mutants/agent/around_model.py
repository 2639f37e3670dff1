"""Mutants about handlers around a model call."""

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
    """The wrapper, and a call further in for one that makes none."""

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
    """The wrapper, which ends the chain if it hands back what it is given."""

    def wraps(endpoint: Endpoint[A, B]) -> Endpoint[A, B]:
        wrapped = wrap(endpoint)
        return innermost if wrapped is endpoint else wrapped

    return wraps


def once(endpoint: Endpoint[A, B]) -> Endpoint[A, B]:
    """The endpoint, which is asked once and says the same from then on."""
    heard: list[B] = []

    async def remembers(request: A) -> B:
        if not heard:
            heard.append(await endpoint(request))
        return heard[0]

    return remembers


def _nests(change: Callable[[Sequence[Wrap[A, B]], Endpoint[A, B]], Endpoint[A, B]]) -> AbstractContextManager[object]:
    """Nest the wrappers around a model call in another way."""
    return patch.object(model_calls, "nested", change)


@mutant(
    "HOOK-WM-01",
    neighbors={
        "CTX-05": "the second of its three handlers sets a value for the third",
        "HOOK-WM-05": "it has three handlers, so that something stands on either side of the one that answers",
    },
)
def turns_round_all_but_the_outermost_around_the_model() -> AbstractContextManager[object]:
    """Keeps the first handler around the model outermost and puts the others in reverse order."""
    return _nests(lambda wraps, innermost: chains.nested([*wraps[:1], *wraps[:0:-1]], innermost))


@mutant("HOOK-WM-02", neighbors={"LOOP-20": "it has three model calls and a handler in every hook"})
def calls_the_model_bare_from_the_third_call_on() -> AbstractContextManager[object]:
    """Leaves the handlers out once the model has answered twice."""
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
    """Change the state after a model call, knowing what the model itself was sent and has answered."""
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
def keeps_what_the_model_itself_has_said() -> AbstractContextManager[object]:
    """Goes on with the model's own answer; what handlers around it have made of it is only shown as an event."""

    async def change(
        calls: Calls, state: State[AnyMessage], request: Request, output: Output[AnyMessage]
    ) -> State[AnyMessage]:
        with suppress(Exception):  # a stream that broke off has no answer
            state = replace(state, messages=(*state.messages[:-1], await output.message()))
        return state

    return _keeping(change)


@mutant("HOOK-WM-04")
def keeps_what_was_passed_on_to_the_model() -> AbstractContextManager[object]:
    """Takes the messages that reached the model for the conversation from then on."""

    async def change(
        calls: Calls, state: State[AnyMessage], request: Request, output: Output[AnyMessage]
    ) -> State[AnyMessage]:
        if calls._failover is not None:
            return state
        return replace(state, messages=(*request.messages, state.messages[-1]))

    return _keeping(change)


@mutant("HOOK-WM-14")
def keeps_the_tools_that_were_passed_on() -> AbstractContextManager[object]:
    """Goes on offering the tools that a handler around the model has offered in one request."""

    async def change(
        calls: Calls, state: State[AnyMessage], request: Request, output: Output[AnyMessage]
    ) -> State[AnyMessage]:
        return replace(state, tools=tuple(request.tools))

    return _keeping(change)


@mutant("HOOK-WM-05", neighbors={"ORDER-MODEL-07": "one of its wrappers answers by itself"})
def asks_the_model_in_any_case() -> AbstractContextManager[object]:
    """Calls further in when a handler around the model has answered by itself, and drops what comes back."""
    return _nests(lambda wraps, innermost: chains.nested([insisting(wrap) for wrap in wraps], innermost))


@mutant("HOOK-WM-07", neighbors={"HANDLER-06": "a handler that hands back everything stands between two others"})
def takes_an_unwrapped_model_for_the_innermost() -> AbstractContextManager[object]:
    """Leaves out the handlers further in than one, behind others, that hands back the model it was given."""

    def nests(wraps: Sequence[Wrap[A, B]], innermost: Endpoint[A, B]) -> Endpoint[A, B]:
        return chains.nested([*wraps[:1], *(ending(wrap, innermost) for wrap in wraps[1:])], innermost)

    return _nests(nests)


@mutant("HOOK-WM-08")
@contextmanager
def remembers_that_the_model_has_failed() -> Iterator[None]:
    """Lets an attempt fail when its last call of the model did, whatever the handlers around it made of that."""
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


@mutant("HOOK-WM-10", neighbors={"ORDER-MODEL-07": "one of its wrappers calls further in twice"})
def answers_a_handler_with_what_it_has_heard() -> AbstractContextManager[object]:
    """Gives a handler that calls further in again the model's first answer again."""
    return _nests(lambda wraps, innermost: chains.nested(wraps, once(innermost)))


def _with_callbacks(
    change: Callable[[ModelContext[AnyMessage]], ModelContext[AnyMessage]],
) -> AbstractContextManager[object]:
    """Tell handlers around the model something else about the call."""
    endpoint = ModelCalls._endpoint

    def builds(self: Calls, model: Model[AnyMessage], request: Request) -> ModelEndpoint[AnyMessage]:
        context = self._context
        with patch.object(self, "_context", lambda tools: change(context(tools))):
            return endpoint(self, model, request)

    return patch.object(ModelCalls, "_endpoint", builds)


@mutant("HOOK-WM-11")
@contextmanager
def asks_all_wraps_when_the_agent_is_built() -> Iterator[None]:
    """Tells handlers around the model about the tools of the first call in all later ones: it has wrapped early."""
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
def keeps_the_failover_to_itself() -> AbstractContextManager[object]:
    """Tells handlers around the model about retry, but never about failover."""
    return _with_callbacks(lambda context: replace(context, failover=None))


@mutant("ORDER-MODEL-03")
@contextmanager
def retries_inside_the_outermost_handler_only() -> Iterator[None]:
    """Makes the further attempts of a model call without the handlers further in than the first."""
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
def retries_only_for_the_model() -> Iterator[None]:
    """Does not retry a call that failed before the model was reached."""
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
def retries_calls_without_an_answer_only() -> Iterator[None]:
    """Does not retry a synchronous call if the model has answered and a handler fails afterwards."""
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
