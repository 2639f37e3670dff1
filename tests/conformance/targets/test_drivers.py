"""The event loop that moves the doubles: one for as long as nothing goes wrong, and never an idle one."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
import time

import pytest

from loopspec import AdapterError, ReadRequest, Stage, TargetCrashed, TargetTimedOut
from loopspec.contract.scene import File, Run, Scene
from loopspec.contract.values import Began
from loopspec.engine.perform import perform
from loopspec.targets import drivers

from ..staging import performed, target_of

RUN = Run(id="1")


def test_nothing_is_left_behind_for_the_next_scene() -> None:
    """Tasks that an implementation forgot are cancelled, and those that refuse are waited for."""
    ends: list[str] = []

    async def forgotten() -> None:
        try:
            await asyncio.sleep(1000)
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            ends.append("cancelled")
            raise

    tasks: list[asyncio.Task[None]] = []

    async def act_out(stage: Stage) -> None:
        tasks.append(asyncio.create_task(forgotten()))
        await asyncio.sleep(0)
        if len(tasks) == 2:
            raise LookupError("no")

    target = target_of(perform=act_out)
    perform(target, Scene(act="run"), "agent")
    with pytest.raises(AdapterError):
        perform(target, Scene(act="run"), "agent")
    target.close()
    target.close()

    assert ends == ["cancelled", "cancelled"]


def test_after_an_exit_the_next_scene_has_a_loop_of_its_own() -> None:
    """What was on the old one may not let itself be cancelled."""
    loops: list[asyncio.AbstractEventLoop] = []

    async def stubborn() -> None:
        while True:
            try:
                await asyncio.sleep(1000)
            except asyncio.CancelledError:
                continue

    async def act_out(stage: Stage) -> None:
        loops.append(asyncio.get_running_loop())
        if len(loops) == 1:
            loops[0].create_task(stubborn())
            await asyncio.sleep(0)
            raise SystemExit(3)

    target = target_of(perform=act_out)
    with pytest.raises(TargetCrashed):
        perform(target, Scene(act="run"), "agent")
    perform(target, Scene(act="run"), "agent")
    target.close()

    assert loops[0] is not loops[1]
    assert [loop.is_closed() for loop in loops] == [True, True]


def test_a_run_that_was_given_up_is_cleared_away_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever that is, and wherever: nobody is told that its context is gone."""
    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)

    async def act_out(stage: Stage) -> None:
        with stage.runs.running(RUN):
            await asyncio.sleep(1000)

    target = target_of(perform=act_out)
    with pytest.raises(TargetTimedOut):
        perform(target, Scene(act="run", runs=(RUN,)), "agent", 0.05)
    gc.collect()
    target.close()

    assert told == []


@pytest.mark.parametrize("pause", [0.0, 0.05])
def test_who_waits_in_a_thread_is_not_stuck(pause: float) -> None:
    """As long as a thread is at work, what is held may still be let go."""
    scene = Scene(
        act="run", files={"/p/a.md": File(text="A.", held=Began(run="2"))}, runs=(RUN, Run(id="2", together=True))
    )

    async def act_out(stage: Stage) -> None:
        async def read() -> None:
            with stage.runs.running(RUN):
                await stage.environment.read(ReadRequest(file_path="/p/a.md"))

        async def begin() -> None:
            await asyncio.to_thread(time.sleep, pause)
            with stage.runs.running(Run(id="2")):
                pass

        await asyncio.gather(read(), begin())

    seen = performed(scene, "agent", perform=act_out)

    assert (seen.stuck, len(seen.runs)) == ((), 2)


def test_an_implementation_that_waits_for_a_thread_of_its_own_is_left_alone() -> None:
    """Without a gate there is nothing to give up."""
    done = threading.Event()

    async def act_out(stage: Stage) -> None:
        waiter = asyncio.get_running_loop().create_future()
        loop = asyncio.get_running_loop()

        def work() -> None:
            time.sleep(0.05)
            loop.call_soon_threadsafe(waiter.set_result, None)

        threading.Thread(target=work, daemon=True).start()
        await waiter
        done.set()

    performed(Scene(act="run"), "agent", perform=act_out)

    assert done.is_set()


@pytest.mark.parametrize(("daemon", "pause"), [(True, 0.05), (False, 0.4)])
def test_any_thread_may_let_go_what_is_held(daemon: bool, pause: float) -> None:
    """A daemon is at work, too, and a slow one is not stuck."""
    scene = Scene(act="run", files={"/p/a.md": File(text="A.", held=Began(run="2"))}, runs=(RUN,))

    async def act_out(stage: Stage) -> None:
        loop = asyncio.get_running_loop()
        awake = loop.create_future()

        def work() -> None:
            time.sleep(pause)
            loop.call_soon_threadsafe(awake.set_result, None)

        async def begin() -> None:
            await awake
            with stage.runs.running(Run(id="2")):
                pass

        threading.Thread(target=work, daemon=daemon).start()
        await asyncio.gather(stage.environment.read(ReadRequest(file_path="/p/a.md")), begin())

    assert performed(scene, "agent", perform=act_out).stuck == ()


def test_a_far_timer_does_not_hide_a_stuck_gate() -> None:
    """Nobody waits for the deadline."""
    scene = Scene(act="run", files={"/p/a.md": File(text="A.", held=Began(run="2"))}, runs=(RUN,))

    async def act_out(stage: Stage) -> None:
        with stage.runs.running(RUN):
            await asyncio.wait_for(stage.environment.read(ReadRequest(file_path="/p/a.md")), 60)

    assert performed(scene, "agent", perform=act_out).stuck == ("held until run 2 begins, which never came",)


def test_threads_with_nothing_to_do_are_not_waited_for() -> None:
    """The event loop keeps the threads of its pool; a gate that can no longer open is noticed at once all the same."""
    ends: list[float] = []

    async def act_out(stage: Stage) -> None:
        await asyncio.to_thread(time.sleep, 0)
        async for batch in stage.runs.batches():
            for run in batch:
                began = time.monotonic()
                with stage.runs.running(run):
                    await stage.environment.read(ReadRequest(file_path="/p/a.md"))
                ends.append(time.monotonic() - began)

    target = target_of(perform=act_out)
    held = File(text="a", held=Began(run="never"))
    seen = perform(target, Scene(act="run", files={"/p/a.md": held}, runs=(RUN,)), "agent")
    target.close()

    assert seen.stuck
    assert ends[0] < drivers._GRACE / 2
