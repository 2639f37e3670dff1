"""The rules as pages show them: the ledger's row and the feature's text of each, in one value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache

from msgspec import Struct
from msgspec.structs import asdict

from ..specification.cases import area_of
from ..specification.ledger import JUDGED, Ledger, Row, is_normative, ledger
from .written import Feature, WrittenRule, WrittenStep, features


class Section(Struct, frozen=True):
    """A section of a document. `document` is its key in the ledger, `name` its title."""

    document: str
    name: str
    title: str


class PageRule(Row, frozen=True, kw_only=True):
    """A rule by its id: its row, with the reason and the sentence in words, and `name`, the title of its document.

    `reason` says why there is no scenario, and is empty where there is one; `feature` and `written` are there then.
    `where` and `says` are both there or both empty.
    """

    id: str
    area: str
    name: str
    found_in: tuple[Section, ...]
    feature: Feature | None = None
    written: WrittenRule | None = None

    @property
    def is_normative(self) -> bool:
        """Whether it has cases that count without `--strict`."""
        return self.status in JUDGED and is_normative(self.id)

    @property
    def background(self) -> tuple[WrittenStep, ...]:
        """The steps before each of its scenarios: those of its feature, then its own."""
        return (*self.feature.background, *self.written.background) if self.feature and self.written else ()

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
        """Its address in the site that `loopspec docs` writes, relative to the folder of the site: it never changes."""
        return address(self.id)


def address(rule: str) -> str:
    """The address of a rule in the site of `loopspec docs`. It follows from the id, which never changes."""
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
    of_row = asdict(row) | {
        "reason": f"into {row.into}" if row.into else book.reasons.get(row.reason, ""),
        "sentence": written.sentence if written else row.sentence,
    }
    return PageRule(
        **of_row,
        id=name,
        area=area_of(name),
        name=book.documents[row.document],
        found_in=tuple(Section(document, book.documents[document], title) for document, title in (*own, *also)),
        feature=feature,
        written=written,
    )


def areas() -> dict[str, list[PageRule]]:
    """The rules of each area, in the order of the ledger."""
    found: dict[str, list[PageRule]] = {}
    for rule in rules().values():
        found.setdefault(rule.area, []).append(rule)
    return found


def main_document(rules: Iterable[PageRule]) -> str:
    """The title of the document that most of these rules come from."""
    ((title, _),) = Counter(rule.name for rule in rules).most_common(1)
    return title
