"""One model call, from the first hook before it to the last hook after it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Generic

import msgspec
from msgspec.structs import replace

from ..calls.attempts import Attempt, Caller
from ..calls.callbacks import Callbacks
from ..calls.chains import nested
from ..calls.failovers import FailoverConfig, failing_over
from ..calls.models import Model, ModelRequest, reports_callbacks
from ..calls.outputs import EventStream, Output
from ..calls.retries import RetryConfig, retrying
from ..handlers.handler import Handler, ModelContext, ModelEndpoint, State, overridden
from ..handlers.legacy import LegacyMiddleware, changed
from ..runs.run import Run, jump_over_model
from ..tools.kinds import InterruptRun
from ..values.errors import NothingReturnedError, checked
from ..values.events import MessageEvent, StreamEvent
from ..values.messages import M
from .interruptible import Interruptible, has_returned, resumption, stop_of_wrapper


class ModelCalls(Generic[M]):
    """The model calls of one agent.

    From outside in: legacy functions, the handlers' hooks, failover, retry, the event, the handlers' wraps, the
    callbacks, the model (ORDER-MODEL-01 to ORDER-MODEL-07). After-hooks run in registration order as well.
    """

    def __init__(
        self,
        model: Model[M],
        message_type: type[M],
        handlers: Sequence[Handler[M]],
        legacy: Sequence[LegacyMiddleware[M]],
        retry: RetryConfig[M] | None,
        failover: FailoverConfig[M] | None,
        callbacks: Callbacks[M] | None,
    ) -> None:
        self._model = model
        self._message_type = message_type
        self._before = [Interruptible(one, at) for at, one in enumerate(overridden(handlers, "before_model"))]
        self._wraps = overridden(handlers, "wrap_model")
        self._after = [Interruptible(one, at) for at, one in enumerate(overridden(handlers, "after_model"))]
        self._legacy_before = [one.before_model for one in legacy if one.before_model is not None]
        self._legacy_after = [one.after_model for one in legacy if one.after_model is not None]
        self._retry = retry
        self._failover = failover
        self._callbacks = callbacks

    async def call(self, run: Run, state: State[M]) -> State[M]:
        """Return the state after one model call and its hooks, with the answer.

        A jump before the model call skips the model and the hooks after it (XP-JUMP-02). An answer that a hook adds
        before such a jump is reported once.
        """
        if run.resumed_hook is not None and run.resumed_hook[0].hook == "after_model":
            return await self._finished(state)
        known = state.messages
        state = await self._prepared(state)
        if run.local and (jump := jump_over_model(run)):
            last = state.messages[-1] if state.messages else None
            if jump == "end" and last is not None and last.role == "assistant" and all(last is not m for m in known):
                run.emit(MessageEvent(run.agent, run.path, last))
            return state
        request = ModelRequest(state.messages, state.tools, state.deferred_tools, run.tool_search, run.streaming)
        try:
            attempt = await self._answered(run, request)
        except InterruptRun as interrupt:
            raise stop_of_wrapper(run, state, interrupt) from None
        finally:
            while run.event_streams:
                run.event_streams.pop().settle()
        if attempt.error is not None:
            raise attempt.error
        message = attempt.message
        assert message is not None, "what has no error has a message"
        if attempt.stream is None:
            run.emit(MessageEvent(run.agent, run.path, message))
        return await self._finished(State((*state.messages, message), state.tools, state.deferred_tools))

    async def _prepared(self, state: State[M]) -> State[M]:
        if self._legacy_before:
            state = state if has_returned("before_model") else await changed(state, self._legacy_before)
        for handler in self._before:
            returned = await handler.before_model(state, self._context(state.tools))
            state = checked(returned, State, handler)
        return state

    async def _finished(self, state: State[M]) -> State[M]:
        for handler in self._after:
            returned = await handler.after_model(state, self._context(state.tools))
            state = checked(returned, State, handler)
        if self._legacy_after:
            state = await changed(state, self._legacy_after)
        if not state.messages:
            raise NothingReturnedError("the hooks after the model have removed every message")
        return state

    def _context(self, tools: Sequence[object]) -> ModelContext[M]:
        return ModelContext(tools, self._retry, self._failover)  # type: ignore[arg-type]  # always tool infos

    async def _answered(self, run: Run, request: ModelRequest[M]) -> Attempt[M]:
        """Return the last attempt with the last model."""
        model: Model[M] = run.model or self._model
        if self._retry is None and self._failover is None:
            return await self._attempt(run, model, request)
        call: Caller[M] = partial(self._attempt, run)
        if self._retry is not None:
            call = partial(retrying, call, self._retry)
        if self._failover is None:
            return await call(model, request)
        attempt, model = await failing_over(call, self._failover, model, request)
        if attempt.error is None:
            run.model = model
        return attempt

    async def _attempt(self, run: Run, model: Model[M], request: ModelRequest[M]) -> Attempt[M]:
        """Go through the wrappers once. In streaming mode readers receive the first chunk at once (RETRY-11)."""
        stream: EventStream[M] | None = None
        try:
            answered = await self._endpoint(model, request)(request)
            output: Output[M] = checked(answered, Output, "a wrapper of the model")
            if run.streaming:
                await output.opened()
                stream = EventStream(output)
                run.event_streams.append(stream)
                run.emit(StreamEvent(run.agent, run.path, stream))
            return Attempt(await output.message(), None, stream)
        except InterruptRun:
            raise
        except Exception as error:
            return Attempt(None, error, stream)

    def _endpoint(self, model: Model[M], request: ModelRequest[M]) -> ModelEndpoint[M]:
        innermost = partial(self._call, model)
        if not self._wraps:
            return innermost
        context = self._context(request.tools)

        def with_context(handler: Handler[M]) -> Callable[..., ModelEndpoint[M]]:
            return lambda endpoint, resumed=None: handler.wrap_model(endpoint, replace(context, resumed=resumed))

        wraps = [with_context(handler) for handler in self._wraps]
        wraps = resumption().around(wraps, self._as_output)
        return nested(wraps, innermost)

    def _as_output(self, answer: object) -> Output[M]:
        return Output.of(msgspec.convert(answer, self._message_type))

    async def _call(self, model: Model[M], request: ModelRequest[M]) -> Output[M]:
        """Call the model itself, with the callbacks directly around it (ORDER-MODEL-07, ORDER-MODEL-08)."""
        if request.model is not None:
            model = request.model
        callbacks = None if reports_callbacks(model) else self._callbacks
        if callbacks is not None:
            callbacks.model_start(request)
        if request.streaming:
            chunks = model.stream(request)
            if callbacks is not None:
                chunks = self._with_callbacks(chunks, callbacks)
            output = Output(chunks, self._message_type.concat)
            await output.opened()
            return output
        message = checked(await model.generate(request), self._message_type, model)
        if callbacks is not None:
            callbacks.model_end(message)
        return Output.of(message)

    async def _with_callbacks(self, chunks: AsyncIterator[M], callbacks: Callbacks[M]) -> AsyncIterator[M]:
        read: list[M] = []
        async for chunk in chunks:
            read.append(chunk)
            yield chunk
        callbacks.model_end(self._message_type.concat(read))
