"""The text of a feature as it is written: its rules with their examples, tables and docstrings.

All features in use are stored in the user's cache: to parse them takes as long as to make a page of them.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from ..contract.specification import cache_folder, digest, features_root, put_in_cache
from ..specification.features import feature_texts
from ..specification.store import code_key

Cells = tuple[str, ...]


class WrittenStep(Struct, frozen=True):
    """A step with its table and docstring. `keyword` is as written, `And` included."""

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
    """A `Rule:`. `background` is its own one, without that of its feature."""

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
    """All features in use, in the order of their paths.

    Where the cache cannot be read or written, they are parsed.
    """
    # of the features, and of the code that parses them
    key = hashlib.sha256(b"\0".join([digest().encode(), code_key().encode(), Path(__file__).read_bytes()]))
    path = cache_folder() / f"written-{key.hexdigest()[:16]}.json"
    with suppress(OSError, ValueError):
        return msgspec.json.decode(path.read_bytes(), type=tuple[Feature, ...])
    parsed = tuple(parse(text.decode(), file) for file, text in feature_texts(features_root()).items())
    put_in_cache(path, msgspec.json.encode(parsed))
    return parsed


def parse(text: str, file: str) -> Feature:
    """Parse one feature file. Raises gherkin's error for the first mistake in it."""
    from gherkin.parser import Parser  # only where nothing is stored

    parser = Parser()
    parser.stop_at_first_error = True  # it takes two thirds of the time
    node: Any = parser.parse(text)["feature"]  # Any: gherkin's JSON-like tree, here and below
    return Feature(file, node["name"], _paragraphs(node), _background(node), tuple(map(_rule, _children(node, "rule"))))


def _children(node: Any, kind: str) -> list[Any]:
    return [child[kind] for child in node["children"] if kind in child]


def _background(node: Any) -> tuple[WrittenStep, ...]:
    return next(map(_steps, _children(node, "background")), ())


def _rule(node: Any) -> WrittenRule:
    tags = (tag["name"].lstrip("@") for tag in node["tags"])
    return WrittenRule(
        ids=tuple(tag for tag in tags if tag.rpartition("-")[2].isdigit()),
        sentence=node["name"],
        prose=_paragraphs(node),
        line=node["location"]["line"],
        background=_background(node),
        scenarios=tuple(map(_scenario, _children(node, "scenario"))),
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
