"""Strategies: the calls and results of their factories, and the answers of registries."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from loopspec import Message, Observation, Run, ScriptedError, Strategy, StrategyMeta, at_once
from loopspec.contract.actions import SetState
from loopspec.contract.agents import Agent, Model, Plugin, Script, Summarization, Tool, Turn
from loopspec.contract.calls import Edited, InvalidValue, State, View
from loopspec.contract.faults import AdapterError
from loopspec.contract.observation import Creation, Registered
from loopspec.contract.plugins import Module
from loopspec.contract.scene import Scene
from loopspec.contract.values import Error, Json
from loopspec.stage import LiveStage

from ..staging import Inside, call_of, sent, staged

HELLO = Message(role="user", content="Hello.")
ONE = Run(id="1")
MADE = Plugin(
    name="made",
    scripts=(Script(hook="before model", actions=(SetState(key="a", value=1),)),),
    tools=(Tool(name="t", text="x"),),
    sync=True,
)
META = StrategyMeta(name="p", label={"en_US": "P"})
STRATEGY = Strategy(provider="p", meta=META, makes=MADE)
SCENE = Scene(
    act="run",
    agent=Agent(tools=(Tool(name="helper", agent=Agent(name="helper")),)),
    runs=(ONE,),
    modules=(Module(name="m", strategies=(STRATEGY,)),),
)


def reject(key: str, value: Json) -> None:
    """Reject every change."""
    raise AssertionError


def created(
    strategy: Strategy, node: str = "m1", agent: str = "agent", options: Mapping[str, Json] | None = None
) -> tuple[list[Plugin], Observation]:
    """The results of a factory, and the observation."""
    made: list[Plugin] = []

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            came = await stage.middlewares.create(strategy, node, agent, options or {})
            assert not isinstance(came, InvalidValue)
            made.append(came)

    return made, staged(SCENE, steps, "plugins")


def test_a_middleware_is_named_after_its_node() -> None:
    """Other values are those of the strategy; the call and its arguments are recorded."""
    options = {"a": [1]}

    (made,), seen = created(STRATEGY, options=options)

    assert made == replace(MADE, name="m1")
    assert seen.creations == (Creation(n=1, provider="p", node="m1", agent="agent", options={"a": [1]}),)
    assert [(span.name, span.agent, span.inside, span.error) for span in seen.spans] == [
        ("create m1", "agent", None, None)
    ]


def test_a_middleware_of_another_agent_is_named_after_both() -> None:
    """Two agents may have middlewares from one node."""
    (made,), seen = created(STRATEGY, agent="helper")

    assert made == replace(MADE, name="helper's m1")
    assert [(creation.node, creation.agent) for creation in seen.creations] == [("m1", "helper")]
    assert [span.agent for span in seen.spans] == ["helper"]


def test_a_strategy_without_a_middleware_makes_one_without_hooks() -> None:
    """The middleware does nothing."""
    (made,), _ = created(replace(STRATEGY, makes=None))

    assert made == Plugin(name="m1")
    assert made.hooks == set()


def test_a_made_middleware_is_a_double() -> None:
    """Calls of a middleware's hooks and tools belong to its agent."""

    async def steps(stage: LiveStage) -> None:
        for agent in ("agent", "helper"):
            await stage.middlewares.create(STRATEGY, "m1", agent, {})
        state = State(messages=(HELLO,))
        for name in ("m1", "helper's m1"):
            wanted = await stage.middlewares.change(name, "before model", state, View(), reject)
            assert wanted == Edited(messages=(0,), own={"a": 1})
        await stage.doubles.invoke(call_of("t"), Inside())

    seen = staged(SCENE, steps, "plugins")

    assert [(span.name, span.agent) for span in seen.spans[2:]] == [
        ("before model m1", "agent"),
        ("before model helper's m1", "helper"),
        ("tool t", "agent"),  # the first agent with the tool
    ]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({}, "without a"),
        ({"b": 1}, "without a"),
        ({"a": 1}, "without b"),
        ({"a": None, "b": 0, "c": 1}, None),
    ],
)
def test_a_factory_rejects_missing_options(options: dict[str, Json], code: str | None) -> None:
    """The error names the first missing option; the call is recorded."""
    made, seen = created(replace(STRATEGY, requires=("a", "b")), options=options)

    error = None if code is None else Error(kind="scripted", code=code, message=f"scripted error {code}")
    assert len(made) == (code is None)
    assert [creation.options for creation in seen.creations] == [options]
    assert [span.error for span in seen.spans] == [error]
    assert [end.error for end in seen.runs] == [error]


