"""The steps of the scenarios of all features, as the parser of Gherkin reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from gherkin.parser import Parser
from gherkin.pickles.compiler import Compiler

from loopspec.contract.specification import features_root
from loopspec_steps import BOOK, Phrase
from loopspec_steps.phrasebook import Kind

_KINDS: dict[str, Kind] = {"Context": "given", "Action": "when", "Outcome": "then"}
Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Step:
    """A step, and what stands below it; the first row of the table is its head."""

    kind: Kind
    text: str
    table: Rows | None = None
    docstring: str | None = None

    @property
    def phrase(self) -> Phrase:
        """The phrase that says the step."""
        return BOOK.match(self.kind, self.text).phrase

    @property
    def holes(self) -> Mapping[str, object]:
        """The texts of the holes of the phrase."""
        return BOOK.match(self.kind, self.text).holes

    @property
    def head(self) -> tuple[str, ...]:
        """The names of the columns of the table."""
        return self.table[0] if self.table else ()

    @property
    def rows(self) -> Rows:
        """The rows below the head."""
        return self.table[1:] if self.table else ()


@cache
def scenarios() -> tuple[tuple[Step, ...], ...]:
    """Every scenario of every feature, outlines filled in."""
    found: list[tuple[Step, ...]] = []
    for path in sorted(features_root().rglob("*.feature")):
        document: Any = Parser().parse(path.read_text(encoding="utf-8"))  # Any: gherkin's JSON-like tree
        document["uri"] = path.name
        pickles: Any = Compiler().compile(document)  # Any: likewise
        found += [tuple(map(_step, pickle["steps"])) for pickle in pickles]
    return tuple(found)


def _step(node: Any) -> Step:  # Any: gherkin's JSON-like tree
    below = node.get("argument", {})
    table = below.get("dataTable")
    cells = tuple(tuple(cell["value"] for cell in row["cells"]) for row in table["rows"]) if table else None
    return Step(_KINDS[node["type"]], node["text"], cells, below.get("docString", {}).get("content"))


@cache
def steps() -> tuple[Step, ...]:
    """Every step of every scenario."""
    return tuple(step for scenario in scenarios() for step in scenario)
