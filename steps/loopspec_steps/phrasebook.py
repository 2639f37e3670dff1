"""The phrases a feature can use, and what each of them does.

A phrase is a plain function under a sentence with holes. A Given or When changes the Scene that is being built; a
Then looks at an Observation. What pytest-bdd would break in silence is refused here: coroutines, generators, parameters
that cannot be filled by name, and two phrases for one sentence.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from types import FunctionType
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar, cast

if TYPE_CHECKING:
    import parse

from loopspec.contract.agents import Hook
from loopspec.contract.capabilities import Capability
from loopspec.contract.roles import ROLES
from loopspec.contract.scene import Planned

from .declarations import ClosedList, Column, Columns, Holds, PhraseError, Table
from .holes import PARSED_HOLES, QUOTED_HOLE, holds_of
from .hooks import where_of

Kind = Literal["given", "when", "then"]
_KINDS: tuple[Kind, ...] = ("given", "when", "then")
F = TypeVar("F", bound=Callable[..., None])
_LOOKS_AT = "_looks_at"  # the attribute of a Then's function with the capability that the Then needs, and the hooks
_WAIVED = (
    "_waived"  # the attribute of a Then's function with the kinds of planned parts that the Then states to be missing
)


@dataclass(frozen=True, eq=False)
class Phrase:
    """One sentence and its function. `pattern` is the sentence for `parse`, `takes` the function's parameters.

    `prefix` and `words`, the longest text between its holes, are in every text that it fits. `columns` are those of
    the table below it.
    """

    kind: Kind
    sentence: str
    pattern: str
    function: Callable[..., None]
    takes: frozenset[str]
    prefix: str
    words: str
    columns: Columns[Column[object]] | None
    _declared: Mapping[str, Holds[object]]

    @property
    def id(self) -> str:
        """The name by which a compiled case refers to the phrase."""
        return f"{self.kind} {self.sentence}"

    @cached_property
    def parser(self) -> parse.Parser:
        """What finds the holes in a text. Raises `ValueError` for a hole of an unknown type."""
        import parse  # needed to compile features only; a run of compiled cases starts without it

        return parse.compile(self.pattern, PARSED_HOLES, case_sensitive=True)

    @property
    def readable(self) -> str:
        """The sentence without the types of its holes; with what stands below it, if something must."""
        below = "".join(f" (with a {what})" for what in ("table", "docstring") if what in self.takes)
        return self.plain + below

    @property
    def plain(self) -> str:
        """The sentence without the types of its holes."""
        return re.sub(r"\{(\w+):\w+\}", r"{\1}", self.sentence)

    @property
    def meaning(self) -> str:
        """What its function says of it, on one line."""
        return " ".join((inspect.getdoc(self.function) or "").split())

    @property
    def waives(self) -> frozenset[Planned]:
        """The kinds of planned parts of a scene that a Then states to be missing."""
        waived: frozenset[Planned] = getattr(self.function, _WAIVED, frozenset())
        return waived

    def needs(self, arguments: Mapping[str, object]) -> frozenset[Capability]:
        """The capabilities that a Then with these arguments needs."""
        looked: tuple[Capability, frozenset[Hook] | None] | None = getattr(self.function, _LOOKS_AT, None)
        if looked is None:
            return frozenset()
        capability, hooks = looked
        if hooks is not None and where_of(str(arguments["where"])).hook not in hooks:
            return frozenset()
        return frozenset({capability})

    @property
    def topic(self) -> str:
        """What its module is about: the group in which it is shown."""
        described: str = self.function.__globals__["__doc__"] or ""
        about = described.partition("\n")[0].partition(": ")[2].rstrip(".")
        return about[:1].upper() + about[1:]

    @property
    def holds(self) -> Mapping[str, Holds[object] | None]:
        """What each of its holes holds; None for a hole of which nothing says so."""
        return {**holds_of(self.sentence), **self._declared}

    def check(self, holes: Mapping[str, object], head: Iterable[str] = (), table: Table | None = None) -> None:
        """Raise `PhraseError` for a text outside the closed list of a hole, and for a table that does not fit."""
        for name, holds in self._declared.items():
            if isinstance(holds, ClosedList):
                holds.read(str(holes[name]))
        if self.columns is not None and table is not None:
            self.columns.check(self.plain, tuple(head), table)

    def holes(self, text: str) -> Mapping[str, object] | None:
        """The values of the holes, or None for another sentence."""
        if not text.startswith(self.prefix) or self.words not in text:
            return None
        found = self.parser.parse(text)
        return None if found is None else found.named


@dataclass(frozen=True)
class Match:
    """A step's text, recognized."""

    phrase: Phrase
    holes: Mapping[str, object]


