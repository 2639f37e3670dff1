"""The variants about the order of concurrent calls: their groups, their scenes, and what a failing order leaves."""

from __future__ import annotations

from contextlib import closing
from itertools import permutations
from typing import Any
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from loopspec.contract.scene import HeldCall, Run, Scene
from loopspec.contract.target import Target
from loopspec.contract.values import Called, ToolCall
from loopspec.engine.checking import look
from loopspec.engine.judge import judge
from loopspec.engine.perform import perform
from loopspec.engine.result import IN_ORDER
from loopspec.specification.features import compiled
from loopspec.specification.sources import case_named
from loopspec.targets.resolve import resolve
from loopspec_lab.variants import VariedCase, variants, varied_cases
from loopspec_lab.variants.orders import DoubleCall, groups, held_calls, orders, orders_of_runs
from loopspec_mutants import MUTANTS
from loopspec_reference import Agent
from loopspec_steps.builders.scene import SceneBuilder
from loopspec_steps.declarations import PhraseError
from loopspec_steps.given.runs import call_waits, givens_of
from loopspec_steps.phrasebook import BOOK

A, B, C = (DoubleCall(f"tool {name}", "1", 1, 1) for name in "abc")


def varied(name: str) -> VariedCase:
    """A varied case by its name."""
    case = case_named(name)
    assert isinstance(case, VariedCase), name
    return case


def groups_of(case: str) -> list[list[str]]:
    """The groups of a case on the reference, as doubles with the numbers of their calls."""
    scene = next(each.scene for each in compiled() if each.id == case)
    with closing(resolve("reference")) as target:
        return [
            [f"{call.double} {call.number}" for call in group]
            for group in groups(scene, perform(target, scene, "agent"))
        ]


@pytest.mark.parametrize(
    ("case", "found"),
    [
        ("LOOP-06 :: Three tools", [["tool t1 1", "tool t2 1", "tool t3 1"]]),
        ("LOOP-06 :: Two calls of one tool", [["tool t1 1", "tool t1 2"]]),
        ("CTX-08 :: Set by a tool and by a sub-agent", [["tool t1 1", "model helper's 1"]]),
        ("AGENTTOOL-02 :: Two calls with the default input in one answer", [["model helper's 1", "model helper's 2"]]),
        ("LOOP-03 :: One tool call", []),
    ],
)
def test_a_group_is_the_tool_calls_of_one_answer(case: str, found: list[list[str]]) -> None:
    """A call of a sub-agent is held in its last call; a single call is no group."""
    assert groups_of(case) == found


def test_at_most_four_calls_of_a_group_are_held() -> None:
    """Each order of the first four calls is a scene; a fifth call is not held."""
    with closing(resolve("reference")) as target:
        scene = varied("LOOP-06 :: Three tools + every-order").scene
        assert scene.agent.model is not None
        called, *rest = scene.agent.model.turns
        calls = tuple(ToolCall(id=f"c{n}", name="t1") for n in range(5))
        turns = (replace(called, tool_calls=calls), *rest)
        scene = replace(scene, agent=replace(scene.agent, model=replace(scene.agent.model, turns=turns)))
        (made,) = [list(group) for group in orders(scene, perform(target, scene, "agent"))]

    assert len(made) == 24
    assert {held.number for each in made for held in each.held} == {1, 2, 3, 4}


def test_the_first_call_waits_for_all_others_and_each_other_one_for_the_call_before() -> None:
    """The gates of an order: all calls are made, then they return one after another."""
    assert givens_of(held_calls((C, A, B))) == (
        'And call 1 of "tool c" in run 1 waits until call 1 of "tool a" in run 1 is made',
        'And call 1 of "tool c" in run 1 waits until call 1 of "tool b" in run 1 is made',
        'And call 1 of "tool a" in run 1 waits until "tool c" has returned 1 times in run 1',
        'And call 1 of "tool b" in run 1 waits until "tool a" has returned 1 times in run 1',
    )


@pytest.mark.parametrize("name", ["every-order", "runs-in-turns"])
def test_the_givens_of_an_order_make_the_same_scene(name: str, target: Target) -> None:
    """What a failing order prints can be pasted: the phrasebook reads the same held calls."""
    found = [case for case in compiled() for case in varied_cases(case, [variants()[name]])][
        :: 1 if name == "every-order" else 40
    ]
    for case in found:
        for scenes in case.orders(perform(target, case.scene, "agent" if "agent" in case.roles else "plugins")):
            for scene in scenes:
                built = SceneBuilder()
                for given in givens_of(scene.held):
                    match = BOOK.match("given", given.removeprefix("And "))
                    match.phrase.run(scene_builder=built, **match.holes)
                assert built.scene.held == scene.held


