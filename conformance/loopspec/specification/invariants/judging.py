"""The invariants that hold in an observation, and the cases of those that do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from ...contract.faults import in_one_line
from ...contract.mismatch import Mismatch
from ...contract.observation import Observation
from ..cases import Case, Rule
from ..ledger import ledger
from . import callers, conversation, events, lifetimes
from .invariant import Invariant, InvariantCase, invariant_case
from .scenes import Story


@cache
def invariants() -> Mapping[str, Invariant]:
    """The invariants whose rule is in the ledger in use, by name, in the order of their rules."""
    modules = (callers, conversation, events, lifetimes)
    found = sorted((one for module in modules for one in module.INVARIANTS), key=lambda one: one.rule)
    return {one.name: one for one in found if one.rule in ledger().rules}


def looked_at(case: Case, seen: Observation) -> Iterator[tuple[Invariant, Mismatch | None]]:
    """Each invariant that the scene of the case does not break itself, and the mismatch if it does not hold.

    An invariant that cannot read the observation does not hold: an adapter in Python may report values of any type.
    """
    if case.scene.act != "run":
        return
    story = Story(case.scene, seen)
    for invariant in invariants().values():
        if invariant.applies(story):
            try:
                invariant.look(story, seen)
            except Mismatch as no:
                yield invariant, no
            except Exception as error:
                yield invariant, Mismatch("the observation", "values of the declared types", in_one_line(error))
            else:
                yield invariant, None


def case_of(base: Case, invariant: Invariant) -> InvariantCase:
    """The case of an invariant in the scene of another case."""
    row, rule = ledger().rules[invariant.rule], base.rule
    own = Rule((invariant.rule,), row.basis, row.sentence, "", rule.feature, rule.file, rule.line)
    return invariant_case(base, invariant, own)
