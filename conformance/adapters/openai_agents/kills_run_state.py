"""An agent of the OpenAI Agents SDK whose calls wait for approval: its caller keeps the state of the run in a file."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import kill_points
from agents import Agent, Model, ModelResponse, Runner, RunState, Usage, function_tool, set_tracing_disabled
from agents.testing import assistant_message, function_call

set_tracing_disabled(True)
PATH = kill_points.STORE / "state.json"


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


@function_tool(needs_approval=True)
async def reserve() -> str:
    """Reserve a seat."""
    return await kill_points.tool_async("reserve")


@function_tool(needs_approval=True)
async def charge() -> str:
    """Charge the card."""
    return await kill_points.tool_async("charge")


def messages() -> list[Any]:
    """The question and the items in the file."""
    if not PATH.exists():
        return []
    state = json.loads(PATH.read_text())
    question = state["original_input"]
    first = [{"role": "user", "content": question}] if isinstance(question, str) else question
    return [*first, *(one["raw_item"] for one in state["generated_items"])]


async def run() -> str:
    """Begin the run, or resume it from its state. A person approves each call."""
    agent = Agent("agent", model=Scripted(), tools=[reserve, charge])
    given: Any = await RunState.from_string(agent, PATH.read_text()) if PATH.exists() else kill_points.ASKED
    kill_points.history("before", "openai-responses", messages())
    while True:
        for item in given.get_interruptions() if isinstance(given, RunState) else ():
            given.approve(item)
        result = await Runner.run(agent, given)
        given = result.to_state()
        PATH.write_text(given.to_string())
        if not result.interruptions:
            break
    kill_points.history("after", "openai-responses", messages())
    return str(result.final_output)


def another_version() -> None:
    """Change the version of the schema in the file."""
    PATH.write_text(json.dumps({**json.loads(PATH.read_text()), "$schemaVersion": "99.0"}))


if __name__ == "__main__":
    kill_points.main(
        {"begin": run, "resume": run, "another-version": another_version},
        ["openai-agents"],
        store="a file that the caller writes with `to_string` of `RunState` after each `Runner.run`",
        resume="`Runner.run(agent, await RunState.from_string(agent, text))`, after `approve` for each call",
        know=(
            "The file has the calls of an answer when they wait for approval. The approved calls run after that, and "
            "the file has their results when the run has ended."
        ),
    )
