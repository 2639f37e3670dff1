"""A variant: a transformation of a scene under which its checks must still hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache, cached_property

from loopspec.contract.acting import Hook
from loopspec.contract.capabilities import Capability
from loopspec.contract.observation import Observation
from loopspec.contract.roles import Role
from loopspec.contract.scene import Scene
from loopspec.specification.cases import Act, Case, Restore, Rule
from loopspec.specification.ledger import ledger

from .facts import Facts

SOURCE = "variants"

# The scenes that let the calls of each group return in each order.
Orders = Callable[[Scene, Observation], Iterable[Iterable[Scene]]]


@dataclass(frozen=True)
class Varied:
    """A transformed scene, and the steps that restore its observation, in order."""

    scene: Scene
    back: tuple[Restore, ...] = ()

    def act(self, case: Case) -> Act:
        """The act of a case in the scene: the checks are those of the case."""
        return Act(self.scene, case.checks, self.back)


@dataclass(frozen=True, eq=False)
class Variant:
    """A transformation of scenes. Its rule is the one that names it in the ledger.

    `applies` is the predicate that the rule's sentence states; a scene of one of the `roles` that it excludes is no
    case of the variant. `vary` transforms a scene for which it is true. `exempt` has the cases that the variant
    cannot hold for, as globs of ids, each with the reason. `needs` are the capabilities that the transformation adds,
    and `postures` the values by axis that the equivalence presupposes. `orders` makes the further scenes of each case
    from its transformed scene and what was observed there: for each group of calls, the scenes that hold them;
    `orders_in_bundle` makes fewer scenes, for a bundle. `judged_in` is the role that performs the transformed scene
    and, for comparison, the plain one, if neither is performed in the roles of the plain case. `control` transforms a
    scene in the same way, with a scripted handler that does nothing in these hooks: where this scene fails, the fault
    is not that of the handler under test. `needs_in` are the capabilities that the transformation adds in this scene.
    `parts` are the variants that this one is made of, and `required` the one of them that each case must have: see
    `at_once`.
    """

    name: str
    applies: Callable[[Facts], bool]
    vary: Callable[[Scene], Varied]
    roles: tuple[Role, ...] = ("agent", "plugins")
    needs: frozenset[Capability] = frozenset()
    postures: Mapping[str, str] = field(default_factory=dict)
    exempt: Mapping[str, str] = field(default_factory=dict)
    orders: Orders | None = None
    orders_in_bundle: Orders | None = None
    judged_in: Role | None = None
    control: Callable[[Scene, Iterable[Hook]], Varied] | None = None
    needs_in: Callable[[Facts], frozenset[Capability]] = lambda facts: frozenset()
    parts: tuple[Variant, ...] = ()
    required: Variant | None = None

    @property
    def rule(self) -> str:
        """The rule that the variant is judged by."""
        return rules()[self.name]

    def exemption(self, case: Case) -> str:
        """The reason why a case is exempt; empty if it is not."""
        if case.id in self.exempt:
            return self.exempt[case.id]
        return next((why for glob, why in self._globs if fnmatchcase(case.id, glob)), "")

    @cached_property
    def _globs(self) -> tuple[tuple[str, str], ...]:
        return tuple((glob, why) for glob, why in self.exempt.items() if "*" in glob)


@cache
def rules() -> Mapping[str, str]:
    """The rule of each variant in the ledger in use, by the name of the variant, in the order of the rules."""
    return {row.variant: rule for rule, row in ledger().rules.items() if row.variant}


@dataclass(frozen=True, eq=False)
class VariedCase(Case):
    """A case of a variant: a case, in the role in which the variant is judged, in a transformed scene."""

    variant: Variant

    @property
    def givens(self) -> tuple[str, ...]:
        """The Givens that hold the calls of this order, as a feature has them; none in the case's own scene."""
        if self.variant.orders is None or not self.scene.held:
            return ()
        from loopspec_steps.given.runs import givens_of  # only a failing case needs the phrases

        return givens_of(self.scene.held)

    def orders(self, seen: Observation) -> Iterable[Iterable[Scene]]:
        """The further scenes, after what was observed in the case's own scene: see `Variant`."""
        return self.variant.orders(self.scene, seen) if self.variant.orders else ()

    def control(self, hooks: Iterable[Hook]) -> VariedCase | None:
        """The case in the scene of the variant's control, for a target with these hooks; None if there is none."""
        control = self.variant.control
        return None if control is None else replace(self, load=lambda: control(self.base.scene, hooks).act(self.base))

    def with_scene(self, scene: Scene) -> VariedCase:
        """The case with a recorded scene, and the way back of today."""
        act = replace(self.act, scene=scene)
        return replace(self, load=lambda: act)


def is_applied(variant: Variant, case: Case, facts: Facts) -> bool:
    """Whether the case has a form in this variant, exempt or not. No form presupposes two values of an axis."""
    if case.roles[0] not in variant.roles:
        return False
    contradicts = variant.postures and any(
        case.postures.get(axis, one) != one for axis, one in variant.postures.items()
    )
    return not contradicts and variant.applies(facts)


def in_turn(variants: Iterable[Variant], scene: Scene, ordering: Variant | None = None) -> Varied:
    """The scene that variants make of it, one after the other, and the way back; without the one of `ordering`."""
    back: tuple[Restore, ...] = ()
    for one in variants:
        varied = one.vary(scene)
        scene = scene if one is ordering else varied.scene
        back = (*varied.back, *back)
    return Varied(scene, back)


def varied(case: Case) -> VariedCase:
    """A case of this source, as one."""
    assert isinstance(case, VariedCase), case.id
    return case


def varied_case(base: Case, variant: Variant, rule: Rule, needs: frozenset[Capability] = frozenset()) -> VariedCase:
    """The case of a variant. `rule` is the variant's rule at the place of the base case's rule.

    `needs` are the capabilities that the transformation adds in this case.
    """
    if variant.judged_in is not None:
        roles: tuple[Role, ...] = (variant.judged_in,)
        base = replace(base, roles=roles)
    else:
        roles = tuple([role for role in base.roles if role in variant.roles])
    return VariedCase.made(
        base,
        variant.name,
        rule,
        lambda: variant.vary(base.scene).act(base),
        roles=roles,
        needs=variant.needs | needs,
        postures=variant.postures,
        source=SOURCE,
        variant=variant,
    )
