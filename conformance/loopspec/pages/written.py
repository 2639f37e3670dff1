"""What a feature says, as it is written: its rules with their examples, tables and texts, for people to read."""

from __future__ import annotations

from functools import cache
from typing import Any

from gherkin.parser import Parser
from msgspec import Struct

from ..contract.specification import features_root

Cells = tuple[str, ...]


class WrittenStep(Struct, frozen=True):
    """A step, with what stands below it. `keyword` is as written: `And` too."""

    keyword: str
    text: str
    line: int
    table: tuple[Cells, ...] = ()
    docstring: str | None = None


class Rows(Struct, frozen=True):
    """The `Examples:` of an outline: the first row is the head."""

    name: str
    table: tuple[Cells, ...]


class Scenario(Struct, frozen=True):
    """A scenario or an outline. `keyword` is the one it is written with."""

    keyword: str
    title: str
    prose: tuple[str, ...]
    line: int
    steps: tuple[WrittenStep, ...]
    examples: tuple[Rows, ...]

    @property
    def holes(self) -> tuple[str, ...]:
        """The columns of its examples, which fill the holes of the same names."""
        return tuple(dict.fromkeys(name for rows in self.examples for name in rows.table[0]))


class WrittenRule(Struct, frozen=True):
    """A `Rule:`. `background` is what stands before each of its scenarios, that of its feature not among it."""

    ids: tuple[str, ...]
    sentence: str
    prose: tuple[str, ...]
    line: int
    background: tuple[WrittenStep, ...]
    scenarios: tuple[Scenario, ...]


class Feature(Struct, frozen=True):
    """A feature file: its prose by paragraphs, and its rules in their order."""

    file: str
    title: str
    prose: tuple[str, ...]
    background: tuple[WrittenStep, ...]
    rules: tuple[WrittenRule, ...]


@cache
def features() -> tuple[Feature, ...]:
    """All features in use, in the order of their paths."""
    root = features_root()
    return tuple(
        read(path.read_text(encoding="utf-8"), path.relative_to(root).as_posix())
        for path in sorted(root.rglob("*.feature"))
    )


def read(text: str, file: str) -> Feature:
    """One feature file."""
    node: Any = Parser().parse(text)["feature"]  # Any: gherkin's JSON-like tree, here and below
    background: tuple[WrittenStep, ...] = ()
    rules = []
    for child in node["children"]:
        if "background" in child:
            background = _steps(child["background"])
        elif "rule" in child:
            rules.append(_rule(child["rule"]))
    return Feature(file, node["name"], _paragraphs(node), background, tuple(rules))


def _rule(node: Any) -> WrittenRule:
    tags = tuple(tag["name"].lstrip("@") for tag in node["tags"])
    background: tuple[WrittenStep, ...] = ()
    scenarios = []
    for child in node["children"]:
        if "background" in child:
            background = _steps(child["background"])
        else:
            scenarios.append(_scenario(child["scenario"]))
    return WrittenRule(
        ids=tuple(tag for tag in tags if tag.rpartition("-")[2].isdigit()),
        sentence=node["name"],
        prose=_paragraphs(node),
        line=node["location"]["line"],
        background=background,
        scenarios=tuple(scenarios),
    )


def _scenario(node: Any) -> Scenario:
    return Scenario(
        keyword=node["keyword"],
        title=node["name"],
        prose=_paragraphs(node),
        line=node["location"]["line"],
        steps=_steps(node),
        examples=tuple(
            Rows(rows["name"], tuple(_cells(row) for row in (rows["tableHeader"], *rows["tableBody"]) if row))
            for rows in node["examples"]
        ),
    )


def _steps(node: Any) -> tuple[WrittenStep, ...]:
    return tuple(
        WrittenStep(
            keyword=step["keyword"].strip(),
            text=step["text"],
            line=step["location"]["line"],
            table=tuple(_cells(row) for row in step["dataTable"]["rows"]) if "dataTable" in step else (),
            docstring=step["docString"]["content"] if "docString" in step else None,
        )
        for step in node["steps"]
    )


def _cells(row: Any) -> Cells:
    return tuple(cell["value"] for cell in row["cells"])


def _paragraphs(node: Any) -> tuple[str, ...]:
    """The prose below a keyword, each paragraph on one line."""
    text = "\n".join(line.strip() for line in node["description"].splitlines())
    return tuple(" ".join(part.split()) for part in text.split("\n\n") if part.strip())
