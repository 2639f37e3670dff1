"""A middleware of the plugin layer reports what it receives, and returns what the scripted middleware wants."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from msgspec.structs import replace

from loopspec import InvalidValue, Message, Observation, Scene, ToolAnswer
from loopspec.contract.acting import Hook
from loopspec.contract.actions import Action, Insert, Script
from loopspec.contract.agents import Plugin
from loopspec.contract.around import AssignContext, Count, GiveCommand, Jump, ReturnNothing, SetState, UseInvalidValue
from loopspec.contract.calls import View
from loopspec.contract.doubles import NoInside, StateHook
from loopspec.stage import LiveStage
from loopspec_adapting import Change, HookDouble, Parts, PluginDouble

from ..staging import staged
from .bundles import CONVERSION, Bundle, Bundled, bundle, scene_with, user

HELLO = bundle(user("Hello."))
DONE = bundle(Message(role="assistant", content="done"))
Steps = Callable[[PluginDouble[Bundle]], Awaitable[None]]


def with_plugin(hook: Hook, *actions: Action) -> Scene:
    """A scene with a middleware "P" that has these actions in a hook."""
    scene = scene_with()
    plugin = Plugin(name="P", scripts=(Script(hook=hook, actions=actions),))
    return replace(scene, agent=replace(scene.agent, handlers=(*scene.agent.handlers, plugin)))


def in_plugin(hook: Hook, *actions: Action) -> Callable[[Steps], Observation]:
    """Perform steps with the middleware inside a run."""
    scene = with_plugin(hook, *actions)

    def perform(steps: Steps) -> Observation:
        async def inside_the_run(stage: LiveStage) -> None:
            plugin = scene.agent.handlers[-1]
            assert isinstance(plugin, Plugin)
            double = PluginDouble(plugin, stage, CONVERSION, NoInside)
            with stage.runs.running(scene.runs[0]):
                await steps(double.seeing({"n": 1}, {"user": "u"}))

        seen = staged(scene, inside_the_run)
        assert [end.error for end in seen.runs] == [None]
        return seen

    return perform


def changed(hook: StateHook, *actions: Action, scripted: Hook | None = None) -> tuple[Any, Observation]:
    """The change of a hook, and the observation; `scripted` is the hook that has the actions, if it is another one."""
    changes: list[Any] = []

    async def steps(double: PluginDouble[Bundle]) -> None:
        changes.append(await double.change(hook, [HELLO], refused))

    seen = in_plugin(scripted or hook, *actions)(steps)
    return changes[0], seen


def refused(key: str, value: object) -> None:
    """A runtime context that cannot be changed."""
    raise AttributeError(key)


@pytest.mark.parametrize("hook", ["before agent", "before model", "after model", "after agent"])
def test_a_hook_sees_its_state_and_the_context(hook: StateHook) -> None:
    """The change has the messages, the own values and the jump; the harness has what the middleware saw."""
    actions = (Insert(at=None, message=user("more")), Count(key="n"), SetState(key="m", value="x"), Jump(target="end"))
    change, seen = changed(hook, *actions)

    assert change.messages[0] is HELLO
    assert [wire.content for wire in change.messages[1].wires] == ["more"]
    assert (change.messages_changed, change.own, change.jump) == (True, {"n": 2, "m": "x"}, "end")
    assert [call.view for call in seen.hooks] == [View(own={"n": 1}, context={"user": "u"})]


def test_a_hook_without_a_script_calls_nothing() -> None:
    """The hook changes nothing, and the harness records no call."""
    change, seen = changed("after model", Jump(target="end"), scripted="before model")

    assert (change.messages, change.messages_changed, change.own, change.jump) == ([HELLO], False, {}, None)
    assert seen.hooks == ()


def test_the_context_decides_about_an_assignment() -> None:
    """An error of the function that assigns is in the record of the call."""

    async def steps(double: PluginDouble[Bundle]) -> None:
        assigned: dict[str, object] = {}
        await double.change("before model", [HELLO], assigned.__setitem__)
        assert assigned == {"user": "v"}
        await double.change("before model", [HELLO], refused)

    first, second = in_plugin("before model", AssignContext(key="user", value="v"))(steps).hooks
    assert (list(first.refused), list(second.refused)) == ([], ["assign user"])


def test_a_hook_returns_nothing_or_an_invalid_value() -> None:
    """Nothing is a change that says so; an invalid value takes the place of the change, or of a message."""
    nothing, _ = changed("before model", ReturnNothing())
    invalid, _ = changed("before model", UseInvalidValue())
    invalid_message, _ = changed("before model", UseInvalidValue(place="messages"))

    assert nothing.returns_nothing
    assert invalid == InvalidValue()
    assert (invalid_message.messages, invalid_message.messages_changed) == ([HELLO, InvalidValue()], True)


def test_wrappers_see_the_state() -> None:
    """Wrappers of model calls and of tool calls are those of handlers, with a view."""

    async def model(double: PluginDouble[Bundle]) -> None:
        assert await double.around_model([HELLO], _answering) is DONE

    async def tool(double: PluginDouble[Bundle]) -> None:
        assert await double.around_tool("t", "c", {}, _returning) == "found"

    calls = (*in_plugin("around model")(model).hooks, *in_plugin("around tool")(tool).hooks)
    assert [call.view and call.view.own for call in calls] == [{"n": 1}] * 2


async def _answering(change: Change[Bundle]) -> Bundle:
    return DONE


async def _returning(args: str) -> str:
    return "found"


def test_invalid_values_of_wrappers_are_passed_on() -> None:
    """The next handler receives the value in the place of the request; the framework in the place of the answer."""
    passed: list[object] = []

    async def call(given: Any) -> Any:
        passed.append(given)
        return DONE if isinstance(given, Change) else "found"

    async def model(double: PluginDouble[Bundle]) -> None:
        await double.around_model([HELLO], call)

    async def tool(double: PluginDouble[Bundle]) -> None:
        await double.around_tool("t", "c", {}, call)

    async def returned(double: PluginDouble[Bundle]) -> None:
        answer: object = await double.around_tool("t", "c", {}, _returning)
        assert answer == InvalidValue()

    in_plugin("around model", UseInvalidValue(place="request"))(model)
    in_plugin("around tool", UseInvalidValue(place="request"))(tool)
    assert passed == [InvalidValue(), InvalidValue()]
    in_plugin("around tool", UseInvalidValue())(returned)


def test_a_wrapper_returns_a_command() -> None:
    """The adapter makes its framework's command of the answer."""

    async def steps(double: PluginDouble[Bundle]) -> None:
        def command(answer: ToolAnswer) -> str:
            assert answer.command is not None
            return f"{answer.text} {answer.command.state} {answer.command.goto}"

        answer = await double.around_tool("t", "c", {}, _returning, command=command)
        assert answer == "found {'n': 3} end"

    in_plugin("around tool", GiveCommand(state={"n": 3}, goto="end"))(steps)


def test_the_parts_have_handlers_and_middlewares_in_their_order() -> None:
    """A middleware of the plugin layer has a double of its own, which describes it."""
    built: list[Parts[Bundle]] = []

    class Keeps(Bundled):
        def build(self, parts: Parts[Bundle]) -> Parts[Bundle]:
            built.append(parts)
            raise ValueError("enough")

    scene = with_plugin("before model", Jump(target="end"))
    staged(scene, Keeps().perform)

    ((first, second),) = [parts.hooks for parts in built]
    assert [type(one) for one in (first, second)] == [HookDouble, PluginDouble]
    assert (first.name, second.name, second.spec) == ("H", "P", scene.agent.handlers[-1])
