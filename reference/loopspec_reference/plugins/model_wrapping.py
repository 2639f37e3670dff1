"""A model call through the wrappers of a stack."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from functools import partial
from typing import Generic

from msgspec.structs import replace

from ..calls.chains import nested
from ..calls.models import ModelRequest
from ..calls.outputs import Output
from ..handlers.handler import ModelEndpoint
from ..runs.run import Run
from ..values.messages import AnyMessage, M
from .errors import HookError
from .layers import Layer, awaited
from .middleware import ModelCallRequest, ModelHandler


async def wrapped_model_call(
    layers: Sequence[Layer],
    run: Run,
    message_types: tuple[type[M], ...],
    endpoint: ModelEndpoint[M],
    request: ModelRequest[M],
) -> Output[M]:
    """Return the answer through the wrappers, the first outermost (XP-BEST-08). A wrapper sees the whole message.

    If the outermost wrapper returns the model's message itself, the output keeps its chunks. `message_types` are the
    types that a message can have.
    """
    exchange = _Exchange(request, endpoint, message_types[0])
    wraps = [partial(_wrapped, layer, run, message_types) for layer in layers]
    return exchange.output(await nested(wraps, exchange.call)(exchange.opening()))


class _Exchange(Generic[M]):
    """One request from outside the stack, and the model calls that the wrappers make for it: any number of them."""

    def __init__(self, request: ModelRequest[M], endpoint: ModelEndpoint[M], message_type: type[M]) -> None:
        self._request = request
        self._endpoint = endpoint
        self._type = message_type
        self._lead = tuple(one for one in request.messages[:1] if one.role == "system")
        self._answers: list[tuple[M, Output[M]]] = []

    def opening(self) -> ModelCallRequest:
        """Return the request for the outermost wrapper."""
        request = self._request
        text = self._lead[0].text if self._lead else ""
        messages = tuple(request.messages[len(self._lead) :])
        return ModelCallRequest(messages, text, tuple(request.tools), request.model)

    async def call(self, passed: ModelCallRequest) -> AnyMessage:
        """Send the request that the innermost wrapper passes on."""
        lead = self._lead
        if passed.system != (lead[0].text if lead else ""):
            lead = (self._type.system(passed.system),) if passed.system else ()
        messages: tuple[M, ...] = (*lead, *passed.messages)  # type: ignore[arg-type]  # checked by `_wrapped`
        output = await self._endpoint(
            replace(self._request, messages=messages, tools=tuple(passed.tools), model=passed.model)
        )
        message = await output.message()
        self._answers.append((message, output))
        return message

    def output(self, message: AnyMessage) -> Output[M]:
        """Return the output of the model call that gave this message, or else a new output of the message."""
        for answer, output in self._answers:
            if answer is message:
                return output
        return Output.of(message)  # type: ignore[arg-type]  # checked by `_wrapped`


def _wrapped(
    layer: Layer, run: Run, message_types: tuple[type[AnyMessage], ...], endpoint: ModelHandler
) -> ModelHandler:
    """Return the endpoint inside the wrapper of one middleware, which receives its own state and context."""
    wrapper = layer.middleware.wrap_model_call
    assert wrapper is not None, "layers without a wrapper are left out"
    source = layer.name_of("wrap_model_call")

    def handler(request: ModelCallRequest) -> Awaitable[AnyMessage]:
        if not isinstance(request, ModelCallRequest):
            raise HookError(f"{source} has passed on {request!r:.80}: pass on the request, or a changed copy of it")
        if not all(isinstance(message, message_types) for message in request.messages):
            raise HookError(f"{source} has passed on {request.messages!r:.80}: pass on messages of the agent's type")
        return endpoint(request)

    async def around(request: ModelCallRequest) -> AnyMessage:
        own = replace(request, state=layer.state.read(run), runtime=layer.runtime(run))
        answer = await awaited(wrapper(own, handler))
        if not isinstance(answer, message_types):
            raise HookError(f"{source} has returned {answer!r:.80}: return the message that answers the request")
        return answer

    return around
