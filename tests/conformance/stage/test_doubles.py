"""Scripted models and tools."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from loopspec import Message, ScriptedError, ToolCall
from loopspec.contract.agents import Agent, Model, Turn
from loopspec.contract.calls import ModelRequest
from loopspec.contract.observation import ModelCall
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Error, ToolInfo
from loopspec.stage import LiveStage

from ..staging import sent, staged

HELLO = Message(role="user", content="Hello.")
RUN = Run(id="1", messages=(HELLO,))
OFFERED = ToolInfo(name="t", description="explains")


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


def test_a_model_without_a_turn_for_its_error_still_fails() -> None:
    """An error without a code is named by its kind."""
    scene = Scene(act="run", agent=Agent(model=Model(turns=(Turn(error=Error(kind="permission")),))), runs=(RUN,))

    async def steps(stage: LiveStage) -> None:
        with pytest.raises(ScriptedError, match="scripted error permission"):
            await stage.doubles.generate("model", sent())

    staged(scene, steps)
