"""Variants hold on the reference, and neither their exemptions nor their ways back hide anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import cache
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from loopspec.contract.agents import Agent, AgentsMD, Handler, Legacy, Model, Tool
from loopspec.contract.needs import needed_capabilities
from loopspec.contract.observation import Event, Observation, Read, Registered, RunEnd, Warned
from loopspec.contract.plugins import Node, Strategy
from loopspec.contract.scene import Run, Scene
from loopspec.contract.target import Target
from loopspec.engine.judge import Mute, judge
from loopspec.engine.perform import perform
from loopspec.specification.cases import SEPARATOR, Case, NotComparable
from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger
from loopspec.specification.sources import case_named
from loopspec.targets.resolve import resolve
from loopspec_lab.variants import Variant, VariedCase, varied_cases
from loopspec_lab.variants.at_once import able_parts
from loopspec_lab.variants.expanding import exemptions, variants
from loopspec_lab.variants.facts import found
from loopspec_lab.variants.file_facts import configs
from loopspec_lab.variants.restoring import SOURCES_BY_RUN
from loopspec_lab.variants.restoring_files import WithOtherTexts
from loopspec_lab.variants.texts import with_texts
from loopspec_lab.variants.variant import varied_case

from ...conformance.staging import dialect_for, role_of
from ...sharing import share

NAMES = tuple(variants())


@cache
def cases_of(name: str) -> tuple[VariedCase, ...]:
    return tuple(varied for case in compiled() for varied in varied_cases(case, [variants()[name]]))


@cache
def exempt_cases() -> list[tuple[Variant, Case, str]]:
    return list(exemptions(compiled()))


@pytest.fixture(scope="module")
def target() -> Iterator[Target]:
    with closing(resolve("reference")) as reference:
        yield reference


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_an_exempt_case_would_not_pass(name: str, target: Target) -> None:
    """An exemption that is not needed, or that fits no case, is an error."""
    variant = variants()[name]
    exempt = [case for found, case, _ in exempt_cases() if found is variant]
    passed = [case.id for case in exempt if judge(varied_case(case, variant, case.rule), target).verdict == "passed"]

    assert passed == []
    assert [glob for glob in variant.exempt if not any(_fits(variant, glob, case) for case in exempt)] == []


def _fits(variant: Variant, glob: str, case: Case) -> bool:
    return variant.exemption(case) == variant.exempt[glob]


def test_few_cases_are_exempt() -> None:
    """At most one case of twenty is exempt, and each exemption has its reason."""
    drawn = compiled()[::5]
    exempt = list(exemptions(drawn))
    judged = sum(1 for case in drawn for _ in varied_cases(case, variants().values()))

    assert len(exempt) <= 0.05 * (judged + len(exempt)), Counter(variant.name for variant, _, _ in exempt)
    assert [case.id for _, case, why in exempt if not why.endswith(".")] == []


def test_a_variant_is_a_rule() -> None:
    """Variants and the rules with the status "variant" are the same, in the order of their numbers."""
    rows = {row.variant: rule for rule, row in ledger().rules.items() if row.status == "variant"}

    assert list(variants()) == list(rows)
    assert list(rows.values()) == sorted(rows.values())


def test_a_transformed_scene_needs_what_its_variant_says() -> None:
    """The capabilities of a varied case are those that its scene needs, so no target is judged beyond what it has.

    Of several variants at once, a target performs those that it has the capabilities for.
    """
    wrong = [
        (case.id, sorted(needed_capabilities(scene) - case.needs))
        for plain in compiled()[::7]
        for case in varied_cases(plain, variants().values())
        if needed_capabilities(scene := _for_the_least_target(case)) - case.needs
    ]

    assert wrong == []


def _for_the_least_target(case: VariedCase) -> Scene:
    """The scene of the case for a target that has only the capabilities of the case."""
    if not case.variant.parts:
        return case.scene
    with closing(Mute()) as least:
        least.capabilities = case.needs
        return able_parts(case, least).scene


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
def test_the_way_back_takes_out_only_what_the_variant_has_put_in(name: str) -> None:
    """Each entry that is missing after the way back belongs to something that only the varied scene has.

    That is a run, a double, a file, a node, a middleware, or an additional load whose entry has an equal that is kept.
    """
    wrong: list[tuple[str, object]] = []
    for case in share(cases_of(name), 15, NAMES.index(name)):
        with closing(resolve(f"reference as {dialect_for(case.base)}")) as target:
            seen = perform(target, case.scene, role_of(case, target))
        added = _names(case.scene) - _names(case.base.scene)
        own = {run.id for run in case.base.scene.runs}
        parts = {run.id for run in case.scene.runs if run.part and run.id.partition(".")[0] in own}
        try:
            restored = case.restored(seen)
        except NotComparable:  # an added run has not ended as the variant says
            continue
        repeated = case.scene.times > case.base.scene.times
        wrong += [
            (case.id, entry)
            for source, entry in _missing(seen, restored)
            if not _belongs_to(entry, added - parts)
            and not _is_declared(entry, case)
            and not (repeated and _has_equal(_with_old_texts(entry, case), getattr(restored, source)))
            and not _is_of_added_middleware(case, seen, entry, added)
        ]
        sections = {*_sections(seen)} - {*_sections(restored)}
        if not any(isinstance(step, WithOtherTexts) for step in case.act.back):
            wrong += [(case.id, path) for path in sections if path not in added]

    assert wrong == []


def _with_old_texts(entry: object, case: VariedCase) -> object:
    """The entry with the texts of the case's own scene."""
    for step in case.act.back:
        entry = with_texts(entry, step.change) if isinstance(step, WithOtherTexts) else entry
    return entry


