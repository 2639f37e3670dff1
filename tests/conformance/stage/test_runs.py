"""The runs of a scene as their caller sees them: events, streams, interrupts, cancellations, ends."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import AsyncIterator, Callable

import msgspec
import pytest
from msgspec.structs import replace

from loopspec import Message, Observation, ScriptedError
from loopspec.contract.agents import Agent, Model, Turn
from loopspec.contract.doubles import RegisteredValue, info_of
from loopspec.contract.errors import describe
from loopspec.contract.faults import AdapterError
from loopspec.contract.observation import Event, Interrupted, RunEnd
from loopspec.contract.scene import Cancel, Run, Scene
from loopspec.contract.values import Appeared, Began, Error, Gate, Json
from loopspec.stage import LiveStage

from ..staging import HELLO, ONE, sent, staged

RESULT = Message(role="tool", content="ok", tool_call_id="c")


def acted(act: Callable[[LiveStage], None], run: Run = ONE) -> Observation:
    """The observation of a run in which a function is called."""

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(run):
            act(stage)

    return staged(Scene(act="run", runs=(run,)), steps)


async def chunks_of(*chunks: Message, error: Exception | None = None) -> AsyncIterator[Message]:
    """A stream that may break."""
    for chunk in chunks:
        yield chunk
    if error:
        raise error


def test_a_stream_is_one_event_with_all_its_chunks() -> None:
    """A stream may be empty; its error is in the event and is no error of the run."""

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            await stage.runs.stream("agent", chunks_of(HELLO, RESULT), path=["agent"], exits=True)
            await stage.runs.stream("agent", chunks_of())
            await stage.runs.stream("agent", chunks_of(HELLO, error=ScriptedError("E")))

    seen = staged(Scene(act="run", runs=(ONE,)), steps)

    broken = Error(kind="scripted", code="E", message="scripted error E")
    assert seen.events == (
        Event(n=0, run="1", agent="agent", path=("agent",), chunks=(HELLO, RESULT), exits=True),
        Event(n=1, run="1", agent="agent", chunks=()),
        Event(n=2, run="1", agent="agent", chunks=(HELLO,), error=broken),
    )
    assert [end.error for end in seen.runs] == [None]


def test_a_chunk_appears_when_it_is_read() -> None:
    """A chunk counts before its stream ends; chunks are counted over all streams of the run."""
    waits: dict[int, Gate] = {0: Appeared(run="1", chunks=2), 1: Appeared(run="1", chunks=3)}
    turns = (Turn(chunks=("c", "d"), waits=waits), Turn(chunks=("a", "b", "x"), waits={2: Appeared(run="1", chunks=4)}))
    scene = Scene(act="run", agent=Agent(model=Model(turns=turns)), runs=(ONE,))

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            first, second = (stage.doubles.stream("model", sent(HELLO)) for _ in range(2))
            await asyncio.gather(stage.runs.stream("agent", first), stage.runs.stream("agent", second))

    seen = staged(scene, steps)
    assert seen.stuck == ()
    assert [[chunk.content for chunk in event.chunks or ()] for event in seen.events] in (
        [["c", "d"], ["a", "b", "x"]],
        [["a", "b", "x"], ["c", "d"]],
    )


def test_the_answers_of_a_resumption_are_by_the_ids_of_the_interrupts() -> None:
    """A call is answered by its id or else by its tool; an interrupt without a call has no answer."""
    infos: tuple[Json, ...] = (
        *(info_of("t", "c1"), info_of("t", "c2"), info_of("look at it", "c3"), info_of("u", "c4")),
        *({"of": "another kind"}, ["t"], None),
    )
    given: dict[str, Json] = {"c2": None, "c3": "other", "c9": "not requested"}
    again = Run(id="2", resume="1", answers={"t": "both", "v": "not requested"}, call_answers=given)

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            stage.runs.interrupted(b"here", [(f"i{number}", info) for number, info in enumerate(infos)])
        assert stage.runs.checkpoint(again) == b"here"
        assert stage.runs.answers(again) == {"i0": "both", "i1": None, "i2": "other"}
        assert stage.runs.answers(Run(id="3", resume="1")) == stage.runs.answers(ONE) == {}

    seen = staged(Scene(act="run", runs=(ONE, again)), steps)
    interrupts = tuple(Interrupted(id=f"i{number}", info=info) for number, info in enumerate(infos))
    assert seen.runs == (RunEnd(n=0, run="1", interrupted=True, interrupts=interrupts, checkpoint=b"here"),)


def test_a_run_cannot_resume_without_a_checkpoint() -> None:
    """The error is the outcome of the run."""
    lost, unknown = Run(id="2", resume="1"), Run(id="3", resume="none")

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            stage.runs.interrupted(None)
        for run in (lost, unknown):
            with stage.runs.running(run):
                stage.runs.checkpoint(run)

    seen = staged(Scene(act="run", runs=(ONE, lost, unknown)), steps)
    assert [end.error and end.error.message for end in seen.runs] == [
        None,
        "LookupError: run 1 has left no checkpoint",
        "LookupError: run none has left no checkpoint",
    ]


def test_json_values_of_the_session_and_of_the_state_are_recorded() -> None:
    """A value that JSON would change is omitted."""
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

    seen = acted(lambda stage: stage.runs.ended_with({**fine, **odd}, {**odd, "a": [1], "c": None}))

    assert seen.runs == (RunEnd(n=0, run="1", session=fine, state={"a": [1], "c": None}),)
    assert msgspec.json.decode(msgspec.json.encode(seen), type=Observation) == seen


def test_a_cancel_request_that_is_never_sent_is_stuck() -> None:
    """The caller stops waiting, and nothing else happens."""
    run = Run(id="1", cancels=(Cancel(at=Began(run="2")),))

    async def steps(stage: LiveStage) -> None:
        stage.runs.cancels(run, lambda request: pytest.fail(str(request)))
        with stage.runs.running(run):
            pass
        await stage.runs.waiting(run)

    seen = staged(Scene(act="run", runs=(run,)), steps)
    stuck = "held until the cancellation of run 1 is asked for 1 times, which never came"
    assert (seen.stuck, seen.waits) == ((stuck,), ())


def test_a_fault_of_the_adapter_is_no_end_of_a_run() -> None:
    """The error is raised."""

    def act(stage: LiveStage) -> None:
        raise AdapterError("no")

    with pytest.raises(AdapterError, match="no"):
        acted(act)


class WillRetry(Exception):
    """An implementation's retry notice."""

    def __init__(self, attempt: object) -> None:
        super().__init__("again")
        self.attempt = attempt


