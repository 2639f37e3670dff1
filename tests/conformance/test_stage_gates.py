"""Gates: what is held is let go by what happens, or said to be stuck."""

from __future__ import annotations

import asyncio

import pytest

from loopspec import Message, ReadRequest
from loopspec.contract.agents import Agent, Tool
from loopspec.contract.observation import Content
from loopspec.contract.scene import File, Run, Scene
from loopspec.contract.values import Appeared, Began, Called, Error, Failed, Gate
from loopspec.stage import LiveStage

from .staging import Inside, call_of, staged

A = ReadRequest(file_path="/p/a.md")
ONE, TWO = Run(id="1"), Run(id="2", together=True)
USER = Message(role="user", content="Hello.")


def held_until(gate: Gate) -> Scene:
    """A scene whose one file is held."""
    return Scene(act="run", files={"/p/a.md": File(text="A.", held=gate)}, runs=(ONE, TWO))


@pytest.mark.parametrize(
    ("gate", "sentence"),
    [
        (Called(double="tool t", times=2, run="2"), "'tool t' is called 2 times in run 2"),
        (Called(double="model m"), "'model m' is called 1 times"),
        (Began(run="2"), "run 2 begins"),
        (Appeared(run="1", events=2), "event 2 appears in run 1"),
        (Appeared(run="1", tool_call_id="c"), "the result of c appears in run 1"),
        (Failed(run="2"), "run 2 fails"),
    ],
)
def test_a_gate_that_can_no_longer_open_is_reported(gate: Gate, sentence: str) -> None:
    """The call that is held fails at once, and the observation says which gate it was."""

    async def course(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            await stage.world.read(A)

    seen = staged(held_until(gate), course)

    sentence = f"held until {sentence}, which never came"
    assert seen.stuck == (sentence,)
    assert [end.error for end in seen.runs] == [Error(kind="other", message=f"StuckGate: {sentence}")]


async def _calls(stage: LiveStage) -> None:
    for _ in range(2):
        with stage.runs.running(TWO):
            await stage.doubles.invoke(call_of("t"), Inside())


async def _begins(stage: LiveStage) -> None:
    with stage.runs.running(TWO):
        pass


async def _shows(stage: LiveStage) -> None:
    with stage.runs.running(TWO):
        stage.runs.event("agent", USER)
        stage.runs.event("agent", custom={"half": 0.5})


async def _shows_result(stage: LiveStage) -> None:
    with stage.runs.running(TWO):
        stage.runs.event("agent", Message(role="tool", tool_call_id="c"))


async def _fails(stage: LiveStage) -> None:
    with stage.runs.running(TWO):
        raise LookupError("no")


@pytest.mark.parametrize(
    ("gate", "other"),
    [
        (Called(double="tool t", times=2, run="2"), _calls),
        (Called(double="tool t", times=2), _calls),
        (Called(double="read /p/a.md"), _begins),
        (Began(run="2"), _begins),
        (Appeared(run="2", events=2), _shows),
        (Appeared(run="2", tool_call_id="c"), _shows_result),
        (Failed(run="2"), _fails),
    ],
)
def test_a_gate_lets_go_what_waits_for_it(gate: Gate, other: object) -> None:
    """Calls, beginnings, events, results and failures of another run."""
    scene = held_until(gate)
    scene = Scene(act="run", files=scene.files, agent=Agent(tools=(Tool(name="t"),)), runs=scene.runs)

    async def read(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            assert await stage.world.read(A) == "A."

    async def course(stage: LiveStage) -> None:
        assert callable(other)
        await asyncio.gather(read(stage), other(stage))

    seen = staged(scene, course)

    assert seen.stuck == ()
    assert [read.content for read in seen.reads] == [Content(text="A.")]
    assert next(end for end in seen.runs if end.run == "1").error is None


def test_who_cannot_wait_cannot_be_held() -> None:
    """A plain function is told so, instead of being answered too early."""

    async def course(stage: LiveStage) -> None:
        with pytest.raises(RuntimeError, match=r"holds the read of '/p/a\.md', and this implementation cannot wait"):
            stage.world.read_now(A)

    staged(held_until(Began(run="2")), course)


def test_without_a_driver_nobody_can_be_held() -> None:
    """A stage that nothing was attached to has no place to wait in."""
    stage = LiveStage(held_until(Began(run="2")), "agent")

    with pytest.raises(RuntimeError, match="an implementation that does not await cannot be held"):
        stage.world.read_now(A)


@pytest.mark.parametrize("gate", [Called(double="read /p/a.md", times=2), Began(run="2")])
def test_who_was_cancelled_waits_no_longer(gate: Gate) -> None:
    """Neither when the gate opens, at once or later, nor when it can no longer open."""

    async def course(stage: LiveStage) -> None:
        for pause in (False, True):
            waiting = asyncio.ensure_future(stage.world.read(A))
            await asyncio.sleep(0)
            waiting.cancel()
            if pause:
                await asyncio.gather(waiting, return_exceptions=True)
            if isinstance(gate, Called):
                assert await stage.world.read(A) == "A."
        await asyncio.get_running_loop().run_in_executor(None, str)

    assert staged(held_until(gate), course).stuck == ()


def test_giving_up_leaves_out_who_was_cancelled() -> None:
    """Whoever waits besides is still told."""

    async def course(stage: LiveStage) -> None:
        first, second = (asyncio.ensure_future(stage.world.read(A)) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.gather(first, second, return_exceptions=True)

    assert len(staged(held_until(Began(run="2")), course).stuck) == 1
