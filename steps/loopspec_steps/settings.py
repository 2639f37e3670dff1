"""Givens that set fields of a part of the scene: each is declared once, and is read and written by its declaration."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from .builders.scene import SceneBuilder, named, with_named
from .declarations import BuiltColumns, Holds, NotWritable, PhraseError, each, within
from .phrasebook import BOOK, Kind, Phrase, Source, WrittenStep, topic_of
from .templates import Made, filled, held_in, names_in

S = TypeVar("S", bound=Struct)


@dataclass(frozen=True)
class Added:
    """The template of what a Given adds to a field: an entry of a tuple, several as a tuple, or those of a mapping."""

    template: object

    @property
    def all(self) -> object:
        """The template of a tuple with nothing else."""
        return (self.template,) if isinstance(self.template, Made | Struct) else self.template


@dataclass(frozen=True, eq=False)
class Setting:
    """A Given and the templates of the fields that it sets. The table below the step is the hole `table`."""

    phrase: Phrase
    fields: Mapping[str, object]

    def fill(self, part: S, arguments: Mapping[str, object]) -> S:
        """Return the part with its fields set. `arguments` are what the step has in its holes, and its table."""
        held = {name: self._read(name, value) for name, value in arguments.items()}
        texts = {name: str(value) for name, value in arguments.items()}
        found: dict[str, object] = {}
        for name, template in self.fields.items():
            if isinstance(template, Added):
                known, more = getattr(part, name), filled(template.template, held, texts)
                entries = more if isinstance(more, tuple) else (more,)
                found[name] = {**known, **more} if isinstance(more, dict) else (*known, *entries)
            else:
                found[name] = filled(template, held, texts)
        return replace(part, **found)

    def _read(self, name: str, value: Any) -> object:  # Any: a text, a number, or a table
        if name == "table" and isinstance(self.phrase.columns, BuiltColumns):
            return self.phrase.columns.read(value)
        holds = self.phrase.holds.get(name)
        return holds.read(value) if holds and isinstance(value, str) else value

    def step(self, template: object, value: object, known: Mapping[str, str]) -> WrittenStep | None:
        """Return the step whose template, with its holes filled, is the value; None if there is none.

        `known` are the texts of the holes that say which part it is. Raises `NotWritable` for what no hole can hold.
        """
        patterns = {name: one.pattern for name, one in self.phrase.holds.items() if one and one.pattern}
        if (held := held_in(template, value, patterns)) is None:
            return None
        columns = self.phrase.columns
        table: Any = held.pop("table", ())  # Any: the values of its rows
        rows = columns.write(table) if isinstance(columns, BuiltColumns) else ()
        raw = names_in(template)
        holds = {name: None if raw.get(name) else self.phrase.holds[name] for name in held}
        texts = {name: one.write(held[name]) if one else str(held[name]) for name, one in holds.items()}
        return self.phrase.step({**texts, **known}, rows)


@dataclass(eq=False)
class Part(Generic[S]):
    """A value of the scene under way whose fields Givens set.

    `path` leads to the value, or with a `key` to a mapping or to values with names, in which the hole of that name
    finds the value. `new` makes a value that is not there yet. `adds` are fields whose entries are written one by one.
    `what` is what such a value is called.
    """

    path: str
    new: Callable[[str], S] | None = None
    key: str = ""
    adds: tuple[str, ...] = ()
    what: str = ""
    settings: list[Setting] = field(default_factory=list)

    def of(self, builder: SceneBuilder, key: str = "") -> S:
        """Return the value."""
        found: Any = builder  # Any: what the path leads to, step by step
        for name in self.path.split("."):
            found = getattr(found, name)
        if self.new is not None:
            new = self.new(key)
            if self.key:
                found = found.get(key, new) if isinstance(found, dict) else named(found, key, new)
            found = new if found is None else found
            if type(found) is not type(new):
                raise PhraseError(f"{key!r} is no {self.what or type(new).__name__}")
        value: S = found
        return value

    def put(self, builder: SceneBuilder, value: S, key: str = "") -> None:
        """Put a value in its place."""
        self._put(builder, self.path.split("."), value, key)

    def _put(self, owner: Any, path: list[str], value: Any, key: str) -> Any:  # Any: a builder, a value, a container
        if not path:
            if not self.key:
                return value
            return {**owner, key: value} if isinstance(owner, dict) else with_named(owner, value)
        first, *rest = path
        known = getattr(owner, first)
        new = self._put(known, rest, value, key)
        if isinstance(owner, Struct):
            return replace(owner, **{first: new})
        if new is not known:
            setattr(owner, first, new)
        return owner

    def given(
        self,
        sentence: str,
        meaning: str,
        columns: BuiltColumns[Any] | None = None,
        /,
        holds: Mapping[str, Holds[object]] | None = None,
        kind: Kind = "given",
        one: str = "",
        **fields: object,
    ) -> None:
        """Enter a Given that sets fields of the part, each to its template; without fields, it only makes the part.

        `holds` are what holes hold, where their names do not say it. `one` is the sentence for a list with one name.
        The key of a sentence that is about one part only is among the fields.
        """
        fixed = {name: fields.pop(name) for name in [self.key] if name in fields}

        def apply(scene_builder: SceneBuilder, **arguments: object) -> None:
            key = str(arguments[self.key]) if self.key else ""
            self.put(scene_builder, setting.fill(self.of(scene_builder, key), arguments), key)

        module = sys._getframe(1 if kind == "given" else 2)  # the phrasebook knows where each phrase is
        source = Source(module.f_globals["__name__"], module.f_lineno)
        takes = frozenset({"scene_builder", *(["table"] if columns else [])})
        topic = topic_of(module.f_globals)
        phrase = Phrase(kind, sentence, meaning, topic, source, apply, takes, fixed, columns, holds or {}, one=one)
        setting = Setting(phrase, fields)
        self.settings.append(setting)
        BOOK.enter(phrase)

    def when(self, sentence: str, meaning: str, /, one: str = "", **fields: object) -> None:
        """Enter a When that sets fields of the part, each to its template."""
        self.given(sentence, meaning, None, {}, "when", one, **fields)

    def write(self, value: S, default: S, /, **known: str) -> Iterator[WrittenStep]:
        """The steps that set the fields in which a value differs from the default, as far as Givens set them.

        `known` is the text of the key. Raises `NotWritable` for what no hole holds.
        """
        done: set[str] = set()
        for setting in self._about(known):
            templates = {name: one for name, one in setting.fields.items() if not isinstance(one, Added)}
            values = {name: getattr(value, name) for name in templates}
            if not values or done & {*values} or any(one == getattr(default, name) for name, one in values.items()):
                continue
            with within(next(iter(values))):
                step = setting.step(templates, values, known)
            if step:
                yield step
                done |= {*values}
        for name in self.adds:
            if name not in done:
                yield from each(name, getattr(value, name), partial(self.entry, name, **known))

    def whole(self, value: S, default: S, /, **known: str) -> WrittenStep:
        """The one step that makes the value of the default one. Raises `NotWritable` without one."""
        for setting in self._about(known):
            fields = {name: one.all if isinstance(one, Added) else one for name, one in setting.fields.items()}
            values = {name: getattr(value, name) for name in fields}
            if replace(default, **values) == value:
                with suppress(NotWritable):
                    if step := setting.step(fields, values, known):
                        return step
        raise NotWritable(f"no phrase gives {value!r}")

    def entry(self, name: str, value: object, /, **known: str) -> WrittenStep:
        """The step that adds an entry to a field; that of a mapping is a mapping. Raises `NotWritable` without one."""
        for setting in self._about(known):
            added = setting.fields.get(name)
            if isinstance(added, Added):
                with suppress(NotWritable):
                    if step := setting.step(added.template, value, known):
                        return step
        raise NotWritable(f"no phrase gives {value!r}")

    def act(self, value: S) -> WrittenStep:
        """The When that sets its fields to those of the value. Raises `NotWritable` without one."""
        for setting in self._about({}, "when"):
            if step := setting.step(dict(setting.fields), {name: getattr(value, name) for name in setting.fields}, {}):
                return step
        raise NotWritable("no phrase has this act", "act")

    def _about(self, known: Mapping[str, str], kind: Kind = "given") -> Iterator[Setting]:
        """The settings of the part with this key."""
        for setting in self.settings:
            phrase = setting.phrase
            if phrase.kind == kind and all(str(value) == known.get(name) for name, value in phrase.fixed.items()):
                yield setting
