"""The reference with its own store: a folder in which each step of a run replaces the checkpoint of the run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

import kill_points
import msgspec

from loopspec_reference import (
    Agent,
    CheckpointFolder,
    ErrorEvent,
    Message,
    MessageEvent,
    ModelRequest,
    ToolCall,
    ToolContext,
    ToolInfo,
    ToolRequest,
)


class Scripted:
    """A model without a network."""

    async def generate(self, request: ModelRequest[Message]) -> Message:
        """Answer by what the request says."""
        calls = [(call.id, call.name) for message in request.messages for call in message.tool_calls]
        results = [(one.call_id or "", one.content) for one in request.messages if one.role == "tool"]
        wanted = await kill_points.model_async(calls, results)
        text = "" if wanted else kill_points.FINAL
        return Message.assistant(text, [ToolCall(call, name) for call, name in wanted])

    async def stream(self, request: ModelRequest[Message]) -> AsyncIterator[Message]:
        """The whole answer as one chunk."""
        yield await self.generate(request)


class Effect:
    """A tool with an effect."""

    def __init__(self, name: str) -> None:
        self.info = ToolInfo(name, f"Does what its name says: {name}.")

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Have the effect."""
        return await kill_points.tool_async(self.info.name)


async def run() -> str:
    """Begin the run, or resume it from its last checkpoint."""
    agent = Agent(model=Scripted(), message_type=Message, tools=[Effect(name) for name in kill_points.DONE])
    with CheckpointFolder(kill_points.STORE).run("1") as saved:
        _show("before", saved.checkpoint)
        if saved.checkpoint is None:
            events = agent.run([Message.user(kill_points.ASKED)], save=saved.save)
        else:
            events = agent.resume(saved.checkpoint, save=saved.save)
        answer = Message.assistant("")
        async for event in events:
            if isinstance(event, ErrorEvent):
                raise event.error
            assert isinstance(event, MessageEvent)
            answer = msgspec.convert(event.message, type=Message)
        _show("after", saved.checkpoint, answer)
        return answer.content


async def another_version() -> str:
    """Give the file a later version."""
    (path,) = kill_points.STORE.glob("*.checkpoint")
    path.write_bytes(path.read_bytes().replace(b" 1 ", b" 2 ", 1))
    return "2"


class _Stored(msgspec.Struct):
    """What a checkpoint has of the conversation: in the middle of tool calls, their results stand apart."""

    messages: tuple[Message, ...]
    results: dict[int, Message] = {}


def _show(when: str, checkpoint: bytes | None, *more: Message) -> None:
    stored = msgspec.json.decode(checkpoint, type=_Stored) if checkpoint else _Stored(())
    found: Sequence[Message] = (*stored.messages, *(stored.results[at] for at in sorted(stored.results)), *more)
    kill_points.history(when, "openai-chat", [one for message in found for one in _chat(message)])


def _chat(message: Message) -> list[dict[str, Any]]:
    if message.call_id:
        return kill_points.chat(message.role, "", results=[(message.call_id, message.content)])
    return kill_points.chat(message.role, message.content, [(one.id, one.name) for one in message.tool_calls])


if __name__ == "__main__":
    kill_points.main(
        {"begin": run, "resume": run, "another-version": another_version},
        ["loopspec"],
        store="`CheckpointFolder`",
        resume="`agent.resume(saved.checkpoint, save=saved.save)`",
        know=(
            "A checkpoint is written before each model call, before the first tool of an answer, and when a tool "
            "returns. The process that resumes a run holds its file alone."
        ),
    )
