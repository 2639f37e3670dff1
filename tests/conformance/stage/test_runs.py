"""The runs of a scene as their caller sees them: events, streams, interrupts, cancellations, ends."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import AsyncIterator, Callable
from typing import Literal

import msgspec
import pytest

from loopspec import Message, Observation, ScriptedError
from loopspec.contract.agents import Agent, Model, Turn
from loopspec.contract.doubles import RegisteredValue
from loopspec.contract.faults import AdapterError
from loopspec.contract.observation import Cancelled, Event, Interrupted, RunEnd, Waited
from loopspec.contract.scene import Cancel, Run, Scene
from loopspec.contract.stage import CancelHandle
from loopspec.contract.values import Appeared, Began, Ended, Error, ErrorKind, Gate, Json
from loopspec.stage import LiveStage

from ..staging import sent, staged

HELLO = Message(role="user", content="Hello.")
RESULT = Message(role="tool", content="ok", tool_call_id="c")
RUN = Run(id="1")


def acted(act: Callable[[LiveStage], None], run: Run = RUN) -> Observation:
    """What is seen of a run in which this is done."""

    async def course(stage: LiveStage) -> None:
        with stage.runs.running(run):
            act(stage)

    return staged(Scene(act="run", runs=(run,)), course)


def test_events_are_taken_down_as_they_come() -> None:
    """Messages, values of anybody's own, errors; where they come from, and whether they end the run."""

    def act(stage: LiveStage) -> None:
        stage.runs.event("agent", HELLO)
        stage.runs.event("deep", custom={"half": 0.5}, path=["agent", "deep"])
        stage.runs.event("agent", RESULT, exits=True)
        stage.runs.event("agent", error=PermissionError("no"))

    assert acted(act).events == (
        Event(n=0, run="1", agent="agent", message=HELLO),
        Event(n=1, run="1", agent="deep", custom={"half": 0.5}, path=("agent", "deep")),
        Event(n=2, run="1", agent="agent", message=RESULT, exits=True),
        Event(n=3, run="1", agent="agent", error=Error(kind="permission", message="no")),
    )


async def chunks_of(*chunks: Message, error: Exception | None = None) -> AsyncIterator[Message]:
    """A stream, which may break."""
    for chunk in chunks:
        yield chunk
    if error:
        raise error


