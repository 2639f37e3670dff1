"""Actions of handlers and tools inside a run, and outside any run."""

from __future__ import annotations

from loopspec import Observation
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
from loopspec.contract.agents import Agent, Scripted, Tool
from loopspec.contract.calls import AgentStart
from loopspec.contract.scene import Scene
from loopspec.contract.values import Error
from loopspec.stage import LiveStage

from ..staging import ONE, Inside, call_of, staged


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
