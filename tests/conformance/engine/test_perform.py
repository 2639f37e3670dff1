"""Performing one scene on one target: deadlines, faults, and roles that replace other roles."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from loopspec import (
    AdapterError,
    Message,
    Observation,
    ReadRequest,
    Stage,
    TargetCrashed,
    TargetTimedOut,
    TargetUnusable,
)
from loopspec.contract.agents import Agent, AgentsMD, Config
from loopspec.contract.faults import KitError
from loopspec.contract.observation import Load, Section
from loopspec.contract.scene import File, Run, Scene
from loopspec.contract.values import Error
from loopspec.engine.deadlines import DeadlinePassed, before_deadline
from loopspec.engine.perform import perform

from ..process import PATIENCE
from ..staging import Acting, sent

LOAD = Scene(act="load", files={"/p/a.md": File(text="Answer.")}, instructions=Config(files=("/p/a.md",)))


def raising(error: BaseException) -> Callable[[Stage], None]:
    """An act that raises an error."""

    def act(stage: Stage) -> NoReturn:
        raise error

    return act


@pytest.mark.parametrize(
    ("error", "fault", "message"),
    [
        (AdapterError("as it is"), AdapterError, "as it is"),
        (TargetUnusable("no second one"), AdapterError, "no second one"),
        (ValueError("x"), AdapterError, "the adapter of acting failed: ValueError: x ("),
        (asyncio.CancelledError(), AdapterError, "the adapter of acting failed: CancelledError:"),
        (pytest.skip.Exception("no"), AdapterError, "the adapter of acting failed: Skipped: no"),
        (SystemExit("bye"), TargetCrashed, "acting raised SystemExit('bye')"),
    ],
)
def test_an_exception_of_an_adapter_is_a_fault(error: BaseException, fault: type[KitError], message: str) -> None:
    """The message has the last line of the error and the place where it was raised."""
    with pytest.raises(fault) as raised:
        perform(Acting(raising(error)), LOAD, "loader")

    assert str(raised.value).startswith(message)


def test_ctrl_c_is_no_fault() -> None:
    """KeyboardInterrupt is not converted."""
    with pytest.raises(KeyboardInterrupt):
        perform(Acting(raising(KeyboardInterrupt())), LOAD, "loader")


def _sleeps(stage: Stage) -> None:
    time.sleep(60)


def _swallows_once(stage: Stage) -> None:
    try:
        time.sleep(60)
    except BaseException:
        time.sleep(60)


def _returns_late(stage: Stage) -> None:
    try:
        time.sleep(60)
    except BaseException:
        return


def _changes_the_error(stage: Stage) -> None:
    try:
        time.sleep(60)
    except BaseException:
        raise ValueError("something else") from None


@pytest.mark.parametrize("act", [_sleeps, _swallows_once, _returns_late, _changes_the_error])
def test_the_deadline_cannot_be_ignored(act: Callable[[Stage], None]) -> None:
    """A case is late whatever the implementation does with the interruption."""
    before = signal.getsignal(signal.SIGALRM)

    with pytest.raises(TargetTimedOut, match=r"acting did not return within 0\.1 s"):
        perform(Acting(act), LOAD, "loader", 0.1)

    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_outside_the_main_thread_no_deadline_applies() -> None:
    """Outside the main thread there is no alarm signal, so no deadline applies."""
    seen: list[Observation] = []
    thread = threading.Thread(target=lambda: seen.append(perform(Acting(), LOAD, "loader", 0.001)))
    thread.start()
    thread.join()

    assert seen == [Observation()]


def test_an_agent_replaces_a_loader_with_one_short_run() -> None:
    """The agent gets the loader's configuration, and the instructions in the model's input are the load."""

    def act(stage: Stage) -> None:
        scene = stage.scene
        assert (scene.act, scene.agent.handlers, len(scene.runs)) == ("run", (AgentsMD(config=LOAD.instructions),), 1)
        asyncio.run(_run(stage, "Start.\n# /p/a.md\n\nAnswer.\nEnd."))

    seen = perform(Acting(act, roles=["agent"]), LOAD, "agent")

    section = Section(path="/p/a.md", text="Answer.")
    assert seen.loads == (Load(n=1, sections=(section,), text="Start.\n# /p/a.md\n\nAnswer.\nEnd."),)


async def _run(stage: Stage, instructions: str) -> None:
    with stage.runs.running(stage.scene.runs[0]):
        await stage.environment.read(ReadRequest(file_path="/p/a.md"))
        messages = [Message(role="user", content=instructions), *stage.runs.messages(stage.scene.runs[0])]
        await stage.doubles.generate("model", sent(*messages))


def test_a_conversation_without_instructions_is_an_empty_load() -> None:
    """The load has neither a text nor a section."""

    def act(stage: Stage) -> None:
        asyncio.run(_run(stage, "nothing that a file says"))

    assert perform(Acting(act, roles=["agent"]), LOAD, "agent").loads == (Load(n=1),)


def test_a_run_that_never_reaches_its_model_is_no_load() -> None:
    """An agent that does nothing has loaded nothing: an empty load would pass for a load without files."""
    assert perform(Acting(roles=["agent"]), LOAD, "agent").loads == ()


@pytest.mark.parametrize("refused", [True, False])
def test_a_run_that_fails_is_a_load_that_failed(refused: bool) -> None:
    """The load fails whether building the agent or the run fails."""

    def act(stage: Stage) -> None:
        if refused:
            stage.outcomes.build_failed(PermissionError("no"))
        else:
            with stage.runs.running(stage.scene.runs[0]):
                raise PermissionError("no")

    seen = perform(Acting(act, roles=["agent"]), LOAD, "agent")

    assert [load.error for load in seen.loads] == [Error(kind="permission", message="no")]


def test_an_agent_is_created_with_the_agentsmd_middleware() -> None:
    """No run takes place."""
    scenes: list[Scene] = []

    perform(Acting(lambda stage: scenes.append(stage.scene), roles=["agent"]), Scene(act="create"), "agent")

    assert scenes == [Scene(act="create", agent=Agent(handlers=(AgentsMD(config=None),)))]


def test_a_resumed_run_is_performed_by_a_rebuilt_target() -> None:
    """A resumed run is performed by a rebuilt target, which is closed afterward."""
    scene = Scene(act="run", runs=(Run(id="1"), Run(id="2", resume="1"), Run(id="3"), Run(id="4", resume="3")))
    performed: list[list[str]] = []

    async def batches(stage: Stage) -> None:
        performed.append([run.id async for batch in stage.runs.concurrent_runs() for run in batch])

    target = Acting(lambda stage: asyncio.run(batches(stage)), roles=["agent"])
    perform(target, scene, "agent")

    assert (performed, target.closed) == ([["1"], ["2", "3"], ["4"]], 2)


def test_an_earlier_timer_continues() -> None:
    """A timer that was set before continues with its remaining time."""
    before = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 100, 7)
    try:
        perform(Acting(), LOAD, "loader")
        left, every = signal.getitimer(signal.ITIMER_REAL)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

    assert 90 < left < 100
    assert every == 7


@pytest.mark.parametrize("deadline", [1e300, float("inf")])
def test_a_deadline_may_be_very_late(deadline: float) -> None:
    """A deadline beyond the maximum of the timer is accepted."""
    assert perform(Acting(), LOAD, "loader", deadline).loads == ()


def test_a_deadline_may_pass_immediately() -> None:
    """A deadline that passes immediately is reported as a time-out, and no timer stays set."""
    for _ in range(200):
        with pytest.raises(TargetTimedOut):
            perform(Acting(lambda stage: time.sleep(0.01)), LOAD, "loader", 1e-9)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


BUSY = "while True: pass"
# an act of 0.4 seconds of CPU, with a deadline of 1.2 seconds, on one processor with four busy processes
ACT = """
import os, sys, time
from loopspec.engine.deadlines import before_deadline
os.sched_setaffinity(0, {int(sys.argv[1])})
start = time.monotonic()
def act():
    until = time.process_time() + 0.4
    while time.process_time() < until: pass
before_deadline(1.2, act)
print(time.monotonic() - start)
"""

linux = pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="only Linux reports how long a process was ready to run"
)


@pytest.fixture
def busy_processor() -> Iterator[int]:
    """One processor with four busy processes."""
    processor = min(os.sched_getaffinity(0))
    pinned = f"import os; os.sched_setaffinity(0, {{{processor}}})\n{BUSY}"
    processes = [subprocess.Popen([sys.executable, "-c", pinned]) for _ in range(4)]
    yield processor
    for process in processes:
        process.kill()
        process.wait()


@linux
def test_time_in_which_other_processes_run_does_not_count(busy_processor: int) -> None:
    """The act takes longer than its deadline, since it shares a processor, and is not interrupted."""
    done = subprocess.run(
        [sys.executable, "-c", ACT, str(busy_processor)], capture_output=True, text=True, check=False, timeout=PATIENCE
    )

    assert (done.stderr, done.returncode) == ("", 0)
    assert float(done.stdout) > 1.2


def test_time_in_which_the_act_waits_counts() -> None:
    """An act that sleeps is interrupted."""
    with pytest.raises(DeadlinePassed):
        before_deadline(0.2, lambda: time.sleep(60))
