"""The pinned scenes fit the reference, a bug is found in them, and what rules leave open is no failure."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from loopspec.contract.faults import UsageError
from loopspec.contract.target import Target
from loopspec.engine.judge import Judging
from loopspec.engine.result import Result
from loopspec.specification.cases import Case
from loopspec.specification.ledger import ledger
from loopspec.specification.selection import Selection, candidates, plan
from loopspec.specification.sources import case_named, own_cases
from loopspec.targets.resolve import resolve
from loopspec_lab.generated.data import MOST, pinned
from loopspec_lab.generated.leeway import LEEWAY
from loopspec_mutants import POSTURES, PatchedPosture
from loopspec_reference import AnyMessage, State
from loopspec_reference.loop.agents import Agent
from loopspec_reference.runs.checkpoints import Checkpoint

from ...conformance.cli.in_process import Loopspec
from ...sharing import share


def judged(target: Target | None = None, cases: Sequence[Case] | None = None) -> list[Result]:
    """The results of all pinned scenes, or of some, on a target, or on the reference."""
    with closing(target or resolve("reference")) as judged:
        judging = Judging(judged, deadline=5.0)
        return [judging.judge(case) for case in own_cases() if cases is None or case in cases]


def counted(results: list[Result]) -> Counter[str]:
    """How often each verdict occurs; of an inapplicable case, how often each reason."""
    return Counter(str(result.reason) if result.reason else result.verdict for result in results)


def planned(selection: Selection) -> list[Case]:
    """The plan of a selection."""
    return plan(candidates(selection), selection, ledger().rules)


def test_the_pinned_scenes_fit_the_reference() -> None:
    """The reference passes each, invariants included. Otherwise `python -m tools.generated` pins them again."""
    results = judged()

    assert [(result.case, result.message) for result in results if result.verdict != "passed" or result.broken] == []
    assert {result.case for result in results} == {case.id for case in own_cases()}


def test_the_names_of_scenes_are_unique_and_their_number_is_limited() -> None:
    """A name follows from the scene."""
    names = [one.name for one in pinned()]

    assert names == sorted(set(names))
    assert 100 < len(names) <= MOST


def test_a_scene_is_a_case_with_a_name() -> None:
    """The scenes are planned with `--generated`, by name and by rule, and not otherwise. None has a variant."""
    first, *_ = all_ = [case.id for case in own_cases()]

    assert [case.id for case in planned(Selection(cases=[first]))] == [first]
    assert [case.id for case in planned(Selection(rules=["GENERATED-*"], variants=["all"]))] == all_
    with pytest.raises(UsageError, match="no case is left to run"):
        planned(Selection(areas=["GENERATED"], deselect=["GENERATED-01"], generated=True))
    assert {case.id for case in planned(Selection(generated=True))} - {case.id for case in planned(Selection())} == {
        *all_
    }
    assert case_named("GENERATED-01 :: scene") is None


def results_in_another_order() -> AbstractContextManager[object]:
    """The results of an answer's calls in the reverse order, which no document forbids."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], run: Any, start: Any, state: State[AnyMessage], *rest: Any) -> Any:
        known = len(state.messages)
        state, ended = await act(self, run, start, state, *rest)
        results = state.messages[known:]
        return (state if ended else replace(state, messages=(*state.messages[:known], *reversed(results)))), ended

    return patch.object(Agent, "_act", acts)


def completed_calls_are_repeated() -> AbstractContextManager[object]:
    """A resumed run repeats the completed calls of the interrupted answer."""
    of = Checkpoint.of.__func__  # type: ignore[attr-defined]  # a class method

    def without_results(
        cls: type[Checkpoint], run: Any, state: Any, iteration: int, results: Any = None, *others: Any, **named: Any
    ) -> bytes:
        return bytes(of(cls, run, state, iteration, {} if results else results, *others, **named))

    return patch.object(Checkpoint, "of", classmethod(without_results))


@pytest.mark.parametrize(
    ("lawful", "rule"), [(results_in_another_order, "LOOP-29"), (completed_calls_are_repeated, "INTERRUPT-05")]
)
def test_what_a_rule_leaves_open_is_distinguished(lawful: Any, rule: str) -> None:
    """Some scenes differ, and none of them is a failure of the rule about generated scenes."""
    with lawful():
        found = counted(judged())

    assert found["failed"] == 0, found
    assert found[f"differs in what is left open by {rule}"] > 0, found


def test_the_rules_that_leave_something_open_exist() -> None:
    """Each is a rule that targets are judged by."""
    assert [one.rule for one in LEEWAY if one.rule not in ledger().rules] == []


@pytest.mark.long
@pytest.mark.parametrize("posture", POSTURES.values(), ids=lambda posture: f"{posture.axis}-{posture.value}")
def test_a_difference_that_follows_from_a_posture_is_distinguished(posture: PatchedPosture) -> None:
    """The reference with another value on an axis fails no scene."""
    if posture.backend:
        return
    cases = share(own_cases(), 3, [*POSTURES.values()].index(posture))
    failed = [one for one in judged(posture.target(), cases) if one.verdict not in ("passed", "inapplicable")]

    assert [(result.case, result.message) for result in failed] == []


UNMARKED = """
from unittest.mock import patch

from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference_adapter import Reference

call = ToolCalls.call


def unmarked(self, run, box, made, context, emit, exits):
    return call(self, run, box, made, context, emit, exits and not run.streaming)


class Mine(Reference):
    async def perform(self, stage):
        with patch.object(ToolCalls, "call", unmarked):
            await super().perform(stage)
"""


def test_a_bug_fails_with_the_scene_in_words(loopspec: Loopspec, here: Path) -> None:
    """A bug that no example finds is an advisory failure, which a baseline can list and a report replays."""
    (here / "unmarked.py").write_text(UNMARKED)
    run = ("run", "py:unmarked:Mine", "--rule", "GENERATED-01")
    ran = loopspec(*run, "--report", "report.jsonl")

    assert ran.code == 0, ran.out
    assert "failed GENERATED-01" in ran.out
    assert "When the agent" in ran.out
    lines = [json.loads(line) for line in (here / "report.jsonl").read_text().splitlines()]
    failed = [line["case"] for line in lines if line.get("verdict") == "failed" and line["rules"] == ["GENERATED-01"]]
    assert failed
    assert "1 unchanged" in loopspec("replay", "report.jsonl", failed[0]).out
    assert loopspec(*run, "--write-baseline", "known.toml").code == 0
