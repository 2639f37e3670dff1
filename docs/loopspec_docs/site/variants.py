"""How often each variant is judged, and the cases that are exempt from it."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from msgspec import Struct

from loopspec.specification.features import compiled
from loopspec.specification.sources import cases_in, exemptions, forms


class Judging(Struct, frozen=True):
    """A variant by its name: the number of its cases, and the exempt cases by the reason."""

    name: str
    cases: int
    exempt: dict[str, tuple[str, ...]]

    @property
    def exempt_cases(self) -> int:
        """How many cases are exempt."""
        return sum(map(len, self.exempt.values()))


@cache
def judgings() -> dict[str, Judging]:
    """The variant of each rule that has one."""
    cases: dict[str, int] = defaultdict(int)
    exempt: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for case in compiled():
        for varied in cases_in(case, forms()):
            cases[varied.form] += 1
    for name, case, why in exemptions(compiled(), forms()):
        exempt[name][why].append(case.id)
    return {
        rule: Judging(name, cases[name], {why: tuple(names) for why, names in sorted(exempt[name].items())})
        for name, rule in forms().items()
    }
