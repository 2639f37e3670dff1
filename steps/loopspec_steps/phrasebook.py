"""The phrases a feature can use, and what each of them does.

A phrase is a plain function under a sentence with holes, or a setting. A Given or When changes the Scene that is being
built; a Then looks at an Observation. What pytest-bdd would break in silence is refused here: coroutines, generators,
parameters that cannot be filled by name, and two phrases for one sentence.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib import import_module
from types import FunctionType
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar, cast

if TYPE_CHECKING:
    import parse

from loopspec.contract.acting import Hook
from loopspec.contract.capabilities import Capability
from loopspec.contract.roles import ROLES
from loopspec.contract.scene import Planned

from .declarations import ClosedList, Column, Columns, Holds, OpenType, PhraseError, Rows, SeenColumns, Table
from .holes import NAMED, PARSED_HOLES, QUOTED_HOLE, holds_of, where_of

Kind = Literal["given", "when", "then"]
_KINDS: tuple[Kind, ...] = ("given", "when", "then")
F = TypeVar("F", bound=Callable[..., None])


class Source(NamedTuple):
    """The module of a phrase, and its first line there."""

    module: str
    line: int


class LooksAt(NamedTuple):
    """What a Then looks at that an adapter may not be able to report: a case needs the capability.

    `hooks` are the hooks, in the hole `where` of the Then, that receive the value from the framework; None: the Then
    has no such hole.
    """

    capability: Capability
    hooks: Collection[Hook] | None = None


@dataclass(frozen=True)
class WrittenStep:
    """One step, with the table below it. The cells are as a phrase receives them, without the escapes of Gherkin."""

    kind: Kind
    text: str
    table: Rows = ()
    docstring: str | None = None


@dataclass(frozen=True, eq=False)
class Phrase:
    """One sentence and its function, which `takes` the holes, and what stands below the step.

    `fixed` are the values of parameters for which the sentence has no hole. `topic` is the group in which the phrase is
    shown. `columns` are those of the table below the step. A Then may be one that `waives` kinds of planned parts: it
    states them to be missing. `one` is the sentence for a list with one name, in which the name is in quotes.
    """

    kind: Kind
    sentence: str
    meaning: str
    topic: str
    source: Source
    function: Callable[..., None]
    takes: frozenset[str]
    fixed: Mapping[str, object]
    columns: Columns[Column[object]] | None
    _declared: Mapping[str, Holds[object]]
    waives: Collection[Planned] = ()
    _looks_at: LooksAt | None = None
    one: str = ""

    @property
    def id(self) -> str:
        """The name by which a compiled case refers to the phrase."""
        return f"{self.kind} {self.sentence}"

    @cached_property
    def _pattern(self) -> str:
        """The sentence for `parse`."""
        return QUOTED_HOLE.sub(r'"{\1:Quoted}"', self.sentence)

    @cached_property
    def _words(self) -> tuple[str, str]:
        """The beginning, and the longest text between the holes: both are in every text that the sentence fits."""
        literal = re.split(r"\{[^}]*\}", self._pattern)
        return literal[0], max(literal, key=len)

    @cached_property
    def _parser(self) -> parse.Parser:
        """What finds the holes in a text. Raises `ValueError` for a hole of an unknown type."""
        import parse  # needed to compile features only; a run of compiled cases starts without it

        return parse.compile(self._pattern, PARSED_HOLES, case_sensitive=True)

    @cached_property
    def single(self) -> Phrase | None:
        """The phrase with the sentence for a list with one name."""
        return replace(self, sentence=self.one, one="") if self.one else None

    @cached_property
    def listed(self) -> str:
        """The hole of the list of which `one` has a single name; empty without one."""
        return next(iter(set(QUOTED_HOLE.findall(self.one)) - set(QUOTED_HOLE.findall(self.sentence))), "")

    @property
    def readable(self) -> str:
        """The sentence without the types of its holes; with what stands below it, if something must."""
        below = "".join(f" (with a {what})" for what in ("table", "docstring") if what in self.takes)
        return self.plain + below

    @property
    def plain(self) -> str:
        """The sentence without the types of its holes."""
        return NAMED.sub(r"{\1}", self.sentence)

    def needs(self, arguments: Mapping[str, object]) -> frozenset[Capability]:
        """The capabilities that a Then with these arguments needs."""
        match self._looks_at, self.columns, arguments.get("table"):
            case LooksAt(capability, hooks), _, _ if hooks is None or where_of(str(arguments["where"])).hook in hooks:
                return frozenset({capability})
            case _, SeenColumns() as columns, [{**row}, *_]:
                return frozenset(one.needs for one in columns if one.needs and one.name in row)
        return frozenset()

    @cached_property
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
        beginning, words = self._words
        if text.startswith(beginning) and words in text and (found := self._parser.parse(text)):
            return cast("Mapping[str, object]", found.named)
        held = self.single.holes(text) if self.single else None
        return None if held is None else {**held, self.listed: f'"{held[self.listed]}"'}

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where the texts of the holes begin and end in a step of the phrase."""
        found = self._parser.parse(text)
        return list(found.spans.values()) if found else self.single.spans(text) if self.single else []

    def run(self, **arguments: object) -> None:
        """Call the function. Raises what it raises: a Then raises `Mismatch`."""
        self.function(**self.fixed, **arguments)

    def step(self, holes: Mapping[str, str], table: Rows = (), docstring: str | None = None) -> WrittenStep:
        """Return the step with these texts in its holes."""
        sentence, texts = self.sentence, holes
        if name := re.fullmatch('"([^"]*)"', holes.get(self.listed, "")):
            sentence, texts = self.one, {**holes, self.listed: name[1]}
        return WrittenStep(self.kind, NAMED.sub(lambda hole: texts[hole[1]], sentence), table, docstring)