def test_a_rejected_middleware_is_no_double() -> None:
    """A rejected middleware is not registered as a double."""
    stage = LiveStage(SCENE, "plugins")

    with pytest.raises(ScriptedError, match="without a"):
        at_once(stage.middlewares.create(replace(STRATEGY, requires=("a",)), "m1", "agent", {}))
    with pytest.raises(AdapterError, match="m1"):
        at_once(stage.middlewares.change("m1", "before model", State(), View(), reject))


def test_a_factory_may_remove_its_options() -> None:
    """The record has the options as they were."""
    options: dict[str, Json] = {"a": 1}

    _, seen = created(replace(STRATEGY, uses_up=True), options=options)

    assert options == {}
    assert [call.options for call in seen.creations] == [{"a": 1}]


def test_a_factory_may_return_an_invalid_value() -> None:
    """The adapter passes the value on; options are checked first, and no double is registered."""
    stage = LiveStage(SCENE, "plugins")
    strategy = replace(STRATEGY, invalid=True, requires=("a",))

    assert at_once(stage.middlewares.create(strategy, "m1", "agent", {"a": 1})) == InvalidValue()
    with pytest.raises(ScriptedError, match="without a"):
        at_once(stage.middlewares.create(strategy, "m1", "agent", {}))
    spans = [span for span in stage.observation().spans if span.name == "create m1"]
    assert [span.error is None for span in spans] == [True, False]
    with pytest.raises(AdapterError, match="m1"):
        at_once(stage.middlewares.change("m1", "before model", State(), View(), reject))


def test_factories_run_concurrently_with_a_slow_one() -> None:
    """A slow factory returns when nothing else can continue; sequential calls have sequential spans."""
    slow = replace(STRATEGY, slow=True)

    async def at_the_same_time(stage: LiveStage) -> None:
        await asyncio.gather(
            stage.middlewares.create(slow, "m1", "agent", {}), stage.middlewares.create(STRATEGY, "m2", "agent", {})
        )

    async def in_turn(stage: LiveStage) -> None:
        await stage.middlewares.create(slow, "m1", "agent", {})
        await stage.middlewares.create(STRATEGY, "m2", "agent", {})

    first, second = staged(SCENE, at_the_same_time, "plugins").spans
    assert (first.name, second.name) == ("create m1", "create m2")
    assert first.ended is not None
    assert first.ended > second.n
    first, second = staged(SCENE, in_turn, "plugins").spans
    assert first.ended == second.n


def test_a_slow_factory_is_awaited() -> None:
    """A slow factory that is not awaited fails."""
    stage = LiveStage(SCENE, "plugins")

    with pytest.raises(RuntimeError, match="the scene holds this call"):
        at_once(stage.middlewares.create(replace(STRATEGY, slow=True), "m1", "agent", {}))


def test_the_doubles_of_a_built_in_middleware_belong_to_its_agent() -> None:
    """The doubles are the summarizing model and the additional models."""
    summarizer = Model(name="summarizer", turns=(Turn(text="short"),))
    agent = Agent(
        handlers=(Summarization(model=summarizer), Summarization(name="none")),
        additional_models=(Model(name="m", turns=(Turn(text="m says"),)),),
    )

    async def steps(stage: LiveStage) -> None:
        for model in ("summarizer", "m"):
            await stage.doubles.generate(model, sent(HELLO))

    seen = staged(Scene(act="run", agent=agent), steps, "plugins")

    assert [call.answer and call.answer.content for call in seen.model_calls] == ["short", "m says"]
    assert [(span.name, span.agent) for span in seen.spans] == [("model summarizer", "agent"), ("model m", "agent")]


def test_answers_of_registries_are_recorded() -> None:
    """The listed providers and the lookups are recorded; an error has its kind of the contract."""

    class UnknownProviderError(Exception):
        pass

    stage = LiveStage(Scene(act="look up", lookups=("p", "q")), "plugins")
    stage.record.kinds = {UnknownProviderError: "unknown_provider"}
    other = StrategyMeta(name="q")
    stage.outcomes.registered("q", other)
    stage.outcomes.registered("p", META)
    stage.outcomes.looked_up("p", META)
    stage.outcomes.look_up_failed("q", UnknownProviderError("no q"))
    stage.outcomes.look_up_failed("r", KeyError("r"))

    seen = stage.observation()

    assert seen.strategies == (Registered(provider="q", meta=other), Registered(provider="p", meta=META))
    assert seen.lookups == (
        Registered(provider="p", meta=META),
        Registered(provider="q", error=Error(kind="unknown_provider", message="no q")),
        Registered(provider="r", error=Error(kind="other", message="KeyError: 'r'")),
    )
