"""An invariant: what holds in every observation of an agent, unless the scene itself breaks it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

from ...contract.faults import in_one_line
from ...contract.mismatch import Mismatch
from ...contract.observation import Observation
from ...contract.scene import Scene
from ..cases import Act, Case
from ..ledger import ledger, rule_of_form
from .scenes import Story

# Raises `Mismatch` for an observation in which the invariant does not hold.
Look: TypeAlias = Callable[[Story, Observation], None]


@dataclass(frozen=True, eq=False)
class Invariant:
    """What holds in every observation, and the rule that states it.

    `applies` excludes the scenes that break the invariant themselves: the rule's decision says which. `postures` are
    the values by axis that the invariant presupposes.
    """

    name: str
    rule: str
    look: Look
    applies: Callable[[Story], bool] = lambda story: True
    postures: Mapping[str, str] = field(default_factory=dict)


_FOUND: list[Invariant] = []


def invariant(
    rule: str, applies: Callable[[Story], bool] = lambda story: True, **postures: str
) -> Callable[[Look], Look]:
    """Register a function as an invariant, with the function's name. A value of an axis is given with underscores."""

    def register(look: Look) -> Look:
        name = look.__name__.replace("_", "-")
        presupposed = {axis.replace("_", "-"): value for axis, value in postures.items()}
        _FOUND.append(Invariant(name, rule, look, applies, presupposed))
        return look

    return register


@cache
def invariants() -> Mapping[str, Invariant]:
    """The invariants whose rule is in the ledger in use, by name, in the order of their rules."""
    return {one.name: one for one in sorted(_FOUND, key=lambda one: one.rule) if one.rule in ledger().rules}


@dataclass(frozen=True, eq=False)
class InvariantCase(Case):
    """A case in which an invariant does not hold: the scene of another case, and the invariant alone."""

    @property
    def is_implied(self) -> bool:
        """True."""
        return True

    def with_scene(self, scene: Scene) -> Case:
        """The case with a recorded scene."""
        return case_of(self.base.with_scene(scene), invariants()[self.form])


def case_of(base: Case, invariant: Invariant) -> InvariantCase:
    """The case of an invariant in the scene of another case."""
    rule = rule_of_form(invariant.rule, base.rule)
    return InvariantCase.made(base, invariant.name, rule, lambda: Act(base.scene, ()), postures=invariant.postures)


def looked_at(
    case: Case, seen: Observation, without: Collection[str] = ()
) -> Iterator[tuple[Invariant, Mismatch | None]]:
    """Each invariant that the scene of the case does not break itself, and the mismatch if it does not hold.

    `without` are the rules of invariants that are left out. An invariant that cannot read the observation does not
    hold: an adapter in Python may report values of any type.
    """
    if case.scene.act != "run":
        return
    story = Story(case.scene, seen)
    for one in invariants().values():
        if one.rule not in without and one.applies(story):
            try:
                one.look(story, seen)
            except Mismatch as no:
                yield one, no
            except Exception as error:
                yield one, Mismatch("the observation", "values of the declared types", in_one_line(error))
            else:
                yield one, None
