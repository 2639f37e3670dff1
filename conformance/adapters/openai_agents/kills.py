"""An agent of the OpenAI Agents SDK whose history is kept by its SQLite session."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import kill_points
from agents import Agent, Model, ModelResponse, Runner, SQLiteSession, Usage, function_tool, set_tracing_disabled
from agents.testing import assistant_message, function_call

set_tracing_disabled(True)


class Scripted(Model):
    """A model without a network."""

    async def get_response(self, *_: Any, **request: Any) -> ModelResponse:
        items = [one for one in request["input"] if isinstance(one, dict)]
        calls = [(one["call_id"], one["name"]) for one in items if one.get("type") == "function_call"]
        results = [(one["call_id"], str(one["output"])) for one in items if one.get("type") == "function_call_output"]
        wanted = await kill_points.model_async(calls, results)
        answer: list[Any] = [function_call(name, {}, call_id=call) for call, name in wanted]
        return ModelResponse(answer or [assistant_message(kill_points.FINAL)], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


@function_tool
async def reserve() -> str:
    """Reserve a seat."""
    return await kill_points.tool_async("reserve")


@function_tool
async def charge() -> str:
    """Charge the card."""
    return await kill_points.tool_async("charge")


async def run() -> str:
    """Begin the run, or continue its session with a new message of the user."""
    session = SQLiteSession("1", kill_points.STORE / "sessions.sqlite")
    stored = await session.get_items()
    kill_points.history("before", "openai-responses", stored)
    question = "Continue." if stored else kill_points.ASKED
    result = await Runner.run(Agent("agent", model=Scripted(), tools=[reserve, charge]), question, session=session)
    kill_points.history("after", "openai-responses", await session.get_items())
    return str(result.final_output)


if __name__ == "__main__":
    kill_points.main(
        {"begin": run, "resume": run},
        ["openai-agents"],
        store="`SQLiteSession`",
        resume='`Runner.run(agent, "Continue.", session=session)`',
        know=(
            "The session has the message of the user from the start, and an answer when all its tools have returned."
        ),
    )
