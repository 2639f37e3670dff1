"""Scripted models and tools that answer in chunks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TypeVar

import pytest
from msgspec.structs import replace

from loopspec import Interruption, Message, ScriptedError, ToolCall
from loopspec.contract.agents import Agent, Model, Tool, Turn
from loopspec.contract.calls import Resumed, ToolAnswer
from loopspec.contract.doubles import ScriptedCrash
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Appeared, Began, Error, Part, ToolKind
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


def saying(text: str, *calls: ToolCall) -> Message:
    """A chunk or a whole answer."""
    return Message(role="assistant", content=text, tool_calls=calls)


@pytest.mark.parametrize(
    ("turn", "chunks", "whole"),
    [
        (Turn(text="one two"), [saying("one two")], saying("one two")),
        (Turn(chunks=("one ", "two")), [saying("one "), saying("two")], saying("one two")),
        (Turn(text="no", chunks=("a", "b"), tool_calls=(CALL,)), [saying("a"), saying("b", CALL)], saying("ab", CALL)),
        (Turn(tool_calls=(CALL,)), [saying("", CALL)], saying("", CALL)),
        (Turn(nothing=True), [], None),
    ],
)
def test_a_model_answers_in_chunks(turn: Turn, chunks: list[Message], whole: Message | None) -> None:
    """The chunks add up to the whole answer; tool calls are in the last chunk. The record has the whole answer."""

    async def steps(stage: LiveStage) -> None:
        assert [chunk async for chunk in stage.doubles.stream("model", sent(HELLO))] == chunks
        assert await stage.doubles.generate("model", sent(HELLO)) == whole

    seen = staged(Scene(act="run", agent=Agent(model=Model(turns=(turn, turn)))), steps)
    assert [call.answer for call in seen.model_calls] == [whole, whole]


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


def test_a_model_waits_before_a_chunk() -> None:
    """The model may wait before the first chunk as well; earlier chunks are already read."""
    turn = Turn(chunks=("a", "b"), held=Began(run="2"), waits={1: Appeared(run="2")})
    runs = (RUN, Run(id="2", together=True))
    order: list[str] = []

    async def streams(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            async for chunk in stage.doubles.stream("model", sent(HELLO)):
                order.append(chunk.content)

    async def other(stage: LiveStage) -> None:
        await asyncio.sleep(0)
        order.append("begins")
        with stage.runs.running(runs[1]):
            for _ in range(5):
                await asyncio.sleep(0)
            order.append("shows")
            stage.runs.event("agent", HELLO)

    async def steps(stage: LiveStage) -> None:
        await asyncio.gather(streams(stage), other(stage))

    seen = staged(Scene(act="run", agent=Agent(model=Model(turns=(turn,))), runs=runs), steps)
    assert (order, seen.stuck) == (["begins", "a", "shows", "b"], ())


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


def test_an_invoked_enhanced_tool_returns_all_parts() -> None:
    """Without a stream, all parts are returned together."""

    async def steps(stage: LiveStage) -> None:
        request = replace(call_of("t"), kind="enhanced invokable")
        assert await stage.doubles.invoke(request, Inside()) == ToolAnswer(parts=PARTS)

    staged(Scene(act="run", agent=Agent(tools=(Tool(name="t", parts=PARTS),))), steps)


@pytest.mark.parametrize("breaks", [0, 1, 2])
@pytest.mark.parametrize("crash", [False, True])
def test_a_tool_breaks_after_some_chunks(breaks: int, crash: bool) -> None:
    """A break may precede the first chunk."""
    tool = Tool(name="t", chunks=("a", "b"), error=E, breaks=breaks, crash=crash)
    read: list[ToolAnswer] = []

    async def steps(stage: LiveStage) -> None:
        with pytest.raises(ScriptedCrash if crash else ScriptedError):
            await take(stage.doubles.invoke_streaming(call_of("t"), Inside()), read)

    staged(Scene(act="run", agent=Agent(tools=(tool,))), steps)
    assert read == TEXTS[:breaks]


def test_a_streaming_tool_interrupts_after_its_chunks() -> None:
    """The resumed call returns all chunks."""
    tool = Tool(name="t", chunks=("a", "b"), interrupts=True)
    read: list[ToolAnswer] = []

    async def steps(stage: LiveStage) -> None:
        with pytest.raises(Interruption):
            await take(stage.doubles.invoke_streaming(call_of("t"), Inside()), read)
        again = replace(call_of("t"), resumed=Resumed())
        assert [chunk async for chunk in stage.doubles.invoke_streaming(again, Inside())] == TEXTS

    staged(Scene(act="run", agent=Agent(tools=(tool,))), steps)
    assert read == TEXTS


def test_a_streaming_tool_waits_before_its_first_chunk() -> None:
    """A gate that cannot open is reported."""
    tool = Tool(name="t", held=Began(run="2"))

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            assert [chunk async for chunk in stage.doubles.invoke_streaming(call_of("t"), Inside())]

    seen = staged(Scene(act="run", agent=Agent(tools=(tool,)), runs=(RUN,)), steps)
    assert seen.stuck == ("held until run 2 begins, which never came",)