def test_only_a_call_of_a_double_that_can_wait_is_held() -> None:
    """A wrapper waits for what it wraps, and an unknown word is no double."""
    for double in ("around tool H", "t1"):
        with pytest.raises(PhraseError, match="no call of"):
            call_waits(SceneBuilder(), 1, double, 1, "the run starts")


def test_no_given_says_a_gate_of_any_run() -> None:
    """A gate that counts the calls of all runs has no phrase."""
    with pytest.raises(ValueError, match="no Given holds a call"):
        givens_of([HeldCall(double="tool a", run="1", number=1, until=Called(double="tool b"))])


@pytest.fixture
def target() -> Any:  # Any: a generator of targets, as pytest has it
    with closing(resolve("reference")) as reference:
        yield reference


def test_calls_that_are_made_in_turn_are_not_judged(target: Target) -> None:
    """An implementation without concurrent calls is not failed; a single order proves nothing about it."""
    make_all = Agent._make_all

    async def in_turn(self: Any, make: Any, opened: Any) -> None:  # Any: what the reference passes
        for at in opened:
            await make(at)

    case = varied("LOOP-06 :: Three tools + every-order")
    with patch.object(Agent, "_make_all", in_turn):
        result = judge(case, target)
    assert (result.verdict, result.message) == ("inapplicable", "makes these calls in turn")
    assert Agent._make_all is make_all
    assert judge(case, target).verdict == "passed"


def test_a_failing_order_is_a_scene_that_can_be_replayed() -> None:
    """The result has the scene with its held calls, and the message its Givens; the recorded scene fails again."""
    case = varied("LOOP-29 :: Three tools that wait for nothing + every-order")
    with closing(MUTANTS["appends-three-results-in-the-order-of-return"].target()) as mutant:
        result = judge(case, mutant)
        assert result.verdict == "failed"
        assert result.scene is not None
        assert result.observation is not None
        assert result.message.partition(f"{IN_ORDER}\n")[2].split("\n") == list(givens_of(result.scene.held))
        again = judge(case.with_scene(result.scene), mutant)
        assert (again.verdict, again.expected, again.seen) == ("failed", result.expected, result.seen)
        assert again.scene == result.scene
    assert look(case, result.observation).verdict == "failed"
    with closing(resolve("reference")) as reference:
        assert judge(case.with_scene(result.scene), reference).verdict == "passed"


def test_the_way_back_only_reorders_events(target: Target) -> None:
    """Every event stays, and so does every other part of the observation; in the order of the calls nothing changes."""
    case = varied("EVENT-01 :: Three tool calls of one answer + every-order")
    moved = 0
    for scenes in case.orders(perform(target, case.scene, "agent")):
        for scene in scenes:
            seen = perform(target, scene, "agent")
            back = case.restored(seen)
            moved += back != seen
            assert replace(back, events=()) == replace(seen, events=())
            assert sorted(back.events, key=lambda event: event.n) == list(seen.events)
            contents = [event.message.content for event in back.events if event.message]
            assert contents == ["Look", "found", "two", "three", "That's it"]
    assert moved == len(list(permutations("abc"))) - 1


def test_concurrent_runs_move_call_by_call() -> None:
    """Each run is first in one scene, at each place."""
    case = varied("LOOP-03 :: One tool call + runs-in-turns")
    with closing(resolve("reference")) as reference:
        seen = perform(reference, case.scene, "agent")
        (made,) = [list(scenes) for scenes in orders_of_runs(case.scene, seen)]
        assert [{held.run for held in scene.held if isinstance(held.until, Called)} for scene in made] == [{"1"}, {"0"}]
        for scene, first in zip(made, ("1", "0"), strict=True):
            moved = perform(reference, scene, "agent")
            doubles = [span for span in moved.spans if span.name.startswith(("model ", "tool "))]
            ends = sorted((span.ended or 0, span.n, span.run) for span in doubles)
            assert [run for _, _, run in ends][::2] == [first] * (len(ends) // 2)
            assert (moved.stuck, moved.unreached) == ((), ())


def test_the_added_run_has_other_messages() -> None:
    """A value of the added run that reaches the other run is visible."""
    scene: Scene = varied("LOOP-03 :: One tool call + runs-in-turns").scene
    one, added = scene.runs
    assert isinstance(added, Run)
    assert [message.content for message in added.messages] == [
        f"{message.content} (of another run)" for message in one.messages
    ]
