"""The cases of variants, made from the cases of the features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from loopspec.specification.cases import Case, Rule
from loopspec.specification.ledger import NORMATIVE, rule_of_form

from .at_once import parts_in, with_parts
from .facts import Facts
from .variant import Variant, VariedCase, is_applied, rules, varied_case


@cache
def variants() -> Mapping[str, Variant]:
    """The variants that modules of this package declare, by name, in the order of their rules in the ledger in use."""
    modules = (import_module(f"{__package__}.{each.name}") for each in iter_modules([str(Path(__file__).parent)]))
    found: dict[str, Variant] = {one.name: one for module in modules for one in vars(module).get("VARIANTS", ())}
    return {name: found[name] for name in rules() if name in found}


def varied_cases(case: Case, wanted: Iterable[Variant]) -> Iterator[VariedCase]:
    """The forms of a case in some variants; none in a variant that the case is exempt from."""
    facts = Facts(case.scene)
    for variant in wanted:
        if is_applied(variant, case, facts) and not variant.exemption(case):
            made = parts_in(case, variant) if variant.parts else variant
            if made is not None:
                yield _form(case, made, facts)


def pinned_cases(case: Case, pins: Mapping[str, Sequence[int]]) -> Iterator[VariedCase]:
    """The forms of a case in variants that are known to apply: of one at once, with the parts of these numbers."""
    for name, numbers in pins.items():
        variant = variants()[name]
        made = with_parts(variant, [variant.parts[number] for number in numbers]) if numbers else variant
        yield _form(case, made, Facts(case.scene))


def exemptions(cases: Iterable[Case], wanted: Iterable[Variant] | None = None) -> Iterator[tuple[Variant, Case, str]]:
    """Each case that is exempt from a variant, with the reason; of the wanted variants, or of all."""
    judged = tuple(variants().values() if wanted is None else wanted)
    for case in cases:
        facts = Facts(case.scene)
        for variant in judged:
            if is_applied(variant, case, facts) and (why := variant.exemption(case)):
                yield variant, case, why


def _form(case: Case, variant: Variant, facts: Facts) -> VariedCase:
    rule = _rule(variant.rule, case.rule, case.basis in NORMATIVE)
    return varied_case(case, variant, rule, variant.needs_in(facts))


@cache
def _rule(variant: str, rule: Rule, normative: bool) -> Rule:
    """The rule of a variant where the cases of another rule are judged: normative only if both are."""
    return rule_of_form(variant, rule, normative=normative)
