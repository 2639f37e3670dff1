"""Cases by their names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from .cases import SEPARATOR, Case
from .features import cases_of_rule
from .invariants import case_of, invariants
from .sources import cases_in


def case_named(name: str) -> Case | None:
    """The case with this id: of a feature, a form of one, or of an invariant; None if there is none."""
    base, *names = name.split(SEPARATOR)
    case = _of_rule(base.partition(" :: ")[0]).get(base)
    for each in names:
        if case is not None:
            case = case_of(case, invariants()[each]) if each in invariants() else next(cases_in(case, [each]), None)
    return case


@cache
def _of_rule(rule: str) -> Mapping[str, Case]:
    return {case.id: case for case in cases_of_rule(rule)}
