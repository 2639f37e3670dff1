"""The rule that a case is charged to, and how its verdict counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Literal

from ..contract.axes import Posture, Postures, posture_rules
from .cases import SEPARATOR, CaseBasis
from .dialects import is_documented
from .invariants import invariants
from .ledger import NORMATIVE, is_normative, ledger
from .sources import forms

_NO_POSTURES: Postures = MappingProxyType[str, Posture]({})


def charged_rule(case: str) -> str:
    """The first rule that a case is charged to, by its name: that of its form, or its own."""
    name = case.rpartition(SEPARATOR)[2] if SEPARATOR in case else ""
    if name in invariants():
        return invariants()[name].rule
    return (forms().get(name) if name else None) or own_rule(case)


def own_rule(case: str) -> str:
    """The rule in whose feature a case stands."""
    return case.partition(" :: ")[0]


def basis_of(case: str, rules: Sequence[str], postures: Postures = _NO_POSTURES) -> CaseBasis | Literal[""]:
    """The basis with which the verdict of a case counts: a case of a variant is normative only if both rules are.

    That of a rule about instruction files depends on the dialect of the target, which is among its postures.
    """
    rows = ledger().rules
    row = rows.get(rules[0]) if rules else None
    own = own_rule(case)
    if row is None:
        return ""
    if row.status == "variant" and own in rows and not is_normative(own):
        return "clarified"
    if is_documented(rules, postures):
        return "documented"
    return row.basis if posture_rules().isdisjoint(rules) else "declared"


def deciding(rule: str, cases: Iterable[str]) -> tuple[str, ...]:
    """The cases that decide the verdict of a rule: of a normative one the normative ones, if there are any."""
    names = tuple(cases)
    row = ledger().rules.get(rule)
    if row is None or row.status != "variant":
        return names
    return tuple(name for name in names if basis_of(name, (rule,)) in NORMATIVE) or names
