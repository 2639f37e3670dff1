"""A reporter reports what the framework emits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from loopspec import Message, Observation
from loopspec.contract.scene import Run
from loopspec.stage import LiveStage
from loopspec_adapting import Reporter
from loopspec_adapting.cancelling import Cancels

from ..staging import staged
from .bundles import CONVERSION, Bundle, bundle, scene_with, user

RUN = Run(id="1")
ANSWER = Message(role="assistant", content="done")
RESULT = Message(role="tool", content="ok", tool_call_id="c", tool_name="t")


def reported(steps: Callable[[Reporter[Bundle]], Any]) -> Observation:
    """The observation of a run in which a coroutine reports."""
    scene = scene_with()

    async def inside_the_run(stage: LiveStage) -> None:
        with stage.runs.running(scene.runs[0]):
            await steps(Reporter(stage, scene.runs[0], CONVERSION, Cancels()))

    return staged(scene, inside_the_run)


def test_answers_and_results_are_events() -> None:
    """A message of the framework or of the contract; other messages are no events."""

    async def steps(report: Reporter[Bundle]) -> None:
        report.message(bundle(user("Hello."), ANSWER))
        report.message(RESULT)
        report.custom({"n": 1})

    events = reported(steps).events

    assert [(event.agent, event.message, event.custom) for event in events] == [
        ("a", ANSWER, None),
        ("a", RESULT, None),
        ("a", None, {"n": 1}),
    ]


def test_an_error_breaks_a_stream() -> None:
    """The error ends the event, and leaves the block."""

    async def streaming(report: Reporter[Bundle]) -> None:
        async with report.stream() as push:
            push(ANSWER)
            push(RESULT)
            raise ValueError("broken")

    async def steps(report: Reporter[Bundle]) -> None:
        with pytest.raises(ValueError, match="broken"):
            await streaming(report)

    (event,) = reported(steps).events
    assert event.chunks == (ANSWER, RESULT)
    assert event.error is not None


def test_a_stream_begins_with_its_first_chunk() -> None:
    """A framework that fails before the first chunk has emitted no stream."""

    async def steps(report: Reporter[Bundle]) -> None:
        with pytest.raises(ValueError, match="early"):
            async with report.stream():
                raise ValueError("early")
        async with report.stream():
            pass

    assert reported(steps).events == ()


def test_an_interrupt_the_session_and_the_final_answer_are_reported() -> None:
    """They are in the end of the run, with the states of middlewares."""

    async def steps(report: Reporter[Bundle]) -> None:
        assert report.run.id == "1"
        report.interrupted(b"x", [("i", "info")])
        report.session({"k": "v"}, {"n": 1})
        report.message(ANSWER)
        report.final("other")

    (end,) = reported(steps).runs
    assert end.final == "other"
    assert (end.interrupted, end.checkpoint, end.session, end.state) == (True, b"x", {"k": "v"}, {"n": 1})
    assert [(one.id, one.info) for one in end.interrupts] == [("i", "info")]


def test_another_thread_may_report() -> None:
    """The event loop takes each report in the run, in order, before the method returns."""
    threads: list[int] = []

    async def steps(report: Reporter[Bundle]) -> None:
        def work() -> None:
            for number in range(3):
                report.message(Message(role="assistant", content=str(number)))
            report.custom("custom")
            report.session({"k": 1})
            report.final("2")
            threads.append(threading.get_ident())

        with ThreadPoolExecutor() as pool:  # its threads do not know the run of their caller
            await asyncio.get_running_loop().run_in_executor(pool, work)
        threads.append(threading.get_ident())

    seen = reported(steps)

    assert threads[0] != threads[1]
    assert [event.run for event in seen.events] == ["1"] * 4
    assert [event.message.content for event in seen.events if event.message] == ["0", "1", "2"]
    assert [(end.final, end.session) for end in seen.runs] == [("2", {"k": 1})]


def test_an_invalid_report_in_another_thread_is_an_error_there() -> None:
    """The error reaches the function that reports, and the loop continues."""

    async def steps(report: Reporter[Bundle]) -> None:
        with pytest.raises(AttributeError):
            await asyncio.to_thread(report.final, 7)  # type: ignore[arg-type]  # the mistake

    assert reported(steps).events == ()
