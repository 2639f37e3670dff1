"""Strategies: the calls and results of their factories, and the answers of registries."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from loopspec import Observation, Run, ScriptedError, Strategy, StrategyMeta, at_once
from loopspec.contract.actions import SetState
from loopspec.contract.agents import Agent, Plugin, Script, Tool
from loopspec.contract.calls import InvalidValue, State, View
from loopspec.contract.faults import AdapterError
from loopspec.contract.plugins import Module
from loopspec.contract.scene import Scene
from loopspec.contract.values import Json
from loopspec.stage import LiveStage

from ..staging import staged

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
