"""The phrases a feature can use, and what each of them does.

A phrase is a plain function under a sentence with holes. A Given or When changes the draft of a Scene; a Then looks
at what was seen. The same functions serve pytest-bdd and the compiled suite, so each rule about them is kept here
rather than by pytest-bdd, which would break it in silence: no coroutines, no two phrases for one sentence.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

import parse

Kind = Literal["given", "when", "then"]
Table = list[dict[str, str]]
F = TypeVar("F", bound=Callable[..., None])

_QUOTED_HOLE = re.compile(r'"\{(\w+)\}"')


class PhraseError(Exception):
    """A feature, or the phrasebook itself, is wrong: nothing an implementation could be blamed for."""


class _Hole:
    """A kind of hole, as `parse` knows them: what fits, and what it stands for."""

    def __init__(self, pattern: str, meaning: Callable[[str], object]) -> None:
        self.pattern = pattern
        self._meaning = meaning

    def __call__(self, text: str) -> object:
        return self._meaning(text)


_HOLES = {
    "Quoted": _Hole(r'[^"]*', str),
    "Text": _Hole(r".*", str),  # with quotes in it
    "Names": _Hole(r'(?:"[^"]+"|[^\s",]+)(?:, (?:"[^"]+"|[^\s",]+))*', str),
    "Where": _Hole(
        r"(?:before|around|after) (?:agent|model|tool)(?: call \d+)?(?: \"[^\"]+\")?",
        str,
    ),
    "Mode": _Hole(r"synchronous|streaming", str),
    "Point": _Hole(r"at once|after the model call|after the tool calls|at either point", str),
    "Times": _Hole(r"once|\d+ times?", lambda text: 1 if text == "once" else int(text.split()[0])),
}


@dataclass(frozen=True, eq=False)
class Phrase:
    """One sentence and its function. `pattern` is the sentence for `parse`, `takes` the function's parameters.

    `prefix` and `words`, the longest of what is between its holes, are in every text that it fits.
    """

    kind: Kind
    sentence: str
    pattern: str
    function: Callable[..., None]
    takes: frozenset[str]
    prefix: str
    words: str
    parser: parse.Parser

    @property
    def readable(self) -> str:
        """The sentence without the types of its holes; with what stands below it, if something must."""
        below = "".join(f" (with a {what})" for what in ("table", "docstring") if what in self.takes)
        return re.sub(r"\{(\w+):\w+\}", r"{\1}", self.sentence) + below

    @property
    def meaning(self) -> str:
        """What its function says of it, on one line."""
        return " ".join((inspect.getdoc(self.function) or "").split())

    def holes(self, text: str) -> Mapping[str, object] | None:
        """What stands in the holes, or None for another sentence."""
        if not text.startswith(self.prefix) or self.words not in text:
            return None
        found = self.parser.parse(text)
        return None if found is None else found.named


@dataclass(frozen=True)
class Match:
    """A step's text, recognised."""

    phrase: Phrase
    holes: Mapping[str, object]


class PhraseBook:
    """All phrases."""

    def __init__(self) -> None:
        self.phrases: list[Phrase] = []
        self._matches: dict[tuple[str, str], Match] = {}

    def add(self, kind: Kind, sentence: str, function: Callable[..., None]) -> None:
        """Enter a phrase. Raises `PhraseError` for what could never work."""
        if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
            raise PhraseError(f"the phrase {sentence!r} is a coroutine or generator, which nobody would run")
        parameters = inspect.signature(function).parameters.values()
        if any(p.kind in (p.KEYWORD_ONLY, p.VAR_KEYWORD, p.VAR_POSITIONAL) for p in parameters):
            raise PhraseError(f"the phrase {sentence!r} has parameters that cannot be filled by name")
        if any(known.kind == kind and known.sentence == sentence for known in self.phrases):
            raise PhraseError(f"the phrase {sentence!r} is defined twice")
        pattern = _QUOTED_HOLE.sub(r'"{\1:Quoted}"', sentence)
        parser = parse.compile(pattern, _HOLES, case_sensitive=True)
        takes = frozenset(p.name for p in parameters)
        literal = re.split(r"\{[^}]*\}", pattern)
        words = max(literal, key=len)
        self.phrases.append(Phrase(kind, sentence, pattern, function, takes, literal[0], words, parser))
        self._matches.clear()

    def find(self, kind: Kind, text: str) -> Match | None:
        """Recognise a step, or return None. Raises `PhraseError` when more than one phrase fits."""
        if (known := self._matches.get((kind, text))) is not None:
            return known
        fitting = [
            Match(phrase, holes)
            for phrase in self.phrases
            if phrase.kind == kind and (holes := phrase.holes(text)) is not None
        ]
        if len(fitting) > 1:
            both = " and ".join(repr(match.phrase.sentence) for match in fitting)
            raise PhraseError(f"more than one phrase says: {kind.capitalize()} {text}: {both}")
        if not fitting:
            return None
        self._matches[kind, text] = fitting[0]
        return fitting[0]

    def match(self, kind: Kind, text: str) -> Match:
        """Recognise a step. Raises `PhraseError` when no phrase fits, or more than one."""
        match = self.find(kind, text)
        if match is None:
            raise PhraseError(f"no phrase says: {kind.capitalize()} {text}")
        return match


BOOK = PhraseBook()


def _entering(kind: Kind) -> Callable[[str], Callable[[F], F]]:
    def phrase(sentence: str) -> Callable[[F], F]:
        def enter(function: F) -> F:
            BOOK.add(kind, sentence, function)
            return function

        return enter

    return phrase


given = _entering("given")
when = _entering("when")
then = _entering("then")
