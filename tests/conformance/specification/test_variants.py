"""Variants hold on the reference, and neither their exemptions nor their ways back hide anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from typing import get_args

import pytest

from loopspec.contract.agents import Agent, Handler, Legacy, Model, Tool
from loopspec.contract.needs import needed_capabilities
from loopspec.contract.observation import Observation
from loopspec.contract.scene import Run, Scene
from loopspec.contract.target import Target
from loopspec.engine.judge import judge, role_for
from loopspec.engine.perform import perform
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger
from loopspec.specification.lookup import case_named
from loopspec.specification.variants import Variant, VariedCase, varied_cases
from loopspec.specification.variants.expanding import exemptions, variants
from loopspec.specification.variants.facts import found
from loopspec.specification.variants.restoring import SOURCES_BY_RUN
from loopspec.specification.variants.variant import SEPARATOR, varied_case
from loopspec.targets.resolve import resolve

NAMES = tuple(variants())


@cache
def cases_of(name: str) -> tuple[VariedCase, ...]:
    return tuple(varied for case in compiled() for varied in varied_cases(case, [variants()[name]]))


@pytest.fixture(scope="module")
def target() -> Iterator[Target]:
    with closing(resolve("reference")) as reference:
        yield reference


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_variant_holds_on_the_reference(name: str, target: Target) -> None:
    """Every case of the variant passes; none is inapplicable, so the way back never gives up."""
    results = [judge(case, target) for case in cases_of(name)]

    assert results
    assert [(result.case, result.verdict, result.message) for result in results if result.verdict != "passed"] == []


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_an_exempt_case_would_not_pass(name: str, target: Target) -> None:
    """An exemption that is not needed, or that fits no case, is an error."""
    variant = variants()[name]
    exempt = [case for found, case, _ in exemptions(compiled()) if found is variant]
    passed = [case.id for case in exempt if judge(varied_case(case, variant, case.rule), target).verdict == "passed"]

    assert passed == []
    assert [glob for glob in variant.exempt if not any(_fits(variant, glob, case) for case in exempt)] == []


def _fits(variant: Variant, glob: str, case: Case) -> bool:
    return variant.exemption(case) == variant.exempt[glob]


def test_few_cases_are_exempt() -> None:
    """At most one case of twenty is exempt, and each exemption has its reason."""
    exempt = list(exemptions(compiled()))
    judged = sum(len(cases_of(name)) for name in NAMES)

    assert len(exempt) <= 0.05 * (judged + len(exempt)), Counter(variant.name for variant, _, _ in exempt)
    assert [case.id for _, case, why in exempt if not why.endswith(".")] == []


def test_a_variant_is_a_rule() -> None:
    """Variants and the rules with the status "variant" are the same, in the order of their numbers."""
    rows = {row.variant: rule for rule, row in ledger().rules.items() if row.status == "variant"}

    assert {name: variant.rule for name, variant in variants().items()} == rows
    assert list(rows.values()) == sorted(rows.values())


def test_a_transformed_scene_needs_what_its_variant_says() -> None:
    """The capabilities of a varied case are those that its scene needs, so no target is judged beyond what it has."""
    wrong = [
        (case.id, sorted(needed_capabilities(case.scene) - case.needs))
        for name in NAMES
        for case in cases_of(name)[::7]
        if needed_capabilities(case.scene) - case.needs
    ]

    assert wrong == []


def test_a_varied_case_is_found_by_its_name() -> None:
    """The name of a case has the name of its variant after a separator that no title has."""
    case = cases_of(NAMES[0])[0]

    assert case.id == f"{case.base.id}{SEPARATOR}{NAMES[0]}"
    assert [each.id for each in compiled() if SEPARATOR in each.id] == []
    assert (again := case_named(case.id)) is not None
    assert (again.id, again.scene) == (case.id, case.scene)
    assert case_named(f"{case.base.id}{SEPARATOR}no-such-variant") is None


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_the_way_back_takes_out_only_what_the_variant_has_put_in(name: str, target: Target) -> None:
    """Each entry that is missing after the way back belongs to a run or a double that only the varied scene has."""
    wrong: list[tuple[str, object]] = []
    for case in cases_of(name)[::5]:
        role, _ = role_for(case, target)
        assert role is not None
        seen = perform(target, case.scene, role)
        added = _names(case.scene) - _names(case.base.scene)
        parts = {run.id for run in case.scene.runs if run.part}
        wrong += [
            (case.id, entry)
            for entry in _missing(seen, case.restored(seen))
            if not (_belongs_to(entry, added - parts) or _is_declared(entry, case))
        ]

    assert wrong == []


def _is_declared(entry: object, case: VariedCase) -> bool:
    """Whether a step of the way back declares that it may remove the entry."""
    return any(getattr(step, "may_remove", lambda _: False)(entry) for step in case.varied.back)


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith(("stopped-", "interrupting-"))])
def test_runs_of_several_parts_are_stopped(name: str, target: Target) -> None:
    """Nearly every run is stopped at least once: a variant whose runs end by themselves would show nothing."""
    stopped = 0
    cases = cases_of(name)[::5]
    for case in cases:
        role, _ = role_for(case, target)
        assert role is not None
        seen = perform(target, case.scene, role)
        stopped += any(end.cancelled is not None or end.interrupted for end in seen.runs)

    assert stopped >= 0.8 * len(cases)


def _names(scene: Scene) -> set[str]:
    """The names of all runs, agents and doubles."""
    named = found(scene, (Run, Agent, Model, Tool, Legacy, *get_args(Handler)))
    return {one.id if isinstance(one, Run) else getattr(one, "name") for one in named}  # noqa: B009  # of many types


def _missing(seen: Observation, restored: Observation) -> Iterator[object]:
    for source in SOURCES_BY_RUN:
        kept = {entry.n for entry in getattr(restored, source)}
        yield from (entry for entry in getattr(seen, source) if entry.n not in kept)


def _belongs_to(entry: object, names: set[str]) -> bool:
    """Whether an entry names an added run, handler, tool, agent or model; the name of a span ends with its double's."""
    fields = {getattr(entry, field, None) for field in ("run", "handler", "tool", "agent", "model")}
    return bool(names & (fields | {getattr(entry, "name", "").rpartition(" ")[2]}))
