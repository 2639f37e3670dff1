"""Postures of the nesting of hooks and model wrappers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from functools import partial
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import AnyMessage, Handler, State
from loopspec_reference.calls.chains import nested
from loopspec_reference.calls.models import Model, ModelRequest
from loopspec_reference.calls.outputs import Output
from loopspec_reference.handlers.handler import ModelContext, overridden
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs.run import Run, jump_over_model

from .postures import posture, reverses_after_agent_hooks

AnyState = State[AnyMessage]
AnyOutput = Output[AnyMessage]
Calls = ModelCalls[AnyMessage]
Request = ModelRequest[AnyMessage]
AnyHandler = Handler[AnyMessage]
Handlers = Sequence[AnyHandler]
Endpoint = Callable[[Request], Any]  # Any: an awaitable of an output


class _Jumped(BaseException):
    """A hook inside a wrapper has jumped over the model; no wrapper can catch the jump."""

    def __init__(self, state: AnyState) -> None:
        self.state = state


class _Enclosed:
    """The hooks inside the wrappers of one model call, and the state that the hooks leave, without the answer."""

    def __init__(self, run: Run, calls: Calls) -> None:
        self._run, self._calls = run, calls
        self._left: AnyState | None = None

    def hooked(self, handlers: Handlers, inner: Endpoint) -> Endpoint:
        """Return `inner` between the hooks of the handlers."""
        hooks = copy(self._calls)
        hooks._before, hooks._after = overridden(handlers, "before_model"), overridden(handlers, "after_model")
        hooks._legacy_before, hooks._legacy_after = [], []
        return partial(self._between, hooks, inner) if hooks._before or hooks._after else inner

    def wrap(self, handler: AnyHandler, request: Request, endpoint: Endpoint) -> Endpoint:
        """Return `endpoint` in the wrapper of the handler."""
        return handler.wrap_model(endpoint, self._calls._context(request.tools))

    async def _between(self, hooks: Calls, inner: Endpoint, request: Request) -> AnyOutput:
        given = State(tuple(request.messages), tuple(request.tools), tuple(request.deferred_tools))
        before = await hooks._prepared(given)
        if self._run.local and jump_over_model(self._run):
            raise _Jumped(before)
        prepared = replace(request, messages=before.messages, tools=before.tools, deferred_tools=before.deferred_tools)
        output: AnyOutput = await inner(prepared)
        if not hooks._after:
            self._keep(given, before)
            return output
        message = await output.message()
        after = await hooks._finished(replace(before, messages=(*before.messages, message)))
        answer = after.messages[-1]
        self._keep(given, replace(after, messages=after.messages[:-1]))
        return output if answer == message else Output.of(answer)

    def _keep(self, given: AnyState, left: AnyState) -> None:
        if (tuple(left.messages), tuple(left.tools), tuple(left.deferred_tools)) != (
            given.messages,
            given.tools,
            given.deferred_tools,
        ):
            self._left = left

    def finished(self, state: AnyState) -> AnyState:
        """Return the state after the outermost wrapper, with the changes of the hooks inside."""
        left = self._left
        return state if left is None else replace(left, messages=(*left.messages, state.messages[-1]))


Layers = Callable[[Handlers, _Enclosed, Request, Endpoint], Endpoint]


@contextmanager
def _arranged(outside: Callable[[Handlers], tuple[Handlers, Handlers]], layers: Layers) -> Iterator[None]:
    """Call each model with `layers` of handlers around it, and the other hooks of the handlers `outside`."""
    build, call = ModelCalls.__init__, ModelCalls.call

    def builds(self: Calls, model: Model[AnyMessage], message_type: Any, handlers: Handlers, *parts: Any) -> None:
        build(self, model, message_type, handlers, *parts)
        vars(self)["registered"] = tuple(handlers)

    async def calls(self: Calls, run: Run, state: AnyState) -> AnyState:
        handlers: Handlers = vars(self)["registered"]
        other, enclosed = copy(self), _Enclosed(run, self)
        before, after = outside(handlers)
        other._before, other._after = overridden(before, "before_model"), overridden(after, "after_model")
        finished = other._finished

        async def finishes(state: AnyState) -> AnyState:
            return await finished(enclosed.finished(state))

        def endpoints(model: Model[AnyMessage], request: Request) -> Endpoint:
            return layers(handlers, enclosed, request, partial(self._call, model))

        with patch.object(other, "_finished", finishes), patch.object(other, "_endpoint", endpoints):
            try:
                return await call(other, run, state)
            except _Jumped as jumped:
                return jumped.state

    with patch.object(ModelCalls, "__init__", builds), patch.object(ModelCalls, "call", calls):
        yield


def _has_wrapper(handler: AnyHandler) -> bool:
    """Return whether the handler has a model wrapper: a handler without one returns the endpoint."""

    async def endpoint(request: Request) -> AnyOutput:
        raise NotImplementedError

    return handler.wrap_model(endpoint, ModelContext()) is not endpoint


def _first_wrapper(handlers: Handlers) -> int:
    """Return the place of the first handler with a model wrapper, or the number of handlers."""
    return next((at for at, one in enumerate(handlers) if _has_wrapper(one)), len(handlers))


@posture("nesting", "wrappers-around-hooks")
def calls_hooks_inside_the_wrappers() -> AbstractContextManager[object]:
    """Call the hooks of all handlers inside all model wrappers."""

    def outside(handlers: Handlers) -> tuple[Handlers, Handlers]:
        return ((), ()) if any(map(_has_wrapper, handlers)) else (handlers, handlers)

    def layers(handlers: Handlers, enclosed: _Enclosed, request: Request, model: Endpoint) -> Endpoint:
        wraps = [one for one in handlers if _has_wrapper(one)]
        if not wraps:
            return model
        return nested([partial(enclosed.wrap, one, request) for one in wraps], enclosed.hooked(handlers, model))

    return _arranged(outside, layers)


@posture("nesting", "onion", implied={"after-order": "reversed"})
@contextmanager
def encloses_later_handlers() -> Iterator[None]:
    """Call the hooks and the wrapper of each handler around those of the handlers after it."""

    def outside(handlers: Handlers) -> tuple[Handlers, Handlers]:
        outer = handlers[: _first_wrapper(handlers) + 1]
        return outer, outer[::-1]

    def layers(handlers: Handlers, enclosed: _Enclosed, request: Request, model: Endpoint) -> Endpoint:
        first = _first_wrapper(handlers)

        def layer(handler: AnyHandler, at: int, endpoint: Endpoint) -> Endpoint:
            wrapped = enclosed.wrap(handler, request, endpoint)
            return wrapped if at == first else enclosed.hooked([handler], wrapped)

        inside = handlers[first:]
        return nested([partial(layer, one, at) for at, one in enumerate(inside, first)], model) if inside else model

    with _arranged(outside, layers), reverses_after_agent_hooks():
        yield
