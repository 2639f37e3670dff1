"""An agent of Strands Agents whose session is kept by its file session manager."""

from __future__ import annotations

import json
from typing import Any

import kill_points
from strands import Agent, tool
from strands.models import Model
from strands.session.file_session_manager import FileSessionManager


class Scripted(Model):
    """A model without a network."""

    def update_config(self, **model_config: Any) -> None: ...

    def get_config(self) -> dict[str, Any]:
        return {}

    def structured_output(self, *args: Any, **kwargs: Any) -> Any: ...

    async def stream(self, messages: Any, tool_specs: Any = None, system_prompt: Any = None, **kwargs: Any) -> Any:
        blocks = [block for message in messages for block in message["content"]]
        wanted = await kill_points.model_async(*_calls_and_results(blocks))
        yield {"messageStart": {"role": "assistant"}}
        for call, name in wanted:
            yield {"contentBlockStart": {"start": {"toolUse": {"toolUseId": call, "name": name}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": "{}"}}}}
            yield {"contentBlockStop": {}}
        if not wanted:
            yield {"contentBlockDelta": {"delta": {"text": kill_points.FINAL}}}
            yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use" if wanted else "end_turn"}}


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
    stored = [json.loads(path.read_text())["message"] for path in _files()]
    kill_points.history("before", "openai-chat", _chat(stored))
    manager = FileSessionManager("1", str(kill_points.STORE))
    agent = Agent(model=Scripted(), tools=[reserve, charge], session_manager=manager, callback_handler=None)
    result = await agent.invoke_async("Continue." if agent.messages else kill_points.ASKED)
    kill_points.history("after", "openai-chat", _chat(agent.messages))
    return str(result)


def _files() -> list[Any]:
    found = kill_points.STORE.glob("**/message_*.json")
    return sorted(found, key=lambda path: int(path.stem.partition("_")[2]))


def _chat(messages: Any) -> list[dict[str, Any]]:
    chat: list[dict[str, Any]] = []
    for message in messages:
        text = "".join(one.get("text", "") for one in message["content"])
        chat += kill_points.chat(message["role"], text, *_calls_and_results(message["content"]))
    return chat


def _calls_and_results(blocks: Any) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    calls = [(one["toolUse"]["toolUseId"], one["toolUse"]["name"]) for one in blocks if "toolUse" in one]
    answered = [one["toolResult"] for one in blocks if "toolResult" in one]
    return calls, [(one["toolUseId"], str(one["content"])) for one in answered]


if __name__ == "__main__":
    kill_points.main(
        {"begin": run, "resume": run},
        ["strands-agents"],
        store="`FileSessionManager`",
        resume='`agent("Continue.")` with a new agent of the session',
        know=(
            "An answer is stored before its tools run, and the results of one answer together. A restored "
            "call without a result gets one that says that it was interrupted."
        ),
    )
