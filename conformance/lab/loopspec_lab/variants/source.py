"""The source of the cases of variants."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from loopspec.engine.judge import Judging
from loopspec.specification.cases import Case

from .expanding import exemptions, variants, varied_cases
from .judging import VariantJudging
from .variant import SOURCE


class Variants:
    """The cases of features in transformed scenes: see `loopspec.engine.judge.JudgedSource`."""

    name = SOURCE

    def forms(self) -> Mapping[str, str]:
        """The rule of each variant."""
        return _rules()

    def cases(self, case: Case, forms: Iterable[str]) -> Iterator[Case]:
        """The forms of a case in these variants."""
        return varied_cases(case, [variants()[name] for name in forms])

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
def _rules() -> Mapping[str, str]:
    return {name: variant.rule for name, variant in variants().items()}


SOURCE_OF_VARIANTS = Variants()
