"""The cases of variants, made from the cases of the features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module

from ..cases import Case, Rule
from ..features import compiled
from ..ledger import NORMATIVE, ledger
from .facts import Facts
from .variant import SEPARATOR, Variant, VariedCase, varied_case

_MODULES = ("handlers", "modes", "runs", "resumption", "nesting", "names", "padding", "sharing", "limits")


@cache
def variants() -> Mapping[str, Variant]:
    """All variants by name, in the order of their rules."""
    found: list[Variant] = []
    for module in _MODULES:
        found += import_module(f"{__package__}.{module}").VARIANTS
    return {variant.name: variant for variant in sorted(found, key=lambda variant: variant.rule)}


def is_applied(variant: Variant, case: Case, facts: Facts) -> bool:
    """Whether the case has a form in this variant, exempt or not."""
    return case.roles[0] in variant.roles and variant.applies(facts)


def varied_cases(case: Case, wanted: Iterable[Variant]) -> Iterator[VariedCase]:
    """The forms of a case in some variants; none in a variant that the case is exempt from."""
    facts = Facts(case.scene)
    for variant in wanted:
        if is_applied(variant, case, facts) and not variant.exemption(case):
            yield varied_case(case, variant, _rule(variant.rule, case.rule))


def exemptions(cases: Iterable[Case]) -> Iterator[tuple[Variant, Case, str]]:
    """Each case that is exempt from a variant, with the reason."""
    for case in cases:
        facts = Facts(case.scene)
        for variant in variants().values():
            if is_applied(variant, case, facts) and (why := variant.exemption(case)):
                yield variant, case, why


def case_named(name: str) -> Case | None:
    """The case with this id, of a feature or of a variant; None if there is none."""
    base, _, variant = name.partition(SEPARATOR)
    case = _by_id().get(base)
    if case is None or not variant:
        return case
    wanted = [variants()[variant]] if variant in variants() else []
    return next(iter(varied_cases(case, wanted)), None)


@cache
def _by_id() -> Mapping[str, Case]:
    return {case.id: case for case in compiled()}


@cache
def _rule(variant: str, rule: Rule) -> Rule:
    """The rule of a variant where the cases of another rule are judged: normative only if both are."""
    row = ledger().rules[variant]
    basis = row.basis if rule.basis in NORMATIVE else "clarified"
    return Rule((variant,), basis, row.sentence, "", rule.feature, rule.file, rule.line)
