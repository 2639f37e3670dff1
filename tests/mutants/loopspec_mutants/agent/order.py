"""Mutants about the order of a model call and of a tool call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from types import MethodType
from typing import Any, cast
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import (
    Agent,
    AnyMessage,
    Event,
    Handler,
    LegacyMiddleware,
    MessageEvent,
    Model,
    ModelEndpoint,
    ModelRequest,
    Output,
    RetryConfig,
    State,
    ToolCall,
    ToolContext,
    ToolEndpoint,
    ToolMiddleware,
    ToolRequest,
    ToolResult,
)
from loopspec_reference.calls.attempts import Attempt
from loopspec_reference.calls.models import reports_callbacks
from loopspec_reference.calls.retries import retrying
from loopspec_reference.handlers.legacy import changed
from loopspec_reference.loop import model_calls, tool_calls
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.run import Run
from loopspec_reference.tools.toolboxes import Toolbox

from ..registry import mutant

Messages = ModelCalls[AnyMessage]
Tools = ToolCalls[AnyMessage]


@mutant(
    "ORDER-MODEL-01",
    neighbors={
        "ORDER-MODEL-02": "the trace also has both kinds of hooks",
        "LEGACY-06": "the example reads the change of the last function",
    },
)
def calls_legacy_functions_before_after_model_hooks() -> AbstractContextManager[object]:
    """Calls the legacy after-model functions before the after-model hooks of handlers."""
    finished = Messages._finished

    async def finishes(self: Messages, state: State[AnyMessage]) -> State[AnyMessage]:
        legacy, self._legacy_after = self._legacy_after, []
        try:
            state = await changed(state, legacy)
            return await finished(self, state)
        finally:
            self._legacy_after = legacy

    return patch.object(ModelCalls, "_finished", finishes)


@mutant("ORDER-MODEL-02")
def calls_after_model_functions_in_reverse() -> AbstractContextManager[object]:
    """Calls the legacy after-model functions from the last to the first."""
    init = ModelCalls.__init__

    def builds(self: Messages, *arguments: Any) -> None:  # Any: passed on
        init(self, *arguments)
        self._legacy_after.reverse()

    return patch.object(ModelCalls, "__init__", builds)


def _owner(call: partial[Any]) -> Messages:  # Any: the result of an attempt
    """Return the model calls that the attempts belong to."""
    return cast("Messages", cast("MethodType", call.func).__self__)


@mutant("ORDER-MODEL-03")
def calls_the_before_model_hooks_for_each_attempt() -> AbstractContextManager[object]:
    """Calls the before-model hooks again before each retry."""

    async def retries(
        call: partial[Any],  # Any: the result of an attempt
        config: RetryConfig[AnyMessage],
        model: Model[AnyMessage],
        request: ModelRequest[AnyMessage],
    ) -> Attempt[AnyMessage]:
        owner = _owner(call)
        attempts = 0

        async def prepared(model: Model[AnyMessage], request: ModelRequest[AnyMessage]) -> Attempt[AnyMessage]:
            nonlocal attempts
            attempts += 1
            if attempts > 1:
                await owner._prepared(State(tuple(request.messages), tuple(request.tools)))
            return cast("Attempt[AnyMessage]", await call(model, request))

        return await retrying(prepared, config, model, request)

    return patch.object(model_calls, "retrying", retries)


@mutant("ORDER-MODEL-04")
def fails_over_before_it_retries() -> AbstractContextManager[object]:
    """Calls a backup model after the first failure of the agent's own model."""

    async def retries(
        call: partial[Any],  # Any: the result of an attempt
        config: RetryConfig[AnyMessage],
        model: Model[AnyMessage],
        request: ModelRequest[AnyMessage],
    ) -> Attempt[AnyMessage]:
        owner = _owner(call)
        if owner._failover is not None and model is owner._model:
            config = replace(config, max_retries=0)
        return await retrying(call, config, model, request)

    return patch.object(model_calls, "retrying", retries)


