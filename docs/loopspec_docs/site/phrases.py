"""The phrasebook for the site: every phrase with its meaning, the rules that use it, and all that it can say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from loopspec.specification.features import compiled
from loopspec_steps import BOOK, Phrase
from loopspec_steps.vocabulary import Section, holds_by_hole, sections

from .links import slug


class Sentence(Struct, frozen=True):
    """A phrase. `about` is the topic of its group, `rules` the first id of each rule that uses it.

    `table` names its table, `holes` what its holes hold.
    """

    kind: str
    text: str
    meaning: str
    anchor: str
    about: str
    rules: tuple[str, ...]
    table: str
    holes: dict[str, str]

    @property
    def address(self) -> str:
        """Its address in the site."""
        return f"phrases.html#{self.anchor}"


@cache
def sentences() -> tuple[Sentence, ...]:
    """Every phrase, in the order of the book."""
    said: dict[Phrase, dict[str, None]] = {}
    for case in compiled():
        for step in case.steps:
            said.setdefault(BOOK.match(step.kind, step.text).phrase, {})[case.rule.ids[0]] = None
    return tuple(_sentence(phrase, tuple(said.get(phrase, ()))) for phrase in BOOK.phrases)


def _sentence(phrase: Phrase, rules: tuple[str, ...]) -> Sentence:
    return Sentence(
        kind=phrase.kind,
        text=phrase.readable,
        meaning=phrase.meaning,
        anchor=slug(f"{phrase.kind} {phrase.readable}"),
        about=phrase.topic,
        rules=rules,
        table=phrase.columns.name if phrase.columns else "",
        holes=holds_by_hole(phrase),
    )


@cache
def sentences_by_rule() -> dict[str, tuple[Sentence, ...]]:
    """The phrases of each rule, by its first id, in the order of the book."""
    found: dict[str, list[Sentence]] = {}
    for sentence in sentences():
        for rule in sentence.rules:
            found.setdefault(rule, []).append(sentence)
    return {rule: tuple(said) for rule, said in found.items()}


def vocabulary() -> tuple[Section, ...]:
    """What the phrases can hold: tables, actions, gates, closed lists and types."""
    return sections()


def places() -> dict[str, str]:
    """The anchors of closed lists, types and clauses, by their names."""
    return dict(_places())


def table_anchor(name: str) -> str:
    """The anchor of a table."""
    return slug(f"table {name}")


def _places() -> Iterator[tuple[str, str]]:
    for section in reversed(sections()):
        for group in section.groups:
            if section.title == "Types":
                yield from ((item.text, slug(f"type {item.text}")) for item in group.items)
            elif section.title != "Tables":
                yield group.name, slug(f"{section.title} {group.name}")


def vocabulary_entries() -> Iterator[tuple[str, str, str, str]]:
    """The entries of the vocabulary for the search: kind, text, meaning and address."""
    kinds = {"Tables": "column", "Actions": "action", "Gates": "gate"}
    for section in sections():
        if kind := kinds.get(section.title):
            for group in section.groups:
                anchor = table_anchor(group.name) if kind == "column" else slug(f"{section.title} {group.name}")
                for item in group.items:
                    text = f"{group.name}: {item.text}" if kind == "column" else item.text
                    yield kind, text, item.meaning, f"phrases.html#{anchor}"
