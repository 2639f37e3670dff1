"""What a Then notices: changes of an observation, and of the step itself, that turn its verdict.

`python -m tests.steps.noticing` writes `noticed.toml`: for each Then the changes of an observation that it notices.
"""

from __future__ import annotations

import json
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace as with_fields
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from loopspec.contract.mismatch import Mismatch
from loopspec.contract.observation import Observation
from loopspec.contract.scene import Meanwhile
from loopspec.engine.perform import perform
from loopspec.specification.features import compiled
from loopspec.targets.python import PythonTarget
from loopspec_reference_adapter import Reference
from loopspec_steps import BOOK, Check, PhraseError
from loopspec_steps.cells import NAMES, names
from loopspec_steps.declarations import ClosedList, Holds
from loopspec_steps.holes import HOOKS

from ..conformance.staging import dialect_for, role_of
from .examples import EXAMPLES
from .saying import check_of

FILE = Path(__file__).with_name("noticed.toml")
_CASES = 12  # of a Then: more of them show nothing else
_MANY = 25  # texts of an observation, with which one of them is replaced
Path_ = tuple[str | int, ...]
Judged = tuple[Check, Observation]
# What a check raises for an observation that no adapter reports, and for a step that no feature has.
_IMPOSSIBLE = (PhraseError, AttributeError, TypeError, ValueError, LookupError, RecursionError)


@cache
def judged() -> Mapping[str, Sequence[Judged]]:
    """The checks of each Then by its sentence, each with an observation that it accepts: of the reference, or made."""
    found: dict[str, list[Judged]] = {phrase.sentence: [] for phrase in BOOK.phrases if phrase.kind == "then"}
    with ExitStack() as open_targets:
        targets: dict[str, PythonTarget] = {}
        for case in compiled():
            if any(isinstance(step, Meanwhile) for step in case.scene.backend):  # concurrent reads end either way
                continue
            wanted = [check for _, check in case.checks if len(found[check.phrase.sentence]) < _CASES]
            name = dialect_for(case)
            if wanted and name not in targets:
                targets[name] = PythonTarget(Reference, "reference", name)
                open_targets.callback(targets[name].close)
            seen = perform(targets[name], case.scene, role_of(case, targets[name])) if wanted else Observation()
            for check in wanted:
                found[check.phrase.sentence] += [(check, seen)] if accepts(check, seen) else []
    for example in EXAMPLES:
        check = check_of(example.text, example.below, example.scene)
        found[check.phrase.sentence] += [(check, seen) for seen in example.accepted]
    return found


def accepts(check: Check, seen: Observation) -> bool | None:
    """Whether a check passes; None if the observation or the step is none that there can be."""
    try:
        check(seen)
    except Mismatch:
        return False
    except _IMPOSSIBLE:
        return None
    return True


def refusal(check: Check, seen: Observation) -> str | None:
    """The message with which a check refuses an observation."""
    try:
        with suppress(*_IMPOSSIBLE):
            check(seen)
    except Mismatch as mismatch:
        return str(mismatch)
    return None


# -- changes of an observation -----------------------------------------------------------------------------------------


class _Read(BaseException):
    """A check has looked at a value."""


class _Explosive:
    """Replaces a value, and raises `_Read` where the value would be looked at."""

    def _explode(self, *_: object) -> NoReturn:
        raise _Read

    __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = __hash__ = __bool__ = __iter__ = __len__ = _explode
    __contains__ = __str__ = __repr__ = __format__ = __getitem__ = __getattr__ = __add__ = __radd__ = _explode
    __sub__ = __rsub__ = __int__ = __float__ = __index__ = __reversed__ = _explode


def _inside(value: object) -> list[tuple[str | int, Any]]:  # Any: a value of an observation, here and below
    match value:
        case Struct():
            return [(name, getattr(value, name)) for name in value.__struct_fields__]
        case tuple() | list():
            return list(enumerate(value))
        case dict():
            return list(value.items())
        case _:
            return []


def _put(value: Any, path: Path_, new: object) -> Any:
    if not path:
        return new
    first, rest = path[0], path[1:]
    match value:
        case Struct():
            return replace(value, **{str(first): _put(getattr(value, str(first)), rest, new)})
        case dict():
            return {**value, first: _put(value[first], rest, new)}
        case _:
            entries = [_put(one, rest, new) if at == first else one for at, one in enumerate(value)]
            return type(value)(entries)


