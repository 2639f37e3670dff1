"""Scripted models and tools."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from loopspec import Interruption, Message, ScriptedError, Stage, ToolCall
from loopspec.contract.agents import Agent, Model, Tool, Turn
from loopspec.contract.calls import ModelRequest, Resumed, ToolAnswer
from loopspec.contract.observation import ModelCall, ToolRun
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Called, Error, ToolInfo
from loopspec.stage import LiveStage

from ..staging import Inside, call_of, sent, staged

HELLO = Message(role="user", content="Hello.")
RUN = Run(id="1", messages=(HELLO,))
OFFERED = ToolInfo(name="t", description="explains")
AGAIN = Resumed(state={"left by": "asks", "call": "c3"}, data="yes")


def test_a_model_starts_its_turns_again_in_each_run() -> None:
    """A resumed run continues with the next turn; after the last turn, the model fails."""
    call = ToolCall(id="c", name="t")
    turns = (Turn(tool_calls=(call,)), Turn(text="two"), Turn(error=Error(kind="scripted", code="E")))
    runs = (RUN, Run(id="2"), Run(id="3", resume="1"), Run(id="4", resume="3"))
    scene = Scene(act="run", agent=Agent(model=Model(name="m", turns=turns)), runs=runs)

    async def steps(stage: LiveStage) -> None:
        for run in runs:
            with stage.runs.running(run):
                await stage.doubles.generate("m", replace(sent(HELLO), tools=(OFFERED,)))
        with stage.runs.running(runs[3]):
            await stage.doubles.generate("m", sent(HELLO))

    seen = staged(scene, steps)

    first = Message(role="assistant", tool_calls=(call,))
    second = Message(role="assistant", content="two")
    assert [(c.run, c.answer) for c in seen.model_calls] == [
        ("1", first),
        ("2", first),
        ("3", second),
        ("4", None),
        ("4", None),
    ]
    asked = ModelRequest(messages=(HELLO,), tools=(OFFERED,))
    assert seen.model_calls[0] == ModelCall(n=1, model="m", run="1", request=asked, answer=first)
    assert (seen.model_calls[0].messages, seen.model_calls[0].tools) == ((HELLO,), ("t",))
    assert [end.error and end.error.code for end in seen.runs] == [None, None, None, "E", "no more turns"]


def test_tools_return_fail_and_interrupt() -> None:
    """The tools of a sub-agent are scripted in the same way."""
    inner = Agent(name="inner", model=Model(name="inner model"), tools=(Tool(name="deep", text="found"),))
    tools = (
        Tool(name="fails", error=Error(kind="io")),
        Tool(name="asks", interrupts=True, text="resumed"),
        Tool(name="agent", agent=inner),
    )
    scene = Scene(act="run", agent=Agent(tools=tools), runs=(RUN,))

    async def steps(stage: LiveStage) -> None:
        doubles, inside = stage.doubles, Inside()
        assert await doubles.invoke(call_of("deep", "c1"), inside) == ToolAnswer(text="found")
        assert await doubles.generate("inner model", sent(HELLO)) == Message(role="assistant", content="done")
        with pytest.raises(ScriptedError, match="scripted error io"):
            await doubles.invoke(call_of("fails", "c2"), inside)
        with pytest.raises(Interruption) as interruption:
            await doubles.invoke(call_of("asks", "c3"), inside)
        assert interruption.value.info == "asks at c3"
        assert interruption.value.state == {"left by": "asks", "call": "c3"}
        again = replace(call_of("asks", "c3"), resumed=AGAIN)
        assert await doubles.invoke(again, inside) == ToolAnswer(text="resumed")

    seen = staged(scene, steps)

    assert [(call.tool, call.call.id, call.resumed) for call in seen.tool_runs] == [
        ("deep", "c1", None),
        ("fails", "c2", None),
        ("asks", "c3", None),
        ("asks", "c3", AGAIN),
    ]
    assert seen.tool_runs[0] == ToolRun(n=1, tool="deep", call=ToolCall(id="c1", name="deep"), run=None)


def test_a_model_without_a_turn_for_its_error_still_fails() -> None:
    """An error without a code is named by its kind."""
    scene = Scene(act="run", agent=Agent(model=Model(turns=(Turn(error=Error(kind="permission")),))), runs=(RUN,))

    async def steps(stage: LiveStage) -> None:
        with pytest.raises(ScriptedError, match="scripted error permission"):
            await stage.doubles.generate("model", sent())

    staged(scene, steps)


def test_models_and_tools_are_held_like_reads() -> None:
    """The model opens the tool's gate, and the tool opens the gate of the model's second turn."""
    turns = (Turn(text="one"), Turn(text="two", held=Called(double="tool t", times=2)))
    tool = Tool(name="t", held=Called(double="model model", times=2))
    scene = Scene(act="run", agent=Agent(model=Model(turns=turns), tools=(tool,)), runs=(RUN,))
    order: list[str] = []

    async def say(stage: Stage) -> None:
        for _ in range(2):
            answer = await stage.doubles.generate("model", sent(HELLO))
            order.append(answer.content if answer else "nothing")

    async def use(stage: Stage) -> None:
        for number in range(2):
            answer = await stage.doubles.invoke(call_of("t"), Inside())
            order.append(f"{answer.text if answer else 'nothing'} {number}")

    async def steps(stage: LiveStage) -> None:
        await asyncio.gather(say(stage), use(stage))

    assert staged(scene, steps).stuck == ()
    assert order == ["one", "ok 0", "ok 1", "two"]
