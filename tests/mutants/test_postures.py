"""Every value of an axis has a patch of the reference, and the scenarios that the patch turns red are tagged."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import closing, nullcontext
from functools import cache
from types import FunctionType

import pytest

from loopspec.contract.axes import DIALECT, axes
from loopspec.engine.judge import Judging
from loopspec.engine.result import FAILURES
from loopspec.specification.cases import Case, area_of
from loopspec.specification.features import cases_of_rule, compiled
from loopspec.specification.ledger import ledger
from loopspec_lab.variants import variants, varied_cases
from loopspec_mutants import POSTURES, Mutant, PatchedPosture, PostureTarget
from loopspec_mutants.matrix import functions_of
from loopspec_mutants.registry import MutantTarget, Store
from loopspec_mutants.rewriting import watched

# The values of the axis `dialect` are whole sets of answers: the mutants of instruction files have each answer.
AXES = {name: axis for name, axis in axes().items() if name != DIALECT}
# Examples of 500 model calls take seconds each.
VALUES = [
    pytest.param(one, id=f"{axis}-{value}", marks=[pytest.mark.long] if value == "500" else [])
    for (axis, value), one in POSTURES.items()
]

_SHARES = 5 * len(VALUES)  # all variants of a case are about twenty cases


def red(target: PostureTarget, cases: Iterable[Case]) -> list[Case]:
    """The cases that fail, also because of an invariant.

    A target with a posture does not hang, so the deadline of a trial is not needed: 500 model calls take longer.
    """
    with closing(target):
        judging = Judging(target)
        judged = [(case, judging.judge(case)) for case in cases]
    return [case for case, result in judged if any(one.verdict in FAILURES for one in (result, *result.broken))]


def presupposing(axis: str, value: str) -> list[Case]:
    """The cases with the tag of a value, apart from those of another posture."""
    return [case for case in compiled() if case.postures.get(axis) == value and case.basis != "declared"]


def cases_that_call(one: PatchedPosture) -> list[Case]:
    """The cases that call a function that the value changes; all, if it changes something else."""
    functions = functions_of(one.patch)
    called = calls(one.backend)
    return [case for case in compiled() if not functions or not called[case.id].isdisjoint(functions)]


@cache
def calls(backend: Store | None) -> dict[str, frozenset[FunctionType]]:
    """The functions that each case calls on the reference, of those that a value changes."""
    changed = {function for one in POSTURES.values() if one.backend == backend for function in functions_of(one.patch)}
    seen, found = set[FunctionType](), dict[str, frozenset[FunctionType]]()
    with closing(MutantTarget(Mutant("", "", nullcontext, backend=backend))) as target, watched(changed, seen.add):
        judging = Judging(target)
        for case in compiled():
            seen.clear()
            judging.judge(case)
            found[case.id] = frozenset(seen)
    return found


def rule_of(one: PatchedPosture) -> str:
    return AXES[one.axis].values[one.value].rule


def test_every_value_other_than_the_default_has_a_patch() -> None:
    """No patch is of a value that does not exist."""
    assert {(name, value) for name, axis in AXES.items() for value in axis.values if value != axis.default} == set(
        POSTURES
    )


@pytest.mark.parametrize("one", VALUES)
def test_a_target_that_has_the_declared_posture_fails_no_tagged_case(one: PatchedPosture) -> None:
    """The values of the axes are independent of each other. A sixth of the cases: the long test judges all."""
    tagged = [case for case in compiled() if case.postures]

    assert [case.id for case in red(one.target(), tagged[list(POSTURES.values()).index(one) % 6 :: 6])] == []


@pytest.mark.long
@pytest.mark.parametrize("one", VALUES)
def test_a_target_that_has_the_declared_posture_fails_no_case(one: PatchedPosture) -> None:
    """A case that fails here presupposes the default value, and needs the tag of the axis.

    A case that calls no changed function sees nothing of the value.
    """
    assert [case.id for case in red(one.target(), cases_that_call(one))] == []


@pytest.mark.long
@pytest.mark.parametrize("one", VALUES)
def test_a_target_that_has_the_declared_posture_fails_no_case_in_a_variant(one: PatchedPosture) -> None:
    """A varied case presupposes what its plain case presupposes, and what its variant does.

    Each value is judged by a share of the cases, no two by the same; `.ci/long` judges each by all.
    """
    every = 1 if "LOOPSPEC_ALL" in os.environ else _SHARES
    plain = compiled()[list(POSTURES.values()).index(one) % every :: every]
    everywhere = [each for case in plain for each in (case, *varied_cases(case, variants().values()))]

    assert [case.id for case in red(one.target(), everywhere)] == []


@pytest.mark.parametrize("one", VALUES)
def test_a_target_that_only_declares_a_posture_fails_its_rule(one: PatchedPosture) -> None:
    """Each rule of a posture turns red on the reference as it is."""
    cases = [case for case in cases_of_rule(rule_of(one)) if case.postures[one.axis] == one.value]

    assert red(one.target(patched=False), cases) != []


@pytest.mark.parametrize("axis", AXES)
def test_every_tagged_case_fails_on_a_target_that_only_has_the_posture(axis: str) -> None:
    """A row of an outline that passes with every value of the axis has an empty cell in the column of the tag."""
    values = [one for one in POSTURES.values() if one.axis == axis]
    tagged = [
        case
        for case in presupposing(axis, AXES[axis].default)
        if any(one.lacks.isdisjoint(case.needs) for one in values)
    ]
    failed = {case.id for one in values for case in red(one.target(declared=False), tagged)}

    assert tagged
    assert {case.id for case in tagged} - failed == set()


def test_each_posture_has_a_rule_of_its_own() -> None:
    """The rules of the area POSTURE are those of the values, one each; a default value has none.

    A value of backends has a rule of the area BACKEND. Numbers on one axis have one rule, with examples of each number
    and of no other value.
    """
    numbers = {value.rule: name for name, axis in AXES.items() for key, value in axis.values.items() if key.isdigit()}
    rules = [
        value.rule for axis in axes().values() for key, value in axis.values.items() if value.rule and not key.isdigit()
    ] + [rule for rule in numbers if rule]

    of_backends = [rule_of(one) for one in POSTURES.values() if one.backend]
    assert sorted(rules) == sorted([rule for rule in ledger().rules if area_of(rule) == "POSTURE"] + of_backends)
    for rule in rules:
        judged = {
            (name, key) for name, axis in AXES.items() for key, value in axis.values.items() if value.rule == rule
        }
        assert judged == {(name, case.postures[name]) for case in cases_of_rule(rule) for name, _ in judged}
    assert [name for name, axis in AXES.items() if axis.values[axis.default].rule] == []