def test_a_stream_is_one_event_with_all_its_chunks() -> None:
    """Maybe none; the error it ended with is in it, and no error of the run's."""

    async def course(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            await stage.runs.stream("agent", chunks_of(HELLO, RESULT), path=["agent"], exits=True)
            await stage.runs.stream("agent", chunks_of())
            await stage.runs.stream("agent", chunks_of(HELLO, error=ScriptedError("E")))

    seen = staged(Scene(act="run", runs=(RUN,)), course)

    broken = Error(kind="scripted", code="E", message="scripted error E")
    assert seen.events == (
        Event(n=0, run="1", agent="agent", path=("agent",), chunks=(HELLO, RESULT), exits=True),
        Event(n=1, run="1", agent="agent", chunks=()),
        Event(n=2, run="1", agent="agent", chunks=(HELLO,), error=broken),
    )
    assert [end.error for end in seen.runs] == [None]


def test_a_chunk_has_appeared_as_soon_as_it_is_read() -> None:
    """Before its stream is over; chunks are counted over all streams of the run."""
    waits: dict[int, Gate] = {0: Appeared(run="1", chunks=2), 1: Appeared(run="1", chunks=3)}
    turns = (Turn(chunks=("c", "d"), waits=waits), Turn(chunks=("a", "b", "x"), waits={2: Appeared(run="1", chunks=4)}))
    scene = Scene(act="run", agent=Agent(model=Model(turns=turns)), runs=(RUN,))

    async def course(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            first, second = (stage.doubles.stream("model", sent(HELLO)) for _ in range(2))
            await asyncio.gather(stage.runs.stream("agent", first), stage.runs.stream("agent", second))

    seen = staged(scene, course)
    assert seen.stuck == ()
    assert [[chunk.content for chunk in event.chunks or ()] for event in seen.events] in (
        [["c", "d"], ["a", "b", "x"]],
        [["a", "b", "x"], ["c", "d"]],
    )


def test_an_interrupted_run_says_what_interrupted_it() -> None:
    """Each call by an id; the answers of the run that goes on are given by them."""
    infos: tuple[Json, ...] = ("t", "u", {"of": "another kind"}, ["t"], None)
    again = Run(id="2", resume="1", answers={"t": "yes", "v": "nobody asked"})

    async def course(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            stage.runs.interrupted(b"here", [(f"i{number}", info) for number, info in enumerate(infos)])
        assert stage.runs.checkpoint(again) == b"here"
        assert stage.runs.answers(again) == {"i0": "yes"}
        assert stage.runs.answers(Run(id="3", resume="1")) == {}
        assert stage.runs.answers(RUN) == {}

    seen = staged(Scene(act="run", runs=(RUN, again)), course)
    interrupts = tuple(Interrupted(id=f"i{number}", info=info) for number, info in enumerate(infos))
    assert seen.runs == (RunEnd(n=0, run="1", interrupted=True, interrupts=interrupts, checkpoint=b"here"),)


def test_a_run_cannot_go_on_from_a_checkpoint_that_was_never_left() -> None:
    """Which is an outcome of the run."""
    lost, stranger = Run(id="2", resume="1"), Run(id="3", resume="nobody")

    async def course(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            stage.runs.interrupted(None)
        for run in (lost, stranger):
            with stage.runs.running(run):
                stage.runs.checkpoint(run)

    seen = staged(Scene(act="run", runs=(RUN, lost, stranger)), course)
    assert [end.error and end.error.message for end in seen.runs] == [
        None,
        "LookupError: run 1 has left no checkpoint",
        "LookupError: run nobody has left no checkpoint",
    ]


def test_the_session_is_taken_down_as_far_as_it_is_json() -> None:
    """What does not come back from JSON as it was is left out, though it could be written."""
    fine: dict[str, Json] = {"text": "ä", "list": [1, {"a": None}], "half": 0.5, "big": 2**100, "yes": True}
    endless: list[Json] = []
    endless.append(endless)
    odd: dict[str, object] = {
        "object": object(),
        "struct": RegisteredValue(number=7),
        "day": datetime.date(2020, 1, 1),
        "set": {1},
        "number keys": {1: 2},
        "endless": endless,
        "half a letter": "\ud800",
        "inside": [RegisteredValue(number=7)],
    }

    seen = acted(lambda stage: stage.runs.ended_with({**fine, **odd}))

    assert seen.runs == (RunEnd(n=0, run="1", session=fine),)
    assert msgspec.json.decode(msgspec.json.encode(seen), type=Observation) == seen


def test_a_cancelled_run_says_how() -> None:
    """With the checkpoint that another goes on with."""
    run = Run(id="1", cancellable=True)

    async def course(stage: LiveStage) -> None:
        with stage.runs.running(run):
            stage.runs.cancelled(b"here", ["after tools", "after model"], escalated=True, timed_out=True)
            raise LookupError("cancelled")
        assert stage.runs.checkpoint(Run(id="2", resume="1")) == b"here"

    seen = staged(Scene(act="run", runs=(run,)), course)
    how = Cancelled(modes=("after model", "after tools"), escalated=True, timed_out=True)
    assert [(end.cancelled, end.interrupted) for end in seen.runs] == [(how, False)]


class Handle:
    """A request to cancel: what becomes of it."""

    def __init__(self, contributed: bool, outcome: Literal["cancelled", "ended", "timed out"]) -> None:
        self.contributed = contributed
        self._outcome: Literal["cancelled", "ended", "timed out"] = outcome

    async def wait(self) -> Literal["cancelled", "ended", "timed out"]:
        """Wait a little."""
        await asyncio.sleep(0)
        return self._outcome


def test_a_run_is_cancelled_at_the_gates_of_the_scene_and_waited_for() -> None:
    """Each request when its gate opens, with what it asks for; what each came to is taken down in their order."""
    late = Cancel(at=Ended(run="1"), modes=("after model",), timeout=3.0, recursive=True)
    run = Run(id="1", cancels=(Cancel(at=Began(run="1")), late))
    requests: list[Cancel] = []

    def cancel(request: Cancel) -> CancelHandle:
        requests.append(request)
        return Handle(request is not late, "ended" if request is late else "cancelled")

    async def course(stage: LiveStage) -> None:
        stage.runs.cancels(run, cancel)
        waiting = asyncio.ensure_future(stage.runs.waiting(run))
        await asyncio.sleep(0)
        assert requests == []
        with stage.runs.running(run):
            assert requests == [run.cancels[0]]
        await waiting

    seen = staged(Scene(act="run", runs=(run,)), course)

    assert requests == list(run.cancels)
    assert [(waited.run, waited.contributed, waited.outcome) for waited in seen.waits] == [
        ("1", True, "cancelled"),
        ("1", False, "ended"),
    ]
    assert isinstance(seen.waits[0], Waited)


def test_a_request_to_cancel_that_is_never_made_is_stuck() -> None:
    """Its caller waits no longer, and nothing else comes of it."""
    run = Run(id="1", cancels=(Cancel(at=Began(run="2")),))

    async def course(stage: LiveStage) -> None:
        stage.runs.cancels(run, lambda request: Handle(True, "ended"))
        with stage.runs.running(run):
            pass
        await stage.runs.waiting(run)

    seen = staged(Scene(act="run", runs=(run,)), course)
    stuck = "held until the cancellation of run 1 is asked for 1 times, which never came"
    assert (seen.stuck, seen.waits) == ((stuck,), ())


def test_a_run_without_requests_is_not_waited_for() -> None:
    """Whether somebody could have cancelled it or not."""

    async def course(stage: LiveStage) -> None:
        await stage.runs.waiting(Run(id="1", cancellable=True))

    assert staged(Scene(act="run"), course).waits == ()


def test_a_fault_of_the_adapter_is_no_end_of_a_run() -> None:
    """It goes through."""

    def act(stage: LiveStage) -> None:
        raise AdapterError("no")

    with pytest.raises(AdapterError, match="no"):
        acted(act)


class WillRetry(Exception):
    """An implementation's word for the end of a stream."""

    def __init__(self, attempt: object) -> None:
        super().__init__("again")
        self.attempt = attempt


class Exhausted(Exception):
    """An implementation's word for spent retries."""

    def __init__(self, last: object) -> None:
        super().__init__("spent")
        self.last = last


@pytest.mark.parametrize(
    ("error", "described"),
    [
        (WillRetry(2), Error(kind="will_retry", message="again", attempt=2)),
        (WillRetry("two"), Error(kind="will_retry", message="again")),
        (Exhausted("text"), Error(kind="retries_exhausted", message="spent")),
        (
            Exhausted(ScriptedError("E")),
            Error(
                kind="retries_exhausted",
                message="spent",
                cause=Error(kind="scripted", code="E", message="scripted error E"),
            ),
        ),
        (
            Exhausted(WillRetry(1)),
            Error(
                kind="retries_exhausted",
                message="spent",
                cause=Error(kind="will_retry", message="again", attempt=1),
            ),
        ),
    ],
)
def test_an_error_comes_with_its_attempt_and_its_cause(error: Exception, described: Error) -> None:
    """In the implementation's own words, also inside another error."""
    kinds: dict[type[BaseException], ErrorKind] = {WillRetry: "will_retry", Exhausted: "retries_exhausted"}

    def act(stage: LiveStage) -> None:
        stage.record.kinds = kinds
        stage.runs.event("agent", error=error)
        raise RuntimeError(str(error)) from error

    seen = acted(act)
    assert [event.error for event in seen.events] == [described]
    assert [end.error for end in seen.runs] == [described]


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (Error(kind="scripted", code="E"), "the error scripted: E"),
        (Error(kind="io", code="E", message="worn out"), "the error io: worn out"),
    ],
)
def test_an_error_is_said_in_a_few_words(error: Error, sentence: str) -> None:
    """Its message, or else its code."""
    assert str(error) == sentence
