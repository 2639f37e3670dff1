"""The clock of a stage advances when no other coroutine can continue."""

from __future__ import annotations

import asyncio
import time

import pytest

from loopspec.contract.agents import Agent, Model, Retry, Turn
from loopspec.contract.scene import Scene
from loopspec.contract.values import Appeared, Began, Called
from loopspec.stage import LiveStage

from ..staging import HELLO, ONE, sent, staged


def test_a_sleeper_wakes_without_real_waiting() -> None:
    """A long sleep ends without real waiting; the requested time is recorded."""

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            await stage.recovery.sleep(3600.0)
            await stage.recovery.sleep(0.0)

    began = time.monotonic()
    seen = staged(Scene(act="run", runs=(ONE,)), steps)

    assert time.monotonic() - began < 60
    assert [(asked.what, asked.run, asked.number) for asked in seen.questions] == [
        ("sleep", "1", 3600.0),
        ("sleep", "1", 0.0),
    ]


def test_sleepers_wake_in_the_order_of_time() -> None:
    """Sleepers wake one after the other; a sleep starts when it is requested."""
    order: list[str] = []

    async def sleeps(stage: LiveStage, name: str, *times: float) -> None:
        for seconds in times:
            await stage.recovery.sleep(seconds)
            order.append(f"{name} {seconds:g}")

    async def steps(stage: LiveStage) -> None:
        await asyncio.gather(sleeps(stage, "a", 5), sleeps(stage, "b", 2, 2, 2), sleeps(stage, "c", 3))

    staged(Scene(act="run"), steps)
    assert order == ["b 2", "c 3", "b 2", "a 5", "b 2"]


def test_time_passes_only_when_nothing_else_can_continue() -> None:
    """A coroutine that can continue continues before time passes."""
    order: list[str] = []

    async def sleeps(stage: LiveStage) -> None:
        await stage.recovery.sleep(0.001)
        order.append("awake")

    async def works() -> None:
        for _ in range(100):
            await asyncio.sleep(0)
        order.append("worked")

    async def steps(stage: LiveStage) -> None:
        await asyncio.gather(sleeps(stage), works())

    staged(Scene(act="run"), steps)
    assert order == ["worked", "awake"]


def test_time_passes_before_a_gate_counts_as_stuck() -> None:
    """A sleeper that wakes may still open the gate."""
    turn = Turn(text="late", held=Appeared(run="1"))
    scene = Scene(act="run", agent=Agent(model=Model(turns=(turn,))), runs=(ONE,))
    said: list[str] = []

    async def answers(stage: LiveStage) -> None:
        answer = await stage.doubles.generate("model", sent(HELLO))
        said.append(answer.content if answer else "nothing")

    async def shows(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            for seconds in (1, 2, 3):
                await stage.recovery.sleep(seconds)
            stage.runs.event("agent", HELLO)

    async def steps(stage: LiveStage) -> None:
        await asyncio.gather(answers(stage), shows(stage))

    assert (staged(scene, steps).stuck, said) == ((), ["late"])


def test_a_gate_is_stuck_when_every_sleeper_is_awake() -> None:
    """A gate is not stuck while a coroutine sleeps."""
    turn = Turn(text="late", held=Began(run="2"))
    awake: list[float] = []

    async def sleeps(stage: LiveStage) -> None:
        await stage.recovery.sleep(1)
        awake.append(1)

    async def steps(stage: LiveStage) -> None:
        sleeping = asyncio.ensure_future(sleeps(stage))
        with stage.runs.running(ONE):
            await stage.doubles.generate("model", sent(HELLO))
        assert awake == [1]
        await sleeping

    seen = staged(Scene(act="run", agent=Agent(model=Model(turns=(turn,))), runs=(ONE,)), steps)
    assert seen.stuck == ("held until run 2 begins, which never came",)


@pytest.mark.parametrize("pause", [False, True])
def test_a_cancelled_sleeper_does_not_delay_the_others(pause: bool) -> None:
    """The next sleeper wakes at its own time."""
    order: list[str] = []

    async def sleeps(stage: LiveStage, name: str, seconds: float) -> None:
        await stage.recovery.sleep(seconds)
        order.append(name)

    async def steps(stage: LiveStage) -> None:
        first, second, third = (
            asyncio.ensure_future(sleeps(stage, name, seconds)) for name, seconds in (("a", 1), ("b", 3), ("c", 2))
        )
        await asyncio.sleep(0)
        first.cancel()
        if pause:
            await asyncio.gather(first, return_exceptions=True)
        await asyncio.gather(first, second, third, return_exceptions=True)

    staged(Scene(act="run"), steps)
    assert order == ["c", "b"]


def test_a_retry_is_waited_for_once_its_delay_is_known() -> None:
    """The gate opens when the wait begins; another wait opens nothing."""

    async def steps(stage: LiveStage) -> None:
        opened: list[str] = []
        stage.record.gates.when(Called(double="back-off", run="1"), lambda: opened.append("now"))
        with stage.runs.running(ONE):
            await stage.recovery.sleep(1.0)
            stage.recovery.delay("agent", 1)
            assert opened == []
            await stage.recovery.sleep(1.0)
            assert opened == ["now"]

    staged(Scene(act="run", agent=Agent(retry=Retry(delays=True))), steps)


def test_without_a_driver_a_sleep_is_an_error() -> None:
    """A stage without a driver cannot hold a call."""
    sleeping = LiveStage(Scene(act="run"), "agent").recovery.sleep(1)

    with pytest.raises(RuntimeError, match="cannot be held"):
        sleeping.send(None)
