"""Scripted models and tools: their turns, and their answers in chunks, in cases that no feature reaches."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TypeVar

import pytest
from msgspec.structs import replace

from loopspec import Message, ScriptedError
from loopspec.contract.agents import Agent, Model, Tool, Turn
from loopspec.contract.calls import ToolAnswer
from loopspec.contract.doubles import ScriptedCrash
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Began, Error
from loopspec.stage import LiveStage

from ..staging import HELLO, ONE, Inside, call_of, sent, staged

E = Error(kind="scripted", code="E")
T = TypeVar("T")


async def take(chunks: AsyncIterator[T], read: list[T]) -> None:
    """Read a stream until it ends or breaks."""
    async for chunk in chunks:
        read.append(chunk)


def test_a_model_starts_its_turns_again_in_each_run() -> None:
    """A resumed run continues with the next turn; after the last turn, the model fails."""
    turns = (Turn(text="one"), Turn(text="two"), Turn(error=Error(kind="permission")))
    runs = (ONE, Run(id="2"), Run(id="3", resume="1"), Run(id="4", resume="3"))
    scene = Scene(act="run", agent=Agent(model=Model(name="m", turns=turns)), runs=runs)

    async def steps(stage: LiveStage) -> None:
        for run in (*runs, runs[3]):
            with stage.runs.running(run):
                await stage.doubles.generate("m", sent(HELLO))

    seen = staged(scene, steps)

    assert [call.answer and call.answer.content for call in seen.model_calls] == ["one", "one", "two", None, None]
    assert [end.error and end.error.code for end in seen.runs] == [None, None, None, "permission", "no more turns"]


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


@pytest.mark.parametrize(
    ("tool", "chunks"),
    [
        (Tool(name="t", chunks=("a", "b")), [ToolAnswer(text="a"), ToolAnswer(text="b")]),
        (Tool(name="t", texts=("one", "two")), [ToolAnswer(text="one")]),
        (Tool(name="t", nothing=True), []),
        (Tool(name="t", error=E, chunks=("a", "b"), breaks=1), [ToolAnswer(text="a")]),
        (Tool(name="t", crash=True), []),
        (Tool(name="t", parses=True), []),  # the arguments are no JSON
        (Tool(name="t", held=Began(run="2")), []),  # a gate that cannot open
    ],
)
def test_a_tool_answers_in_chunks(tool: Tool, chunks: list[ToolAnswer]) -> None:
    """A tool may fail before its first chunk, or break."""
    request = replace(call_of("t", args="{"), kind="streamable")
    read: list[ToolAnswer] = []

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            await take(stage.doubles.invoke_streaming(request, Inside()), read)

    seen = staged(Scene(act="run", agent=Agent(tools=(tool,)), runs=(ONE,)), steps)

    fails = tool.error or tool.crash or tool.parses or tool.held
    assert (read, [end.error is None for end in seen.runs]) == (chunks, [not fails])
    assert seen.stuck == (("held until run 2 begins, which never came",) if tool.held else ())
