"""Scripted middlewares of the plugin layer: the results of their hooks, and the records."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from loopspec import Message, Observation, Run, ScriptedError, at_once
from loopspec.contract.actions import (
    Action,
    AddContext,
    AssignContext,
    Count,
    DeleteLocal,
    GetLocal,
    GetSession,
    Hold,
    Insert,
    Jump,
    OfferTools,
    Raise,
    ReplaceLast,
    ReturnNothing,
    SendEvent,
    SetLocal,
    SetSession,
    SetState,
    UseInvalidValue,
)
from loopspec.contract.agents import Agent, Field, Hook, Plugin, Script
from loopspec.contract.calls import Edited, InvalidValue, State, View
from loopspec.contract.middlewares import StateHook
from loopspec.contract.observation import Executed, RunEnd
from loopspec.contract.scene import Scene
from loopspec.contract.values import Began, Error, Json
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


@pytest.mark.parametrize("hook", HOOKS)
def test_a_middleware_that_only_observes_changes_nothing(hook: StateHook) -> None:
    """The record has the messages, the tools, the middleware's own state and the runtime context."""
    view = View(own={"n": 1}, context={"user": "u"})

    (wanted,), seen = changed(hook=hook, views=[view])

    (call,) = seen.hooks
    assert wanted == KEPT
    assert (call.handler, call.hook, call.run, call.messages, call.tools) == ("A", hook, "1", (HELLO,), ("t1", "t2"))
    assert call.view == view
    assert [(span.name, span.agent, span.run, span.inside) for span in seen.spans] == [
        (f"{hook} A", "agent", "1", None)
    ]


def test_a_hook_updates_the_state() -> None:
    """Only the named fields are updated; the last of several values is used."""
    (wanted,), _ = changed(SetState(key="a", value=[1]), SetState(key="b", value=None), SetState(key="a", value="x"))

    assert wanted == Edited(messages=(0,), tools=("t1", "t2"), own={"a": "x", "b": None})


@pytest.mark.parametrize(
    ("own", "actions", "count"),
    [
        ({}, [Count(key="n")], 1),
        ({"n": None}, [Count(key="n")], 1),
        ({"n": 0}, [Count(key="n")], 1),
        ({"n": 4}, [Count(key="n")], 5),
        ({"n": 4.0}, [Count(key="n")], 5),
        ({"m": 4}, [Count(key="n")], 1),
        ({"n": 4}, [Count(key="n"), Count(key="n")], 6),
        ({"n": 4}, [SetState(key="n", value=7), Count(key="n")], 8),
        ({"n": 4}, [Count(key="n"), SetState(key="n", value=0)], 0),
    ],
)
def test_a_hook_counts_from_the_current_value(own: dict[str, Json], actions: list[Action], count: int) -> None:
    """A missing value counts as zero; a value set in the same call is used first."""
    (wanted,), _ = changed(*actions, views=[View(own=own)])

    assert wanted is not None
    assert wanted.own == {"n": count}


def test_a_middleware_keeps_no_state_by_itself() -> None:
    """The count continues only if the implementation has kept the state."""
    wanted, _ = changed(Count(key="n"), views=[View(), View(), View(own={"n": 2})])

    assert [one and one.own for one in wanted] == [{"n": 1}, {"n": 1}, {"n": 3}]


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
    error = Error(kind="other", message="AttributeError: user cannot be v")
    assert seen.hooks[0].refused == {"assign user": error}


@pytest.mark.parametrize("target", ["model", "tools", "end", "nowhere"])
def test_a_hook_jumps(target: str) -> None:
    """The target is not checked: only the implementation knows the valid targets."""
    (wanted,), _ = changed(Jump(target="model"), Jump(target=target))

    assert wanted == Edited(messages=(0,), tools=("t1", "t2"), jump=target)


def test_a_hook_returns_nothing() -> None:
    """The result is None, not an empty update; the other actions are performed."""
    (wanted,), seen = changed(SetState(key="a", value=1), ReturnNothing(), SetLocal(key="k", value=1))

    assert wanted is None
    assert set(seen.hooks[0].refused) == {"set k"}


@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_returns_an_invalid_value(hook: StateHook) -> None:
    """The adapter passes the value on; the other actions are performed."""

    async def steps(stage: LiveStage) -> None:
        assert await stage.middlewares.change("A", hook, STATE, View(), reject) == InvalidValue()

    actions = (ReturnNothing(), UseInvalidValue(), SetLocal(key="k", value=1), SetState(key="a", value=1))
    seen = staged(scene_of(plugin_of(hook, *actions)), steps, "plugins")

    assert [(call.hook, set(call.refused)) for call in seen.hooks] == [(hook, {"set k"})]


