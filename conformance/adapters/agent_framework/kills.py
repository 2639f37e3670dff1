"""An agent of Microsoft Agent Framework whose history is kept by its file provider, after each model call."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import kill_points
from agent_framework import (
    Agent,
    AgentSession,
    BaseChatClient,
    ChatMiddlewareLayer,
    ChatResponse,
    Content,
    FileHistoryProvider,
    FunctionInvocationLayer,
    Message,
    tool,
)


class Scripted(FunctionInvocationLayer, ChatMiddlewareLayer, BaseChatClient):
    """A model without a network."""

    def _inner_get_response(
        self, *, messages: Sequence[Message], stream: bool, options: Mapping[str, Any], **_: Any
    ) -> Any:
        contents = [content for message in copy.deepcopy(messages) for content in message.contents]
        calls, results = _calls_and_results(contents)

        async def response() -> ChatResponse:
            wanted = await kill_points.model_async(calls, results)
            said = [Content.from_function_call(call, name, arguments={}) for call, name in wanted]
            return ChatResponse(messages=Message("assistant", said or [Content.from_text(kill_points.FINAL)]))

        return response()


@tool
async def reserve() -> str:
    """Reserve a seat."""
    return await kill_points.tool_async("reserve")


@tool
async def charge() -> str:
    """Charge the card."""
    return await kill_points.tool_async("charge")


async def run() -> str:
    """Begin the run, or continue the session with a new message of the user."""
    provider = FileHistoryProvider(kill_points.STORE)
    stored = await provider.get_messages("1")
    kill_points.history("before", "openai-chat", _chat(stored))
    agent = Agent(
        Scripted(),
        tools=[reserve, charge],
        context_providers=[provider],
        require_per_service_call_history_persistence=True,
    )
    question = "Continue." if stored else kill_points.ASKED
    response = await agent.run(question, session=AgentSession(session_id="1"))
    kill_points.history("after", "openai-chat", _chat(await provider.get_messages("1")))
    return response.text


def _chat(messages: Sequence[Message]) -> list[dict[str, Any]]:
    chat: list[dict[str, Any]] = []
    for message in messages:
        calls, results = _calls_and_results(message.contents)
        chat += kill_points.chat(message.role, message.text, calls, results)
    return chat


def _calls_and_results(contents: Sequence[Content]) -> tuple[list[Any], list[Any]]:
    calls = [(one.call_id, one.name) for one in contents if one.type == "function_call"]
    results = [(one.call_id, str(one.result)) for one in contents if one.type == "function_result"]
    return calls, results


if __name__ == "__main__":
    kill_points.main(
        {"begin": run, "resume": run},
        ["agent-framework-core"],
        store="`FileHistoryProvider` with `require_per_service_call_history_persistence`",
        resume='`agent.run("Continue.", session=session)`',
        know=(
            "With this option, an answer is stored before its tools run, and the next run sends its calls "
            "without results. Without it, the history is stored when the run ends."
        ),
    )
