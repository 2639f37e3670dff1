"""Retries and failovers: a capability asks for another attempt of a failed call, at the same model or at another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from typing import NoReturn

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import RetryModelRequest
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestContext

from loopspec import Message
from loopspec_adapting import ModelDouble, Parts

from .inside import Deps


class Recovery(AbstractCapability[Deps]):
    """The retry and the failover of an agent, with the callbacks of the scene.

    pydantic-ai makes and counts the attempts of a model call. A failover begins the retries of another model.
    """

    def __init__(self, parts: Parts[ModelMessage], model_of: Callable[[ModelDouble[ModelMessage]], Model]) -> None:
        super().__init__()
        self._agent, self._conversion, self._decisions = parts.spec, parts.conversion, parts.stage.recovery
        self._models = {
            one.name: model_of(ModelDouble(one.name, one, parts.stage.doubles, parts.conversion))
            for one in (parts.spec.failover.models if parts.spec.failover else ())
        }
        self._messages: Sequence[Message] = ()  # of the current model call
        self._replaced: list[ModelMessage] | None = None  # the messages of the next attempt
        self._first, self._failovers = 1, 0  # the first attempt of the current model

    async def for_run(self, ctx: RunContext[Deps]) -> Recovery:
        """Return the capability of one run."""
        return copy(self)

    async def prepare_model_request(
        self, ctx: RunContext[Deps], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Changes one attempt, if the backup selector has returned messages."""
        if request_context.attempt == 1:
            self._first, self._failovers = 1, 0
            self._messages = self._conversion.all_to_wire(request_context.messages)
        replaced, self._replaced = self._replaced, None
        return request_context if replaced is None else replace(request_context, messages=replaced)

    async def on_model_request_error(
        self, ctx: RunContext[Deps], *, request_context: ModelRequestContext, error: Exception
    ) -> ModelResponse:
        """Asks for another attempt, or raises the error."""
        if self._is_retried(request_context.attempt, error):
            raise RetryModelRequest from error
        if self._fails_over(error):
            self._fail_over(request_context.attempt, error)
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

    def _is_retried(self, attempt: int, error: Exception) -> bool:
        retry, name, number = self._agent.retry, self._agent.name, attempt - self._first + 1
        if retry is None or number > retry.max_retries:
            return False
        if retry.rejects:
            return self._decisions.accepted(name, number, self._messages, None, error) is False
        return retry.codes is None or self._decisions.retryable(name, error)

    def _fails_over(self, error: Exception) -> bool:
        failover = self._agent.failover
        if failover is None or (failover.limit is not None and self._failovers >= failover.limit):
            return False
        return self._decisions.should_failover(self._agent.name, error)

    def _fail_over(self, attempt: int, error: Exception) -> NoReturn:
        self._failovers += 1
        chosen = self._decisions.next_model(self._agent.name, self._failovers, self._messages, error)
        if chosen.model is None:
            raise error
        if chosen.messages is not None:
            self._replaced = [self._conversion.from_wire(message) for message in chosen.messages]
        self._first = attempt + 1
        raise RetryModelRequest(self._models[chosen.model]) from error
