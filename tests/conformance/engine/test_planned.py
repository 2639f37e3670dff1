"""A planned part of a scene that never happens fails the case, unless a Then states that the part is missing."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import msgspec
import pytest

from loopspec.contract.acting import Hook
from loopspec.contract.actions import Hold, Script
from loopspec.contract.agents import Agent, Model, Scripted, Tool, Turn
from loopspec.contract.observation import Answered, HookCall, HookResult, Observation, Outside, RunEnd
from loopspec.contract.scene import Ask, Cancel, Change, File, ReadRequest, Run, Scene
from loopspec.contract.values import Called, Error, Message, Returned
from loopspec.engine.checking import look, never_happened
from loopspec.engine.perform import perform
from loopspec.specification.cases import Act, Case
from loopspec.specification.features import compiled
from loopspec.targets.resolve import resolve

from ..staging import case_of

LATER = Called(double="model model", times=9)
ONE = (Run(id="1", messages=(Message(role="user", content="Hello."),)),)


def _case(scene: Scene) -> Case:
    """A case with this scene, and without any Then."""
    return replace(case_of("LOOP-01"), load=partial(Act, scene, ()))


def _sentences(scene: Scene, seen: Observation) -> list[str]:
    return [missed.sentence for missed in never_happened(_case(scene), seen)]


def _held(hook: Hook, calls: tuple[int, ...] = (), tools: tuple[str, ...] = ()) -> Scripted:
    hold = Hold(until=Returned(double="model model"))
    return Scripted(name="H", scripts=(Script(hook=hook, actions=(hold,), calls=calls, tools=tools),))


@pytest.mark.parametrize(
    ("scene", "sentence"),
    [
        (
            Scene(act="run", runs=(msgspec.structs.replace(ONE[0], cancels=(Cancel(at=LATER),)),)),
            "a cancel request for run 1 was planned for when 'model model' is called 9 times, and was never sent",
        ),
        (
            Scene(act="run", runs=ONE, changes=(Change(at=LATER, path="/p/a.md"),)),
            "the change of /p/a.md was planned for when 'model model' is called 9 times, and was never made",
        ),
        (
            Scene(act="run", runs=ONE, changes=(Change(at=LATER, language="zh"),)),
            "the change of the language was planned for when 'model model' is called 9 times, and was never made",
        ),
        (
            Scene(act="run", runs=ONE, files={"/p/a.md": File(text="a", held=LATER)}),
            "the read of /p/a.md was to be held and never began",
        ),
        (
            Scene(act="run", runs=ONE, agent=Agent(model=Model(turns=(Turn(text="a"), Turn(text="b", held=LATER))))),
            'answer 2 of "model" was to be held and never began',
        ),
        (
            Scene(act="run", runs=ONE, agent=Agent(tools=(Tool(name="t", held=LATER),))),
            'the call of "t" was to be held and never began',
        ),
        (
            Scene(act="run", runs=ONE, agent=Agent(tools=(Tool(name="t", actions=(Hold(until=LATER),)),))),
            'the call of "t" was to be held and never began',
        ),
        (
            Scene(act="run", runs=ONE, agent=Agent(handlers=(_held("around tool"),))),
            'around tool "H" was to be held and never began',
        ),
        (
            Scene(act="run", runs=ONE, agent=Agent(handlers=(_held("before model", calls=(2,)),))),
            'before model "H" was to be held and never began',
        ),
    ],
)
def test_what_the_reference_never_reaches_is_named(scene: Scene, sentence: str) -> None:
    """The reference performs a scene with a plan that cannot come about."""
    target = resolve("reference")
    seen = perform(target, scene, "agent")
    target.close()

    assert _sentences(scene, seen) == [sentence]


@pytest.mark.parametrize(
    ("scene", "seen", "sentences"),
    [
        (Scene(act="run", runs=ONE), Observation(), ["run 1 was planned and never began"]),
        (
            Scene(act="run", runs=(Run(id="1"), Run(id="2", resume="1"))),
            Observation(runs=(RunEnd(n=0, run="1"), RunEnd(n=1, run="2"))),
            ["run 2 was to resume run 1, which had not stopped"],
        ),
        (Scene(act="load"), Observation(), ["the load was planned and never ended"]),
        (
            Scene(act="hook", times=3),
            Observation(hook_results=(HookResult(n=0),)),
            ["call 2 of the hook was planned and never ended", "call 3 of the hook was planned and never ended"],
        ),
        (
            Scene(act="read", backend=(Ask(requests=(ReadRequest(file_path="a.md"), ReadRequest(file_path="b.md"))),)),
            Observation(answers=(Answered(n=0, path="b.md"),)),
            ["the read of a.md was planned and never ended"],
        ),
        (
            Scene(act="outside", tried=("get", "send event")),
            Observation(outside=(Outside(what="get"),)),
            ['the action "send event" was planned and never ended'],
        ),
        (Scene(act="look up", lookups=("p",)), Observation(), ['the lookup of "p" was planned and never ended']),
    ],
)
def test_a_missing_part_is_named(scene: Scene, seen: Observation, sentences: list[str]) -> None:
    """Each part of a plan leaves its own kind of entry in the record."""
    assert _sentences(scene, seen) == sentences


def test_a_held_wrapper_of_one_tool_is_not_reached_by_another_tool() -> None:
    """A script for one tool is reached only by a call of this tool; a script for call 2 only by the second call."""
    scene = Scene(act="run", runs=ONE, agent=Agent(handlers=(_held("around tool", (2,), ("t",)),)))
    calls = [HookCall(n=at, handler="H", hook="around tool", run="1", tool=tool) for at, tool in enumerate("tut")]
    end = RunEnd(n=9, run="1")

    assert _sentences(scene, Observation(runs=(end,), hooks=tuple(calls[:2]))) != []
    assert _sentences(scene, Observation(runs=(end,), hooks=(calls[0], calls[2]))) == []


def test_a_rejected_construction_is_an_outcome_only_if_a_then_states_the_rejection() -> None:
    """A Then that waives the runs accepts a rejection; any other Then does not."""
    stated = next(case for case in compiled() if "building the agent fails because" in case.steps[-1].text)
    silent = case_of("LOOP-01")
    seen = Observation(created=Error(kind="graph"))

    assert never_happened(stated, seen) == []
    assert [missed.kind for missed in never_happened(silent, seen)] == ["runs"]


def test_the_first_missing_part_is_the_message() -> None:
    """The failed result names the missing part at the step that performs the scene."""
    case = _case(Scene(act="run", runs=(*ONE, Run(id="2"))))

    result = look(case, Observation(runs=(RunEnd(n=0, run="1"),)))

    assert (result.verdict, result.step) == ("failed", str(case.when))
    assert result.message.splitlines()[0] == "run 2 was planned and never began"
