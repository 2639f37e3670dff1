"""Realistic bugs about model calls, their wrappers and retries."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference.calls.attempts import Attempt, Caller
from loopspec_reference.calls.models import Model, ModelRequest
from loopspec_reference.calls.outputs import Output
from loopspec_reference.calls.retries import RetryConfig, retrying
from loopspec_reference.loop import model_calls
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.plugins import HookError, model_wrapping
from loopspec_reference.plugins.layers import Layer
from loopspec_reference.plugins.middleware import ModelCallRequest, ModelHandler
from loopspec_reference.runs.run import Run
from loopspec_reference.values.errors import RetriesExhaustedError
from loopspec_reference.values.messages import AnyMessage

from ..registry import bug


@bug("XP-WRAP-05")
def rejects_a_repeated_call_after_a_changed_prompt() -> AbstractContextManager[object]:
    """Fails a run if a wrapper repeats the model call after an inner wrapper has changed the system prompt."""
    wrapped = model_wrapping._wrapped
    latest: dict[Run, str] = {}  # the system prompt that the last handler received

    def wraps(layer: Layer, run: Run, message_types: Any, endpoint: ModelHandler) -> ModelHandler:  # Any: passed on
        calls: list[ModelCallRequest] = []

        async def compares(request: ModelCallRequest) -> AnyMessage:
            if calls and request.system != latest[run]:
                raise HookError(f"the system prompt of {run.agent!r} has two values")
            calls.append(request)
            latest[run] = request.system
            return await endpoint(request)

        return wrapped(layer, run, message_types, compares)

    return patch.object(model_wrapping, "_wrapped", wraps)


@bug("XP-WRAP-07")
def passes_no_tools_to_a_chosen_model() -> AbstractContextManager[object]:
    """Passes the tools to the agent's own model only, and none to a model that a wrapper has chosen."""
    call = ModelCalls._call

    async def calls(
        self: ModelCalls[AnyMessage], model: Model[AnyMessage], request: ModelRequest[AnyMessage]
    ) -> Output[AnyMessage]:
        return await call(self, model, request if request.model is None else replace(request, tools=()))

    return patch.object(ModelCalls, "_call", calls)


@bug("RETRY-06")
def makes_an_answer_of_an_error_that_is_not_retried() -> AbstractContextManager[object]:
    """Ends the run with an answer that contains the error if the retry predicate has rejected the error."""

    async def answers(
        call: Caller[AnyMessage],
        config: RetryConfig[AnyMessage],
        model: Model[AnyMessage],
        request: ModelRequest[AnyMessage],
    ) -> Attempt[AnyMessage]:
        attempt = await retrying(call, config, model, request)
        if attempt.error is None or isinstance(attempt.error, RetriesExhaustedError) or not request.messages:
            return attempt
        return Attempt(type(request.messages[0]).assistant(f"The model call failed: {attempt.error}"))

    return patch.object(model_calls, "retrying", answers)