class Exhausted(Exception):
    """An implementation's error for exhausted retries."""

    def __init__(self, last: object) -> None:
        super().__init__("spent")
        self.last = last


E = Error(kind="scripted", code="E", message="scripted error E")
RETRIED = Error(kind="will_retry", message="again", attempt=1)
SPENT = Error(kind="retries_exhausted", message="spent")


@pytest.mark.parametrize(
    ("error", "described"),
    [
        (WillRetry(1), RETRIED),
        (WillRetry("two"), replace(RETRIED, attempt=None)),
        (Exhausted("text"), SPENT),
        (Exhausted(ScriptedError("E")), replace(SPENT, cause=E)),
        (Exhausted(WillRetry(1)), replace(SPENT, cause=RETRIED)),
    ],
)
def test_an_error_has_its_attempt_and_its_cause(error: Exception, described: Error) -> None:
    """The error keeps its attempt and its cause inside another error as well."""
    outer = RuntimeError(str(error))
    outer.__cause__ = error

    for one in (error, outer):
        assert describe(one, {WillRetry: "will_retry", Exhausted: "retries_exhausted"}) == described


def test_the_text_of_an_error() -> None:
    """An error has its message, or else its code."""
    assert str(replace(E, message="")) == "the error scripted: E"
    assert str(E) == "the error scripted: scripted error E"
