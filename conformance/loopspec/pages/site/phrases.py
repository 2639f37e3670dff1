"""The phrasebook for the site: every phrase with its meaning, and the rules that use it."""

from __future__ import annotations

import inspect
from functools import cache

from msgspec import Struct

from loopspec_steps import BOOK, Phrase

from ...specification.features import compiled
from .links import slug


class Sentence(Struct, frozen=True):
    """A phrase. `about` is the subject of its group, `rules` the first id of each rule that uses it."""

    kind: str
    text: str
    meaning: str
    anchor: str
    about: str
    rules: tuple[str, ...]

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
    module = inspect.getmodule(phrase.function)
    about = (inspect.getdoc(module) or "").partition("\n")[0].partition(": ")[2]
    return Sentence(
        kind=phrase.kind,
        text=phrase.readable,
        meaning=phrase.meaning,
        anchor=slug(f"{phrase.kind} {phrase.readable}"),
        about=about[:1].upper() + about[1:].rstrip("."),
        rules=rules,
    )


@cache
def sentences_by_rule() -> dict[str, tuple[Sentence, ...]]:
    """The phrases of each rule, by its first id, in the order of the book."""
    found: dict[str, list[Sentence]] = {}
    for sentence in sentences():
        for rule in sentence.rules:
            found.setdefault(rule, []).append(sentence)
    return {rule: tuple(said) for rule, said in found.items()}
