"""How the verdicts of cases about instruction files count: a rule is normative in a dialect whose document says it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..contract.axes import Postures, dialect_of
from ..contract.dialects import value_of_rule
from .cases import Case


def in_dialect(cases: Iterable[Case], postures: Postures) -> list[Case]:
    """The cases, those about instruction files with the basis that their rule has in the dialect of a target."""
    return [
        replace(case, rule=replace(case.rule, basis="documented"))
        if case.roles == ("workspace",) and is_documented(case.rule.ids, postures)
        else case
        for case in cases
    ]


def is_documented(rules: Sequence[str], postures: Postures) -> bool:
    """Whether the document of a target's dialect states the value that the first of these rules judges."""
    if not rules or rules[0] not in value_of_rule():
        return False
    axis, value = value_of_rule()[rules[0]]
    choice = dialect_of(postures).axes.get(axis)
    return choice is not None and choice.documented == value
