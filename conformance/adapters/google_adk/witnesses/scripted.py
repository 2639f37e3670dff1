"""A model that gives its answers in order, and keeps the requests of its calls; a user who confirms tool calls."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from typing import Any

from google.adk.events import Event
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.genai import types


class Scripted(BaseLlm):
    """An answer is a text, or a list of parts. An exception is raised. In a streaming run, an answer is one chunk."""

    model: str = "scripted"
    answers: list[Any]
    requests: list[LlmRequest] = []

    def __init__(self, *answers: str | list[types.Part] | Exception) -> None:
        super().__init__(answers=list(answers))

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        self.requests.append(llm_request)
        answer = self.answers[len(self.requests) - 1]
        if isinstance(answer, Exception):
            raise answer
        if stream:
            yield LlmResponse(content=types.ModelContent(answer), partial=True)
        yield LlmResponse(content=types.ModelContent(answer), finish_reason=types.FinishReason.STOP)


def call(name: str, **args: Any) -> types.Part:
    """A tool call; its id is the name of the tool."""
    return types.Part(function_call=types.FunctionCall(id=name, name=name, args=args))


async def confirm(runner: Runner, events: Iterable[Event]) -> list[Event]:
    """Confirm the tool call that waits after a run of `run_debug`, and return the events of the resumed run."""
    calls = (one for event in events for one in event.get_function_calls())
    asked = next(one for one in calls if one.name == "adk_request_confirmation")
    answer = types.FunctionResponse(id=asked.id, name=asked.name, response={"confirmed": True})
    message = types.UserContent(types.Part(function_response=answer))
    user = {"user_id": "debug_user_id", "session_id": "debug_session_id"}
    return [event async for event in runner.run_async(**user, new_message=message)]


def shown(contents: Iterable[types.Content | None]) -> list[str]:
    """The parts of contents, each with the role, and the text, the call or the result."""
    return [f"{one.role}: {_part(part)}" for one in contents if one for part in one.parts or ()]


def _part(part: types.Part) -> str:
    if part.function_call:
        return f"{part.function_call.name}({part.function_call.args or ''})"
    if part.function_response:
        return f"{part.function_response.name} -> {part.function_response.response}"
    return repr(part.text)
