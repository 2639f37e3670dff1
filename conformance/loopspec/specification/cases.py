"""The cases: every scenario and every row of an outline, as a Scene and its checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from msgspec import Struct

from ..contract.axes import posture_rules
from ..contract.capabilities import Capability
from ..contract.needs import needed_capabilities, serving_roles
from ..contract.observation import Observation
from ..contract.reasons import Inapplicable
from ..contract.roles import Role
from ..contract.scene import Scene

if TYPE_CHECKING:
    from loopspec_steps import Check

SEPARATOR = " + "  # between the name of a case and that of a form of it; no title contains it

StepKind = Literal["given", "when", "then"]

# How the verdict of a case counts: with the basis of its rule, or as a posture that the target itself declares.
CaseBasis = Literal["documented", "derived", "clarified", "declared"]

# Returns an observation of a form of a case to one of the case itself. Raises `NotComparable`.
Restore: TypeAlias = Callable[[Observation], Observation]

C = TypeVar("C", bound="Case")


class Rule(Struct, frozen=True, array_like=True):
    """A `Rule:` of a feature."""

    ids: tuple[str, ...]
    basis: CaseBasis
    sentence: str
    feature: str
    file: str
    line: int


class NotComparable(Exception):
    """The observation of a case in another form has no counterpart in the base case's scene."""

    def __init__(self, reason: Inapplicable) -> None:
        super().__init__(str(reason))
        self.reason = reason


class Step(Struct, frozen=True, array_like=True):
    """One step of a scenario with its place."""

    kind: StepKind
    text: str
    line: int

    def __str__(self) -> str:
        return f"{self.kind.capitalize()} {self.text}"


@dataclass(frozen=True)
class Act:
    """The Scene of a case, and the checks of the observation, each with its step.

    `back` are the steps that restore an observation of the scene to one that the checks are about, in order.
    """

    scene: Scene
    checks: tuple[tuple[Step, Check], ...]
    back: tuple[Restore, ...] = ()


@dataclass(frozen=True, eq=False)
class Case:
    """One scenario, or one row of an outline; or a form of such a case, in another scene or with another check.

    `id` names the case in reports and baselines. `template` is the title before a row is filled in, `row` the row's
    cells. `postures` are the values by axis that the case presupposes. `load` makes the Scene and the checks on first
    use: a list of rules needs none of them. `is_short`: the scene is the short form of one that takes long.

    Of a form, `of` is the case that it is a form of, `form` the name, and `source` the name of the source that has made
    it, which the case of an invariant lacks.
    """

    id: str
    rule: Rule
    title: str
    template: str
    row: tuple[str, ...]
    line: int
    steps: tuple[Step, ...]
    roles: tuple[Role, ...]
    needs: frozenset[Capability]
    postures: Mapping[str, str]
    load: Callable[[], Act]
    _: KW_ONLY
    is_short: bool = False
    of: Case | None = None
    form: str = ""
    source: str = ""

    @classmethod
    def made(
        cls: type[C],
        of: Case,
        form: str,
        rule: Rule,
        load: Callable[[], Act],
        *,
        roles: tuple[Role, ...] | None = None,
        needs: frozenset[Capability] = frozenset(),
        postures: Mapping[str, str],
        **own: Any,  # further fields of the class, which its own constructor checks
    ) -> C:
        """Return a form of a case. `rule` is that of the form, at the place of the case's rule.

        `roles` are those of the case by default; `needs` and `postures` are added to those of the case.
        """
        return cls(
            f"{of.id}{SEPARATOR}{form}",
            rule,
            f"{of.title}{SEPARATOR}{form}",
            of.template,
            of.row,
            of.line,
            of.steps,
            of.roles if roles is None else roles,
            of.needs | needs,
            {**of.postures, **postures},
            load,
            of=of,
            form=form,
            **own,
        )

    @cached_property
    def act(self) -> Act:
        """The Scene, and the checks."""
        return self.load()

    @property
    def scene(self) -> Scene:
        """The Scene."""
        return self.act.scene

    @property
    def checks(self) -> tuple[tuple[Step, Check], ...]:
        """The Thens, in order."""
        return self.act.checks

    @property
    def base(self) -> Case:
        """The case that this one is a form of; itself, if it is none."""
        return self.of or self

    @property
    def is_implied(self) -> bool:
        """Whether the case is judged with its base case, and part of no plan: the case of an invariant."""
        return False

    @property
    def givens(self) -> tuple[str, ...]:
        """The Givens that a failure of the case is shown with, apart from the steps."""
        return ()

    def restored(self, seen: Observation) -> Observation:
        """The observation as one of the base case's scene. Raises `NotComparable` if there is no such observation."""
        for step in self.act.back:
            seen = step(seen)
        return seen

    def with_scene(self, scene: Scene) -> Case:
        """The case with a recorded scene, which its checks are then about."""
        act = Act(scene, tuple((step, replace(check, scene=scene)) for step, check in self.checks))
        needs = needed_capabilities(scene).union(*(check.needs for _, check in act.checks))
        return replace(self, load=lambda: act, roles=serving_roles(scene), needs=needs)

    def shortened(self) -> Case:
        """The case with the short form of its scene; itself, if its scene has none."""
        if "resources" not in self.needs or (scene := self.scene.shortened()) == self.scene:
            return self
        return replace(self.with_scene(scene), is_short=True)

    @property
    def basis(self) -> CaseBasis:
        """The basis with which its verdict counts."""
        return self.rule.basis if posture_rules().isdisjoint(self.rule.ids) else "declared"

    @property
    def when(self) -> Step:
        """The step that performs the Scene."""
        return next(step for step in self.steps if step.kind == "when")

    @property
    def file(self) -> str:
        """The feature file, relative to the features."""
        return self.rule.file


def area_of(rule_id: str) -> str:
    """A rule's area: its id without the number."""
    return rule_id.rpartition("-")[0]
