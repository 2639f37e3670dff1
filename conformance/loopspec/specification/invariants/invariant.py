"""An invariant: what holds in every observation of an agent, unless the scene itself breaks it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ...contract.observation import Observation
from ...contract.scene import Scene
from ..cases import SEPARATOR, Act, Case, Rule, Step
from .scenes import Story

if TYPE_CHECKING:
    from loopspec_steps import Check


@dataclass(frozen=True, eq=False)
class Invariant:
    """What holds in every observation, and the rule that states it.

    `applies` excludes the scenes that break the invariant themselves: the rule's decision says which. `look` raises
    `Mismatch` for an observation in which the invariant does not hold. `postures` are the values by axis that the
    invariant presupposes.
    """

    name: str
    rule: str
    applies: Callable[[Story], bool]
    look: Callable[[Story, Observation], None]
    postures: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class InvariantCase(Case):
    """A case in which an invariant does not hold: the scene `of` another case, and the invariant alone."""

    of: Case
    invariant: Invariant

    @property
    def base(self) -> Case:
        """The case in whose scene the invariant does not hold."""
        return self.of

    @property
    def form(self) -> str:
        """The name of the invariant."""
        return self.invariant.name

    @property
    def is_implied(self) -> bool:
        """True."""
        return True

    @property
    def scene(self) -> Scene:
        """The scene of the base case."""
        return self.base.scene

    @property
    def checks(self) -> tuple[tuple[Step, Check], ...]:
        """None: the invariant is checked instead."""
        return ()

    def with_scene(self, scene: Scene) -> Case:
        """The case with a recorded scene."""
        return replace(self, of=self.of.with_scene(scene))


def invariant_case(base: Case, invariant: Invariant, rule: Rule) -> InvariantCase:
    """The case of an invariant that does not hold in the base case. `rule` is the invariant's, at the base's place."""
    return InvariantCase(
        id=f"{base.id}{SEPARATOR}{invariant.name}",
        rule=rule,
        title=f"{base.title}{SEPARATOR}{invariant.name}",
        template=base.template,
        row=base.row,
        line=base.line,
        steps=base.steps,
        roles=base.roles,
        needs=base.needs,
        postures={**base.postures, **invariant.postures},
        load=_never,
        of=base,
        invariant=invariant,
    )


def _never() -> Act:
    raise AssertionError("the case of an invariant has the scene of its base case")
