"""Scripted models and tools."""

from __future__ import annotations

import asyncio

import pytest

from loopspec import Interruption, Message, ScriptedError, Stage, ToolCall
from loopspec.contract.agents import Agent, Model, Tool, Turn
from loopspec.contract.observation import ModelCall, ToolRun
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Called, Error
from loopspec.stage import LiveStage

from .staging import staged

HELLO = Message(role="user", content="Hello.")
RUN = Run(id="1", messages=(HELLO,))


def test_a_model_plays_its_turns_for_each_run_anew() -> None:
    """A resumed run goes on with the turn after the last one; after the last turn of all, the model fails."""
    call = ToolCall(id="c", name="t")
    turns = (Turn(tool_calls=(call,)), Turn(text="two"), Turn(error=Error(kind="scripted", code="E")))
    runs = (RUN, Run(id="2"), Run(id="3", resume="1"), Run(id="4", resume="3"))
    scene = Scene(act="run", agent=Agent(model=Model(name="m", turns=turns)), runs=runs)

    async def course(stage: LiveStage) -> None:
        for run in runs:
            with stage.runs.running(run):
                await stage.doubles.generate("m", [HELLO], ["t"])
        with stage.runs.running(runs[3]):
            await stage.doubles.generate("m", [HELLO], [])

    seen = staged(scene, course)

    first = Message(role="assistant", tool_calls=(call,))
    second = Message(role="assistant", content="two")
    assert [(c.run, c.answer) for c in seen.model_calls] == [
        ("1", first),
        ("2", first),
        ("3", second),
        ("4", None),
        ("4", None),
    ]
    assert seen.model_calls[0] == ModelCall(n=0, model="m", run="1", messages=(HELLO,), tools=("t",), answer=first)
    assert [end.error and end.error.code for end in seen.runs] == [None, None, None, "E", "no more turns"]


def test_tools_return_fail_and_ask_to_be_resumed() -> None:
    """As their scene says; those of a sub-agent too."""
    inner = Agent(name="inner", model=Model(name="inner model"), tools=(Tool(name="deep", text="found"),))
    tools = (
        Tool(name="fails", error=Error(kind="io")),
        Tool(name="asks", interrupts=True, text="resumed"),
        Tool(name="agent", agent=inner),
    )
    scene = Scene(act="run", agent=Agent(tools=tools), runs=(RUN,))

    async def course(stage: LiveStage) -> None:
        doubles = stage.doubles
        assert await doubles.invoke("deep", "{}", "c1") == "found"
        assert (await doubles.generate("inner model", [HELLO], [])).content == "done"
        with pytest.raises(ScriptedError, match="scripted error io"):
            await doubles.invoke("fails", "{}", "c2")
        with pytest.raises(Interruption) as interruption:
            await doubles.invoke("asks", "{}", "c3")
        assert interruption.value.state == "asks"
        assert await doubles.invoke("asks", "{}", "c3", resumed=True) == "resumed"

    seen = staged(scene, course)

    assert [(call.tool, call.call.id, call.resumed) for call in seen.tool_runs] == [
        ("deep", "c1", False),
        ("fails", "c2", False),
        ("asks", "c3", False),
        ("asks", "c3", True),
    ]
    assert seen.tool_runs[0] == ToolRun(n=0, tool="deep", call=ToolCall(id="c1", name="deep"), run=None)


def test_a_model_without_a_turn_for_its_error_still_fails() -> None:
    """An error that has no code is named by its kind."""
    scene = Scene(act="run", agent=Agent(model=Model(turns=(Turn(error=Error(kind="permission")),))), runs=(RUN,))

    async def course(stage: LiveStage) -> None:
        with pytest.raises(ScriptedError, match="scripted error permission"):
            await stage.doubles.generate("model", [], [])

    staged(scene, course)


def test_models_and_tools_are_held_like_reads() -> None:
    """The model lets the tool go, and the tool the model's second turn."""
    turns = (Turn(text="one"), Turn(text="two", held=Called(double="tool t", times=2)))
    tool = Tool(name="t", held=Called(double="model model", times=2))
    scene = Scene(act="run", agent=Agent(model=Model(turns=turns), tools=(tool,)), runs=(RUN,))
    order: list[str] = []

    async def say(stage: Stage) -> None:
        for _ in range(2):
            order.append((await stage.doubles.generate("model", [HELLO], [])).content)

    async def use(stage: Stage) -> None:
        for number in range(2):
            order.append(f"{await stage.doubles.invoke('t', '{}', 'c')} {number}")

    async def course(stage: LiveStage) -> None:
        await asyncio.gather(say(stage), use(stage))

    assert staged(scene, course).stuck == ()
    assert order == ["one", "ok 0", "ok 1", "two"]
