"""State hooks: their order, their updates, and invalid values."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from loopspec_reference import Message
from loopspec_reference.handlers.handler import overridden
from loopspec_reference.plugins import (
    HookState,
    Middleware,
    Runtime,
    Stack,
    StrategyError,
)

from ..doubles import QUESTION, Answers, drain, returning
from .stacks import failure, returns, stacked, tracing

HOOKS = ["before_agent", "before_model", "after_model", "after_agent"]


class Count(msgspec.Struct):
    """A state or a context."""

    count: int = 0
    names: list[str] = []


class Needs(msgspec.Struct):
    """A context with a required field."""

    user: str
    tags: list[str] = []


def test_missing_hooks_are_not_called() -> None:
    """The loop does not call missing hooks."""
    names = ["before_agent", "before_model", "after_model", "after_agent", "wrap_model", "wrap_tool"]
    names += ["wrap_streaming_tool", "wrap_enhanced_tool", "wrap_enhanced_streaming_tool"]
    empty: Stack[Message] = Stack([Middleware("m")])
    full: Stack[Message] = Stack([tracing("m", []), Middleware("n", context_schema=Count)])

    assert [name for name in names if overridden([empty], name)] == []
    assert [name for name in names if overridden([full], name)] == names


def test_a_state_may_be_optional_as_a_whole() -> None:
    """The hook receives the defaults."""
    seen: list[object] = []

    def note(state: HookState, runtime: Runtime) -> dict[str, Any]:
        seen.append(state.own)
        return {"count": 3}

    session: dict[str, Any] = {}
    drain(stacked(Answers("4"), Middleware("m", state_schema=Count | None, before_model=note)).run([QUESTION], session))

    assert seen == [Count()]
    assert session["plugins"]["agent"]["m"] == {"count": 3}


@pytest.mark.parametrize(
    ("session", "sentence"),
    [
        (
            {"plugins": {"agent": {"m": {"count": "x"}}}},
            (
                "the state of the middleware 'm' in the session does not fit Count: Expected `int`, got `str` - "
                "at `$.count`; remove it from session['plugins']['agent']"
            ),
        ),
        (
            {"plugins": 3},
            (
                "the session holds 3 under 'plugins', where the states of middlewares are stored: "
                "store nothing else in session['plugins']"
            ),
        ),
    ],
)
def test_a_stored_state_that_does_not_fit_is_an_error(session: dict[str, Any], sentence: str) -> None:
    """The error names the value to remove."""
    middleware = Middleware("m", state_schema=Count, before_model=returns(None))

    assert failure(drain(stacked(Answers("4"), middleware).run([QUESTION], session))) == f"StateError: {sentence}"


@pytest.mark.parametrize(
    ("context", "reason"),
    [
        (None, "Object missing required field `user`"),
        ({"user": 3}, "Expected `str`, got `int` - at `$.user`"),
        ({"user": "Ann", "tags": {object}}, "Encoding objects of type type is unsupported"),
    ],
)
def test_a_context_that_does_not_fit_ends_the_run_before_any_hook(context: Any, reason: str) -> None:
    """The error is the same for the last middleware."""
    trace: list[str] = []
    built = stacked(Answers("4"), tracing("A", trace), Middleware("m", context_schema=Needs))

    assert failure(drain(built.run([QUESTION], context=context))) == (
        "ContextError: the context of this run of 'agent' does not fit Needs, which the middleware 'm' reads: "
        f"{reason}; pass it in the `context` of the run"
    )
    assert trace == []


@pytest.mark.parametrize(
    ("hook", "update", "sentence"),
    [
        *(
            (hook, 3, f"HookError: the {hook} of the middleware 'm' has returned 3: return nothing, or")
            for hook in HOOKS
        ),
        ("before_model", {"messages": "Hi"}, "HookError: the before_model of the middleware 'm' has returned 'Hi' as"),
        ("before_model", {"messages": ["Hi"]}, "as 'messages': give a list in which each is a Message"),
        ("after_model", {"tools": [3]}, "has returned [3] as 'tools': give a list in which each is a ToolInfo"),
        ("before_agent", {"count": "x"}, "'x' for the field 'count' of Count: Expected `int`, got `str`"),
        ("before_agent", {"names": [object]}, "Encoding objects of type type is unsupported"),
        ("after_agent", {"messages": []}, "has returned 'messages', but the answer is final: change the hook after"),
        ("after_agent", {"tools": []}, "has returned 'tools', but the answer is final"),
        (
            "before_model",
            {"jump_to": "start"},
            "JumpError: the before_model of the middleware 'm' jumps to 'start': choose",
        ),
        (
            "after_agent",
            {"jump_to": "model"},
            "JumpError: the after_agent of the middleware 'm' jumps to 'model', but the",
        ),
    ],
)
def test_an_invalid_value_is_rejected(hook: str, update: object, sentence: str) -> None:
    """The sentence names the hook and the expected value; the update is discarded."""
    session: dict[str, Any] = {}
    both = {**update, "names": ["kept?"]} if isinstance(update, dict) and "names" not in update else update
    middleware = Middleware("m", state_schema=Count, **{hook: returns(both)})
    events = drain(stacked(Answers("4"), middleware).run([QUESTION], session))

    assert re.search(re.escape(sentence), failure(events))
    assert session == {}


def test_a_stack_rejects_two_equal_names() -> None:
    """Names of middlewares and of tools are unique."""
    with pytest.raises(StrategyError, match=r"^two middlewares of one agent have the name 'm': rename one$"):
        Stack([Middleware("m"), Middleware("m")])
    with pytest.raises(StrategyError, match=r"^the middlewares 'a' and 'b' both have a tool 'add': leave one out$"):
        Stack([Middleware("a", tools=[returning("add", "")]), Middleware("b", tools=[returning("add", "")])])
