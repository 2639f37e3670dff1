"""A chat client that gives its answers in order, and keeps the requests that it receives."""

import copy
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any

from agent_framework import (
    BaseChatClient,
    ChatMiddlewareLayer,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationLayer,
    Message,
)


class Scripted(FunctionInvocationLayer, ChatMiddlewareLayer, BaseChatClient):
    """`requests` has the messages of each model call, `streamed` whether each model call streams."""

    def __init__(self, *answers: Message) -> None:
        super().__init__()
        self.answers = answers
        self.requests: list[list[Message]] = []
        self.streamed: list[bool] = []

    def _inner_get_response(
        self, *, messages: Sequence[Message], stream: bool, options: Mapping[str, Any], **_: Any
    ) -> Any:
        self.requests.append(list(messages))
        self.streamed.append(stream)
        answer = copy.deepcopy(self.answers[len(self.requests) - 1])

        async def updates() -> AsyncIterator[ChatResponseUpdate]:
            message_id = f"answer {len(self.requests)}"
            yield ChatResponseUpdate(contents=answer.contents, role="assistant", message_id=message_id)
            yield ChatResponseUpdate(role="assistant", message_id=message_id, finish_reason="stop")

        async def response() -> ChatResponse:
            return ChatResponse(messages=answer)

        return self._build_response_stream(updates()) if stream else response()


def says(text: str) -> Message:
    """An answer that is a text."""
    return Message("assistant", [Content.from_text(text)])


def calls(*names: str, text: str = "", **arguments: Any) -> Message:
    """An answer that calls tools; the id of a call is the name of the tool."""
    said = [Content.from_text(text)] if text else []
    return Message("assistant", said + [Content.from_function_call(name, name, arguments=arguments) for name in names])


def shown(messages: Iterable[Message]) -> list[tuple[str, ...]]:
    """The role of each message, and what the message says, calls or returns."""
    return [(message.role, *map(_content, message.contents)) for message in messages]


def _content(content: Content) -> str:
    if content.type == "function_call":
        return f"{content.name}()"
    return str(content.text if content.type == "text" else content.result)