@mutant("ORDER-MODEL-04")
def retries_the_first_model_only() -> AbstractContextManager[object]:
    """Retries failed calls of the agent's own model, but not those of a backup model."""

    async def retries(
        call: partial[Any],  # Any: the result of an attempt
        config: RetryConfig[AnyMessage],
        model: Model[AnyMessage],
        request: ModelRequest[AnyMessage],
    ) -> Attempt[AnyMessage]:
        if model is not _owner(call)._model:
            config = replace(config, max_retries=0)
        return await retrying(call, config, model, request)

    return patch.object(model_calls, "retrying", retries)


@mutant(
    "ORDER-MODEL-05",
    neighbors={
        "EVENT-13": "an event of an after-model hook then precedes the answer",
    },
)
def emits_the_event_of_an_answer_after_the_hooks() -> AbstractContextManager[object]:
    """Emits the event of a synchronous answer after the after-model hooks."""
    call = Messages.call

    async def calls(self: Messages, run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        emit, held = run.emit, list[Event]()
        run.emit = lambda event: held.append(event) if isinstance(event, MessageEvent) else emit(event)
        try:
            return await call(self, run, state)
        finally:
            run.emit = emit
            for event in held:
                emit(event)

    return patch.object(ModelCalls, "call", calls)


@mutant("RETRY-05")
def emits_the_last_message_after_a_failed_attempt() -> AbstractContextManager[object]:
    """Emits an event with the last message of the request for each failed attempt that may be retried."""
    attempt = Messages._attempt

    async def attempts(
        self: Messages, run: Run, model: Model[AnyMessage], request: ModelRequest[AnyMessage]
    ) -> Attempt[AnyMessage]:
        outcome = await attempt(self, run, model, request)
        if outcome.error is not None and self._retry is not None and not run.streaming:
            run.emit(MessageEvent(run.agent, run.path, request.messages[-1]))
        return outcome

    return patch.object(ModelCalls, "_attempt", attempts)


@mutant("ORDER-MODEL-07")
def calls_callbacks_outside_the_model_wrappers() -> AbstractContextManager[object]:
    """Calls the callbacks of a model call before the first model wrapper and after the last."""
    find = Messages._endpoint

    def endpoint(
        self: Messages, model: Model[AnyMessage], request: ModelRequest[AnyMessage]
    ) -> ModelEndpoint[AnyMessage]:
        callbacks = None if reports_callbacks(model) else self._callbacks
        within = find(self, model, request)
        if callbacks is None:
            return within

        async def outside(request: ModelRequest[AnyMessage]) -> Output[AnyMessage]:
            callbacks.model_start(request)
            self._callbacks = None
            try:
                output = await within(request)
                callbacks.model_end(await output.message())
            finally:
                self._callbacks = callbacks
            return output

        return outside

    return patch.object(ModelCalls, "_endpoint", endpoint)


@mutant("ORDER-MODEL-08")
def calls_callbacks_twice() -> AbstractContextManager[object]:
    """Calls the callbacks also for a model that calls them itself."""
    return patch.object(model_calls, "reports_callbacks", lambda model: False)


@mutant(
    "ORDER-TOOL-01",
    neighbors={
        "ORDER-TOOL-02": "the trace also has both kinds of middlewares",
        "ORDER-TOOL-03": "both kinds of middlewares append to the result",
        "ORDER-TOOL-05": "the trace also has both kinds of middlewares",
    },
)
@contextmanager
def nests_legacy_tool_wrappers_outermost() -> Iterator[None]:
    """Nests legacy tool wrappers outside the tool middlewares."""
    agent, calls = Agent.__init__, ToolCalls.__init__
    older: list[object] = []

    def builds(self: Agent[AnyMessage], *, legacy: Sequence[LegacyMiddleware[AnyMessage]] = (), **rest: Any) -> None:
        # Any: passed on
        older.extend(one.tools for one in legacy)
        agent(self, legacy=legacy, **rest)

    def builds_calls(self: Tools, message_type: Any, layers: Sequence[ToolMiddleware], *rest: Any) -> None:
        # Any: passed on
        calls(self, message_type, sorted(layers, key=lambda one: one not in older), *rest)

    with patch.object(Agent, "__init__", builds), patch.object(ToolCalls, "__init__", builds_calls):
        yield


@mutant("ORDER-TOOL-02")
def nests_the_last_middleware_outermost() -> AbstractContextManager[object]:
    """Nests the last tool middleware outside the others."""
    init = Agent.__init__

    def builds(
        self: Agent[AnyMessage], *, tool_middlewares: Sequence[ToolMiddleware] = (), **rest: Any
    ) -> None:  # Any: passed on
        init(self, tool_middlewares=tool_middlewares[::-1], **rest)

    return patch.object(Agent, "__init__", builds)


@mutant("ORDER-TOOL-03")
@contextmanager
def emits_results_without_the_changes_of_wrappers() -> Iterator[None]:
    """Emits the result of a tool call without the changes of tool wrappers."""
    call, with_callbacks = Tools.call, Tools._with_callbacks
    returned: dict[str, str] = {}

    def records(self: Tools, context: ToolContext, innermost: Any) -> Any:  # Any: of either kind of tool
        inner = with_callbacks(self, context, innermost)

        async def noting(request: Any) -> Any:
            result = await inner(request)
            if isinstance(result, str):
                returned[context.call_id] = result
            return result

        return noting

    async def calls(
        self: Tools,
        run: Run,
        box: Toolbox,
        one: ToolCall,
        context: ToolContext,
        emit: Callable[[Event], None],
        exits: bool,
    ) -> AnyMessage:
        def early(event: Event) -> None:
            if isinstance(event, MessageEvent) and one.id in returned:
                message = self._message_type.tool_result(one, returned[one.id])
                event = replace(event, message=message)
            emit(event)

        return await call(self, run, box, one, context, early, exits)

    with patch.object(ToolCalls, "_with_callbacks", records), patch.object(ToolCalls, "call", calls):
        yield


@mutant("ORDER-TOOL-04")
def drops_replaced_results_of_middlewares() -> AbstractContextManager[object]:
    """Drops the result of a tool middleware unless the middleware only appends to the original one."""
    bind = tool_calls._bound

    def bound(wrap: Any, context: ToolContext) -> Any:  # Any: of any kind of tool
        inside = bind(wrap, context)
        if isinstance(wrap.__self__, Handler) or wrap.__name__ != "wrap_tool":
            return inside

        def guarded(endpoint: ToolEndpoint) -> ToolEndpoint:
            results: list[str] = []

            async def noting(request: ToolRequest[str]) -> str:
                results.append(await endpoint(request))
                return results[-1]

            async def around(request: ToolRequest[str]) -> str:
                result = await cast("ToolEndpoint", inside(noting))(request)
                return results[-1] if results and not result.startswith(results[-1]) else result

            return around

        return guarded

    return patch.object(tool_calls, "_bound", bound)


@mutant("ORDER-TOOL-05")
@contextmanager
def calls_callbacks_outside_the_tool_wrappers() -> Iterator[None]:
    """Calls the callbacks of a tool call before the first tool wrapper and after the last."""
    call = Tools.call

    async def calls(
        self: Tools,
        run: Run,
        box: Toolbox,
        one: ToolCall,
        context: ToolContext,
        emit: Callable[[Event], None],
        exits: bool,
    ) -> AnyMessage:
        callbacks = self._callbacks
        if callbacks is not None:
            callbacks.tool_start(context, ToolRequest(one.arguments))
        message = await call(self, run, box, one, context, emit, exits)
        if callbacks is not None:
            callbacks.tool_end(context, ToolResult())
        return message

    def records(self: Tools, context: ToolContext, innermost: Any, join: Any = None) -> Any:  # Any: of any kind of tool
        return innermost

    with (
        patch.object(ToolCalls, "call", calls),
        patch.object(ToolCalls, "_with_callbacks", records),
        patch.object(ToolCalls, "_stream_with_callbacks", records),
    ):
        yield
