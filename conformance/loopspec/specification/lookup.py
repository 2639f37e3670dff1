"""Cases by their names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from .cases import SEPARATOR, Case
from .features import compiled
from .invariants import case_of, invariants
from .sources import cases_in


def case_named(name: str) -> Case | None:
    """The case with this id: of a feature, a form of one, or of an invariant; None if there is none."""
    base, *names = name.split(SEPARATOR)
    case = _by_id().get(base)
    for each in names:
        if case is not None:
            case = case_of(case, invariants()[each]) if each in invariants() else next(cases_in(case, [each]), None)
    return case


@cache
def _by_id() -> Mapping[str, Case]:
    return {case.id: case for case in compiled()}
