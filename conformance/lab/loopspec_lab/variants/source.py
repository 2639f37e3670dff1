"""The source of the cases of variants."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import msgspec

from loopspec.engine.judge import Judging
from loopspec.specification.cases import Case

from .expanding import exemptions, pinned_cases, variants, varied_cases
from .judging import VariantJudging
from .variant import SOURCE

_PINNED = Path(__file__).with_name("pinned.json")


class Variants:
    """The cases of features in transformed scenes: see `loopspec.engine.judge.JudgedSource`."""

    name = SOURCE

    def forms(self) -> Mapping[str, str]:
        """The rule of each variant."""
        return _rules()

    def cases(self, case: Case, forms: Iterable[str]) -> Iterator[Case]:
        """The forms of a case in these variants."""
        return varied_cases(case, [variants()[name] for name in forms])

    def by_default(self, case: Case) -> Iterator[Case]:
        """The forms of a case that are pinned: see `pinned`."""
        return pinned_cases(case, pinned().get(case.id, {}))

    def exemptions(self, cases: Iterable[Case], forms: Iterable[str]) -> Iterator[tuple[str, Case, str]]:
        """The cases that are exempt from these variants."""
        for variant, case, why in exemptions(cases, [variants()[name] for name in forms]):
            yield variant.name, case, why

    def own(self) -> Iterable[Case]:
        """None: each is a form of a case."""
        return ()

    def strategy(self, judging: Judging, plan: Iterable[Case]) -> VariantJudging:
        """Judge the variants of a plan, several in one performance where they pass together."""
        return VariantJudging(judging, plan)


@cache
def pinned() -> Mapping[str, Mapping[str, tuple[int, ...]]]:
    """The variants that each case is judged in by default, by the case's id; of one at once, the numbers of its parts.

    A greedy cover of the matrix of mutants and conditions has chosen them: see `loopspec selftest --conditions`.
    """
    return msgspec.json.decode(_PINNED.read_bytes(), type=dict[str, dict[str, tuple[int, ...]]])


@cache
def _rules() -> Mapping[str, str]:
    return {name: variant.rule for name, variant in variants().items()}


SOURCE_OF_VARIANTS = Variants()
