"""A framework with callbacks around a tool call: the scripted wrapper waits between the callbacks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
from msgspec.structs import replace

from loopspec import Observation, ScriptedError
from loopspec.adapting import HookDouble, Parts, Reporter
from loopspec.contract.actions import Action, Answer, AppendAnswer, CallInner, Raise, ReturnNothing, Rewrite
from loopspec.contract.agents import Script
from loopspec.contract.scene import Run
from loopspec.engine.perform import perform
from loopspec.targets.python import PythonTarget

from .bundles import Bundle, Bundled, in_hook, scene_with, user

Steps = Callable[[HookDouble[Bundle]], Awaitable[None]]


def wrapped(*actions: Action) -> Callable[[Steps], Observation]:
    """Perform steps with a handler that has these actions around a tool."""
    return partial(in_hook, scene_with(Script(hook="around tool", actions=actions)))


def ended(seen: Observation) -> list[bool]:
    """Of each call of the wrapper, whether it has ended."""
    return [span.ended is not None for span in seen.spans if span.name == "around tool H"]


def test_callbacks_around_a_tool_are_a_wrapper() -> None:
    """The wrapper waits between the callbacks: it changes the arguments and the result."""

    async def steps(hook: HookDouble[Bundle]) -> None:
        entered = await hook.enter_tool("t", "c", {"a": 1})
        assert (entered.args, entered.result) == ("[2]", None)
        assert await hook.leave_tool("c", "x") == "x!"

    seen = wrapped(Rewrite(text="[2]"), AppendAnswer(text="!"))(steps)

    (call,) = seen.hooks
    assert (call.tool, call.call_id, call.args, call.answer) == ("t", "c", '{"a": 1}', "x")
    assert ended(seen) == [True]


def test_a_handler_without_a_tool_wrapper_changes_nothing() -> None:
    """An adapter attaches both callbacks to every handler."""

    async def steps(hook: HookDouble[Bundle]) -> None:
        entered = await hook.enter_tool("t", "c", {"a": 1})
        assert (entered.args, entered.result) == ('{"a": 1}', None)
        assert await hook.leave_tool("c", "x") == "x"

    assert in_hook(scene_with(), steps).hooks == ()


def test_a_wrapper_that_changes_nothing_returns_the_same_text() -> None:
    """An adapter compares the texts to know whether its callback returns a result."""
    text = "".join(["x", "y"])

    async def steps(hook: HookDouble[Bundle]) -> None:
        await hook.enter_tool("t", "c", "{}")
        assert await hook.leave_tool("c", text) is text

    wrapped(CallInner())(steps)


@pytest.mark.parametrize("text", ["short", ""])
def test_a_callback_short_circuits_a_tool(text: str) -> None:
    """The callback before the tool has the result, also an empty one; the callback after the tool changes nothing."""

    async def steps(hook: HookDouble[Bundle]) -> None:
        entered = await hook.enter_tool("t", "c", "{}")
        assert entered.result == text
        assert await hook.leave_tool("c", text) == text

    assert ended(wrapped(Answer(text=text))(steps)) == [True]


def test_a_wrapper_that_returns_nothing_says_so() -> None:
    """The callback after the tool returns nothing too."""

    async def steps(hook: HookDouble[Bundle]) -> None:
        await hook.enter_tool("t", "c", "{}")
        assert await hook.leave_tool("c", "x") is None

    wrapped(ReturnNothing())(steps)


def test_callbacks_pass_errors_on() -> None:
    """The error of the tool reaches the wrapper, and the wrapper's own error the framework."""

    async def recovers(hook: HookDouble[Bundle]) -> None:
        await hook.enter_tool("t", "c", "{}")
        assert await hook.leave_tool("c", ScriptedError("E")) == "instead"

    async def fails(hook: HookDouble[Bundle]) -> None:
        await hook.enter_tool("t", "c", "{}")
        with pytest.raises(ScriptedError, match="E"):
            await hook.leave_tool("c", ScriptedError("E"))

    async def fails_first(hook: HookDouble[Bundle]) -> None:
        with pytest.raises(ScriptedError, match="F"):
            await hook.enter_tool("t", "c", "{}")
        with pytest.raises(ScriptedError, match="E"):  # the wrapper has ended
            await hook.leave_tool("c", ScriptedError("E"))

    wrapped(CallInner(fallback="instead"))(recovers)
    wrapped(CallInner())(fails)
    wrapped(Raise(code="F"))(fails_first)


def test_callbacks_call_a_tool_once() -> None:
    """A wrapper that calls the next handler again receives an error, which says why."""

    async def steps(hook: HookDouble[Bundle]) -> None:
        await hook.enter_tool("t", "c", "{}")
        with pytest.raises(RuntimeError, match="calls a tool once"):
            await hook.leave_tool("c", ScriptedError("E"))

    wrapped(CallInner(tries=2))(steps)


def test_concurrent_calls_have_a_wrapper_each() -> None:
    """The result of a call reaches the wrapper of the call."""

    async def steps(hook: HookDouble[Bundle]) -> None:
        await asyncio.gather(hook.enter_tool("t", "c1", "{}"), hook.enter_tool("t", "c2", "{}"))
        assert await hook.leave_tool("c2", "y") == "y!"
        assert await hook.leave_tool("c1", "x") == "x!"

    assert ended(wrapped(AppendAnswer(text="!"))(steps)) == [True, True]


class Leaving(Bundled):
    """Calls both callbacks in run "1", and the callback before the tool only in the other runs."""

    def __init__(self) -> None:
        super().__init__()
        self.before: list[str] = []

    async def run(self, agent: Parts[Bundle], messages: list[Bundle], report: Reporter[Bundle]) -> None:
        (hook,) = agent.hooks
        await hook.enter_tool("t", "c", "{}")
        self.before.append(report.run.id)
        while len(self.before) < 2:  # both runs have entered the tool with the same handler and the same call id
            await asyncio.sleep(0)
        if report.run.id == "1":
            report.final(await hook.leave_tool("c", "x") or "")


def test_the_end_of_a_run_ends_a_wrapper_that_waits(caplog: pytest.LogCaptureFixture) -> None:
    """The wrapper receives nothing: neither a result nor an error. The runs keep their wrappers apart."""
    script = Script(hook="around tool", actions=(CallInner(fallback="instead"), AppendAnswer(text="!")))
    runs = tuple(Run(id=one, messages=(user("Hello."),), together=one == "2") for one in ("1", "2"))
    target = PythonTarget(Leaving, "test")
    seen = perform(target, replace(scene_with(script), runs=runs), "agent", 5.0)
    target.close()

    assert {end.run: (end.final, end.error) for end in seen.runs} == {"1": ("x!", None), "2": (None, None)}
    assert {call.run: call.answer for call in seen.hooks} == {"1": "x", "2": None}
    assert {span.run: span.ended is not None for span in seen.spans if span.name == "around tool H"} == {
        "1": True,
        "2": False,
    }
    (warning,) = caplog.messages
    assert warning == "no callback after the tool t (call 'c') was called: the wrapper of H is cancelled"
