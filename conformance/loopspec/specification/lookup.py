"""Cases by their names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from .cases import Case
from .features import compiled
from .invariants import case_of, invariants
from .variants import SEPARATOR, variants, varied_cases


def case_named(name: str) -> Case | None:
    """The case with this id: of a feature, of a variant, or of an invariant; None if there is none."""
    base, *names = name.split(SEPARATOR)
    case = _by_id().get(base)
    for each in names:
        if case is None:
            return None
        if each in invariants():
            case = case_of(case, invariants()[each])
        else:
            wanted = [variants()[each]] if each in variants() else []
            case = next(iter(varied_cases(case, wanted)), None)
    return case


@cache
def _by_id() -> Mapping[str, Case]:
    return {case.id: case for case in compiled()}
