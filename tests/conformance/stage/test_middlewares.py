"""Scripted middlewares of the plugin layer: the results of their hooks, and the records."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from loopspec import Message, Observation, Run, ScriptedError, at_once
from loopspec.contract.actions import (
    Action,
    AssignContext,
    Hold,
    Jump,
    Raise,
    SetState,
)
from loopspec.contract.agents import Agent, Field, Hook, Plugin, Script
from loopspec.contract.calls import Edited, InvalidValue, State, View
from loopspec.contract.doubles import StateHook
from loopspec.contract.observation import RunEnd
from loopspec.contract.scene import Scene
from loopspec.contract.values import Began, Json
from loopspec.stage import LiveStage

from ..staging import staged

HELLO = Message(role="user", content="Hello.")
ONE, TWO = Run(id="1"), Run(id="2")
STATE = State(messages=(HELLO,), tools=("t1", "t2"))
KEPT = Edited(messages=(0,), tools=("t1", "t2"))
HOOKS: tuple[StateHook, ...] = ("before agent", "before model", "after model", "after agent")


def plugin_of(hook: Hook, *actions: Action, name: str = "A") -> Plugin:
    """A middleware that performs these actions in one hook."""
    return Plugin(name=name, scripts=(Script(hook=hook, actions=actions),))


def scene_of(*plugins: Plugin) -> Scene:
    """A scene with these middlewares."""
    return Scene(act="run", agent=Agent(handlers=plugins), runs=(ONE, TWO))


def reject(key: str, value: Json) -> None:
    """Reject every change of the runtime context."""
    raise AttributeError(f"{key} cannot be {value}")


def changed(
    *actions: Action, hook: StateHook = "before model", state: State = STATE, views: Sequence[View] = (View(),)
) -> tuple[list[Edited | None], Observation]:
    """The result of each hook call, and the observation."""
    wanted: list[Edited | None] = []

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            for view in views:
                came = await stage.middlewares.change("A", hook, state, view, reject)
                assert not isinstance(came, InvalidValue)
                wanted.append(came)

    seen = staged(scene_of(plugin_of(hook, *actions)), steps, "plugins")
    assert len(wanted) == len(views), seen.runs
    return wanted, seen


def test_the_runtime_context_can_be_changed_if_the_implementation_allows_it() -> None:
    """The next hook receives the change, and no rejection is recorded."""
    taken: dict[str, Json] = {}

    async def steps(stage: LiveStage) -> None:
        assert await stage.middlewares.change("A", "before model", STATE, View(), taken.__setitem__) == KEPT

    seen = staged(scene_of(plugin_of("before model", AssignContext(key="user", value="v"))), steps, "plugins")

    assert taken == {"user": "v"}
    assert seen.hooks[0].refused == {}


def test_a_rejected_change_of_the_runtime_context_is_recorded() -> None:
    """The next actions are performed."""
    (wanted,), seen = changed(AssignContext(key="user", value="v"), SetState(key="a", value=1))

    assert wanted is not None
    assert wanted.own == {"a": 1}
    assert {what: error.message for what, error in seen.hooks[0].refused.items()} == {
        "assign user": "AttributeError: user cannot be v"
    }


def test_the_states_of_a_run_are_recorded() -> None:
    """The state is recorded next to the session, without values that are not JSON."""

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            stage.runs.ended_with({"s": 1}, {"a": [1], "b": object(), "c": None, "d": (1,)})
        with stage.runs.running(TWO):
            stage.runs.ended_with({"s": 2})

    assert staged(scene_of(), steps, "plugins").runs == (
        RunEnd(n=0, run="1", session={"s": 1}, state={"a": [1], "c": None}),
        RunEnd(n=1, run="2", session={"s": 2}),
    )


def test_a_synchronous_hook_call_returns_immediately() -> None:
    """A hook that is not held returns immediately; an error is raised."""
    plugins = (
        plugin_of("before model", SetState(key="a", value=1)),
        plugin_of("before model", Raise(code="E"), name="B"),
    )
    stage = LiveStage(scene_of(*plugins), "plugins")

    wanted = at_once(stage.middlewares.change("A", "before model", STATE, View(), reject))

    assert wanted == Edited(messages=(0,), tools=("t1", "t2"), own={"a": 1})
    with pytest.raises(ScriptedError, match="scripted error E"):
        at_once(stage.middlewares.change("B", "before model", STATE, View(), reject))


def test_a_synchronous_hook_call_cannot_be_held() -> None:
    """A synchronous call fails, its span has no end, and it is not reported as stuck."""
    held = plugin_of("before model", Hold(until=Began(run="2")))

    async def steps(stage: LiveStage) -> None:
        with pytest.raises(RuntimeError, match="the scene holds this call"):
            at_once(stage.middlewares.change("A", "before model", STATE, View(), reject))
        with stage.runs.running(TWO):
            assert at_once(stage.middlewares.change("A", "before model", STATE, View(), reject)) == KEPT

    seen = staged(scene_of(held), steps, "plugins")

    assert seen.stuck == ()
    assert [span.ended is None for span in seen.spans] == [True, False]
    with pytest.raises(RuntimeError, match="the scene holds this call"):  # without a driver as well
        at_once(LiveStage(scene_of(held), "plugins").middlewares.change("A", "before model", STATE, View(), reject))


def test_a_middleware_declares_its_jump_targets() -> None:
    """The targets of a hook are sorted and unique, and other actions add none."""
    scripts = (
        Script(hook="before model", actions=(Jump(target="tools"), SetState(key="a", value=1), Jump(target="end"))),
        Script(hook="before model", calls=(2,), actions=(Jump(target="end"),)),
        Script(hook="after model", actions=(Jump(target="model"),)),
    )
    plugin = Plugin(name="A", scripts=scripts, state=(Field(name="a"),))

    assert [plugin.jumps_from(hook) for hook in HOOKS] == [(), ("end", "tools"), ("model",), ()]
    assert plugin.hooks == {"before model", "after model"}
    assert Plugin(name="A", scripts=scripts, may_jump_to=("end",)).jumps_from("after model") == ("end",)
