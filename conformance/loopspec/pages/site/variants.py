"""How often each variant is judged, and the cases that are exempt from it."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from msgspec import Struct

from ...specification.features import compiled
from ...specification.variants import exemptions, variants, varied_cases


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
        for varied in varied_cases(case, variants().values()):
            cases[varied.variant.rule] += 1
    for variant, case, why in exemptions(compiled()):
        exempt[variant.rule][why].append(case.id)
    return {
        variant.rule: Judging(
            variant.name,
            cases[variant.rule],
            {why: tuple(names) for why, names in sorted(exempt[variant.rule].items())},
        )
        for variant in variants().values()
    }
