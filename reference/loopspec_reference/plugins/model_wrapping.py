"""A model call through the wrappers of a stack."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import replace
from functools import partial
from typing import Generic

from ..calls.chains import nested
from ..calls.models import ModelRequest
from ..calls.outputs import Output
from ..handlers.handler import ModelEndpoint
from ..runs.run import Run
from ..values.messages import AnyMessage, M
from .errors import HookError
from .layers import Layer, settled
from .middleware import ModelCallRequest, ModelHandler


async def wrapped_model_call(
    layers: Sequence[Layer],
    run: Run,
    spoken: tuple[type[M], ...],
    endpoint: ModelEndpoint[M],
    request: ModelRequest[M],
) -> Output[M]:
    """The answer, by way of the wrappers, the first outermost (XP-WRAP-03). A wrapper sees the whole message.

    One that returns the very message the model gave leaves the output as it is, with its chunks. `spoken` are the
    types a message can have.
    """
    exchange = _Exchange(request, endpoint, spoken[0])
    wraps = [partial(_wrapped, layer, run, spoken) for layer in layers]
    return exchange.output(await nested(wraps, exchange.ask)(exchange.opening()))


class _Exchange(Generic[M]):
    """One request from outside, and what the model is asked, and answers, on its behalf: once, never, or often."""

    def __init__(self, request: ModelRequest[M], endpoint: ModelEndpoint[M], message_type: type[M]) -> None:
        self._request = request
        self._endpoint = endpoint
        self._type = message_type
        self._lead = tuple(one for one in request.messages[:1] if one.role == "system")
        self._answers: list[tuple[M, Output[M]]] = []

    def opening(self) -> ModelCallRequest:
        """The request as the outermost wrapper sees it."""
        request = self._request
        text = self._lead[0].text if self._lead else ""
        messages = tuple(request.messages[len(self._lead) :])
        return ModelCallRequest(messages, text, tuple(request.tools), request.model)

    async def ask(self, asked: ModelCallRequest) -> AnyMessage:
        """Send what the innermost wrapper passes on."""
        lead = self._lead
        if asked.system != (lead[0].text if lead else ""):
            lead = (self._type.system(asked.system),) if asked.system else ()
        messages: tuple[M, ...] = (*lead, *asked.messages)  # type: ignore[arg-type]  # checked by `_wrapped`
        output = await self._endpoint(
            replace(self._request, messages=messages, tools=tuple(asked.tools), model=asked.model)
        )
        message = await output.message()
        self._answers.append((message, output))
        return message

    def output(self, message: AnyMessage) -> Output[M]:
        """The message as an output: the one it came in, if it did."""
        for answer, output in self._answers:
            if answer is message:
                return output
        return Output.of(message)  # type: ignore[arg-type]  # checked by `_wrapped`


def _wrapped(layer: Layer, run: Run, spoken: tuple[type[AnyMessage], ...], endpoint: ModelHandler) -> ModelHandler:
    """The endpoint with one middleware around it, which sees its own state and context."""
    wrapper = layer.middleware.wrap_model_call
    assert wrapper is not None, "only those that wrap are asked"
    who = layer.who("wrap_model_call")

    def handler(request: ModelCallRequest) -> Awaitable[AnyMessage]:
        if not isinstance(request, ModelCallRequest):
            raise HookError(f"{who} has passed on {request!r:.80}: pass on the request, or a changed copy of it")
        if not all(isinstance(message, spoken) for message in request.messages):
            raise HookError(f"{who} has passed on {request.messages!r:.80}: pass on messages of the agent's type")
        return endpoint(request)

    async def around(request: ModelCallRequest) -> AnyMessage:
        own = replace(request, state=layer.state.read(run), runtime=layer.runtime(run))
        answer = await settled(wrapper(own, handler))
        if not isinstance(answer, spoken):
            raise HookError(f"{who} has returned {answer!r:.80}: return the message that answers the request")
        return answer

    return around
