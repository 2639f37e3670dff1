"""Texts use the field's words, and each rule can be read alone."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from gherkin.parser import Parser

from loopspec.cli.commands.phrases import phrasebook
from loopspec.contract.specification import features_root
from loopspec.specification.ledger import ledger
from loopspec_steps import BOOK

ROOT = Path(__file__).parents[2]
# Generated files, and files of other authors.
OTHERS = {"build", "dist", "node_modules", "__pycache__", "__snapshots__"}
SUFFIXES = {".py", ".md", ".toml", ".html", ".css", ".js", ".mjs", ".go", ".feature", ".yml"}
WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))["avoid"]
LEANS = re.compile(r"(?:It|Its|They|Their|Them|That|This|These|Those|So|Then|In that case|The same)\b", re.IGNORECASE)
TWO_CLAIMS = re.compile(r";|, (?:and|but|or|so|nor|yet)\b")

Place = tuple[str, str]  # the place of a text, and the text


def _texts(name: str, feature: Any) -> Iterator[tuple[str, Place]]:
    """The texts of a feature by kind: prose, rules, titles, steps. `feature` is Gherkin's JSON-like tree."""
    stack = [feature]
    while stack:
        node = stack.pop()
        where = f"{name}:{node['location']['line']}"
        yield {"Feature": "prose", "Rule": "rules"}.get(node["keyword"], "titles"), (where, node["name"])
        yield "prose", (where, node["description"])
        yield from (("steps", (where, step["text"])) for step in node.get("steps", ()))
        yield from (("titles", (where, examples["name"])) for examples in node.get("examples", ()))
        stack += [inner for child in node.get("children", ()) for inner in child.values()]


FEATURES = [
    text
    for path in sorted(features_root().rglob("*.feature"))
    for text in _texts(
        path.relative_to(features_root()).as_posix(), Parser().parse(path.read_text(encoding="utf-8"))["feature"]
    )
]


def _of(*kinds: str) -> list[Place]:
    return [place for kind, place in FEATURES if kind in kinds and place[1]]


@cache
def _ledger() -> list[Place]:
    rows = [
        (f"ledger.toml {rule} {key}", text)
        for rule, row in ledger().rules.items()
        for key, text in (("decision", row.decision), ("says", row.says), ("sentence", row.sentence))
    ]
    return rows + [
        (f"ledger.toml not covered, {row.where}", text) for row in ledger().not_covered for text in (row.says, row.why)
    ]


def _phrases() -> list[Place]:
    return [(phrase.id, text) for phrase in BOOK.phrases for text in (phrase.readable, phrase.meaning)]


@cache
def _phrasebook() -> list[Place]:
    """Each line of the printed phrasebook: sentences, columns, actions, gates, closed lists."""
    return [(f"phrasebook:{number}", line) for number, line in enumerate(phrasebook().splitlines(), 1)]


@cache
def _files() -> list[Place]:
    """Each line of each file in the repository, except the list of words."""
    files = [
        path
        for path in sorted(ROOT.rglob("*"))
        if path.suffix in SUFFIXES
        and path.name not in ("words.toml", Path(__file__).name)
        and path.parent.name != "renamed"  # has the old names
        and not any(part in OTHERS or part.startswith(".") for part in path.relative_to(ROOT).parts[:-1])
    ]
    return [
        (f"{path.relative_to(ROOT)}:{number}", line)
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    ]


PLACES: dict[str | None, Callable[[], list[Place]]] = {
    None: _files,
    "rules": lambda: _of("rules"),
    "specification": lambda: [*_of("prose", "rules", "titles", "steps"), *_ledger(), *_phrasebook()],
}


@pytest.mark.parametrize("row", WORDS, ids=lambda row: row["instead"])
def test_words_are_those_of_the_field(row: dict[str, str]) -> None:
    """No text has a word that words.toml replaces."""
    word = re.compile(rf"\b(?:{row['words']})\b", re.IGNORECASE)
    found = [f"{where}: {text}" for where, text in PLACES[row.get("in")]() if word.search(text.replace("_", " "))]

    assert found == [], f"write instead: {row['instead']}"


def test_a_rule_is_read_alone() -> None:
    """No sentence of a rule begins with a pronoun, and all sentences differ."""
    rules = _of("rules")
    count = Counter(text for _, text in rules)

    assert [f"{where}: {text}" for where, text in rules if LEANS.match(text)] == []
    assert [text for text, times in count.items() if times > 1] == []


def test_a_rule_states_one_thing() -> None:
    """Two claims with "; " or ", and" between them belong to two rules."""
    assert [f"{where}: {text}" for where, text in _of("rules") if TWO_CLAIMS.search(text)] == []


def test_a_text_of_the_ledger_is_read_alone() -> None:
    """A decision or a statement names its subject."""
    assert [f"{where}: {text}" for where, text in _ledger() if LEANS.match(text)] == []


def test_titles_and_phrases_are_read_alone() -> None:
    """A title and a phrase name their subject."""
    assert [f"{where}: {text}" for where, text in [*_of("titles"), *_phrases()] if LEANS.match(text)] == []