class PhraseBook:
    """All phrases. Those of a kind are looked up in `packages`, which enter them when they are imported."""

    def __init__(self, modules: Mapping[Kind, Sequence[str]] | None = None) -> None:
        self._modules = dict(modules or {})
        self._phrases: dict[str, Phrase] = {}
        self._matches: dict[tuple[str, str], Match] = {}

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """All phrases, Given before When before Then."""
        self._import(_KINDS)
        return tuple(sorted(self._phrases.values(), key=lambda phrase: _KINDS.index(phrase.kind)))

    def by_id(self, id_: str) -> Phrase:
        """Return the phrase with this id. Raises `PhraseError` when there is none."""
        self._import(kind for kind in _KINDS if id_.startswith(f"{kind} "))
        if id_ not in self._phrases:
            raise PhraseError(f"no phrase is called {id_!r}")
        return self._phrases[id_]

    def add(
        self,
        kind: Kind,
        sentence: str,
        function: Callable[..., None],
        columns: Columns[Column[object]] | None = None,
        holds: Mapping[str, Holds[object]] | None = None,
    ) -> None:
        """Enter a phrase, with the columns of its table and what its holes hold, where their names do not say it.

        Raises `PhraseError` for what could never work.
        """
        if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
            raise PhraseError(f"the phrase {sentence!r} is a coroutine or generator, which nothing would run")
        code = cast("FunctionType", function).__code__
        if code.co_kwonlyargcount or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
            raise PhraseError(f"the phrase {sentence!r} has parameters that cannot be filled by name")
        pattern = QUOTED_HOLE.sub(r'"{\1:Quoted}"', sentence)
        takes = frozenset(code.co_varnames[: code.co_argcount])
        if ("table" in takes) != (columns is not None):
            raise PhraseError(
                f"the phrase {sentence!r} declares {'no columns' if columns is None else 'columns'}, and "
                f"has {'a table' if columns is None else 'no table'}"
            )
        if unknown := set(holds or ()) - set(holds_of(sentence)):
            raise PhraseError(f"the phrase {sentence!r} has no hole {unknown.pop()!r}")
        literal = re.split(r"\{[^}]*\}", pattern)
        phrase = Phrase(
            kind, sentence, pattern, function, takes, literal[0], max(literal, key=len), columns, holds or {}
        )
        if phrase.id in self._phrases:
            raise PhraseError(f"the phrase {sentence!r} is defined twice")
        self._phrases[phrase.id] = phrase
        self._matches.clear()

    def find(self, kind: Kind, text: str) -> Match | None:
        """Recognize a step, or return None. Raises `PhraseError` when more than one phrase fits."""
        self._import([kind])
        if (known := self._matches.get((kind, text))) is not None:
            return known
        fitting = [
            Match(phrase, holes)
            for phrase in self._phrases.values()
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
        """Recognize a step. Raises `PhraseError` when no phrase fits, or more than one."""
        match = self.find(kind, text)
        if match is None:
            raise PhraseError(f"no phrase says: {kind.capitalize()} {text}")
        return match

    def _import(self, kinds: Iterable[Kind]) -> None:
        """Import the packages with phrases of these kinds: what only judges needs no Given."""
        for kind in kinds:
            for module in self._modules.pop(kind, ()):
                import_module(module)


_ADDED = [module for kind in ROLES.values() for module in kind.phrases]  # of roles that products add
BOOK = PhraseBook({kind: (f"loopspec_steps.{kind}", *_ADDED) for kind in _KINDS})


class _Decorator(Protocol):
    """A decorator that enters a phrase of one kind."""

    def __call__(
        self, sentence: str, columns: Columns[Column[object]] | None = None, /, **holds: Holds[object]
    ) -> Callable[[F], F]:
        """Return what enters a function under a sentence."""
        ...


def _entering(kind: Kind) -> _Decorator:
    def phrase(
        sentence: str, columns: Columns[Column[object]] | None = None, /, **holds: Holds[object]
    ) -> Callable[[F], F]:
        def enter(function: F) -> F:
            BOOK.add(kind, sentence, function, columns, holds)
            return function

        return enter

    return phrase


def looks_at(capability: Capability, hooks: Collection[Hook] | None = None) -> Callable[[F], F]:
    """Declare that a Then looks at a value that an adapter may not be able to report: a case needs the capability.

    `hooks` are the hooks, in the hole `where` of the Then, that receive the value from the framework; None: the Then
    has no such hole.
    """

    def declare(function: F) -> F:
        setattr(function, _LOOKS_AT, (capability, None if hooks is None else frozenset(hooks)))
        return function

    return declare


def waives(*kinds: Planned) -> Callable[[F], F]:
    """Declare that a Then states these kinds of planned parts to be missing: a case with the Then may pass without."""

    def declare(function: F) -> F:
        setattr(function, _WAIVED, frozenset(kinds))
        return function

    return declare


given = _entering("given")
when = _entering("when")
then = _entering("then")
