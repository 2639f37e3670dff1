"""The differences between two outcomes: the first of each source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeGuard, get_args

import msgspec

from loopspec.contract.mismatch import excerpt
from loopspec.contract.values import ErrorKind, Json, Value

from .outcomes import ANOTHER_ERROR, MISSING_FILE, Outcome

_MISSING = object()
_ERRORS = {*get_args(ErrorKind), "an error", MISSING_FILE, ANOTHER_ERROR}


class Kind(NamedTuple):
    """The kind of a difference: the source, the path without numbers and names, and the kind of both values."""

    where: str
    ours: str
    theirs: str

    def __str__(self) -> str:
        return f"{self.where}: {self.ours} ≠ {self.theirs}"

    def is_like(self, other: Kind) -> bool:
        """Whether two kinds are about one place, and equal on one side."""
        return self.where == other.where and (self.ours == other.ours or self.theirs == other.theirs)


class Difference(Value, frozen=True):
    """The first difference of a source: where, and what each target shows there.

    `path` is the place in the entries of the source, with the keys of objects and the numbers of entries between dots.
    `ours` is the value of the target, `theirs` that of the other one; absent if there is none.
    """

    source: str
    path: str
    ours: Json = None
    theirs: Json = None
    lacks: str = ""

    @property
    def decides(self) -> bool:
        """Whether other differences of the scene may follow: a run ends in another way, or an entry is missing."""
        return self.source in ("runs", "created", "trouble") or bool(self.lacks)

    @property
    def kind(self) -> Kind:
        """What differences with one cause have in common."""
        path = re.sub(r"(^|\.)run [^.]*", r"\1run", re.sub(r"\.\d+", ".*", f".{self.path}"))
        ours, theirs = _kind(self.ours, self.lacks == "ours"), _kind(self.theirs, self.lacks == "theirs")
        return Kind(f"{self.source}{path}".rstrip("."), ours, theirs)


def _kind(value: Json, lacks: bool) -> str:
    """What a value is, as far as that is the same for all scenes with one cause."""
    if lacks:
        return "nothing"
    match value:
        case bool() | None:
            return str(value)
        case str() if value in _ERRORS:
            return value
        case str():
            return "a text" if value else "an empty text"
        case int() | float():
            return "a number"
        case dict():
            return "an entry"
        case _:
            return "entries" if value else "no entries"


def differences(ours: Outcome, theirs: Outcome) -> tuple[Difference, ...]:
    """The first difference of each source in which two outcomes differ."""
    if "trouble" in ours or "trouble" in theirs:
        one, other = ours.get("trouble"), theirs.get("trouble")
        lacks = "ours" if one is None else "theirs" if other is None else ""
        return () if one == other else (Difference(source="trouble", path="", ours=one, theirs=other, lacks=lacks),)
    found = (_first(source, "", ours.get(source, _MISSING), theirs.get(source, _MISSING)) for source in theirs)
    return tuple(difference for difference in found if difference is not None)


def _first(source: str, path: str, ours: object, theirs: object) -> Difference | None:
    if ours is _MISSING:
        return Difference(source=source, path=path, theirs=theirs, lacks="ours")
    if theirs is _MISSING:
        return Difference(source=source, path=path, ours=ours, lacks="theirs")
    if ours == theirs:
        return None
    if _is_list(ours) and _is_list(theirs) and len(ours) != len(theirs):
        return _missing_entry(source, path, ours, theirs)
    for key, one, other in _pairs(ours, theirs):
        if (found := _first(source, f"{path}.{key}".lstrip("."), one, other)) is not None:
            return found
    return Difference(source=source, path=path, ours=ours, theirs=theirs)


def _missing_entry(source: str, path: str, ours: list[Json], theirs: list[Json]) -> Difference:
    """The first entry of the longer list that the shorter one does not have at its place."""
    longer, shorter = (theirs, ours) if len(theirs) > len(ours) else (ours, theirs)
    at = next((at for at, pair in enumerate(zip(longer, shorter, strict=False)) if pair[0] != pair[1]), len(shorter))
    where = f"{path}.{at + 1}".lstrip(".")
    if longer is theirs:
        return Difference(source=source, path=where, theirs=theirs[at], lacks="ours")
    return Difference(source=source, path=where, ours=ours[at], lacks="theirs")


def _pairs(ours: object, theirs: object) -> Iterator[tuple[str, object, object]]:
    """The values below two values of the same kind."""
    if _is_object(ours) and _is_object(theirs):
        for key in {**theirs, **ours}:
            yield key, ours.get(key, _MISSING), theirs.get(key, _MISSING)
    elif _is_list(ours) and _is_list(theirs):
        yield from ((str(at), *pair) for at, pair in enumerate(zip(ours, theirs, strict=True), 1))


def _is_object(value: object) -> TypeGuard[dict[str, Json]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[Json]]:
    return isinstance(value, list)


def value_text(value: Json, lacks: bool = False) -> str:
    """A value on one line: what patterns of known differences are compared with."""
    if lacks:
        return "nothing"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def sides(difference: Difference) -> tuple[str, str]:
    """The texts of both values."""
    return (
        value_text(difference.ours, difference.lacks == "ours"),
        value_text(difference.theirs, difference.lacks == "theirs"),
    )


def described(difference: Difference) -> Iterator[str]:
    """The lines about a difference: the place, and both values."""
    ours, theirs = sides(difference)
    yield f"{difference.source}: {difference.path}" if difference.path else difference.source
    yield f"  ours:   {excerpt(ours, 400)}"
    yield f"  theirs: {excerpt(theirs, 400)}"
