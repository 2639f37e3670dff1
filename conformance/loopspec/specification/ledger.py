"""Every rule by its id, with the values that no feature has, and how the verdicts of its cases count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace as altered

from ..contract.axes import NO_POSTURES, Postures, dialect_of, posture_rules
from ..contract.dialects import value_of_rule
from .cases import Case, CaseBasis, Rule, area_of
from .features import compiled, store

Basis = Literal["documented", "derived", "clarified"]
Status = Literal["scenario", "variant", "invariant", "generated", "merged", "quirk", "withdrawn", "excluded"]

# The rules that targets are judged by: by examples, by the cases of other rules in varied scenes, in every case, or by
# generated scenes.
JUDGED: frozenset[Status] = frozenset({"scenario", "variant", "invariant", "generated"})

# The bases of normative rules. Clarified rules are advisory: they count under --strict.
# The rule of a posture is clarified, and normative for a target that declares the posture: its cases are `declared`.
NORMATIVE: frozenset[CaseBasis] = frozenset({"documented", "derived", "declared"})


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """The row of one rule: see the head of features/ledger.toml."""

    basis: Basis
    document: str
    sections: tuple[str, ...] = ()
    also: dict[str, tuple[str, ...]] = {}
    where: str = ""
    says: str = ""
    digest: str = ""
    mutant: str = ""
    decision: str = ""
    status: Status = "scenario"
    reason: str = ""
    sentence: str = ""
    into: str = ""
    variant: str = ""
    repeats: tuple[str, ...] = ()

    def excluded(self, reasons: Mapping[str, str]) -> str | None:
        """Return the reason why no case is judged by the rule; None if there are cases."""
        if self.status in JUDGED:
            return None
        return f"merged into {self.into}" if self.status == "merged" else f"{self.status}: {reasons[self.reason]}"


class NotCovered(Struct, frozen=True, forbid_unknown_fields=True):
    """A statement of a document that no rule covers. `says` is the statement in our words, `why` the reason."""

    document: str
    section: str
    where: str
    digest: str
    says: str
    why: str


class Ledger(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    schema: Literal[1]
    documents: dict[str, str]
    rules: dict[str, Row]
    reasons: dict[str, str] = {}
    sections: dict[str, dict[str, str]] = {}
    not_covered: tuple[NotCovered, ...] = ()


class Entry(Struct, frozen=True):
    """One rule, as `loopspec list --json` prints it. `excluded` says why it has no scenario.

    `where` is the address of a statement in the document and `says` the statement in our words; both are empty for a
    rule of ours and where the document has no such statement.
    """

    id: str
    basis: Basis
    area: str
    document: str
    section: str
    where: str
    says: str
    sentence: str
    scenarios: tuple[str, ...]
    excluded: str | None


@cache
def ledger() -> Ledger:
    """The ledger of the features in use."""
    return msgspec.json.decode(store().ledger, type=Ledger)


def ledger_as_json(texts: Iterable[bytes]) -> bytes:
    """The stored form of several ledgers as one, since reading TOML takes longer. Raises `msgspec.ValidationError`."""
    first, *others = (msgspec.toml.decode(text, type=Ledger) for text in texts)
    for other in others:
        first = Ledger(
            schema=1,
            documents=first.documents | other.documents,
            reasons=first.reasons | other.reasons,
            sections=first.sections | other.sections,
            rules=first.rules | other.rules,
            not_covered=first.not_covered + other.not_covered,
        )
    return msgspec.json.encode(first)


def is_normative(rule: str) -> bool:
    """Whether a rule counts without `--strict`: the rule of a posture does where a target declares the posture."""
    return rule in posture_rules() or ledger().rules[rule].basis in NORMATIVE


def own_rule(case: str) -> str:
    """The rule in whose feature a case stands, by the name of the case."""
    return case.partition(" :: ")[0]


def rule_of_form(rule: str, of: Rule, *, normative: bool = True) -> Rule:
    """The rule of a form at the place of the case's rule; advisory unless it may be `normative` there."""
    row = ledger().rules[rule]
    return Rule((rule,), row.basis if normative else "clarified", row.sentence, of.feature, of.file, of.line)


def basis_of(case: str, rules: Sequence[str], postures: Postures = NO_POSTURES) -> CaseBasis | Literal[""]:
    """The basis with which the verdict of a case counts: a case of a variant is normative only if both rules are.

    That of a rule about instruction files depends on the dialect of the target, which is among its postures.
    """
    rows = ledger().rules
    row = rows.get(rules[0]) if rules else None
    own = own_rule(case)
    if row is None:
        return ""
    if row.status == "variant" and own in rows and not is_normative(own):
        return "clarified"
    if is_documented(rules, postures):
        return "documented"
    return row.basis if posture_rules().isdisjoint(rules) else "declared"


def deciding(rule: str, cases: Iterable[str]) -> tuple[str, ...]:
    """The cases that decide the verdict of a rule: of a normative one the normative ones, if there are any."""
    names = tuple(cases)
    row = ledger().rules.get(rule)
    if row is None or row.status != "variant":
        return names
    return tuple(name for name in names if basis_of(name, (rule,)) in NORMATIVE) or names


def in_dialect(cases: Iterable[Case], postures: Postures) -> list[Case]:
    """The cases, those about instruction files with the basis that their rule has in the dialect of a target."""
    return [
        replace(case, rule=altered(case.rule, basis="documented"))
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


def cases_by_rule() -> dict[str, list[Case]]:
    """The cases of every rule with a scenario."""
    found: dict[str, list[Case]] = {}
    for case in compiled():
        for rule in case.rule.ids:
            found.setdefault(rule, []).append(case)
    return found


def entries() -> list[Entry]:
    """Every rule, in the order of the ledger."""
    book, cases = ledger(), cases_by_rule()
    listed = []
    for rule, row in book.rules.items():
        of_rule = cases.get(rule, [])
        listed.append(
            Entry(
                id=rule,
                basis=row.basis,
                area=area_of(rule),
                document=book.documents[row.document],
                section=row.sections[0] if row.sections else "",
                where=row.where,
                says=row.says,
                sentence=of_rule[0].rule.sentence if of_rule else row.sentence,
                scenarios=tuple(case.id for case in of_rule),
                excluded=row.excluded(book.reasons),
            )
        )
    return listed
