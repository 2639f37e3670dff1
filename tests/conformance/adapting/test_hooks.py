"""A hook of a framework reports what it receives, and returns what the scripted handler wants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from loopspec import Message, Observation, ToolInfo
from loopspec.contract.actions import (
    Action,
    Answer,
    AppendAnswer,
    CallInner,
    Insert,
    OfferTools,
    ReturnNothing,
    Rewrite,
    SetInstruction,
    SetSystem,
    UseModel,
)
from loopspec.contract.agents import Hook, Script
from loopspec_adapting import Change, HookDouble

from .bundles import Bundle, bundle, in_hook, scene_with, user

HELLO = bundle(user("Hello."))
DONE = bundle(Message(role="assistant", content="done"))


def hooked(hook: Hook, *actions: Action) -> Callable[[Callable[[HookDouble[Bundle]], Any]], Observation]:
    """Perform steps with a handler that has these actions in a hook."""

    def perform(steps: Callable[[HookDouble[Bundle]], Any]) -> Observation:
        seen = in_hook(scene_with(Script(hook=hook, actions=actions)), steps)
        assert isinstance(seen, Observation)
        assert [end.error for end in seen.runs] == [None]
        return seen

    return perform


def test_a_hook_without_a_script_calls_nothing() -> None:
    """All hooks can be attached to a framework: only scripted ones reach the harness."""

    async def steps(hook: HookDouble[Bundle]) -> None:
        start = await hook.before_agent("I", ["t"])
        assert start is not None
        assert (start.instruction, start.tools) == ("I", ("t",))
        for change in (
            await hook.after_model([HELLO], ["t"], "S"),
            await hook.after_agent([HELLO], "S"),
        ):
            assert change.messages == [HELLO]
            assert (change.messages_changed, change.tools_changed, change.system_changed) == (False, False, False)
        assert await hook.around_tool("t", "c", {"a": 1}, _returning("x")) == 'x {"a": 1}'
        assert await hook.around_model([HELLO], _answering) is DONE

    seen = hooked("before model")(steps)

    assert seen.hooks == ()


def _returning(text: str) -> Callable[[str], Any]:
    async def call(args: str) -> str:
        return f"{text} {args}".strip()

    return call


async def _answering(change: Change[Bundle]) -> Bundle:
    return DONE


def test_the_state_is_what_the_framework_passes() -> None:
    """The harness receives the messages, the tools and the instruction; the change is in the framework's messages."""

    async def steps(hook: HookDouble[Bundle]) -> None:
        change = await hook.before_model([HELLO], ["t"], "S")
        assert change.messages[0] is HELLO
        assert [wire.content for wire in change.messages[1].wires] == ["more"]
        assert (change.messages_changed, change.tools, change.tools_changed) == (True, ("u",), True)
        assert (change.system, change.system_changed) == ("S", False)

    seen = hooked("before model", Insert(at=None, message=user("more")), OfferTools(tools=("u",)))(steps)

    (call,) = seen.hooks
    assert [(one.role, one.content) for one in call.messages] == [("system", "S"), ("user", "Hello.")]
    assert call.tools == ("t",)
    assert call.model_context is not None


def test_an_omitted_argument_is_not_reported() -> None:
    """A framework that passes only messages: no tools, no model context."""

    async def steps(hook: HookDouble[Bundle]) -> None:
        change = await hook.before_model([HELLO])
        assert (change.tools, change.system, change.tools_changed) == (None, None, False)

    seen = hooked("before model", Insert(at=0, message=user("x")))(steps)

    (call,) = seen.hooks
    assert (call.tools, call.model_context) == (None, None)


@pytest.mark.parametrize("hook", ["before model", "after model", "after agent"])
def test_a_hook_that_returns_nothing_says_so(hook: Hook) -> None:
    """The adapter returns nothing to its framework."""

    async def steps(double: HookDouble[Bundle]) -> None:
        if hook == "before model":
            change = await double.before_model([HELLO])
        else:
            change = await (double.after_model([HELLO]) if hook == "after model" else double.after_agent([HELLO]))
        assert (change.returns_nothing, change.messages) == (True, [HELLO])

    assert len(hooked(hook, ReturnNothing())(steps).hooks) == 1


def test_the_start_of_a_run_can_be_changed() -> None:
    """A hook before the agent changes the instruction, or returns nothing."""

    async def changed(hook: HookDouble[Bundle]) -> None:
        start = await hook.before_agent("I", ["t"], ["t"])
        assert start is not None
        assert (start.instruction, start.tools, start.return_directly) == ("J", ("t",), ("t",))

    async def nothing(hook: HookDouble[Bundle]) -> None:
        assert await hook.before_agent("I") is None

    assert hooked("before agent", SetInstruction(text="J"))(changed).hooks[0].instruction == "I"
    assert len(hooked("before agent", ReturnNothing())(nothing).hooks) == 1


def test_a_model_wrapper_calls_the_next_handler_with_its_request() -> None:
    """The framework's answer comes back as the same object, and is not read."""
    requests = []

    async def call(change: Change[Bundle]) -> object:
        requests.append(change)
        return native

    def read(answer: object) -> Bundle:
        raise AssertionError("no action looks at the answer")

    native = object()

    async def steps(hook: HookDouble[Bundle]) -> None:
        infos = [ToolInfo(name="t")]
        assert await hook.around_model([HELLO], call, tools=infos, system="S", read=read) is native

    hooked("around model", SetSystem(text="T"), Rewrite(text="more"), UseModel(model="m2"), OfferTools(tools=()))(steps)

    (change,) = requests
    assert (change.system, change.system_changed, change.model, change.tools) == ("T", True, "m2", ())
    assert change.messages[0] is HELLO
    assert change.messages[1].wires[0].content == "more"


def test_a_model_wrapper_changes_the_answer() -> None:
    """`read` returns the message of a native answer, `make` a native answer."""

    async def call(change: Change[Bundle]) -> tuple[str, Bundle]:
        return "native", DONE

    async def steps(hook: HookDouble[Bundle]) -> None:
        answer = await hook.around_model([HELLO], call, read=lambda one: one[1], make=lambda one: ("made", one))
        assert answer is not None
        assert (answer[0], answer[1].wires[0].content) == ("made", "done!")

    assert hooked("around model", CallInner(), AppendAnswer(text="!"))(steps).hooks[0].answer == "done"


@pytest.mark.parametrize(("action", "found"), [(Answer(text="short"), "short"), (ReturnNothing(), None)])
def test_a_wrapper_short_circuits_or_returns_nothing(action: Action, found: str | None) -> None:
    """Around a model call and around a tool call."""

    async def around_model(hook: HookDouble[Bundle]) -> None:
        answer = await hook.around_model([HELLO], _answering)
        assert (answer and answer.wires[0].content) == found

    async def around_tool(hook: HookDouble[Bundle]) -> None:
        assert await hook.around_tool("t", "c", "{}", _returning("x")) == found

    hooked("around model", action)(around_model)
    hooked("around tool", action)(around_tool)


def test_a_tool_wrapper_changes_the_arguments_and_the_result() -> None:
    """The next handler receives the arguments as text."""

    async def steps(hook: HookDouble[Bundle]) -> None:
        assert await hook.around_tool("t", "c", {"a": 1}, _returning("x")) == "x [2]!"

    (call,) = hooked("around tool", Rewrite(text="[2]"), AppendAnswer(text="!"))(steps).hooks
    assert (call.tool, call.call_id, call.args) == ("t", "c", '{"a": 1}')