def _values(value: object, path: Path_ = (), field: str = "") -> Iterator[tuple[Path_, str, Any]]:
    """The values inside a value, each with its path and with its field, in which entries have no numbers and keys."""
    for name, inner in _inside(value):
        inner_field = f"{field}.{name}".lstrip(".") if isinstance(value, Struct) else f"{field}[]"
        yield (*path, name), inner_field, inner
        yield from _values(inner, (*path, name), inner_field)


def _texts(seen: Observation) -> list[str]:
    """Texts and keys of an observation."""
    found: list[str] = []
    for _, _, value in _values(seen):
        found += [value] if isinstance(value, str) else list(value) if isinstance(value, dict) else []
    return list(dict.fromkeys(found))[:_MANY]


@cache
def _known() -> Mapping[str, Sequence[object]]:
    """Values of each field in the observations."""
    found: dict[str, list[object]] = defaultdict(list)
    for seen in {id(seen): seen for pairs in judged().values() for _, seen in pairs}.values():
        for _, field, value in _values(seen):
            if len(found[field]) < _CASES and not any(
                type(one) is type(value) and one == value for one in found[field]
            ):
                found[field].append(value)
    return found


def _changed(field: str, value: Any, texts: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """Other values in the place of a value, each with the kind of the change."""
    known = _known()[field]
    match value:
        case bool():
            yield "opposite", not value
        case str():
            yield from (("text", one) for one in (f"{value}~", *texts) if one != value)
            yield from [("empty", "")] if value else []
        case int() | float():
            yield from (("number", value + step) for step in (1, -1))
        case bytes():
            yield "text", value + b"~"
        case tuple():
            yield from _entries(value, [entry for one in known if isinstance(one, tuple) for entry in one[:2]][:20])
        case dict():
            yield from (("less", {key: value[key] for key in value if key != lost}) for lost in value)
            yield from [("empty", {})] if len(value) > 1 else []
            more: list[dict[str, Any]] = [one for one in known if isinstance(one, dict)][:8]
            yield from (("more", {**one, **value}) for one in [{"~": "~"}, *more] if one.keys() - value.keys())
        case None:
            yield from (("something", one) for one in [one for one in known if one is not None][:3])
    if value is not None and None in [one for one in known if one is None]:
        yield "nothing", None


def _entries(value: tuple[Any, ...], others: Sequence[object]) -> Iterator[tuple[str, Any]]:
    for at in range(min(len(value), 6)):
        yield "less", (*value[:at], *value[at + 1 :])
        yield "twice", (*value[: at + 1], *value[at:])
        if value[at : at + 1] != value[at + 1 : at + 2]:
            yield "order", (*value[:at], *value[at + 1 : at + 2], value[at], *value[at + 2 :])
    if len(value) > 1:
        yield "empty", ()
    for one in others:
        yield from (("first", (one, *value)), ("last", (*value, one)))


def noticed(pairs: Iterable[Judged], wanted: Mapping[str, str] | None = None) -> dict[str, dict[str, str]]:
    """The kinds of changes that a Then notices, by field, with its messages; ends when all `wanted` ones are found."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for check, seen in pairs:
        texts = _texts(seen)
        unread: list[Path_] = []
        for path, field, value in _values(seen):
            if any(path[: len(one)] == one for one in unread) or (wanted and _has(found, wanted, field)):
                continue
            is_read = _is_read(check, _put(seen, path, _Explosive()))
            if not is_read:
                unread.append(path)
            for kind, new in _changed(field, value, texts):
                may_matter = is_read or kind in ("nothing", "something")  # what is only compared with None is not read
                if may_matter and kind not in found[field] and (message := refusal(check, _put(seen, path, new))):
                    found[field][kind] = message
        if wanted and all(_has(found, wanted, field) for field in wanted):
            break
    return {field: kinds for field, kinds in found.items() if kinds}


def _has(found: Mapping[str, Mapping[str, str]], wanted: Mapping[str, str], field: str) -> bool:
    """Whether all wanted kinds of changes of a field are found, if any are."""
    return found[field].keys() >= set(wanted.get(field, "").split())


def _is_read(check: Check, seen: Observation) -> bool:
    try:
        return accepts(check, seen) is None
    except _Read:
        return True


# -- changes of the step -----------------------------------------------------------------------------------------------


def reordered(check: Check) -> Iterator[Check]:
    """The step with its rows, or the names in a hole, from the last to the first."""
    for name, value in check.arguments.items():
        if isinstance(value, list):
            yield with_fields(check, arguments={**check.arguments, name: value[::-1]})
        elif check.phrase.holds.get(name) is NAMES:
            backwards = ", ".join(f'"{one}"' for one in names(str(value))[::-1])
            yield with_fields(check, arguments={**check.arguments, name: backwards or "nothing"})


def open_holes(pairs: Sequence[Judged]) -> set[str]:
    """The holes and columns of a Then in which no other text makes a difference; rows, if their order makes none."""
    phrase = pairs[0][0].phrase
    found = set(phrase.holds) | ({"docstring"} & phrase.takes)
    tables: list[Any] = [check.arguments["table"] for check, _ in pairs] if phrase.columns else []  # Any: rows
    found |= {f"column {name}" for table in tables for row in table[:1] for name in row}
    sizes = set(map(len, tables))
    found |= {"a row more"} if sizes else set()
    found |= {"a row less"} if sizes - {1} else set()
    for check, seen in pairs:
        texts = _texts(seen)
        for hole, arguments in _other_steps(check, texts):
            if hole in found and accepts(with_fields(check, arguments=arguments), seen) is False:
                found.remove(hole)
    return found


def _other_steps(check: Check, texts: Sequence[str]) -> Iterator[tuple[str, Mapping[str, object]]]:
    for name, value in check.arguments.items():
        if name == "table":
            yield from ((what, {**check.arguments, name: table}) for what, table in _other_tables(check, texts))
        elif name == "docstring":
            lines = str(value).split("\n")
            others = ["\n".join(one) for one in ([*lines, "~"], lines[1:], lines[::-1])]
            yield from ((name, {**check.arguments, name: one}) for one in [*others, '{"~": 1}'])
        else:
            others_ = _other_texts(check.phrase.holds[name], value, texts)
            yield from ((name, {**check.arguments, name: one}) for one in others_)


def _other_tables(check: Check, texts: Sequence[str]) -> Iterator[tuple[str, object]]:
    table: Any = check.arguments["table"]
    for at, row in enumerate(table):
        if len(table) > 1:
            yield "a row less", [*table[:at], *table[at + 1 :]]
        yield "a row more", [*table[: at + 1], *table[at:]]
        for column, cell in row.items():
            columns: Any = check.phrase.columns
            for other in _other_texts(columns[column].holds, cell, texts):
                yield f"column {column}", [*table[:at], {**row, column: other}, *table[at + 1 :]]


def _other_texts(holds: Holds[object] | None, value: object, texts: Sequence[str]) -> Iterator[object]:
    """Other texts for a hole or a cell; most are of its type."""
    if isinstance(value, int):
        yield from (value + 1, value - 1, 0)
        return
    text = str(value)
    if isinstance(holds, ClosedList):
        yield from (word.text for word in holds.words if word.text != text)
        return
    if holds is NAMES:
        listed = names(text)
        others = (listed[1:], (*listed, "~"), listed[::-1], *((one,) for one in texts if one.isalnum()))
        yield from (", ".join(f'"{name}"' for name in one) or "nothing" for one in others if one != listed)
    yield from (word.text for word in HOOKS.words if word.text != text and text.startswith(("before", "a")))
    yield from (f"{text}~", "", '{"~": 1}', "[1]", *(one for one in texts if one != text))


# -- the file ----------------------------------------------------------------------------------------------------------


def recorded() -> dict[str, dict[str, str]]:
    """What each Then notices according to the file."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def write() -> None:
    """Write the file."""
    lines = [
        "# For each Then, the changes of an observation that it notices: made by `python -m tests.steps.noticing`.\n"
    ]
    for sentence, pairs in sorted(judged().items()):
        lines.append(f"\n[{json.dumps(sentence, ensure_ascii=False)}]\n")
        lines += [f'"{field}" = "{" ".join(sorted(kinds))}"\n' for field, kinds in sorted(noticed(pairs).items())]
    FILE.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    write()
