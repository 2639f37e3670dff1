"""A framework with callbacks around a tool call: the scripted wrapper waits between the callbacks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
from msgspec.structs import replace

from loopspec import Observation, ScriptedError
from loopspec.contract.actions import Action, Script
from loopspec.contract.around import AppendAnswer, CallInner, ReturnNothing
from loopspec.contract.scene import Run
from loopspec.contract.values import ToolCall
from loopspec.engine.judge import judge
from loopspec.engine.perform import perform
from loopspec.specification.features import compiled
from loopspec.targets.python import PythonTarget
from loopspec_adapting import HookDouble, Parts, Reporter, ToolDouble

from .bundles import Bundle, Bundled, Hooks, in_hook, scene_with, user

Steps = Callable[[HookDouble[Bundle]], Awaitable[None]]


def wrapped(*actions: Action) -> Callable[[Steps], Observation]:
    """Perform steps with a handler that has these actions around a tool."""
    return partial(in_hook, scene_with(Script(hook="around tool", actions=actions)))


class Callbacks(Bundled):
    """The framework has callbacks around a tool call instead of wrappers."""

    async def result(self, hooks: Hooks, tool: ToolDouble, call: ToolCall) -> str | None:
        """Call a tool between its callbacks; a callback before it may have the result."""
        args, short, entered = call.args, None, list[HookDouble[Bundle]]()
        for hook in hooks:
            if short is None:
                found = await hook.enter_tool(call.name, call.id, args)
                args, short = found.args, found.result
                entered.append(hook)
        outcome: str | BaseException
        try:
            outcome = await tool.call(args, call.id) or "" if short is None else short
        except Exception as error:
            outcome = error
        for hook in reversed(entered):
            try:
                outcome = await hook.leave_tool(call.id, outcome) or ""
            except Exception as error:
                outcome = error
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome


# Of a wrapper that changes arguments or a result, short-circuits, fails, or handles an error, in concurrent calls, too.
RULES = {f"HOOK-WT-{number:02}" for number in (1, 2, 5, 6, 7, 8, 9, 11, 12, 13)}


def test_callbacks_around_a_tool_are_a_wrapper() -> None:
    """The wrapper waits between the callbacks: the rules of tool wrappers hold."""
    target = PythonTarget(Callbacks, "test")
    results = [judge(case, target) for case in compiled() if RULES & set(case.rule.ids)]
    target.close()

    judged = [result for result in results if result.verdict != "inapplicable"]
    assert [(one.case, one.message) for one in judged if one.verdict != "passed"] == []
    assert {rule for one in judged for rule in one.rules} >= RULES


def test_a_wrapper_that_changes_nothing_returns_the_same_text() -> None:
    """An adapter compares the texts to know whether its callback returns a result."""
    text = "".join(["x", "y"])

    async def steps(hook: HookDouble[Bundle]) -> None:
        await hook.enter_tool("t", "c", "{}")
        assert await hook.leave_tool("c", text) is text

    wrapped(CallInner())(steps)


def test_a_wrapper_that_returns_nothing_says_so() -> None:
    """The callback after the tool returns nothing too."""

    async def steps(hook: HookDouble[Bundle]) -> None:
        await hook.enter_tool("t", "c", "{}")
        assert await hook.leave_tool("c", "x") is None

    wrapped(ReturnNothing())(steps)


def test_callbacks_call_a_tool_once() -> None:
    """A wrapper that calls the next handler again receives an error, which says why."""

    async def steps(hook: HookDouble[Bundle]) -> None:
        await hook.enter_tool("t", "c", "{}")
        with pytest.raises(RuntimeError, match="calls a tool once"):
            await hook.leave_tool("c", ScriptedError("E"))

    wrapped(CallInner(tries=2))(steps)


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
