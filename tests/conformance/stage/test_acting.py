"""Actions of handlers and tools inside a run."""

from __future__ import annotations

import msgspec
import pytest

from loopspec import Observation, ScriptedError
from loopspec.contract.actions import (
    Action,
    AddContext,
    DeleteLocal,
    GetLocal,
    GetSession,
    Raise,
    SendEvent,
    SetLocal,
    SetSession,
)
from loopspec.contract.agents import Agent, Script, Scripted, Tool
from loopspec.contract.calls import AgentStart, ToolAnswer
from loopspec.contract.doubles import RegisteredValue, ScriptedCrash, UnregisteredValue
from loopspec.contract.observation import HookCall
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Error
from loopspec.stage import LiveStage

from ..staging import Inside, call_of, staged

RUN = Run(id="1")


def hooked(inside: Inside, *actions: Action) -> HookCall:
    """The record of a hook that performs these actions."""
    handler = Scripted(name="H", scripts=(Script(hook="before agent", actions=actions),))
    scene = Scene(act="run", agent=Agent(handlers=(handler,)), runs=(RUN,))

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            await stage.doubles.before_agent("H", AgentStart(), inside)

    return staged(scene, steps).hooks[0]


def used(inside: Inside, tool: Tool) -> Observation:
    """The observation of a run that calls a tool."""
    scene = Scene(act="run", agent=Agent(tools=(tool,)), runs=(RUN,))

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            await stage.doubles.invoke(call_of(tool.name), inside)

    return staged(scene, steps)


def test_values_that_are_not_json_are_identified_by_their_type() -> None:
    """One type is registered with the target, the other is unknown."""
    inside = Inside()
    actions: list[Action] = [
        SetLocal(key="known", typed="registered"),
        SetLocal(key="unknown", typed="unregistered"),
        GetLocal(key="known"),
        GetLocal(key="unknown"),
    ]

    seen = hooked(inside, *actions)

    assert inside.local["known"] == RegisteredValue(number=7)
    assert isinstance(inside.local["unknown"], UnregisteredValue)
    assert seen.found == {"known": "ticket 7", "unknown": "a value of an unregistered type"}
    assert msgspec.json.decode(msgspec.json.encode(seen), type=HookCall) == seen


def test_a_rejection_is_recorded_and_not_raised() -> None:
    """A rejection is recorded by its action, and the next actions are performed."""
    actions: list[Action] = [
        SetLocal(key="a"),
        GetLocal(key="a"),
        DeleteLocal(key="a"),
        SetSession(key="b", value=1),
        GetSession(key="b"),
        SendEvent(payload="e"),
        AddContext(key="k", value=1),
    ]

    seen = hooked(Inside(PermissionError("no")), *actions)

    refusal = Error(kind="permission", message="no")
    rejected = ["set a", "get a", "delete a", "set b", "get b", "send event"]
    assert (seen.found, seen.missing) == ({}, ())
    assert seen.refused == dict.fromkeys(rejected, refusal)


def test_values_read_before_a_tool_fails_are_recorded() -> None:
    """The record is kept, as for a hook."""
    inside = Inside()
    inside.local["k"] = 7

    seen = used(inside, Tool(name="t", actions=(GetLocal(key="k"), Raise(code="E"))))

    assert ([run.found for run in seen.tool_runs], seen.runs[0].error and seen.runs[0].error.code) == ([{"k": 7}], "E")


def test_each_action_is_tried_outside_a_run() -> None:
    """Each action is performed or rejected outside a run."""

    async def steps(stage: LiveStage) -> None:
        stage.doubles.outside(Inside())
        stage.doubles.outside(Inside(LookupError("no")))

    actions = ["set", "get", "delete", "send event"]
    tried = staged(Scene(act="outside"), steps).outside
    assert [(one.what, one.error and one.error.message) for one in tried] == [
        *((action, None) for action in actions),
        *((action, "LookupError: no") for action in actions),
    ]


@pytest.mark.parametrize(
    ("tool", "args", "answer"),
    [
        (Tool(name="t", echoes=True), "{}", ToolAnswer(text="{}")),
        (Tool(name="t", parses=True), "[1]", ToolAnswer(text="ok")),
        (Tool(name="t", nothing=True), "{}", None),
    ],
)
def test_a_tool_answers_as_configured(tool: Tool, args: str, answer: ToolAnswer | None) -> None:
    """A tool returns its arguments, parses them first, or returns nothing."""

    async def steps(stage: LiveStage) -> None:
        assert await stage.doubles.invoke(call_of("t", args=args), Inside()) == answer

    staged(Scene(act="run", agent=Agent(tools=(tool,))), steps)


@pytest.mark.parametrize(
    ("tool", "args", "error"),
    [
        (Tool(name="t", parses=True), "{", ScriptedError),
        (Tool(name="t", error=Error(kind="scripted", code="E"), crash=True), "{}", ScriptedCrash),
        (Tool(name="t", crash=True), "{}", ScriptedCrash),
    ],
)
def test_a_tool_fails_as_configured(tool: Tool, args: str, error: type[Exception]) -> None:
    """A tool fails for arguments that are not JSON, with a declared error, or with a crash."""

    async def steps(stage: LiveStage) -> None:
        with pytest.raises(error):
            await stage.doubles.invoke(call_of("t", args=args), Inside())

    staged(Scene(act="run", agent=Agent(tools=(tool,))), steps)
