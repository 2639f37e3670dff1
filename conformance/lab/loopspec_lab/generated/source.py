"""The source of the cases of generated scenes, and how they are judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import get_args

from msgspec.structs import replace as altered

from loopspec.contract.capabilities import CAPABILITIES, Capability
from loopspec.contract.mismatch import Mismatch, excerpt
from loopspec.contract.needs import needed_capabilities, serving_roles
from loopspec.contract.observation import Observation
from loopspec.contract.reasons import Inapplicable
from loopspec.contract.scene import Planned, Scene
from loopspec.contract.target import Target
from loopspec.engine.checking import inapplicable
from loopspec.engine.judge import Judging
from loopspec.engine.result import Result
from loopspec.specification.cases import Act, Case, Rule, Step
from loopspec.specification.ledger import ledger
from loopspec_steps import Check
from loopspec_steps.phrasebook import Phrase, Source
from loopspec_steps.writing.scenes import write_scene
from loopspec_steps.writing.steps import NotWritable, scenario_text

from ..comparing.differences import differences, sides
from ..comparing.outcomes import outcome_of
from ..comparing.postured import related
from .data import FILE, Pinned, pinned
from .leeway import left_open

RULE = "GENERATED-01"
SOURCE = "generated"
_STEPS = (Step("when", "the agent runs in the generated scene", 1), Step("then", "all is as on the reference", 1))


def _look(seen: Observation, scene: Scene, reference: Observation, shared: frozenset[Capability]) -> None:
    """Raise `Mismatch` with the first difference from the reference, or with the one that others follow from."""
    if found := differences(outcome_of(scene, seen, shared), outcome_of(scene, reference, shared)):
        first = next((one for one in found if one.decides), found[0])
        ours, theirs = (excerpt(text, 400) for text in sides(first))
        raise Mismatch(f"{first.source}: {first.path}", theirs, ours)


_THEN = Phrase(
    "then",
    _STEPS[1].text,
    "Runs end as on the reference, with the same calls, events and values: what `loopspec fuzz` compares.",
    "generated scenes",
    Source(__name__, 1),
    _look,
    frozenset({"scene", "reference", "shared"}),
    {},
    None,
    {},
    get_args(Planned),  # what the reference did not reach need not be reached
)


@dataclass(frozen=True, eq=False)
class GeneratedCase(Case):
    """A pinned scene, as a case of the one rule about them."""

    pinned: Pinned = field(kw_only=True)

    @property
    def givens(self) -> tuple[str, ...]:
        """The scene in words, or the value that no phrase says."""
        try:
            return tuple(scenario_text(self.title, write_scene(self.scene), "").splitlines()[1:])
        except NotWritable as error:
            return (f"no phrase says {error}",)

    def on(self, shared: frozenset[Capability]) -> GeneratedCase:
        """The case for a target with these capabilities, all of which the reference has."""
        act = _act(self.pinned, shared)
        return replace(self, load=lambda: act)


def _act(of: Pinned, shared: frozenset[Capability]) -> Act:
    return Act(of.scene, ((_STEPS[1], Check(_THEN, {"reference": of.seen, "shared": shared}, of.scene)),))


@cache
def _cases() -> tuple[GeneratedCase, ...]:
    """The cases of the pinned scenes; none where the ledger in use lacks their rule."""
    return tuple(map(case_of, pinned())) if RULE in ledger().rules else ()


def case_of(one: Pinned) -> GeneratedCase:
    """A pinned scene as a case."""
    row = ledger().rules[RULE]
    return GeneratedCase(
        f"{RULE} :: {one.name}",
        Rule((RULE,), row.basis, row.sentence, "Generated scenes", FILE.name, 1),
        one.name,
        one.name,
        (),
        1,
        _STEPS,
        serving_roles(one.scene),
        needed_capabilities(one.scene),
        {},
        lambda: _act(one, frozenset(CAPABILITIES)),
        source=SOURCE,
        pinned=one,
    )


class GeneratedJudging:
    """Judges generated scenes in one run: see `loopspec.engine.judge.Strategy`."""

    def __init__(self, judging: Judging) -> None:
        self._judging = judging

    def earlier(self, case: Case) -> Result | None:
        """None: each scene is performed alone."""

    def take(self, result: Result, seen: Observation | None) -> None:
        """Need nothing of the cases of features."""

    def judge(self, case: Case) -> Result:
        """Judge a case. A difference that follows from a posture, or in what rules leave open, is no failure."""
        if isinstance(role := self._judging.role_for(case), Inapplicable):
            return inapplicable(case, role)
        assert isinstance(case, GeneratedCase), "the cases of this source"
        target = self._judging.target
        seen, result = self._judging.perform(case.on(target.capabilities), role)
        if seen is None or result.verdict != "failed":
            return result
        reason = _reason(case.pinned, seen, target)
        return altered(inapplicable(case, reason), holds=result.holds, broken=result.broken) if reason else result


def _reason(one: Pinned, seen: Observation, target: Target) -> Inapplicable | None:
    """Why a target may differ from the reference: its posture on an axis that the scene is about, or what is open."""
    for axis, (own, _) in related(one.scene, target.postures, {}).items():
        return Inapplicable("posture", (axis, own))
    outcomes = (outcome_of(one.scene, each, target.capabilities) for each in (seen, one.seen))
    rules = left_open(one.scene, one.seen, *outcomes)
    return Inapplicable("open", rules) if rules else None


class Generated:
    """The pinned scenes: see `loopspec.engine.judge.JudgedSource`."""

    name = SOURCE

    def forms(self) -> Mapping[str, str]:
        """None: no case has another form here."""
        return {}

    def cases(self, case: Case, forms: Iterable[str]) -> Iterator[Case]:
        """None."""
        return iter(())

    def by_default(self, case: Case) -> Iterator[Case]:
        """None: no case is a form of another one."""
        return iter(())

    def exemptions(self, cases: Iterable[Case], forms: Iterable[str]) -> Iterator[tuple[str, Case, str]]:
        """None."""
        return iter(())

    def own(self) -> Iterable[Case]:
        """The cases of the pinned scenes."""
        return _cases()

    def strategy(self, judging: Judging, plan: Iterable[Case]) -> GeneratedJudging:
        """Judge each scene of a plan."""
        return GeneratedJudging(judging)


SOURCE_OF_GENERATED_SCENES = Generated()
