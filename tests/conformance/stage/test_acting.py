"""What scripted doubles do in cases that no feature reaches: actions, turns, and answers in chunks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TypeVar

import pytest
from msgspec.structs import replace

from loopspec import Message, Observation, ScriptedError
from loopspec.contract.actions import (
    Action,
    AddContext,
    DeleteLocal,
    GetLocal,
    GetSession,
    Raise,
    Script,
    SendEvent,
    SendMessage,
    SetLocal,
    SetSession,
)
from loopspec.contract.agents import Agent, Model, Scripted, Tool, Turn
from loopspec.contract.calls import AgentStart, ToolAnswer
from loopspec.contract.doubles import ScriptedCrash
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Began, Error
from loopspec.stage import LiveStage

from ..staging import HELLO, ONE, Inside, call_of, sent, staged


def acted(inside: Inside, *actions: Action) -> Observation:
    """The observation of a handler that performs these actions, and of a tool that does and then fails."""
    handler = Scripted(name="H", scripts=(Script(hook="before agent", actions=actions),))
    tool = Tool(name="t", actions=(*actions, Raise(code="E")))

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            await stage.doubles.before_agent("H", AgentStart(), inside)
            await stage.doubles.invoke(call_of("t"), inside)

    return staged(Scene(act="run", agent=Agent(tools=(tool,), handlers=(handler,)), runs=(ONE,)), steps)


def test_values_read_before_a_tool_fails_are_recorded() -> None:
    """The record is kept, as for a hook."""
    inside = Inside()
    inside.local["k"] = 7

    seen = acted(inside, GetLocal(key="k"))

    assert [seen.hooks[0].found, seen.tool_runs[0].found] == [{"k": 7}] * 2
    assert [end.error and end.error.code for end in seen.runs] == ["E"]


def test_a_rejection_is_recorded_and_not_raised() -> None:
    """A rejection is recorded by its action, and the next actions are performed."""
    actions: list[Action] = [
        SetLocal(key="a"),
        GetLocal(key="a"),
        DeleteLocal(key="a"),
        SetSession(key="b", value=1),
        GetSession(key="b"),
        SendEvent(payload="e"),
        SendMessage(text="m"),
        AddContext(key="k", value=1),
    ]

    seen = acted(Inside(fails=PermissionError("no")), *actions)

    refusal = Error(kind="permission", message="no")
    rejected = ["set a", "get a", "delete a", "set b", "get b", "send event", "send message"]
    (call,) = seen.hooks
    assert (call.found, call.missing) == ({}, ())
    assert call.refused == dict.fromkeys(rejected, refusal)


def test_each_action_is_tried_outside_a_run() -> None:
    """Each action is performed or rejected outside a run."""

    async def steps(stage: LiveStage) -> None:
        stage.doubles.outside(Inside())
        stage.doubles.outside(Inside(fails=LookupError("no")))

    actions = ["set", "get", "delete", "send event"]
    tried = staged(Scene(act="outside"), steps).outside
    assert [(one.what, one.error and one.error.message) for one in tried] == [
        *((action, None) for action in actions),
        *((action, "LookupError: no") for action in actions),
    ]


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
