"""A bundle transforms a scene as each of its variants does, and judges at least as much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache

import pytest

from loopspec.contract.needs import needed_capabilities
from loopspec.contract.observation import Observation, Span
from loopspec.contract.scene import Scene
from loopspec.contract.target import Target
from loopspec.engine.judge import applies, judge
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.specification.invariants import invariants
from loopspec.specification.invariants.scenes import Story
from loopspec.specification.sources import case_named
from loopspec_lab.variants import VariedCase, varied_cases
from loopspec_lab.variants.bundles import BUNDLES, bundles_of, together
from loopspec_lab.variants.expanding import variants

from ...conformance.staging import dialects_for
from ...sharing import share


@cache
def bundles(of: int) -> list[tuple[VariedCase, ...]]:
    found = (bundles_of(varied_cases(case, variants().values())) for case in share(compiled(), of))
    return [members for several in found for members in several]


def test_a_variant_is_in_at_most_one_bundle() -> None:
    """Each name in a bundle is that of a variant, and no variant is in two bundles."""
    names = Counter(name for bundle in BUNDLES for name in bundle)

    assert set(names) <= set(variants())
    assert [name for name, count in names.items() if count > 1] == []


def test_the_members_of_a_bundle_are_forms_of_one_case() -> None:
    """A bundle has at least two members, all of one base case and of one of the listed bundles, in the listed order."""
    for members in bundles(3):
        names = [member.variant.name for member in members]
        listed = next(bundle for bundle in BUNDLES if names[0] in bundle)

        assert len(members) > 1
        assert {member.base.id for member in members} == {members[0].base.id}
        assert names == [name for name in listed if name in names]


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(BUNDLES)))
def test_a_bundle_passes_on_the_reference(number: int, target_for: Callable[[Case], Target | None]) -> None:
    """Each bundle passes, so no transformation of a bundle disturbs another one.

    `.ci/run` judges a share of the bundles, and all variants of all cases.
    """
    every = [together(members) for members in bundles(3) if members[0].variant.name in BUNDLES[number]]
    found = [case for case in every if dialects_for(case)]  # a target judges a bundle without what its dialect lacks
    judged = [
        (case, target)
        for case in found
        if (target := target_for(case)) and applies(case, target) and judge(case.base, target).verdict == "passed"
    ]
    failed = [
        (case.id, result.message) for case, target in judged if (result := judge(case, target)).verdict != "passed"
    ]

    assert len(judged) > 0.9 * len(found) > 0.8 * len(every)
    assert failed == []


@pytest.mark.parametrize(
    "names", [("run-together", "runs-in-turns", "run-before"), ("runs-in-turns", "run-before")], ids=len
)
def test_a_bundle_of_concurrent_runs_has_both_runs(names: tuple[str, ...]) -> None:
    """The bundle has an earlier run and a concurrent run, whether or not `run-together` is a member."""
    case = case_named("LOOP-03 :: An empty result")
    assert case is not None
    members = tuple(varied_cases(case, [variants()[name] for name in names]))
    (found,) = bundles_of(members)
    calls = (
        Span(n=1, name="model M", run="1", agent="A", ended=2),
        Span(n=3, name="model M", run="1", agent="A", ended=4),
    )
    scene = together(found, calls).scene

    assert [(run.id, run.together) for run in scene.runs] == [("00", False), ("1", False), ("0", True)]
    assert {(held.double, held.run, held.number) for held in scene.held} == {
        ("model M", run, number) for run in ("0", "1") for number in (1, 2)
    }


def test_a_bundle_needs_what_its_variants_need() -> None:
    """The scene of a bundle needs no capability that no member needs, so no target is judged beyond what it has."""
    cases = [together(members) for members in bundles(7)]

    assert [case.id for case in cases if needed_capabilities(case.scene) - case.needs] == []


def test_a_bundle_loses_no_invariant_unseen() -> None:
    """An invariant that applies to a member and not to its bundle applies to the plain case, whose result has it.

    Such a bundle is discarded: see `loopspec_lab.variants.judging`.
    """
    lost = 0
    for members in bundles(7):
        of_bundle, of_plain = _applying(together(members).scene), _applying(members[0].base.scene)
        missing = frozenset().union(*(_applying(member.scene) for member in members)) - of_bundle
        lost += bool(missing)

        assert missing <= of_plain

    assert lost


def _applying(scene: Scene) -> frozenset[str]:
    if scene.act != "run":
        return frozenset()
    story = Story(scene, Observation())
    return frozenset(one.name for one in invariants().values() if one.applies(story))
