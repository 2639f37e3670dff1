"""Models that give their answers in order, and keep the messages of their calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult


class Scripted(BaseChatModel):
    """An answer is a message, or an error that is raised. `tools` are the names of the tools bound for each call."""

    answers: list[Any]
    calls: list[list[BaseMessage]] = []
    tools: list[list[str]] = []

    def __init__(self, *answers: Any, **options: Any) -> None:
        super().__init__(answers=list(answers), **options)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Scripted:
        self.tools.append([tool.name for tool in tools])
        return self

    def _next(self, messages: list[BaseMessage]) -> Any:
        self.calls.append(messages)
        return self.answers[len(self.calls) - 1]

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        answer = self._next(messages)
        if isinstance(answer, Exception):
            raise answer
        return ChatResult(generations=[ChatGeneration(message=answer.model_copy())])


class Streamed(Scripted):
    """An answer is a list of its chunks: texts, and errors that are raised."""

    def _stream(self, messages: list[BaseMessage], *_: Any, **__: Any) -> Iterator[ChatGenerationChunk]:
        for part in self._next(messages):
            if isinstance(part, Exception):
                raise part
            yield ChatGenerationChunk(message=AIMessageChunk(part))


def call(name: str, **args: Any) -> dict[str, Any]:
    """A tool call; its id is the name of the tool."""
    return {"name": name, "args": args, "id": name, "type": "tool_call"}