def _is_declared(entry: object, case: VariedCase) -> bool:
    """Whether a step of the way back declares that it may remove the entry, also after one that joined its run."""
    entries = [entry]
    if isinstance(entry, RunEnd | Event) and "." in (entry.run or ""):
        entries.append(replace(entry, run=(entry.run or "").partition(".")[0]))
    return any(getattr(step, "may_remove", lambda _: False)(one) for step in case.act.back for one in entries)


@pytest.mark.long
@pytest.mark.parametrize(
    "name", [name for name in NAMES if name.startswith(("stopped-", "interrupting-", "after-an-interrupt", "late-"))]
)
def test_runs_of_several_parts_are_stopped(name: str, target: Target) -> None:
    """Nearly every run is stopped at least once: a variant whose runs end by themselves would show nothing."""
    stopped = 0
    cases = cases_of(name)[::5]
    for case in cases:
        role = role_of(case, target)
        seen = perform(target, case.scene, role)
        stopped += any(end.cancelled is not None or end.interrupted for end in seen.runs)

    assert stopped >= 0.8 * len(cases)


@pytest.mark.parametrize(
    "name",
    [
        "marks-and-blanks",
        "non-ascii-texts",
        "long-texts",
    ],
)
def test_the_way_back_of_texts_is_the_inverse(name: str) -> None:
    """The change that the way back makes to each text returns the original scene, so the two hide no difference."""
    for case in cases_of(name):
        step: Any = case.act.back[0]  # Any: such a step changes each text of an observation, and of a scene as well
        assert case.act.back == (step,)
        assert case.scene != case.base.scene
        assert step(case.scene) == case.base.scene


def _names(scene: Scene) -> set[str]:
    """The names of all runs, agents, doubles, nodes and providers, and the paths of files, missing ones included."""
    named = found(scene, (Run, Agent, Model, Tool, Legacy, Node, Strategy, *get_args(Handler)))
    return (
        {_name(one) for one in named} | set(scene.files) | {path for one in configs(scene) for path in one.files or ()}
    )


def _name(one: Any) -> str:  # Any: of many types
    match one:
        case Run():
            return one.id
        case Node():
            return one.key
        case Strategy():
            return one.provider
        case _:
            return str(one.name)


def _missing(seen: Observation, restored: Observation) -> Iterator[tuple[str, object]]:
    for source in (*SOURCES_BY_RUN, "creations"):
        kept = {entry.n for entry in getattr(restored, source)}
        yield from ((source, entry) for entry in getattr(seen, source) if entry.n not in kept)
    listed = {one.provider for one in restored.strategies}
    yield from (("strategies", one) for one in seen.strategies if one.provider not in listed)


def _has_equal(entry: Any, kept: Iterable[Any]) -> bool:  # Any: entries of any source
    """Whether an entry of an additional load is kept once, as an entry of another load."""
    return any(replace(one, n=entry.n) == entry for one in kept)


def _is_of_added_middleware(case: VariedCase, seen: Observation, entry: object, added: set[str]) -> bool:
    """Whether an added AgentsMD middleware caused a read or a warning: before the first call of an added handler."""
    if not isinstance(entry, Read | Warned) or not any(_name(one) in added for one in found(case.scene, (AgentsMD,))):
        return False
    calls = [call.n for call in seen.hooks if call.handler in added and call.run == entry.run]
    return bool(calls) and entry.n < calls[0]


def _sections(seen: Observation) -> Iterator[str]:
    return (section.path for load in seen.loads for section in load.sections)


def _belongs_to(entry: object, names: set[str]) -> bool:
    """Whether an entry names an added run, double, agent or file; the name of a span ends with its double's."""
    fields = {getattr(entry, field, None) for field in ("run", "handler", "tool", "agent", "model", "path", "node")}
    fields.add(getattr(entry, "provider", None) if isinstance(entry, Registered) else None)
    return bool(names & (fields | {getattr(entry, "name", "").rpartition(" ")[2]}))
