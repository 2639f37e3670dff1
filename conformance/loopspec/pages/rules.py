"""The rules as pages show them: what the ledger and the features say of each, in one value."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from ..specification.cases import area_of
from ..specification.ledger import Basis, Ledger, Row, Status, ledger
from .written import Feature, WrittenRule, features


class Section(Struct, frozen=True):
    """A section of a document. `document` is its key in the ledger, `name` what it is called."""

    document: str
    name: str
    title: str


class PageRule(Struct, frozen=True):
    """A rule by its id.

    `reason` says why there is no scenario, and is empty where there is one; `feature` and `written` are there then.
    """

    id: str
    area: str
    basis: Basis
    status: Status
    reason: str
    sentence: str
    document: str
    name: str
    sections: tuple[Section, ...]
    decision: str
    mutant: str
    feature: Feature | None = None
    written: WrittenRule | None = None

    @property
    def is_normative(self) -> bool:
        """It decides conformance without `--strict`."""
        return self.status == "scenario" and self.basis != "clarified"

    @property
    def file(self) -> str:
        """The feature file, relative to the features; empty without a scenario."""
        return self.feature.file if self.feature else ""

    @property
    def line(self) -> int:
        """The line of its `Rule:`; 0 without a scenario."""
        return self.written.line if self.written else 0

    @property
    def address(self) -> str:
        """Where it stands in the site that `loopspec docs` writes, from the folder of that: it never changes."""
        return address(self.id)


def address(rule: str) -> str:
    """Where a rule stands in the site of `loopspec docs`. It follows from the id, which is never changed."""
    return f"rules/{area_of(rule)}.html#{rule}"


@cache
def rules() -> dict[str, PageRule]:
    """Every rule of the ledger by its id, in the order of the ledger."""
    book = ledger()
    written = {name: (feature, rule) for feature in features() for rule in feature.rules for name in rule.ids}
    return {name: _rule(name, row, book, written.get(name)) for name, row in book.rules.items()}


def _rule(name: str, row: Row, book: Ledger, found: tuple[Feature, WrittenRule] | None) -> PageRule:
    own = [(row.document, title) for title in row.sections]
    also = [(document, title) for document, titles in row.also.items() for title in titles]
    feature, written = found or (None, None)
    return PageRule(
        id=name,
        area=area_of(name),
        basis=row.basis,
        status=row.status,
        reason=book.reasons[row.reason] if row.reason else "",
        sentence=written.sentence if written else row.sentence,
        document=row.document,
        name=book.documents[row.document],
        sections=tuple(Section(document, book.documents[document], title) for document, title in (*own, *also)),
        decision=row.decision,
        mutant=row.mutant,
        feature=feature,
        written=written,
    )


def areas() -> dict[str, list[PageRule]]:
    """The rules of each area, in the order of the ledger."""
    found: dict[str, list[PageRule]] = {}
    for rule in rules().values():
        found.setdefault(rule.area, []).append(rule)
    return found
