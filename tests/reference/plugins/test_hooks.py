"""State hooks: their order, their updates, and invalid values."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from loopspec_reference import AgentTool, Message, ToolCall, ToolInfo
from loopspec_reference.handlers.handler import overridden
from loopspec_reference.plugins import (
    Hook,
    HookState,
    Middleware,
    Runtime,
    Stack,
    StrategyError,
)

from ..doubles import QUESTION, Answers, asks, drain, raising, returning
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


def test_hooks_run_in_order_and_after_hooks_in_reverse() -> None:
    """The order is shown for a run with two model calls and a tool call; the first wrapper is outermost."""
    trace: list[str] = []
    built = stacked(Answers(asks("add"), "4"), tracing("A", trace), tracing("B", trace), tools=[returning("add", "4")])
    drain(built.run([QUESTION]))

    model = ["A before model", "B before model", "A into model", "B into model", "B out of model", "A out of model"]
    model += ["B after model", "A after model"]
    tool = ["A into tool", "B into tool", "B out of tool", "A out of tool"]
    around = (["A before agent", "B before agent"], ["B after agent", "A after agent"])
    assert trace == [*around[0], *model, *tool, *model, *around[1]]


@pytest.mark.parametrize("hook", ["before_model", "after_model", "before_agent", "after_agent"])
def test_all_forms_of_a_hook_do_the_same(hook: str) -> None:
    """A hook is a function or an async function, optionally inside a Hook object."""

    def plain(state: HookState, runtime: Runtime) -> dict[str, Any]:
        return {"count": state.own.count + 1}

    async def later(state: HookState, runtime: Runtime) -> dict[str, Any]:
        return plain(state, runtime)

    for form in (plain, later, Hook(plain), Hook(later, frozenset())):
        session: dict[str, Any] = {}
        middleware = Middleware("m", state_schema=Count, **{hook: form})  # type: ignore[arg-type]  # by its name
        drain(stacked(Answers("4"), middleware).run([QUESTION], session))

        assert session["plugins"]["agent"]["m"] == {"count": 1}


def test_missing_hooks_are_not_called() -> None:
    """The loop does not call missing hooks."""
    names = ["before_agent", "before_model", "after_model", "after_agent", "wrap_model", "wrap_tool"]
    names += ["wrap_streaming_tool", "wrap_enhanced_tool", "wrap_enhanced_streaming_tool"]
    empty: Stack[Message] = Stack([Middleware("m")])
    full: Stack[Message] = Stack([tracing("m", []), Middleware("n", context_schema=Count)])

    assert [name for name in names if overridden([empty], name)] == []
    assert [name for name in names if overridden([full], name)] == names


def test_messages_and_tools_can_be_changed() -> None:
    """Later hooks and the model receive the change."""
    model = Answers("4")
    seen: list[tuple[Any, ...]] = []

    def look(state: HookState, runtime: Runtime) -> None:
        seen.append((state.messages, state.tools))

    given = [Message.system("Be brief."), Message.user("3 + 3?")]
    first = Middleware("a", before_model=returns({"messages": given, "tools": [ToolInfo("other")]}))
    drain(stacked(model, first, Middleware("b", before_model=look), tools=[returning("add", "4")]).run([QUESTION]))

    assert model.given == [tuple(given)]
    assert model.offered == [("other",)]
    assert seen == [(tuple(given), (ToolInfo("other"),))]


def test_before_agent_precedes_the_first_model_call() -> None:
    """The hook runs once, although the model is called twice."""
    model = Answers(asks("add"), "4")

    def inject(state: HookState, runtime: Runtime) -> dict[str, Any]:
        return {"messages": [Message.system("Be brief."), *state.messages], "count": state.own.count + 1}

    session: dict[str, Any] = {}
    middleware = Middleware("m", state_schema=Count, before_agent=inject)
    drain(stacked(model, middleware, tools=[returning("add", "4")]).run([QUESTION], session))

    assert [[m.role for m in given] for given in model.given] == [
        ["system", "user"],
        ["system", "user", "assistant", "tool"],
    ]
    assert session["plugins"]["agent"]["m"]["count"] == 1


def test_after_model_changes_what_tools_receive() -> None:
    """The calls are those of the last message after the hooks."""
    tool = returning("add", "4")

    def edit(state: HookState, runtime: Runtime) -> dict[str, Any] | None:
        if not state.messages[-1].tool_calls:
            return None
        return {"messages": [*state.messages[:-1], Message.assistant("", [ToolCall("1", "add", '{"x":1}')])]}

    drain(stacked(Answers(asks("add"), "4"), Middleware("m", after_model=edit), tools=[tool]).run([QUESTION]))

    assert [arguments for _, arguments in tool.calls] == ['{"x":1}']


def test_each_middleware_has_its_own_state() -> None:
    """Fields of one name are separate; undeclared fields are dropped, others are kept, and hooks receive copies."""
    seen: dict[str, list[object]] = {"a": [], "b": []}

    def counting(name: str) -> Middleware:
        def count(state: HookState, runtime: Runtime) -> dict[str, Any]:
            seen[name].append((state.own.count, list(state.own.names)))
            state.own.names.append("mine")  # changes nothing
            first = state.own.count == 0
            return {"names": [name], "count": 1, "other": 1} if first else {"count": state.own.count + 1}

        return Middleware(name, state_schema=Count, before_model=count)

    session: dict[str, Any] = {}
    built = stacked(Answers(asks("add"), "4"), counting("a"), counting("b"), tools=[returning("add", "4")])
    drain(built.run([QUESTION], session))
    drain(built.run([QUESTION], session))

    assert seen["a"] == [(0, []), (1, ["a"]), (2, ["a"])]
    assert seen["b"] == [(0, []), (1, ["b"]), (2, ["b"])]
    assert session == {
        "plugins": {"agent": {"a": {"names": ["a"], "count": 3}, "b": {"names": ["b"], "count": 3}}},
    }


def test_a_state_without_defaults_starts_with_none() -> None:
    """Unset fields are None; an update has to fit the schema."""
    schema = msgspec.defstruct("Strict", [("count", int)])
    seen: list[object] = []

    def note(state: HookState, runtime: Runtime) -> dict[str, Any]:
        seen.append(state.own.count)
        return {"count": 3}

    middleware = Middleware("m", state_schema=schema, before_model=note)
    session: dict[str, Any] = {}
    for _ in range(2):
        drain(stacked(Answers("4"), middleware).run([QUESTION], session))
    assert seen == [None, 3]

    bad = Middleware("m", state_schema=schema, before_model=returns({"count": None}))
    assert "for the field 'count' of Strict: Expected `int`, got `null`" in failure(
        drain(stacked(Answers("4"), bad).run([QUESTION]))
    )


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


def test_a_context_is_read_only() -> None:
    """A middleware receives its declared fields read-only, also in a sub-agent."""
    seen: list[object] = []

    def look(state: HookState, runtime: Runtime) -> None:
        seen.append((runtime.agent, runtime.context.user, hasattr(runtime.context, "secret")))
        with pytest.raises(AttributeError):
            runtime.context.user = "Eve"
        runtime.context.tags.append("changes nothing")

    middleware = Middleware("m", context_schema=Needs, before_model=look)
    inner = stacked(Answers("inner"), middleware, name="sub", description="Helps.")
    call = Message.assistant("", [ToolCall("1", "sub", '{"request": "Help."}')])
    outer = stacked(Answers(call, "4"), middleware, tools=[AgentTool(inner)])
    context: dict[str, Any] = {"user": "Ann", "tags": [], "secret": 1}
    session: dict[str, Any] = {}
    drain(outer.run([QUESTION], session, context=context))

    assert seen == [("agent", "Ann", False), ("sub", "Ann", False), ("agent", "Ann", False)]
    assert context == {"user": "Ann", "tags": [], "secret": 1}
    assert session == {}


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


@pytest.mark.parametrize("hook", HOOKS[:3])
def test_an_error_in_a_hook_ends_the_run(hook: str) -> None:
    """The error is unchanged, and no later hook runs."""
    trace: list[str] = []

    def breaks(state: HookState, runtime: Runtime) -> None:
        raise LookupError("no such thing")

    broken = Middleware("m", **{hook: breaks})  # type: ignore[arg-type]  # by its name
    events = drain(stacked(Answers("4"), tracing("A", trace), broken).run([QUESTION]))

    assert failure(events) == "LookupError: no such thing"
    assert "A after agent" not in trace
    assert "A after model" not in trace


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


def test_the_error_of_a_tool_is_unchanged() -> None:
    """A middleware without a wrapper does not change the error of a tool."""
    built = stacked(Answers(asks("add")), Middleware("m"), tools=[raising("add", LookupError("gone"))])

    assert failure(drain(built.run([QUESTION]))) == "LookupError: gone"
