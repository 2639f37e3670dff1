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
        "ORDER-MODEL-02": "its trace has both kinds of hooks, too",
        "LEGACY-06": "who comes last has the last word",
    },
)
def lets_legacy_functions_come_first_behind_the_model() -> AbstractContextManager[object]:
    """Calls the legacy functions behind the model before the hooks of the handlers."""
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
def unwinds_legacy_functions() -> AbstractContextManager[object]:
    """Calls the legacy functions behind the model from the last registered to the first."""
    init = ModelCalls.__init__

    def builds(self: Messages, *arguments: Any) -> None:  # Any: handed on
        init(self, *arguments)
        self._legacy_after.reverse()

    return patch.object(ModelCalls, "__init__", builds)


def _owner(call: partial[Any]) -> Messages:  # Any: what an attempt comes to
    """Whose attempts they are."""
    return cast("Messages", cast("MethodType", call.func).__self__)


@mutant("ORDER-MODEL-03")
def prepares_each_attempt() -> AbstractContextManager[object]:
    """Calls the hooks before the model again before each further attempt."""

    async def retries(
        call: partial[Any],  # Any: what an attempt comes to is handed on
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
    """Calls a backup after the first failure of the agent's own model."""

    async def retries(
        call: partial[Any],  # Any: what an attempt comes to is handed on
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
def has_spent_the_retries_on_the_first_model() -> AbstractContextManager[object]:
    """Makes failed calls of the agent's own model again, and those of a backup not."""

    async def retries(
        call: partial[Any],  # Any: what an attempt comes to is handed on
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
        "EVENT-13": "an event sent behind the model comes first there, too",
    },
)
def tells_of_the_answer_when_all_hooks_have_seen_it() -> AbstractContextManager[object]:
    """Sends the event of a synchronous answer behind the hooks after the model."""
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
def tells_of_the_last_message_after_each_attempt() -> AbstractContextManager[object]:
    """Sends an event of the last message there is for an attempt that has failed and may be made again."""
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
def calls_back_outside_the_wrappers() -> AbstractContextManager[object]:
    """Tells callbacks about a model call before the first wrapper and behind the last."""
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
def calls_back_for_everybody() -> AbstractContextManager[object]:
    """Tells callbacks about the calls of a model that does so itself."""
    return patch.object(model_calls, "reports_callbacks", lambda model: False)


@mutant(
    "ORDER-TOOL-01",
    neighbors={
        "ORDER-TOOL-02": "its trace has both kinds of middlewares, too",
        "ORDER-TOOL-03": "both kinds of middlewares add to the result there",
        "ORDER-TOOL-05": "its trace has both kinds of middlewares, too",
    },
)
@contextmanager
def puts_legacy_middlewares_outermost() -> Iterator[None]:
    """Lets the legacy middlewares around a tool call enclose the tool middlewares."""
    agent, calls = Agent.__init__, ToolCalls.__init__
    older: list[object] = []

    def builds(self: Agent[AnyMessage], *, legacy: Sequence[LegacyMiddleware[AnyMessage]] = (), **rest: Any) -> None:
        # Any: handed on
        older.extend(one.tools for one in legacy)
        agent(self, legacy=legacy, **rest)

    def builds_calls(self: Tools, message_type: Any, layers: Sequence[ToolMiddleware], *rest: Any) -> None:
        # Any: handed on
        calls(self, message_type, sorted(layers, key=lambda one: one not in older), *rest)

    with patch.object(Agent, "__init__", builds), patch.object(ToolCalls, "__init__", builds_calls):
        yield


@mutant("ORDER-TOOL-02")
def puts_the_last_middleware_outermost() -> AbstractContextManager[object]:
    """Lets the tool middleware that was registered last enclose the others."""
    init = Agent.__init__

    def builds(
        self: Agent[AnyMessage], *, tool_middlewares: Sequence[ToolMiddleware] = (), **rest: Any
    ) -> None:  # Any: handed on
        init(self, tool_middlewares=tool_middlewares[::-1], **rest)

    return patch.object(Agent, "__init__", builds)


@mutant("ORDER-TOOL-03")
@contextmanager
def tells_what_the_tool_itself_has_returned() -> Iterator[None]:
    """Sends the event of a tool call with the result as it was before any wrapper."""
    call, tell = Tools.call, Tools._with_callbacks
    returned: dict[str, str] = {}

    def told(self: Tools, context: ToolContext, innermost: Any) -> Any:  # Any: of either kind of tool
        inner = tell(self, context, innermost)

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

    with patch.object(ToolCalls, "_with_callbacks", told), patch.object(ToolCalls, "call", calls):
        yield


@mutant("ORDER-TOOL-04")
def lets_handlers_have_the_last_word() -> AbstractContextManager[object]:
    """Drops what a middleware puts in the place of a result, unless it only adds to it."""
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
def calls_back_outside_the_tools_wrappers() -> Iterator[None]:
    """Tells callbacks about a tool call before the first wrapper and behind the last."""
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

    def told(self: Tools, context: ToolContext, innermost: Any, join: Any = None) -> Any:  # Any: of any kind of tool
        return innermost

    with (
        patch.object(ToolCalls, "call", calls),
        patch.object(ToolCalls, "_with_callbacks", told),
        patch.object(ToolCalls, "_stream_with_callbacks", told),
    ):
        yield
