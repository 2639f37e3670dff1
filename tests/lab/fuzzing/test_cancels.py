"""Generated cancel requests: what they show is determined, and bugs in cancelling are found."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, closing
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from loopspec.contract.agents import Agent, Config, Model, Tool, Turn
from loopspec.contract.scene import Cancel, HeldCall, Run, Scene
from loopspec.contract.target import Target
from loopspec.contract.values import Called, Ended, Returned, ToolCall
from loopspec.targets.resolve import resolve
from loopspec_lab.fuzzing.known import KnownDifferences
from loopspec_lab.fuzzing.reducing import smaller
from loopspec_lab.fuzzing.scenes import agent_scenes, fits
from loopspec_lab.fuzzing.search import Performed, Search
from loopspec_mutants import Mutant
from loopspec_reference import CancelError, Canceller, ErrorEvent, Event
from loopspec_reference.loop import agents
from loopspec_reference.runs import lifecycle
from loopspec_reference.runs.run import Run as RunOfReference

SERVED = f"cmd:{sys.executable} -m loopspec serve reference"
IMMEDIATE = Cancel(at=Called(double="tool t1", run="1"))
CUT_OFF = HeldCall(double="tool t1", run="1", number=1, until=Ended(run="1"))


@pytest.fixture(scope="module")
def cancelled(reference: Target) -> st.SearchStrategy[Scene]:
    """The generated scenes with a cancel request."""
    return agent_scenes(reference.capabilities).filter(lambda scene: bool(scene.runs[0].cancels))


def scene_of(called: tuple[str, ...], *, sequential: bool = False, cut_off: bool = True) -> Scene:
    """A run that calls tools together or in turn, with a request during the call of the tool t1."""
    turn = Turn(tool_calls=tuple(ToolCall(id=f"call {at}", name=name) for at, name in enumerate(called)))
    agent = Agent(model=Model(turns=(turn, Turn())), tools=(Tool(name="t1"), Tool(name="t2")), sequential=sequential)
    cancel = IMMEDIATE if cut_off else Cancel(at=IMMEDIATE.at, modes=("after tools",))
    run = Run(id="1", cancellable=True, cancels=(cancel,))
    return Scene(act="run", instructions=Config(), agent=agent, runs=(run,), held=(CUT_OFF,) if cut_off else ())


def test_an_immediate_request_cuts_off_a_call_that_waits(cancelled: st.SearchStrategy[Scene]) -> None:
    """Every request is made at a call; a call whose request names a safe point is not held."""
    seen: set[tuple[str, bool]] = set()

    @settings(derandomize=True, database=None, deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
    @given(cancelled)
    def of_each(scene: Scene) -> None:
        (cancel,) = scene.runs[0].cancels
        assert isinstance(cancel.at, Called if not cancel.modes else Called | Returned)
        until = Ended(run="1")
        cut_off = HeldCall(double=cancel.at.double, run="1", number=cancel.at.times, until=until)
        assert scene.held == (() if cancel.modes else (cut_off,))
        seen.add((cancel.at.double.partition(" ")[0], bool(cancel.modes)))

    of_each()
    assert seen == {("model", True), ("model", False), ("tool", True), ("tool", False)}


@pytest.mark.parametrize(
    ("scene", "expected"),
    [
        (scene_of(("t1", "t2")), False),
        (scene_of(("t1", "t2"), sequential=True), True),
        (scene_of(("t1",)), True),
        (scene_of(("t1", "t2"), cut_off=False), True),
    ],
    ids=["together", "in-turn", "alone", "safe-point"],
)
def test_no_call_is_cut_off_next_to_concurrent_calls(reference: Target, scene: Scene, expected: bool) -> None:
    """The other calls may have begun, or have returned, when the request arrives."""
    assert fits(scene, reference) is expected


def test_a_scene_without_its_request_holds_no_call() -> None:
    """A smaller scene whose call waited for the end of its own run would never end."""
    without = [scene for scene in smaller(scene_of(("t1",))) if not scene.runs[0].cancels]

    assert without
    assert all(scene.held == () for scene in without)


# -- bugs that a search still finds ------------------------------------------------------------------------------------


def ignores_an_immediate_request() -> AbstractContextManager[object]:
    """Lets the call in progress return."""
    return patch.object(Canceller, "_stop_now", lambda self: None)


def acts_at_the_next_step() -> AbstractContextManager[object]:
    """Lets the call in progress return, and stops then."""

    def stops(self: Canceller) -> None:
        self._immediate = True

    return patch.object(Canceller, "_stop_now", stops)


def loses_the_last_event() -> AbstractContextManager[object]:
    """Ends a cancelled run without its error."""
    emit = lifecycle.emit_events

    async def emits(run: RunOfReference, work: Callable[[], Awaitable[object]]) -> AsyncIterator[Event]:
        async for event in emit(run, work):
            if not (isinstance(event, ErrorEvent) and isinstance(event.error, CancelError)):
                yield event

    return patch.object(agents, "emit_events", emits)


def stops_at_no_safe_point() -> AbstractContextManager[object]:
    """Ignores every request that names a safe point."""
    return patch.object(Canceller, "stops_at", lambda self, point, nested: False)


def first_difference(ours: Target, theirs: Target, scenes: st.SearchStrategy[Scene], most: int) -> Performed | None:
    """The first of so many scenes that two targets perform differently."""
    search = Search(ours, theirs, 0, 0, KnownDifferences(), 5.0)
    limits = settings(
        max_examples=most,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    fitting = scenes.filter(lambda scene: fits(scene, ours, theirs))
    try:
        scene = find(fitting, lambda scene: bool(search.perform(scene).found), settings=limits, random=Random(1))
    except NoSuchExample:
        return None
    return search.perform(scene)


@pytest.mark.parametrize(
    "bug", [ignores_an_immediate_request, acts_at_the_next_step, loses_the_last_event, stops_at_no_safe_point]
)
def test_a_bug_in_cancelling_is_found(
    bug: Callable[[], AbstractContextManager[object]], reference: Target, cancelled: st.SearchStrategy[Scene]
) -> None:
    """In few scenes, and in how the run ends."""
    with closing(Mutant(bug.__name__, "CANCEL-01", bug).target()) as target:
        found = first_difference(target, reference, cancelled, 60)

    assert found is not None
    assert found.theirs is not None
    assert found.theirs.runs[0].cancelled is not None
    assert found.found[0].source == "runs"


@pytest.mark.long
def test_a_request_over_a_pipe_shows_the_same(reference: Target, cancelled: st.SearchStrategy[Scene]) -> None:
    """The requests reach a process at another time than a call in this one."""
    with closing(resolve(SERVED)) as served:
        assert first_difference(served, reference, cancelled, 150) is None