def test_a_hook_adds_an_invalid_value_to_the_messages() -> None:
    """The invalid value follows all messages; a hook has no request for an invalid value."""
    (wanted,), _ = changed(
        UseInvalidValue(place="messages"), Insert(at=None, message=HELLO), SetState(key="a", value=1)
    )
    assert wanted == Edited(messages=(0, HELLO), tools=("t1", "t2"), own={"a": 1}, invalid=InvalidValue())
    (wanted,), _ = changed(UseInvalidValue(place="request"))
    assert wanted == KEPT


def test_a_hook_edits_the_conversation_and_the_tools() -> None:
    """Unchanged messages are named by their positions, as for handlers."""
    system = Message(role="system", content="Be brief.")

    (wanted,), _ = changed(Insert(at=0, message=system), ReplaceLast(text="Bye."), OfferTools(tools=("t2", "t3")))

    bye = Message(role="user", content="Bye.")
    assert wanted == Edited(messages=(system, bye), tools=("t2", "t3"))


def test_actions_inside_a_run_are_rejected() -> None:
    """Run-local values, the session and events are not available to a middleware."""
    actions: list[Action] = [
        SetLocal(key="a", value=1),
        GetLocal(key="b"),
        DeleteLocal(key="c"),
        SetSession(key="d", value=1),
        GetSession(key="e"),
        SendEvent(payload={"f": 1}),
    ]

    (wanted,), seen = changed(*actions)

    sentence = "RuntimeError: a middleware of the plugin layer has its own state, and nothing else of the run"
    (call,) = seen.hooks
    assert wanted == KEPT
    assert list(call.refused) == ["set a", "get b", "delete c", "set d", "get e", "send event"]
    assert set(call.refused.values()) == {Error(kind="other", message=sentence)}
    assert (call.found, call.missing, seen.events) == ({}, (), ())


def test_a_context_value_reaches_the_next_hook() -> None:
    """The next hook receives the value if the implementation passes the context on."""
    _, seen = changed(AddContext(key="k", value=1), views=[View(), View()])

    assert [call.context for call in seen.hooks] == [{}, {"k": 1}]


def test_an_error_of_a_hook_is_raised() -> None:
    """The error is the run's, and the values read before it are recorded."""
    wanted: list[object] = []

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            wanted.append(await stage.middlewares.change("A", "after model", STATE, View(), reject))

    seen = staged(
        scene_of(plugin_of("after model", AssignContext(key="user", value=1), Raise(code="E"))), steps, "plugins"
    )

    error = Error(kind="scripted", code="E", message="scripted error E")
    assert wanted == []
    assert list(seen.hooks[0].refused) == ["assign user"]
    assert [span.error for span in seen.spans] == [error]
    assert [end.error for end in seen.runs] == [error]


def test_calls_are_counted_for_each_hook_and_run() -> None:
    """A script may be for one call of a run."""
    scripts = (Script(hook="before model", calls=(2,), actions=(SetState(key="a", value=1),)),)
    hooks: tuple[StateHook, ...] = ("before model", "after model", "before model")
    wanted: list[object] = []

    async def steps(stage: LiveStage) -> None:
        for run in (ONE, TWO):
            with stage.runs.running(run):
                for hook in hooks:
                    wanted.append(await stage.middlewares.change("A", hook, STATE, View(), reject))

    staged(scene_of(Plugin(name="A", scripts=scripts)), steps, "plugins")

    assert wanted == [KEPT, KEPT, replace(KEPT, own={"a": 1})] * 2


def test_tokens_are_words() -> None:
    """The words of all contents are counted; any white space separates words."""
    count = LiveStage(Scene(act="run"), "plugins").middlewares.count_tokens

    assert count([]) == 0
    assert count([HELLO, Message(role="assistant"), Message(role="tool", content=" two\n\twords  ")]) == 3


def test_a_scene_configures_the_tokens_of_a_word() -> None:
    """Each word has the configured number of tokens."""
    count = LiveStage(Scene(act="run", tokens_per_word=7), "plugins").middlewares.count_tokens

    assert count([]) == 0
    assert count([Message(role="tool", content=" two\n\twords  ")]) == 14


def test_an_execution_is_recorded() -> None:
    """The record has the run, if there is one, and the output or the error."""

    async def steps(stage: LiveStage) -> None:
        stage.middlewares.executed("m", [], error="no")
        with stage.runs.running(ONE):
            stage.middlewares.executed("m", [HELLO], "short")

    assert staged(scene_of(), steps, "plugins").executions == (
        Executed(n=0, node="m", run=None, error="no"),
        Executed(n=1, node="m", run="1", inputs=(HELLO,), output="short"),
    )


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
