"""Lawful variants of the reference are patches, like mutants, and are judged in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from typing import Any

from loopspec.contract.observation import Observation
from loopspec.contract.reasons import Inapplicable
from loopspec.contract.roles import Role
from loopspec.engine.judge import judge, role_for
from loopspec.engine.perform import perform
from loopspec.engine.result import FAILURES, Result
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.specification.ledger import NORMATIVE, ledger
from loopspec_mutants import Mutant, MutantTarget
from loopspec_mutants.registry import Patch
from loopspec_mutants.trial import DEADLINE


@dataclass(frozen=True)
class Variant:
    """A lawful variant. It once failed the rules `failed`; `sees` returns what differs from the reference in `case`."""

    patch: Patch
    failed: str
    case: str
    sees: Callable[[Observation], Any]  # Any: whatever can be compared

    @property
    def rules(self) -> list[str]:
        """The rules that it once failed."""
        return self.failed.split()

    def observed(self) -> tuple[Any, Any]:  # Any: what `sees` returns
        """Return what `sees` shows of the reference, and of the variant."""
        (case,) = [case for case in compiled() if case.id == self.case]
        ours, theirs = (observe_patched(made, self.rules[0], case) for made in (_unchanged, self.patch))
        return self.sees(ours), self.sees(theirs)


def _unchanged() -> AbstractContextManager[object]:
    """Change nothing."""
    return nullcontext()


def judge_patched(patch: Patch, rule: str, cases: Iterable[Case], only: Role | None = None) -> list[Result]:
    """Judge the reference under a patch on these cases, like a mutant of `rule`, optionally in one role only."""
    with closing(_target(patch, rule)) as target:
        return [judge(case, target, only, DEADLINE) for case in cases]


def must_be_lawful(variant: Variant, cases: Sequence[Case], roles: Sequence[Role | None] = (None,)) -> None:
    """The variant fails no case, passes those of the rules that it once failed, and differs from the reference.

    A rule counts as passed here if it is normative, or has one of the cases. Without a difference, nothing is shown.
    """
    results = [result for role in roles for result in judge_patched(variant.patch, variant.rules[0], cases, role)]

    assert [(result.case, result.message) for result in results if result.verdict in FAILURES] == []
    passed = {rule for result in results if result.verdict == "passed" for rule in result.rules}
    rows = {rule: ledger().rules[rule] for rule in variant.rules}
    chosen = {rule for case in cases for rule in case.rule.ids}
    counted = {rule for rule, row in rows.items() if not row.into and (row.basis in NORMATIVE or rule in chosen)}
    assert counted - passed == set()
    ours, theirs = variant.observed()
    assert theirs != ours


def observe_patched(patch: Patch, rule: str, case: Case) -> Observation:
    """Perform one case on the reference under a patch and return what was observed."""
    with closing(_target(patch, rule)) as target:
        role = role_for(case, target)
        assert not isinstance(role, Inapplicable), role
        return perform(target, case.scene, role, DEADLINE)


def _target(patch: Patch, rule: str) -> MutantTarget:
    return Mutant(patch.__name__.replace("_", "-"), rule, patch).target()
