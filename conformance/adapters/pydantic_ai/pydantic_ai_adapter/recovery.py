"""Retries and failovers: a capability that asks for another attempt at the same model, and pydantic-ai's fallback."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability, CapabilityOrdering, ModelFallback
from pydantic_ai.exceptions import RetryModelRequest
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestContext

from loopspec import Message
from loopspec_adapting import ModelDouble, Parts

from .inside import Deps


def recovery_of(
    parts: Parts[ModelMessage], model_of: Callable[[ModelDouble[ModelMessage]], Model]
) -> list[AbstractCapability[Deps]]:
    """Return the failover of an agent and, inside of it, the retry."""
    found = [fallback_of(parts, model_of)] if parts.spec.failover and parts.spec.failover.limit != 0 else []
    return [*found, Retry(parts)] if parts.spec.retry else [*found]


def fallback_of(
    parts: Parts[ModelMessage], model_of: Callable[[ModelDouble[ModelMessage]], Model]
) -> ModelFallback[Deps]:
    """Return the fallback to as many backup models as the limit allows, in their order.

    Its models are what chooses the next one. It is sticky: a conversation stays with the model that has answered.
    """
    failover, decisions = parts.spec.failover, parts.stage.recovery
    assert failover is not None
    chosen = failover.models[: failover.limit] if failover.chooses else ()
    models = [model_of(ModelDouble(one.name, one, parts.stage.doubles, parts.conversion)) for one in chosen]
    if not failover.asks:
        return ModelFallback(*models, sticky=True)

    def falls_back(error: Exception) -> bool:
        return decisions.should_failover(parts.spec.name, error)

    return ModelFallback(*models, fallback_on=falls_back, sticky=True)


class Retry(AbstractCapability[Deps]):
    """The retry of an agent, with the callbacks of the scene.

    pydantic-ai makes and counts the attempts of a model call. Those of one model are retries.
    """

    def __init__(self, parts: Parts[ModelMessage]) -> None:
        super().__init__()
        self._agent, self._conversion, self._decisions = parts.spec, parts.conversion, parts.stage.recovery
        self._messages: Sequence[Message] = ()  # of the current attempt
        self._called: tuple[int, Model | None] = (0, None)  # the step and the model of the current attempt
        self._first = 1  # the first attempt of this model

    def get_ordering(self) -> CapabilityOrdering:
        """Say that the retries of a model precede a failover, which is innermost otherwise."""
        return CapabilityOrdering(position="innermost", wrapped_by=[ModelFallback])

    async def for_run(self, ctx: RunContext[Deps]) -> Retry:
        """Return the capability of one run."""
        return copy(self)

    async def prepare_model_request(
        self, ctx: RunContext[Deps], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Notes the first attempt of each model in a model call."""
        if self._called != (called := (ctx.run_step, request_context.model)):
            self._called, self._first = called, request_context.attempt
        self._messages = self._conversion.all_to_wire(request_context.messages)
        return request_context

    async def on_model_request_error(
        self, ctx: RunContext[Deps], *, request_context: ModelRequestContext, error: Exception
    ) -> ModelResponse:
        """Asks for another attempt, or raises the error."""
        if self._is_retried(request_context.attempt - self._first + 1, error):
            raise RetryModelRequest from error
        raise error

    async def after_model_request(
        self, ctx: RunContext[Deps], *, request_context: ModelRequestContext, response: ModelResponse
    ) -> ModelResponse:
        """Asks for another attempt if the answer check rejects the answer."""
        retry, number = self._agent.retry, request_context.attempt - self._first + 1
        if retry is None or not retry.rejects:
            return response
        (answer,) = self._conversion.to_wire(response)
        accepted = self._decisions.accepted(self._agent.name, number, self._messages, answer, None)
        if accepted is False and number <= retry.max_retries:
            raise RetryModelRequest
        return response

    def _is_retried(self, number: int, error: Exception) -> bool:
        retry, name = self._agent.retry, self._agent.name
        if retry is None or number > retry.max_retries:
            return False
        if retry.rejects:
            return self._decisions.accepted(name, number, self._messages, None, error) is False
        return retry.codes is None or self._decisions.retryable(name, error)
