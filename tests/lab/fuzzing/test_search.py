"""The search finds the bug of a mutant, makes its scene small, and passes over what it has found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import strategies as st

from loopspec.contract.agents import Agent, Config, Model, Tool, Turn
from loopspec.contract.scene import Run, Scene
from loopspec.contract.target import Target
from loopspec.contract.values import ToolCall
from loopspec_lab.fuzzing.doubles import HELLO
from loopspec_lab.fuzzing.known import KnownDifference, KnownDifferences
from loopspec_lab.fuzzing.scenes import fits
from loopspec_lab.fuzzing.search import Finding, Search
from loopspec_mutants import BUGS, MUTANTS


def ticking(limit: int) -> Callable[[], float]:
    """A clock that advances by one with each look: scenes are counted, whatever the machine does meanwhile."""
    ticks = count()
    return lambda: float(min(next(ticks), limit + 1))


Searching = Callable[..., Search]


@pytest.fixture(scope="module")
def searching(reference: Target) -> Searching:
    """Makes a search on a target and the reference, which ends after a number of looks at the clock."""

    def search(ours: Target, looks: int, seed: int = 1, known: KnownDifferences | None = None) -> Search:
        return Search(
            ours, reference, looks, seed, known or KnownDifferences(), 5.0, shrinking=looks, clock=ticking(looks)
        )

    return search


@pytest.fixture(scope="module")
def forgets() -> Iterator[Target]:
    """A target that leaves empty tool results out of the conversation."""
    with closing(BUGS["leaves-out-empty-results"].target()) as target:
        yield target


def test_the_reference_does_not_differ_from_itself(reference: Target, searching: Searching) -> None:
    """No finding, and every scene is performed."""
    search = searching(reference, 60)

    assert list(search.findings()) == []
    assert search.performed > 10


def test_equal_seeds_generate_equal_scenes(reference: Target, searching: Searching) -> None:
    """Other seeds generate others."""

    def scenes(seed: int) -> list[bytes]:
        search = searching(reference, 25, seed)
        assert list(search.findings()) == []
        return list(search.cached)

    assert scenes(3) == scenes(3)
    assert scenes(3) != scenes(4)


@pytest.fixture(scope="module")
def findings(forgets: Target, searching: Searching) -> tuple[Search, list[Finding]]:
    """What the target with a bug shows."""
    search = searching(forgets, 300)
    return search, list(search.findings())


def test_a_bug_is_found_on_a_small_scene(findings: tuple[Search, list[Finding]]) -> None:
    """One tool with an empty result, one call, and nothing else."""
    _, found = findings
    scene = found[0].performed.scene

    assert found[0].repeats
    assert scene.agent.model is not None
    assert len(scene.agent.tools) == 1
    assert found[0].performed.theirs is not None
    last = found[0].performed.theirs.model_calls[-1]
    assert [message.content for message in last.messages if message.role == "tool"] == [""]
    assert len(scene.agent.model.turns) == 2
    assert scene.agent.handlers == ()
    assert len(scene.runs) == 1


def test_a_reduced_scene_may_be_longer(forgets: Target, searching: Searching, monkeypatch: pytest.MonkeyPatch) -> None:
    """The default conversation and the default ids of calls are longer than what they replace here.

    A search that compared lengths tried them again until its time was over.
    """
    calls = tuple(ToolCall(id=name, name="t1") for name in ("a", "b"))
    model = Model(turns=(*(Turn(tool_calls=(call,)) for call in calls), Turn()))
    agent = Agent(model=model, tools=(Tool(name="t1", text=""), Tool(name="t2")))
    scene = Scene(act="run", instructions=Config(), agent=agent, runs=(Run(id="1"),))
    monkeypatch.setattr("loopspec_lab.fuzzing.search.generated", lambda only: lambda *targets: st.just(scene))

    finding = next(searching(forgets, 400).findings())

    small = finding.performed.scene
    assert small.messages == (HELLO,)
    assert small.agent.tools == (Tool(name="t1", text=""),)
    assert small.agent.model == Model(turns=(Turn(tool_calls=(ToolCall(id="call 1", name="t1"),)), Turn()))


@pytest.mark.parametrize(
    ("tool", "calls", "sequential", "expected"),
    [
        (Tool(name="t1", text="a", texts=("a", "b")), 2, False, False),
        (Tool(name="t1", text="a", texts=("a", "b")), 2, True, True),
        (Tool(name="t1", text="a", texts=("a", "b")), 1, False, True),
        (Tool(name="t1", text="a"), 2, False, True),
    ],
)
def test_results_that_depend_on_the_order_of_concurrent_calls_are_not_compared(
    reference: Target, tool: Tool, calls: int, sequential: bool, expected: bool
) -> None:
    """Two concurrent calls of one tool receive its texts in any order."""
    turn = Turn(tool_calls=tuple(ToolCall(id=f"call {number}", name="t1") for number in range(calls)))
    agent = Agent(model=Model(turns=(turn, Turn())), tools=(tool,), sequential=sequential)

    assert fits(Scene(act="run", instructions=Config(), agent=agent, runs=(Run(id="1"),)), reference) is expected


def test_a_cause_is_found_once(findings: tuple[Search, list[Finding]]) -> None:
    """The search continues after a finding, and passes over what is like it in a scene of the same ingredients."""
    search, found = findings

    for at, finding in enumerate(found):
        for earlier in found[:at]:
            likes = [kind for kind in earlier.performed.kinds if finding.difference.kind.is_like(kind)]
            assert not likes or not earlier.ingredients <= finding.ingredients
    assert search.performed > 100


SOURCES = ("created", "runs", "model calls", "events", "tool runs", "hooks", "questions", "trace")


def test_known_differences_are_passed_over(
    forgets: Target, searching: Searching, findings: tuple[Search, list[Finding]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are counted by entry, and an entry that fits nothing hides nothing."""
    scene = findings[1][0].performed.scene
    monkeypatch.setattr("loopspec_lab.fuzzing.search.generated", lambda only: lambda *targets: st.just(scene))
    entries = tuple(KnownDifference(source=source, reason="empty results") for source in SOURCES)
    elsewhere = tuple(KnownDifference(source=source, path="run 9*", reason="no such run") for source in SOURCES)
    quiet = searching(forgets, 20, known=KnownDifferences(entries))
    loud = searching(forgets, 20, known=KnownDifferences(elsewhere))

    assert list(quiet.findings()) == []
    assert sum(quiet.passed_over.values()) > 0
    assert list(loud.findings()) != []
    assert loud.passed_over == {}


