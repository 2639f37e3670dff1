"""The chat client: the scripted models of an agent, in a synchronous run and as a stream."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias

import agent_framework as af

from loopspec import Message
from loopspec_adapting import ModelDouble

from .tools import info_of

Response: TypeAlias = Awaitable[af.ChatResponse[Any]] | af.ResponseStream[af.ChatResponseUpdate, af.ChatResponse[Any]]


class Client(af.FunctionInvocationLayer[Any], af.ChatMiddlewareLayer[Any], af.BaseChatClient[Any]):
    """A chat client of the layers that the framework's own clients have, without telemetry.

    The option `model` chooses a model by name. The option `tool_choice: none` forbids tool calls, so the model receives
    no tools.
    """

    def __init__(
        self,
        models: Mapping[str, ModelDouble[af.Message] | None],
        from_wire: Callable[[Message], af.Message],
        **given: Any,  # Any: the keyword arguments of the layers
    ) -> None:
        super().__init__(**given)
        self.models, self.from_wire = models, from_wire

    def _inner_get_response(
        self, *, messages: Sequence[af.Message], stream: bool, options: Mapping[str, Any], **kwargs: Any
    ) -> Response:
        model = self.models[options.get("model") or ""]
        if model is None:
            raise ValueError("the agent has no model")
        tools = () if options.get("tool_choice") == "none" else options.get("tools") or ()
        infos, system = [info_of(tool) for tool in tools], options.get("instructions") or ""
        if stream:
            return self._build_response_stream(self._updates(model.chunks(messages, infos, system)))

        async def answer() -> af.ChatResponse[Any]:
            message = await model.answer(messages, infos, system)
            return af.ChatResponse(messages=message)

        return answer()

    async def _updates(self, chunks: AsyncIterator[Message]) -> AsyncIterator[af.ChatResponseUpdate]:
        """Make updates of the chunks: no text is empty, and the last has the finish reason, as in its own clients."""
        message_id = uuid.uuid4().hex
        async for chunk in chunks:
            contents = [one for one in self.from_wire(chunk).contents if one.type != "text" or one.text]
            yield af.ChatResponseUpdate(contents=contents, role="assistant", message_id=message_id)
        yield af.ChatResponseUpdate(role="assistant", message_id=message_id, finish_reason="stop")