class Match(NamedTuple):
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
        given: Mapping[str, object] | None = None,
        meaning: str = "",
        waives: Collection[Planned] = (),
        looks_at: LooksAt | None = None,
        one: str = "",
    ) -> None:
        """Enter a function under a sentence, with the columns of its table. `meaning` is its docstring by default.

        `given` are what holes hold, where their names do not say it, and the values of parameters without a hole.
        Raises `PhraseError` for what could never work.
        """
        if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
            raise PhraseError(f"the phrase {sentence!r} is a coroutine or generator, which nothing would run")
        code = cast("FunctionType", function).__code__
        if code.co_kwonlyargcount or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
            raise PhraseError(f"the phrase {sentence!r} has parameters that cannot be filled by name")
        holds = {name: value for name, value in (given or {}).items() if isinstance(value, OpenType | ClosedList)}
        fixed = {name: value for name, value in (given or {}).items() if name not in holds}
        takes = frozenset(code.co_varnames[: code.co_argcount]) - set(fixed)
        if ("table" in takes) != (columns is not None):
            raise PhraseError(
                f"the phrase {sentence!r} declares {'no columns' if columns is None else 'columns'}, and "
                f"has {'a table' if columns is None else 'no table'}"
            )
        if unknown := set(holds) - set(holds_of(sentence)):
            raise PhraseError(f"the phrase {sentence!r} has no hole {unknown.pop()!r}")
        meaning = meaning or _varied(" ".join((inspect.getdoc(function) or "").split()), fixed)
        topic = topic_of(function.__globals__)
        source = Source(function.__module__, code.co_firstlineno)
        known = (kind, sentence, meaning, topic, source, function, takes, fixed, columns, holds)
        self.enter(Phrase(*known, waives, looks_at, one))

    def enter(self, phrase: Phrase) -> None:
        """Enter a phrase. Raises `PhraseError` if its sentence is known, or the one for a single name has no list."""
        if phrase.one and not phrase.listed:
            raise PhraseError(f"the phrase {phrase.sentence!r} has no list for the name in {phrase.one!r}")
        if phrase.id in self._phrases:
            raise PhraseError(f"the phrase {phrase.sentence!r} is defined twice")
        self._phrases[phrase.id] = phrase
        self._matches.clear()

    def match(self, kind: Kind, text: str) -> Match:
        """Recognize a step. Raises `PhraseError` when no phrase fits, or more than one."""
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
            raise PhraseError(f"no phrase says: {kind.capitalize()} {text}")
        return self._matches.setdefault((kind, text), fitting[0])

    def _import(self, kinds: Iterable[Kind]) -> None:
        """Import the packages with phrases of these kinds: what only judges needs no Given."""
        for kind in kinds:
            for module in self._modules.pop(kind, ()):
                import_module(module)


def _varied(meaning: str, fixed: Mapping[str, object]) -> str:
    """The meaning of a sentence that is about one run only, or about any order."""
    if "run" in fixed:
        for the, one in (("The run", "Run"), ("the run", "run")):
            meaning = re.sub(rf"\b{the}\b", f"{one} {fixed['run']}", meaning)
    return meaning.replace("in order", "in any order") if fixed.get("sort") else meaning


def topic_of(module: Mapping[str, object]) -> str:
    """The topic of the phrases of a module, by its names: what follows the colon in the first line of its docstring."""
    about = str(module["__doc__"] or "").partition("\n")[0].partition(": ")[2].rstrip(".")
    return about[:1].upper() + about[1:]


_ADDED = [module for kind in ROLES.values() for module in kind.phrases]  # of roles that products add
BOOK = PhraseBook({kind: (f"loopspec_steps.{kind}", *_ADDED) for kind in _KINDS})


def _enters(
    kind: Kind,
    sentence: str,
    columns: Columns[Column[object]] | None = None,
    /,
    meaning: str = "",
    waives: Collection[Planned] = (),
    looks_at: LooksAt | None = None,
    one: str = "",
    **given: object,
) -> Callable[[F], F]:
    """Return a decorator that enters a phrase. A function can have several: each is a sentence of its own.

    A keyword names a hole and what it holds, or a parameter without a hole and its value.
    """

    def enter(function: F) -> F:
        BOOK.add(kind, sentence, function, columns, given, meaning, waives, looks_at, one)
        return function

    return enter


given = partial(_enters, "given")
when = partial(_enters, "when")
then = partial(_enters, "then")