@pytest.mark.long
def test_several_bugs_are_found(searching: Searching) -> None:
    """A search finds the second bug after it has found the first."""
    one, other = MUTANTS["calls-after-model-hooks-in-reverse"], BUGS["leaves-out-empty-results"]

    @contextmanager
    def both() -> Iterator[None]:
        with one.bug(), other.bug():
            yield

    with closing(replace(one, bug=both).target()) as target:
        found = list(searching(target, 1500).findings())
    scenes = [finding.performed.scene for finding in found]

    assert any(any(tool.text == "" for tool in scene.agent.tools) and not scene.agent.handlers for scene in scenes)
    assert any(len(scene.agent.handlers) == 2 for scene in scenes)


def test_ctrl_c_ends_in_order(forgets: Target, searching: Searching) -> None:
    """The finding under way is yielded before the interrupt leaves the search."""
    search = searching(forgets, 3000)
    looks = count()

    def stopping() -> float:
        if search.best is not None and next(looks) > 5:
            raise KeyboardInterrupt
        return 0.0

    search.clock = stopping
    found: list[Finding] = []

    def drained() -> Iterator[Finding]:
        for finding in search.findings():
            found.append(finding)
            yield finding

    with pytest.raises(KeyboardInterrupt):
        list(drained())
    assert len(found) == 1
