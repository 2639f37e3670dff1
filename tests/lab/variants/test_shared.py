"""Variants that are judged together have the results that they have alone."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

import pytest
from msgspec.structs import replace

from loopspec.contract.harness import HarnessStage
from loopspec.contract.target import Target
from loopspec.engine.judge import Judging
from loopspec.engine.result import Result
from loopspec.specification.cases import Case
from loopspec.specification.sources import case_named
from loopspec.targets.python import PythonTarget
from loopspec_lab.variants import VariedCase, varied_cases
from loopspec_lab.variants.bundles import bundles_of
from loopspec_lab.variants.expanding import variants
from loopspec_mutants import MUTANTS
from loopspec_reference_adapter import Reference

CASE = "LOOP-03 :: An empty result"


class Counting(PythonTarget):
    """The reference, with the number of performances."""

    def __init__(self) -> None:
        super().__init__(Reference, "counting")
        self.performed = 0

    def perform(self, stage: HarnessStage) -> None:
        """Perform the scene, and count."""
        self.performed += 1
        super().perform(stage)


def plan_of(name: str, wanted: Sequence[str]) -> list[Case]:
    """A case and its forms in some variants."""
    case = case_named(name)
    assert case is not None
    return [case, *varied_cases(case, [variants()[variant] for variant in wanted])]


def due(plan: Sequence[Case]) -> list[str]:
    """The cases of a plan that are members of bundles."""
    return [
        case.id for members in bundles_of(case for case in plan if isinstance(case, VariedCase)) for case in members
    ]


def judged(plan: Sequence[Case], target: Target, *, alone: bool) -> list[Result]:
    """The results, without the seconds."""
    judging = Judging(target, plan=() if alone else plan)
    results = [judging.earlier(case) or judging.judge(case) for case in plan]
    return [replace(result, seconds=0.0, holds=(), evidence={}) for result in results]


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["inert-handler-first", "inert-handler-last", "longer-conversation"], id="one run"),
        # concurrent runs take the order of their calls from the plain case
        pytest.param(["run-together", "runs-in-turns", "run-before"], id="twin runs"),
    ],
)
def test_variants_of_a_bundle_are_performed_once(names: list[str]) -> None:
    """A bundle that passes is the result of each member, and the plain case is performed by itself."""
    plan = plan_of(CASE, names)
    with closing(Counting()) as target:
        results = judged(plan, target, alone=False)
        performed = target.performed
        assert results == judged(plan, target, alone=True)

    assert [result.verdict for result in results] == ["passed"] * 4
    assert performed == 2


@pytest.mark.parametrize(
    "names", [["inert-handler-first", "streaming"], ["handler-under-test-first", "handler-under-test-last"]]
)
def test_some_variants_are_performed_alone(names: list[str]) -> None:
    """One variant of a bundle; and of a handler at both places, one can hide what the other changes."""
    assert due(plan_of(CASE, names)) == []


def test_variants_of_files_and_of_runs_are_performed_together() -> None:
    """A scene with files and runs has one performance for variants of both."""
    plan = plan_of("AMD-INJECT-15 :: A run with a tool call", ["files-as-bytes", "inert-handler-first"])
    with closing(Counting()) as target:
        results = judged(plan, target, alone=False)

        assert target.performed == 2
    assert [result.verdict for result in results] == ["passed"] * 3


def test_a_handler_that_passes_is_performed_without_a_control() -> None:
    """The scene with a handler that does nothing is performed only if the handler under test fails."""
    with closing(Counting()) as target:
        results = judged(plan_of(CASE, ["handler-under-test-first"]), target, alone=False)

        assert target.performed == 2
    assert [result.verdict for result in results] == ["passed"] * 2


def test_a_failure_with_any_handler_is_no_failure_of_the_handler_under_test() -> None:
    """A case that also fails with a handler that does nothing is inapplicable."""
    plan = plan_of("HOOK-BM-09 :: Retry is configured", ["handler-under-test-first"])
    with closing(MUTANTS["shows-the-retries-to-the-first-handler-only"].target()) as target:
        plain, varied = judged(plan, target, alone=True)

    assert (plain.verdict, varied.verdict) == ("passed", "inapplicable")
    assert varied.message == "needs a case that passes with a handler that does nothing"


def test_a_target_that_lacks_a_capability_is_judged_in_the_other_variants_together() -> None:
    """A variant that a target cannot be judged in is inapplicable, with the reason, and does not end the bundle."""
    plan = plan_of(CASE, ["inert-handler-first", "longer-conversation", "session-used-before"])
    with closing(Counting()) as target:
        target.capabilities -= {"threads"}
        results = judged(plan, target, alone=False)

        assert target.performed == 2
    assert [result.verdict for result in results] == ["passed", "passed", "passed", "inapplicable"]
    assert results[-1].message == "needs threads"


@pytest.mark.parametrize(
    ("mutant", "case", "variant"),
    [
        ("sends-no-empty-answer-of-an-earlier-run", "HOOK-BM-09 :: Retry is configured", "longer-conversation"),
        ("shows-the-retries-to-the-last-handler-only", "HOOK-BM-09 :: Retry is configured", "inert-handler-last"),
        # in a bundle of its own: inside an outer agent, it would pass
        (
            "calls-after-agent-hooks-once-in-a-session",
            "CANCEL-20 :: A run that answers after a tool call",
            "session-used-before",
        ),
        (
            "leaves-out-handlers-that-are-false",
            "CFG-16 :: A before-agent hook that extends the instruction",
            "falsy-objects",
        ),
    ],
)
def test_a_bundle_that_fails_is_judged_variant_by_variant(mutant: str, case: str, variant: str) -> None:
    """The verdicts, reasons and rules of all variants are those of a run without bundles."""
    plan = plan_of(case, list(variants()))
    with closing(MUTANTS[mutant].target()) as target:
        together = judged(plan, target, alone=False)
    with closing(MUTANTS[mutant].target()) as target:
        alone = judged(plan, target, alone=True)

    assert together == alone
    assert f"{case} + {variant}" in {result.case for result in together if result.verdict == "failed"}
