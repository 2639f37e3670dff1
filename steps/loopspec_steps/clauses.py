"""Parts of steps with holes of their own: actions, gates and moments, each read from its sentence and written as it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import asdict, fields

from loopspec.contract.acting import Hole, Place
from loopspec.contract.names import alike

from .declarations import Holds, NotWritable, PhraseError
from .templates import filled, held_in, names_in

if TYPE_CHECKING:
    import parse

T_co = TypeVar("T_co", covariant=True)

_HOLE = re.compile(r'"?\{(\w+)(?::\w+)?\}"?')
_NAME = re.compile(r"\{(\w+)(?::\w+)?\}")
_TEXT = re.compile(r'"\{(text|value)\}"')  # can be empty; a hole of another name holds a name


@dataclass(frozen=True, eq=False)
class Clause(Generic[T_co]):
    """A part of a step with holes of its own: an action, a gate, a moment.

    `kind` makes the value, `fields` are its fields as templates; a hole that no template names fills the field of its
    name. `holds` is what each hole holds. `places` are the places where an action can stand; empty for all.
    """

    sentence: str
    meaning: str
    kind: Callable[..., T_co]
    fields: Mapping[str, object]
    holds: Mapping[str, Holds[object]]
    places: tuple[Place, ...] = ()

    @cached_property
    def _parser(self) -> parse.Parser:
        import parse  # needed to compile features only

        sentence = _TEXT.sub(r'"{\1:Text}"', self.sentence)
        return parse.compile(sentence, {"Text": parse.with_pattern(r".*?")(lambda text: text)}, case_sensitive=True)

    @cached_property
    def _templates(self) -> Mapping[str, object]:
        named = names_in(dict(self.fields))
        return {**{name: Hole(name) for name in self.holds if name not in named}, **self.fields}

    @property
    def readable(self) -> str:
        """The sentence without the types of its holes."""
        return _NAME.sub(r"{\1}", self.sentence)

    def holes(self, text: str) -> Mapping[str, str] | None:
        """Return the texts of the holes, or None for another sentence. Only a last hole may hold quotes."""
        if not text.startswith(self.sentence.partition("{")[0]):
            return None
        found = self._parser.parse(text)
        if found is None:
            return None
        texts = {name: str(text) for name, text in found.named.items()}
        quoted = any('"' in text for text in texts.values())
        return None if quoted and not self.sentence.endswith("}") else texts

    def read(self, texts: Mapping[str, str], **context: object) -> T_co:
        """Return the value that the sentence says with these texts in its holes; `context` is what it leaves out.

        Raises `PhraseError` for a hole that holds something else.
        """
        raw = names_in(dict(self._templates))
        held = {name: self.holds[name].read(text) for name, text in texts.items() if not raw.get(name)}
        return self.kind(**filled(dict(self._templates), held | context, texts))

    def write(self, value: Struct, **context: object) -> str:
        """Return the sentence of a value. Raises `NotWritable` for a value that it does not say."""
        defaults = {one.name: one.default for one in fields(value)}
        patterns = {name: holds.pattern for name, holds in self.holds.items() if holds.pattern}
        templates = {**defaults, **self._templates}
        held = held_in(templates, asdict(value), patterns) if type(value) is self.kind else None
        if held is not None:
            raw = names_in(dict(self._templates))
            texts = {name: str(held[name]) if raw[name] else one.write(held[name]) for name, one in self.holds.items()}
            text = _NAME.sub(lambda hole: texts[hole[1]], self.sentence)
            if (again := self.holes(text)) is not None and self.read(again, **context) == value:
                return text
        raise NotWritable(f"{self.readable!r} does not say {value!r}")


K = TypeVar("K", bound=Clause[object])


def clause_of(text: str, clauses: Sequence[K], what: str) -> tuple[K, Mapping[str, str]]:
    """Return the clause that a text is, and the texts of its holes. Raises `PhraseError` with the nearest one."""
    for clause in clauses:
        if (holes := clause.holes(text)) is not None:
            return clause, holes
    sentences = {_HOLE.sub('""', clause.sentence): clause.readable for clause in clauses}
    plain = re.sub(r'"[^"]*"', '""', text)
    close = sentences[max(sentences, key=lambda one: alike(plain, one))]
    raise PhraseError(f"{text!r} is no {what}: the nearest {what} is {close!r}; `loopspec phrases` lists every {what}")


def value_of(text: str, clauses: Sequence[Clause[T_co]], what: str, **context: object) -> T_co:
    """Return the value of the clause that a text is. Raises `PhraseError` with the nearest one."""
    clause, holes = clause_of(text, clauses, what)
    return clause.read(holes, **context)


def written(value: Struct, clauses: Iterable[Clause[object]], **context: object) -> str:
    """Return the first clause that says a value. Raises `NotWritable` if none does."""
    for clause in clauses:
        with suppress(NotWritable, PhraseError):
            return clause.write(value, **context)
    raise NotWritable(f"no clause says {value!r}")
