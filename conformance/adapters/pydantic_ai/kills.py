"""An agent of Pydantic AI whose messages its caller keeps in a file, as the page about message history shows."""

from __future__ import annotations

import json

import kill_points
from pydantic_ai import Agent, ModelMessage, ModelMessagesTypeAdapter, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

PATH = kill_points.STORE / "messages.json"


async def scripted(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """A model without a network."""
    parts = [part for message in messages for part in message.parts]
    calls = [(part.tool_call_id, part.tool_name) for part in parts if part.part_kind == "tool-call"]
    results = [(part.tool_call_id, str(part.content)) for part in parts if part.part_kind == "tool-return"]
    wanted = await kill_points.model_async(calls, results)
    return ModelResponse(
        [ToolCallPart(name, {}, tool_call_id=call) for call, name in wanted] or [TextPart(kill_points.FINAL)]
    )


agent = Agent(FunctionModel(scripted))


@agent.tool_plain
async def reserve() -> str:
    """Reserve a seat."""
    return await kill_points.tool_async("reserve")


@agent.tool_plain
async def charge() -> str:
    """Charge the card."""
    return await kill_points.tool_async("charge")


async def run() -> str:
    """Begin the run, or continue the stored messages. All messages are stored when the run has ended."""
    stored = ModelMessagesTypeAdapter.validate_json(PATH.read_bytes()) if PATH.exists() else []
    kill_points.history("before", "pydantic-ai", ModelMessagesTypeAdapter.dump_python(stored, mode="json"))
    result = await agent.run("Continue." if stored else kill_points.ASKED, message_history=stored)
    new = PATH.with_suffix(".new")
    new.write_bytes(result.all_messages_json())
    new.replace(PATH)
    kill_points.history("after", "pydantic-ai", json.loads(result.all_messages_json()))
    return result.output


if __name__ == "__main__":
    kill_points.main(
        {"begin": run, "resume": run},
        ["pydantic-ai-slim"],
        store="a file of the caller with `result.all_messages_json()`",
        resume='`agent.run("Continue.", message_history=stored)`',
        know="The caller has the messages when the run ends, so that nothing of a killed run is kept.",
    )
