"""Scripted middlewares of the plugin layer: what their hooks want, and what is taken down of it."""

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
    """A middleware that does this in one hook."""
    return Plugin(name=name, scripts=(Script(hook=hook, actions=actions),))


def scene_of(*plugins: Plugin) -> Scene:
    """A scene with these middlewares."""
    return Scene(act="run", agent=Agent(handlers=plugins), runs=(ONE, TWO))


def refuse(key: str, value: Json) -> None:
    """An implementation whose runtime context cannot be changed."""
    raise AttributeError(f"{key} cannot be {value}")


def changed(
    *actions: Action, hook: StateHook = "before model", state: State = STATE, views: Sequence[View] = (View(),)
) -> tuple[list[Edited | None], Observation]:
    """What a middleware wants, hook call by hook call, and what was seen."""
    wanted: list[Edited | None] = []

    async def course(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            for view in views:
                came = await stage.middlewares.change("A", hook, state, view, refuse)
                assert not isinstance(came, InvalidValue)
                wanted.append(came)

    seen = staged(scene_of(plugin_of(hook, *actions)), course, "plugins")
    assert len(wanted) == len(views), seen.runs
    return wanted, seen


@pytest.mark.parametrize("hook", HOOKS)
def test_a_middleware_that_looks_on_wants_what_there_is(hook: StateHook) -> None:
    """What it got is taken down, with what it saw of its own state and of the runtime context."""
    view = View(own={"n": 1}, context={"user": "u"})

    (wanted,), seen = changed(hook=hook, views=[view])

    (call,) = seen.hooks
    assert wanted == KEPT
    assert (call.handler, call.hook, call.run, call.messages, call.tools) == ("A", hook, "1", (HELLO,), ("t1", "t2"))
    assert call.view == view
    assert [(span.name, span.agent, span.run, span.inside) for span in seen.spans] == [
        (f"{hook} A", "agent", "1", None)
    ]


def test_its_state_is_updated() -> None:
    """Only the fields that it says; the last of several values holds."""
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
def test_it_counts_on_from_what_it_sees(own: dict[str, Json], actions: list[Action], count: int) -> None:
    """Nothing is as good as none; what it has itself set in this call comes first."""
    (wanted,), _ = changed(*actions, views=[View(own=own)])

    assert wanted is not None
    assert wanted.own == {"n": count}


def test_it_remembers_nothing_by_itself() -> None:
    """The count goes on only if the implementation has kept it."""
    wanted, _ = changed(Count(key="n"), views=[View(), View(), View(own={"n": 2})])

    assert [one and one.own for one in wanted] == [{"n": 1}, {"n": 1}, {"n": 3}]


def test_the_runtime_context_can_be_changed_where_an_implementation_lets_it() -> None:
    """Nothing is noted then: the next hook sees it."""
    taken: dict[str, Json] = {}

    async def course(stage: LiveStage) -> None:
        assert await stage.middlewares.change("A", "before model", STATE, View(), taken.__setitem__) == KEPT

    seen = staged(scene_of(plugin_of("before model", AssignContext(key="user", value="v"))), course, "plugins")

    assert taken == {"user": "v"}
    assert seen.hooks[0].refused == {}


def test_a_refusal_to_change_the_runtime_context_is_noted_and_goes_no_further() -> None:
    """What comes behind it is done."""
    (wanted,), seen = changed(AssignContext(key="user", value="v"), SetState(key="a", value=1))

    assert wanted is not None
    assert wanted.own == {"a": 1}
    error = Error(kind="other", message="AttributeError: user cannot be v")
    assert seen.hooks[0].refused == {"assign user": error}


@pytest.mark.parametrize("target", ["model", "tools", "end", "nowhere"])
def test_it_jumps(target: str) -> None:
    """Wherever it says: whether there is such a place is for the implementation to know."""
    (wanted,), _ = changed(Jump(target="model"), Jump(target=target))

    assert wanted == Edited(messages=(0,), tools=("t1", "t2"), jump=target)


def test_it_returns_nothing() -> None:
    """Which is no update, and no empty one; the rest of what it does is done."""
    (wanted,), seen = changed(SetState(key="a", value=1), ReturnNothing(), SetLocal(key="k", value=1))

    assert wanted is None
    assert set(seen.hooks[0].refused) == {"set k"}


@pytest.mark.parametrize("hook", HOOKS)
def test_it_returns_junk(hook: StateHook) -> None:
    """Which an adapter hands on; the rest of what it does is done."""

    async def course(stage: LiveStage) -> None:
        assert await stage.middlewares.change("A", hook, STATE, View(), refuse) == InvalidValue()

    actions = (ReturnNothing(), UseInvalidValue(), SetLocal(key="k", value=1), SetState(key="a", value=1))
    seen = staged(scene_of(plugin_of(hook, *actions)), course, "plugins")

    assert [(call.hook, set(call.refused)) for call in seen.hooks] == [(hook, {"set k"})]


def test_it_adds_junk_to_the_messages() -> None:
    """Behind all others, and what it does besides is done; a request it has none to pass junk on in."""
    (wanted,), _ = changed(
        UseInvalidValue(place="messages"), Insert(at=None, message=HELLO), SetState(key="a", value=1)
    )
    assert wanted == Edited(messages=(0, HELLO), tools=("t1", "t2"), own={"a": 1}, invalid=InvalidValue())
    (wanted,), _ = changed(UseInvalidValue(place="request"))
    assert wanted == KEPT


def test_it_edits_the_conversation_and_the_tools() -> None:
    """As handlers do: messages that stay are named by their places."""
    system = Message(role="system", content="Be brief.")

    (wanted,), _ = changed(Insert(at=0, message=system), ReplaceLast(text="Bye."), OfferTools(tools=("t2", "t3")))

    bye = Message(role="user", content="Bye.")
    assert wanted == Edited(messages=(system, bye), tools=("t2", "t3"))


def test_what_is_for_the_inside_of_a_run_is_refused() -> None:
    """A middleware has no part in run-local values, in the session, or in events."""
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


def test_what_it_puts_into_the_context_is_seen_by_the_next_one() -> None:
    """As far as an implementation carries it along."""
    _, seen = changed(AddContext(key="k", value=1), views=[View(), View()])

    assert [call.context for call in seen.hooks] == [{}, {"k": 1}]


def test_an_error_of_a_hook_goes_through() -> None:
    """It is the run's, and what the hook had found until then is taken down."""
    wanted: list[object] = []

    async def course(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            wanted.append(await stage.middlewares.change("A", "after model", STATE, View(), refuse))

    seen = staged(
        scene_of(plugin_of("after model", AssignContext(key="user", value=1), Raise(code="E"))), course, "plugins"
    )

    error = Error(kind="scripted", code="E", message="scripted error E")
    assert wanted == []
    assert list(seen.hooks[0].refused) == ["assign user"]
    assert [span.error for span in seen.spans] == [error]
    assert [end.error for end in seen.runs] == [error]


def test_each_hook_is_counted_by_itself_in_each_run() -> None:
    """A script may be for one call of a run."""
    scripts = (Script(hook="before model", calls=(2,), actions=(SetState(key="a", value=1),)),)
    hooks: tuple[StateHook, ...] = ("before model", "after model", "before model")
    wanted: list[object] = []

    async def course(stage: LiveStage) -> None:
        for run in (ONE, TWO):
            with stage.runs.running(run):
                for hook in hooks:
                    wanted.append(await stage.middlewares.change("A", hook, STATE, View(), refuse))

    staged(scene_of(Plugin(name="A", scripts=scripts)), course, "plugins")

    assert wanted == [KEPT, KEPT, replace(KEPT, own={"a": 1})] * 2


def test_tokens_are_words() -> None:
    """In all texts of a conversation; whatever stands between them."""
    count = LiveStage(Scene(act="run"), "plugins").middlewares.count_tokens

    assert count([]) == 0
    assert count([HELLO, Message(role="assistant"), Message(role="tool", content=" two\n\twords  ")]) == 3


def test_a_scene_says_what_a_word_counts_as() -> None:
    """Each word has so many tokens."""
    count = LiveStage(Scene(act="run", tokens_per_word=7), "plugins").middlewares.count_tokens

    assert count([]) == 0
    assert count([Message(role="tool", content=" two\n\twords  ")]) == 14


def test_an_execution_is_taken_down() -> None:
    """In its run, if it is in one; what it came to, or what it failed with."""

    async def course(stage: LiveStage) -> None:
        stage.middlewares.executed("m", [], error="no")
        with stage.runs.running(ONE):
            stage.middlewares.executed("m", [HELLO], "short")

    assert staged(scene_of(), course, "plugins").executions == (
        Executed(n=0, node="m", run=None, error="no"),
        Executed(n=1, node="m", run="1", inputs=(HELLO,), output="short"),
    )


def test_a_run_leaves_states_behind() -> None:
    """Beside its session; what is no JSON is left out of either, and nothing is none."""

    async def course(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            stage.runs.ended_with({"s": 1}, {"a": [1], "b": object(), "c": None, "d": (1,)})
        with stage.runs.running(TWO):
            stage.runs.ended_with({"s": 2})

    assert staged(scene_of(), course, "plugins").runs == (
        RunEnd(n=0, run="1", session={"s": 1}, state={"a": [1], "c": None}),
        RunEnd(n=1, run="2", session={"s": 2}),
    )


def test_who_does_not_await_gets_an_answer_at_once() -> None:
    """From a hook that nothing holds; an error of its own goes through."""
    plugins = (
        plugin_of("before model", SetState(key="a", value=1)),
        plugin_of("before model", Raise(code="E"), name="B"),
    )
    stage = LiveStage(scene_of(*plugins), "plugins")

    wanted = at_once(stage.middlewares.change("A", "before model", STATE, View(), refuse))

    assert wanted == Edited(messages=(0,), tools=("t1", "t2"), own={"a": 1})
    with pytest.raises(ScriptedError, match="scripted error E"):
        at_once(stage.middlewares.change("B", "before model", STATE, View(), refuse))


def test_who_does_not_await_cannot_be_held() -> None:
    """It is told so, the call has never come back, and nobody is found waiting in the end."""
    held = plugin_of("before model", Hold(until=Began(run="2")))

    async def course(stage: LiveStage) -> None:
        with pytest.raises(RuntimeError, match="the scene holds this call"):
            at_once(stage.middlewares.change("A", "before model", STATE, View(), refuse))
        with stage.runs.running(TWO):
            assert at_once(stage.middlewares.change("A", "before model", STATE, View(), refuse)) == KEPT

    seen = staged(scene_of(held), course, "plugins")

    assert seen.stuck == ()
    assert [span.ended is None for span in seen.spans] == [True, False]
    with pytest.raises(RuntimeError, match="the scene holds this call"):  # nor where there is no place to wait in
        at_once(LiveStage(scene_of(held), "plugins").middlewares.change("A", "before model", STATE, View(), refuse))


def test_a_middleware_says_where_it_may_jump_to() -> None:
    """From one hook, each place once, by name; of no other deed."""
    scripts = (
        Script(hook="before model", actions=(Jump(target="tools"), SetState(key="a", value=1), Jump(target="end"))),
        Script(hook="before model", calls=(2,), actions=(Jump(target="end"),)),
        Script(hook="after model", actions=(Jump(target="model"),)),
    )
    plugin = Plugin(name="A", scripts=scripts, state=(Field(name="a"),))

    assert [plugin.jumps_from(hook) for hook in HOOKS] == [(), ("end", "tools"), ("model",), ()]
    assert plugin.hooks == {"before model", "after model"}
    assert Plugin(name="A", scripts=scripts, may_jump_to=("end",)).jumps_from("after model") == ("end",)
