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

from loopspec.cli.commands.phrases import phrasebook
from loopspec.specification.ledger import ledger
from loopspec.specification.names import names
from loopspec_docs.words import WORDS as PAGE
from loopspec_steps import BOOK

from .repository import features, texts

SUFFIXES = (".py", ".md", ".toml", ".html", ".css", ".jinja", ".js", ".mjs", ".go", ".feature", ".yml")
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


def _of(*kinds: str) -> list[Place]:
    found = (text for name, feature in features().items() for text in _texts(name, feature))
    return [place for kind, place in found if kind in kinds and place[1]]


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
    """The printed phrasebook: sentences, columns, actions, gates, closed lists."""
    return [("phrasebook", phrasebook())]


def _files() -> list[Place]:
    """The text of each file in the repository, except those that have the words: the list, old names and outputs."""
    own = ("tests/repo/words.toml", "tests/repo/test_words.py", "features/renamed/")
    return [
        (name, text)
        for name, text in texts().items()
        if name.endswith(SUFFIXES) and not name.startswith(own) and "__snapshots__" not in name
    ]


PLACES: dict[str, Callable[[], list[Place]]] = {
    "files": _files,
    "rules": lambda: _of("rules"),
    "specification": lambda: [*_of("prose", "rules", "titles", "steps"), *_ledger(), *_phrasebook()],
}


@pytest.mark.parametrize("kind", PLACES)
def test_words_are_those_of_the_field(kind: str) -> None:
    """No text has a word that words.toml replaces. Each text is searched once, for all words together."""
    rows = [row for row in WORDS if row.get("in", "files") == kind]
    words = re.compile(rf"\b(?:{'|'.join(row['words'] for row in rows)})\b")  # of small letters
    places = PLACES[kind]()
    found = [(where, word) for where, text in places for word in words.finditer(text.lower().replace("_", " "))]

    assert [
        f"{where}, line {word.string.count(chr(10), 0, word.start()) + 1}: {word[0]}, write {_instead(rows, word[0])}"
        for where, word in found
    ] == []


def _instead(rows: list[dict[str, str]], word: str) -> str:
    return next(row["instead"] for row in rows if re.fullmatch(row["words"], word))


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


# What a reader of the rules asked for, in addition to the concepts of names.toml.
ASKED = """\
advisory, agentic message, axis, baseline, basis, callback, capability, chunk, clarified, conversation, derived,
dialect, documented, execution trace, extra data, final answer, global file, iteration limit, judged rule, jump,
marker, node, normative, plain message, posture, provider, reference, return-directly tool, role, run-local value,
runtime context, safe point, strategy, streaming run, summarization, synchronous run, trace, workflow"""
OF_THE_KIT = "action, gate, observation, scene, upstream, variant, mutant"


def test_every_word_that_a_reader_meets_has_an_entry() -> None:
    """So has every concept of names.toml. The words of the kit are in the last group."""
    *others, kit = [set(own) for own in PAGE.values()]
    met = set().union(*others)
    concepts = {concept.name.partition(" as ")[0].replace(" ", "-") for concept in names().concepts.values()}
    begin = tuple(word.replace(" ", "-") for word in met)

    assert set(ASKED.replace("\n", " ").split(", ")) - met == set()
    assert set(OF_THE_KIT.split(", ")) - kit == set()
    assert {one for one in concepts if not any(word.startswith(one) for word in begin)} == set()


def test_a_term_has_one_meaning() -> None:
    """No two groups of the page Words have the same term, and a meaning is sentences."""
    terms = [(term, meaning) for own in PAGE.values() for term, meaning in own.items()]

    assert [term for term, count in Counter(term.casefold() for term, _ in terms).items() if count > 1] == []
    assert [term for term, meaning in terms if not meaning.endswith(".")] == []
