"""One scene on one target: deadline, faults, and roles that answer for others."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable
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
from loopspec.engine.perform import perform

from ..staging import Acting, sent

LOAD = Scene(act="load", files={"/p/a.md": File(text="Answer.")}, instructions=Config(files=("/p/a.md",)))


def raising(error: BaseException) -> Callable[[Stage], None]:
    """An act that fails."""

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
def test_whatever_leaves_an_adapter_is_a_fault(error: BaseException, fault: type[KitError], message: str) -> None:
    """Named by its last line, with the place it comes from."""
    with pytest.raises(fault) as raised:
        perform(Acting(raising(error)), LOAD, "loader")

    assert str(raised.value).startswith(message)


def test_ctrl_c_is_nobodys_fault() -> None:
    """It goes through."""
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
def test_the_deadline_cannot_be_talked_away(act: Callable[[Stage], None]) -> None:
    """It is late when it is late, whatever the implementation makes of being broken out of."""
    before = signal.getsignal(signal.SIGALRM)

    with pytest.raises(TargetTimedOut, match=r"acting did not come back within 0\.1 s"):
        perform(Acting(act), LOAD, "loader", 0.1)

    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_outside_the_main_thread_nothing_is_bounded() -> None:
    """A signal cannot reach there, and nothing pretends it could."""
    seen: list[Observation] = []
    thread = threading.Thread(target=lambda: seen.append(perform(Acting(), LOAD, "loader", 0.001)))
    thread.start()
    thread.join()

    assert seen == [Observation()]


def test_an_agent_answers_for_a_loader_with_one_short_run() -> None:
    """Its AgentsMD handler is configured as the loader would be, and the model's conversation is what was loaded."""

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
    """Neither a text nor a section."""

    def act(stage: Stage) -> None:
        asyncio.run(_run(stage, "nothing that a file says"))

    assert perform(Acting(act, roles=["agent"]), LOAD, "agent").loads == (Load(n=1),)


def test_a_run_that_never_reaches_its_model_is_an_empty_load() -> None:
    """As one of an agent that does nothing."""
    assert perform(Acting(roles=["agent"]), LOAD, "agent").loads == (Load(n=0),)


@pytest.mark.parametrize("refused", [True, False])
def test_a_run_that_fails_is_a_load_that_failed(refused: bool) -> None:
    """Whether the handler was refused or the run failed."""

    def act(stage: Stage) -> None:
        if refused:
            stage.outcomes.refused(PermissionError("no"))
        else:
            with stage.runs.running(stage.scene.runs[0]):
                raise PermissionError("no")

    seen = perform(Acting(act, roles=["agent"]), LOAD, "agent")

    assert [load.error for load in seen.loads] == [Error(kind="permission", message="no")]


def test_creating_is_done_with_an_agent_that_has_the_handler() -> None:
    """And without a run."""
    scenes: list[Scene] = []

    perform(Acting(lambda stage: scenes.append(stage.scene), roles=["agent"]), Scene(act="create"), "agent")

    assert scenes == [Scene(act="create", agent=Agent(handlers=(AgentsMD(config=None),)))]


def test_what_follows_a_resume_is_performed_by_another() -> None:
    """Rebuilt, as a new process would have it, and closed again."""
    scene = Scene(act="run", runs=(Run(id="1"), Run(id="2", resume="1"), Run(id="3"), Run(id="4", resume="3")))
    performed: list[list[str]] = []

    async def batches(stage: Stage) -> None:
        performed.append([run.id async for batch in stage.runs.batches() for run in batch])

    target = Acting(lambda stage: asyncio.run(batches(stage)), roles=["agent"])
    perform(target, scene, "agent")

    assert (performed, target.closed) == ([["1"], ["2", "3"], ["4"]], 2)


def test_the_timer_of_somebody_else_goes_on() -> None:
    """With what remains of it."""
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
def test_a_deadline_may_be_as_late_as_one_likes(deadline: float) -> None:
    """A timer takes no more than so much."""
    assert perform(Acting(), LOAD, "loader", deadline).loads == ()


def test_a_deadline_may_pass_at_once() -> None:
    """Wherever it passes, it is the target's; nothing else comes out, and no timer stays behind."""
    for _ in range(200):
        with pytest.raises(TargetTimedOut):
            perform(Acting(lambda stage: time.sleep(0.01)), LOAD, "loader", 1e-9)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
