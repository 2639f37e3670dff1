"""The hooks of a framework: what no case shows of an adapter whose framework has all of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from loopspec import Message, Observation, ToolInfo
from loopspec.contract.acting import Hook
from loopspec.contract.actions import Action, Insert, OfferTools, Script
from loopspec.contract.around import AppendAnswer, CallInner, ReturnNothing, Rewrite, SetSystem, UseModel
from loopspec_adapting import Change, HookDouble

from .bundles import Bundle, bundle, in_hook, scene_with, user

HELLO = bundle(user("Hello."))
DONE = bundle(Message(role="assistant", content="done"))


def hooked(hook: Hook, *actions: Action) -> Callable[[Callable[[HookDouble[Bundle]], Any]], Observation]:
    """Perform steps with a handler that has these actions in a hook."""
    return partial(in_hook, scene_with(Script(hook=hook, actions=actions)))


def test_a_hook_without_a_script_calls_nothing() -> None:
    """All hooks can be attached to a framework: only scripted ones reach the harness."""

    async def steps(hook: HookDouble[Bundle]) -> None:
        start = await hook.before_agent("I", ["t"])
        assert start is not None
        assert (start.instruction, start.tools) == ("I", ("t",))
        for change in (await hook.after_model([HELLO], ["t"], "S"), await hook.after_agent([HELLO], "S")):
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


def test_an_omitted_argument_is_not_reported() -> None:
    """A framework that passes only messages: no tools, no model context."""

    async def steps(hook: HookDouble[Bundle]) -> None:
        change = await hook.before_model([HELLO])
        assert (change.tools, change.system, change.tools_changed) == (None, None, False)

    seen = hooked("before model", Insert(at=0, message=user("x")))(steps)

    (call,) = seen.hooks
    assert (call.tools, call.model_context) == (None, None)


@pytest.mark.parametrize(
    ("hook", "call"),
    [
        ("before model", lambda double: double.before_model([HELLO])),
        ("after model", lambda double: double.after_model([HELLO])),
        ("after agent", lambda double: double.after_agent([HELLO])),
        ("before agent", lambda double: double.before_agent("I")),
        ("around model", lambda double: double.around_model([HELLO], _answering)),
        ("around tool", lambda double: double.around_tool("t", "c", "{}", _returning("x"))),
    ],
)
def test_a_hook_that_returns_nothing_says_so(hook: Hook, call: Callable[[HookDouble[Bundle]], Any]) -> None:
    """The adapter returns nothing to its framework."""

    async def steps(double: HookDouble[Bundle]) -> None:
        found = await call(double)
        assert (
            (found.returns_nothing, found.messages) == (True, [HELLO]) if isinstance(found, Change) else found is None
        )

    assert len(hooked(hook, ReturnNothing())(steps).hooks) == 1


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
