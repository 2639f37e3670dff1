"""Scripted models and tools that answer in chunks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TypeVar

import pytest
from msgspec.structs import replace

from loopspec import Message, ScriptedError, ToolCall
from loopspec.contract.agents import Agent, Model, Tool, Turn
from loopspec.contract.calls import ToolAnswer
from loopspec.contract.doubles import ScriptedCrash
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Began, Error, Part, ToolKind
from loopspec.stage import LiveStage

from ..staging import Inside, call_of, sent, staged

HELLO = Message(role="user", content="Hello.")
CALL = ToolCall(id="c", name="t")
E = Error(kind="scripted", code="E")
RUN = Run(id="1")


T = TypeVar("T")


async def take(chunks: AsyncIterator[T], read: list[T]) -> None:
    """Read a stream until it ends or breaks."""
    async for chunk in chunks:
        read.append(chunk)


@pytest.mark.parametrize(
    ("turn", "error"),
    [
        (Turn(chunks=("a", "b", "c"), error=E), ScriptedError),
        (Turn(chunks=("a", "b", "c"), error=E, breaks=2), ScriptedError),
        (Turn(chunks=("a", "b", "c"), error=E, breaks=2, crash=True), ScriptedCrash),
        (Turn(chunks=("a", "b", "c"), crash=True, breaks=3), ScriptedCrash),
    ],
)
def test_a_model_breaks_after_some_chunks(turn: Turn, error: type[Exception]) -> None:
    """A break may precede the first chunk; without a stream, the call fails. The record has no answer."""
    read: list[Message] = []

    async def steps(stage: LiveStage) -> None:
        with pytest.raises(error):
            await take(stage.doubles.stream("model", sent(HELLO)), read)
        with pytest.raises(error):
            await stage.doubles.generate("model", sent(HELLO))

    seen = staged(Scene(act="run", agent=Agent(model=Model(turns=(turn, turn)))), steps)

    assert [chunk.content for chunk in read] == ["a", "b", "c"][: turn.breaks]
    assert [call.answer for call in seen.model_calls] == [None, None]


TEXTS = [ToolAnswer(text="a"), ToolAnswer(text="b")]
PARTS = (Part(text="a"), Part(url="u"))


@pytest.mark.parametrize(
    ("tool", "kind", "chunks"),
    [
        (Tool(name="t", text="ab"), "streamable", [ToolAnswer(text="ab")]),
        (Tool(name="t", chunks=("a", "b")), "streamable", TEXTS),
        (Tool(name="t", texts=("one", "two")), "streamable", [ToolAnswer(text="one")]),
        (Tool(name="t", echoes=True), "streamable", [ToolAnswer(text="{}")]),
        (Tool(name="t", nothing=True), "streamable", []),
        (Tool(name="t", parts=PARTS), "enhanced streamable", [ToolAnswer(parts=(part,)) for part in PARTS]),
    ],
)
def test_a_tool_answers_in_chunks(tool: Tool, kind: ToolKind, chunks: list[ToolAnswer]) -> None:
    """Chunks are text or parts; the record has the kind of the called interface."""
    request = replace(call_of("t"), kind=kind, options={"o": 1})

    async def steps(stage: LiveStage) -> None:
        assert [chunk async for chunk in stage.doubles.invoke_streaming(request, Inside())] == chunks

    seen = staged(Scene(act="run", agent=Agent(tools=(tool,))), steps)
    assert [(run.tool, run.call, run.kind, run.options) for run in seen.tool_runs] == [("t", CALL, kind, {"o": 1})]


def test_a_streaming_tool_waits_before_its_first_chunk() -> None:
    """A gate that cannot open is reported."""
    tool = Tool(name="t", held=Began(run="2"))

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            assert [chunk async for chunk in stage.doubles.invoke_streaming(call_of("t"), Inside())]

    seen = staged(Scene(act="run", agent=Agent(tools=(tool,)), runs=(RUN,)), steps)
    assert seen.stuck == ("held until run 2 begins, which never came",)
