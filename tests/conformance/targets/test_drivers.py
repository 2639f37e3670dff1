"""The event loop that drives the doubles: one loop for all scenes until an exit, and never an idle one."""

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


def test_no_task_is_left_for_the_next_scene() -> None:
    """Forgotten tasks are cancelled and awaited."""
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


def test_after_an_exit_the_next_scene_has_a_new_loop() -> None:
    """A task on the old loop may ignore its cancellation."""
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


def test_an_abandoned_run_is_removed_silently(monkeypatch: pytest.MonkeyPatch) -> None:
    """No warning is printed about the context of the abandoned run."""
    messages: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", messages.append)

    async def act_out(stage: Stage) -> None:
        with stage.runs.running(RUN):
            await asyncio.sleep(1000)

    target = target_of(perform=act_out)
    with pytest.raises(TargetTimedOut):
        perform(target, Scene(act="run", runs=(RUN,)), "agent", 0.05)
    gc.collect()
    target.close()

    assert messages == []


@pytest.mark.parametrize("pause", [0.0, 0.05])
def test_a_call_that_waits_for_a_thread_is_not_stuck(pause: float) -> None:
    """A held call is not stuck while a thread works."""
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


def test_an_implementation_may_wait_for_its_own_thread() -> None:
    """Without a gate, no deadlock is detected."""
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
def test_any_thread_may_open_a_gate(daemon: bool, pause: float) -> None:
    """The thread may be a daemon, and may be slow."""
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
    """The driver does not wait for the timer."""
    scene = Scene(act="run", files={"/p/a.md": File(text="A.", held=Began(run="2"))}, runs=(RUN,))

    async def act_out(stage: Stage) -> None:
        with stage.runs.running(RUN):
            await asyncio.wait_for(stage.environment.read(ReadRequest(file_path="/p/a.md")), 60)

    assert performed(scene, "agent", perform=act_out).stuck == ("held until run 2 begins, which never came",)


def test_idle_threads_are_not_awaited() -> None:
    """The idle threads of the event loop's pool do not delay the detection of a stuck gate."""
    ends: list[float] = []

    async def act_out(stage: Stage) -> None:
        await asyncio.to_thread(time.sleep, 0)
        async for batch in stage.runs.concurrent_runs():
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
