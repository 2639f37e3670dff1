"""Gates: a held call is released by an event, or reported as stuck."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Literal

import pytest
from msgspec.structs import replace

from loopspec import Message, ReadRequest
from loopspec.contract.agents import Agent, Tool
from loopspec.contract.scene import Cancel, File, HeldCall, Run, Scene
from loopspec.contract.values import (
    Appeared,
    Began,
    Called,
    CancelAsked,
    Ended,
    Error,
    Failed,
    FileData,
    Gate,
    Returned,
)
from loopspec.stage import LiveStage

from ..staging import HELLO, ONE, TWO, Inside, call_of, staged

A = ReadRequest(file_path="/p/a.md")
CANCELLED = Run(id="2", cancels=(Cancel(at=Began(run="2")), Cancel(at=Ended(run="2"))))


def held_until(gate: Gate) -> Scene:
    """A scene whose only file is held."""
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
        (Appeared(run="1", chunks=3), "chunk 3 appears in run 1"),
        (Returned(double="tool t", times=2), "'tool t' has returned 2 times"),
        (Ended(run="2"), "run 2 ends"),
        (CancelAsked(run="2", times=2), "the cancellation of run 2 is asked for 2 times"),
    ],
)
def test_a_gate_that_can_no_longer_open_is_reported(gate: Gate, sentence: str) -> None:
    """The held call fails immediately, and the observation names the gate."""

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            await stage.environment.read(A)

    seen = staged(held_until(gate), steps)

    sentence = f"held until {sentence}, which never came"
    assert seen.stuck == (sentence,)
    assert [end.error and (end.error.kind, end.error.message) for end in seen.runs] == [
        ("other", f"StuckGate: {sentence}")
    ]


class Asked:
    """A cancel request."""

    contributed = True

    async def wait(self) -> Literal["cancelled"]:
        """Return immediately."""
        return "cancelled"


async def chunks_of(*chunks: Message) -> AsyncIterator[Message]:
    """A stream."""
    for chunk in chunks:
        yield chunk


async def run_and_fail(stage: LiveStage) -> None:
    """A run with two events, a result as an event and one as a stream, three chunks, three calls, and an error."""
    stage.runs.cancels(CANCELLED, lambda request: Asked())
    with stage.runs.running(TWO):
        stage.runs.event("agent", Message(role="tool", tool_call_id="c"))
        stage.runs.event("agent", custom={"half": 0.5})
        await stage.runs.stream("agent", chunks_of(HELLO))
        await stage.runs.stream("agent", chunks_of(*[Message(role="tool", tool_call_id="d")] * 2))
        for _ in range(2):
            await stage.doubles.invoke(call_of("t"), Inside())
        await stage.doubles.invoke(call_of("fails"), Inside())


@pytest.mark.parametrize(
    "gate",
    [
        *(Called(double="tool t", times=2, run="2"), Called(double="tool t", times=2), Called(double="read /p/a.md")),
        *(Returned(double="tool t", times=2, run="2"), Returned(double="tool t"), Returned(double="tool fails")),
        *(Began(run="2"), Failed(run="2"), Ended(run="2"), CancelAsked(run="2"), CancelAsked(run="2", times=2)),
        *(Appeared(run="2", events=2), Appeared(run="2", chunks=3)),
        *(Appeared(run="2", tool_call_id="c"), Appeared(run="2", tool_call_id="d")),
    ],
)
def test_an_open_gate_releases_its_calls(gate: Gate) -> None:
    """Calls and their returns, run starts and ends, events, chunks, results, failures and cancellations open gates."""
    tools = (Tool(name="t"), Tool(name="fails", error=Error(kind="io")))
    scene = replace(held_until(gate), agent=Agent(tools=tools))

    async def read(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            assert await stage.environment.read(A) == "A."

    async def steps(stage: LiveStage) -> None:
        await asyncio.gather(read(stage), run_and_fail(stage), return_exceptions=True)

    seen = staged(scene, steps)

    assert seen.stuck == ()
    assert [read.content for read in seen.reads] == [FileData(text="A.")]
    assert [(end.run, end.error is None) for end in sorted(seen.runs, key=lambda end: end.run)] == [
        ("1", True),
        ("2", False),
    ]


@pytest.mark.parametrize("name", ["/p/a.md", "/p/none.md"])
def test_a_read_opens_a_gate_when_it_returns(name: str) -> None:
    """A read returns with content or with an error."""
    tool = Tool(name="t", held=Returned(double=f"read {name}"))
    scene = Scene(act="run", files={"/p/a.md": File(text="A.")}, agent=Agent(tools=(tool,)), runs=(ONE, TWO))

    async def steps(stage: LiveStage) -> None:
        using = asyncio.ensure_future(stage.doubles.invoke(call_of("t"), Inside()))
        with stage.runs.running(TWO):
            await stage.environment.read(ReadRequest(file_path=name))
        await using

    assert staged(scene, steps).stuck == ()


def test_a_synchronous_call_cannot_be_held() -> None:
    """A synchronous call fails instead of returning too early."""

    async def steps(stage: LiveStage) -> None:
        with pytest.raises(RuntimeError, match=r"the scene holds this call"):
            stage.environment.read_now(A)

    staged(held_until(Began(run="2")), steps)


def test_without_a_driver_no_call_can_be_held() -> None:
    """A stage without a driver cannot hold a call."""
    stage = LiveStage(held_until(Began(run="2")), "agent")

    with pytest.raises(RuntimeError, match="an implementation that does not await cannot be held"):
        stage.environment.read_now(A)


@pytest.mark.parametrize("gate", [Called(double="read /p/a.md", times=2), Began(run="2")])
def test_a_cancelled_call_is_no_longer_held(gate: Gate) -> None:
    """The cancelled call stays cancelled, whether the gate opens or not."""

    async def steps(stage: LiveStage) -> None:
        for pause in (False, True):
            waiting = asyncio.ensure_future(stage.environment.read(A))
            await asyncio.sleep(0)
            waiting.cancel()
            if pause:
                await asyncio.gather(waiting, return_exceptions=True)
            if isinstance(gate, Called):
                assert await stage.environment.read(A) == "A."
        await asyncio.get_running_loop().run_in_executor(None, str)

    assert staged(held_until(gate), steps).stuck == ()


def test_a_cancelled_call_is_not_reported_as_stuck() -> None:
    """The other waiting call is still reported."""

    async def steps(stage: LiveStage) -> None:
        first, second = (asyncio.ensure_future(stage.environment.read(A)) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.gather(first, second, return_exceptions=True)

    assert len(staged(held_until(Began(run="2")), steps).stuck) == 1


def tool_held(number: int, until: Gate, run: str = "1") -> HeldCall:
    """One held call of the tool t."""
    return HeldCall(double="tool t", run=run, number=number, until=until)


def with_held(*held: HeldCall) -> Scene:
    """A scene with a tool whose calls are held one by one."""
    return Scene(act="run", agent=Agent(tools=(Tool(name="t"),)), runs=(ONE,), held=held)


def test_one_call_of_a_tool_is_held() -> None:
    """The first call waits for all of its gates; the second call of the same tool does not wait."""
    order: list[str] = []

    async def invoke(stage: LiveStage, call: str) -> None:
        await stage.doubles.invoke(call_of("t", call), Inside())
        order.append(call)

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            await asyncio.gather(invoke(stage, "c1"), invoke(stage, "c2"))

    scene = with_held(
        tool_held(1, Called(double="tool t", times=2, run="1")), tool_held(1, Returned(double="tool t", run="1"))
    )
    seen = staged(scene, steps)

    assert (order, seen.stuck, seen.unreached) == (["c2", "c1"], (), ())


def test_calls_in_turn_are_let_go() -> None:
    """A call that waits for a call that is not made does not fail, and the scene holds no later call."""
    order: list[str] = []

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            for call in ("c1", "c2"):
                await stage.doubles.invoke(call_of("t", call), Inside())
                order.append(call)

    scene = with_held(
        tool_held(1, Called(double="tool t", times=2, run="1")),
        tool_held(1, Returned(double="tool t", times=5, run="1")),
        tool_held(2, Returned(double="tool t", times=5, run="1")),
    )
    seen = staged(scene, steps)

    assert order == ["c1", "c2"]
    assert seen.stuck == ()
    assert seen.unreached == ("held until 'tool t' is called 2 times in run 1, which never came",)
    assert [end.error for end in seen.runs] == [None]


def test_a_held_call_that_waits_for_a_call_under_way_is_stuck() -> None:
    """Only a call that is not made is a matter of the implementation: this call has been made and cannot return."""

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            await stage.doubles.invoke(call_of("t", "c1"), Inside())

    seen = staged(with_held(tool_held(1, Returned(double="tool t", run="1"))), steps)

    assert seen.stuck == ("held until 'tool t' has returned 1 times, which never came",)
    assert seen.unreached == ()


def test_a_call_in_another_run_is_not_held() -> None:
    """A held call is a call of one run."""

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            await stage.doubles.invoke(call_of("t", "c1"), Inside())

    seen = staged(with_held(tool_held(1, Began(run="3"), run="2")), steps)

    assert (seen.stuck, seen.unreached, len(seen.tool_runs)) == ((), (), 1)
