"""Variants that are several others at once."""

from __future__ import annotations

from collections import Counter
from contextlib import closing

import pytest

from loopspec.contract.capabilities import Capability
from loopspec.engine.judge import Judging, Mute
from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger
from loopspec.specification.sources import case_named
from loopspec_lab.variants import VariedCase, varied_cases
from loopspec_lab.variants.at_once import able_parts
from loopspec_lab.variants.expanding import variants
from loopspec_mutants import MUTANTS

AT_ONCE = {name: one for name, one in variants().items() if one.parts}


def form(name: str) -> VariedCase:
    """A case with a tool that returns one text."""
    case = case_named("HOOK-AA-09 :: A tool call")
    assert case is not None
    (found,) = varied_cases(case, [variants()[name]])
    return found


def parts(case: VariedCase) -> list[str]:
    return [one.name for one in case.variant.parts]


def of_target(case: VariedCase, *capabilities: Capability) -> list[str]:
    """The parts that a target with these capabilities performs."""
    with closing(Mute()) as target:
        target.capabilities = frozenset(capabilities)
        return parts(able_parts(case, target))


@pytest.mark.parametrize("name", AT_ONCE)
def test_each_part_occurs_and_the_required_one_always(name: str) -> None:
    """A part that applies to no case any longer would be judged no more, without a word."""
    variant = AT_ONCE[name]
    forms = [found for case in compiled()[::3] for found in varied_cases(case, [variant])]

    used = Counter(part for found in forms for part in parts(found))
    assert set(used) == {one.name for one in variant.parts}
    assert all(len(parts(found)) > 1 for found in forms)
    if variant.required:
        assert used[variant.required.name] == len(forms)


@pytest.mark.parametrize("name", AT_ONCE)
def test_the_rule_repeats_what_its_parts_repeat(name: str) -> None:
    """So the level of the variant is at most that of each part."""
    rows = ledger().rules
    repeated = {one for part in AT_ONCE[name].parts if part.name in variants() for one in rows[part.rule].repeats}

    assert repeated <= set(rows[AT_ONCE[name].rule].repeats)


def test_a_part_applies_to_the_scene_of_the_parts_before() -> None:
    """A long text of a tool is streamed in pieces; the pieces are those of the long text."""
    found = form("documented-at-once")
    (tool, *_) = found.scene.agent.tools

    assert {"long-texts", "streaming-tools", "streaming", "run-before"} <= set(parts(found))
    assert "".join(tool.chunks) == tool.text
    assert len(tool.text) > 1_000
    assert [run.streaming for run in found.scene.runs] == [True, True]


def test_a_target_is_judged_by_the_parts_that_it_can_perform() -> None:
    """The scene has no other ones, and the checks are those of the case."""
    found = form("documented-at-once")

    assert of_target(found, *found.needs) == [one for one in parts(found) if not variants()[one].needs]
    assert "streaming" in of_target(found, *found.needs, "streaming")


def test_a_failing_case_names_its_parts_and_those_that_fail_alone() -> None:
    """None does where only the meeting of two conditions is wrong."""
    mutant = MUTANTS["cuts-long-streamed-results-in-streaming-runs"]
    found = form("documented-at-once")
    with closing(mutant.target()) as target:
        result = Judging(target).judge(found)

    assert result.verdict == "failed"
    said = result.evidence["variants at once"].splitlines()
    assert said[0] == ", ".join(parts(found))
    assert said[1] == "The case fails alone in: none of these, only in several at once"


def test_a_part_that_needs_those_before_it_is_not_tried_alone() -> None:
    """There is no second run before the agent runs late in an outer agent."""
    found = form("late-at-once")
    with closing(MUTANTS["drops-the-parts-of-a-result-in-a-late-streaming-sub-agent"].target()) as target:
        result = Judging(target).judge(found)

    assert result.verdict == "failed"
    assert "between-other-runs" in result.evidence["variants at once"].splitlines()[0]
