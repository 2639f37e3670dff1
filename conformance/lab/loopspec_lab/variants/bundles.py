"""Bundles: variants of one case that one performance judges together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from loopspec.contract.observation import Observation, Span
from loopspec.contract.scene import Scene

from .runs import with_equal_run
from .variant import Variant, Varied, VariedCase, in_turn, varied_case

# The variants of each bundle, in the order in which they transform the scene.
#
# The variants of a bundle change different things. Two variants that choose the code of an implementation, such as
# `agentic` and `streaming`, are in different bundles, and so are variants with different earlier runs: the later one of
# two runs could hide what the earlier one has left, and an equal run of the same session is not one of another session.
# A bundle has variants of files and variants of runs: a scene with files and runs is performed once for both.
#
# An agent inside an outer agent does not receive the caller's session. The two places of the handler under test are in
# no bundle: with a handler at both places, one of them hides what the other changes. Calls in sequence
# (`sequential-tools`) hide what another variant changes for concurrent calls. `run-before` comes after the variants
# with a concurrent run, since it repeats the first run of the scene.
BUNDLES: tuple[tuple[str, ...], ...] = (
    (
        "non-ascii-texts",
        "false-values",
        "files-as-bytes",
        "unrelated-file-first",
        "inert-handler-first",
        "inert-handler-last",
        "inert-middleware-first",
        "longer-conversation",
    ),
    ("handlers-without-hooks", "session-used-before"),
    ("same-call-ids", "streaming", "inside-an-outer-agent"),
    (
        "empty-texts",
        "streaming-tools",
        "equal-exchange-before",
        "marks-and-blanks",
        "run-together",
        "runs-in-turns",
        "run-before",
    ),
    ("long-texts", "files-as-text", "loaded-twice", "falsy-objects", "agentic"),
    ("sequential-tools", "enhanced-tools"),
)


@cache
def _places() -> dict[str, tuple[int, int]]:
    """The bundle of each variant and the place of the variant there."""
    return {name: (number, at) for number, names in enumerate(BUNDLES) for at, name in enumerate(names)}


def bundles_of(cases: Iterable[VariedCase]) -> Iterator[tuple[VariedCase, ...]]:
    """The varied cases that may be judged together: of one base case, in variants of one bundle, at least two."""
    found: dict[tuple[str, int], list[VariedCase]] = {}
    for case in cases:
        if place := _places().get(case.variant.name):
            found.setdefault((case.base.id, place[0]), []).append(case)
    for members in found.values():
        if len(members) > 1:
            yield tuple(sorted(members, key=lambda case: _places()[case.variant.name]))


def together(members: Sequence[VariedCase], calls: tuple[Span, ...] = ()) -> VariedCase:
    """One case of all variants of some cases, which are members of one bundle.

    With the calls of the plain case, a bundle with a single order of calls has the scene of this order: an additional
    run makes the calls of the plain run.
    """
    base = members[0].base
    case = varied_case(base, _joined(tuple(case.variant for case in members)), base.rule)
    if not calls or case.variant.orders is None:
        return case
    seen = Observation(spans=with_equal_run(base.scene, calls))
    ordered = [scene for scenes in case.orders(seen) for scene in scenes]
    return case.with_scene(ordered[0]) if len(ordered) == 1 else case


@cache
def _joined(members: tuple[Variant, ...]) -> Variant:
    """The variant that makes the transformations of its members, one after the other."""
    ordering = next((one for one in members if one.orders), None)

    def vary(scene: Scene) -> Varied:
        # the orders are those of another run that an earlier member has added, if there is one
        return in_turn(members, scene, None if ordering is members[0] else ordering)

    def orders(scene: Scene, seen: Observation) -> Iterable[Iterable[Scene]]:
        assert ordering, "a bundle without a member that has orders has none either"
        in_bundle = ordering.orders_in_bundle or ordering.orders
        assert in_bundle, "found by its orders"
        return in_bundle(ordering.vary(scene).scene, seen)

    return Variant(
        ", ".join(one.name for one in members),
        lambda facts: all(one.applies(facts) for one in members),
        vary,
        roles=tuple(role for role in members[0].roles if all(role in one.roles for one in members)),
        needs=frozenset().union(*(one.needs for one in members)),
        postures={axis: value for one in members for axis, value in one.postures.items()},
        orders=orders if ordering else None,
    )
