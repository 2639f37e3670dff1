"""Values with holes: one template makes a value of what the holes hold, and finds in a value what they hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from loopspec.contract.acting import Hole

T = TypeVar("T")
Held = dict[str, object]

_MISSING = object()  # is no value of any template
_NAMED = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Made:
    """A value that a function makes of the texts of holes; `texts` finds them in a value."""

    holes: tuple[str, ...]
    make: Callable[..., object]
    texts: Callable[[Any], tuple[str, ...]]  # Any: a value that `make` returns


def hole(name: str) -> Any:  # Any: stands where the value of the hole will be
    """Return a hole of a template."""
    return Hole(name)


def filled(template: T, held: Mapping[str, object], texts: Mapping[str, str]) -> T:
    """Return the value that a template is with these values and texts of its holes.

    A `Hole` stands for the value, and `{name}` in a text for the value as text.
    """
    found: object = template
    match template:
        case Hole():
            found = texts[template.name] if template.raw else held[template.name]
        case Made():
            found = template.make(*(texts[name] for name in template.holes))
        case str():
            found = _NAMED.sub(lambda named: str(held.get(named[1], named[0])), template)
        case Struct():
            inner = ((name, getattr(template, name)) for name in template.__struct_fields__)
            new = {name: one for name, old in inner if (one := filled(old, held, texts)) is not old}
            found = replace(template, **new) if new else template
        case tuple():
            entries = tuple(filled(one, held, texts) for one in template)
            found = entries if any(new is not old for new, old in zip(entries, template, strict=True)) else template
        case dict():
            found = {filled(key, held, texts): filled(one, held, texts) for key, one in template.items()}
    return found  # type: ignore[return-value]  # a template has the type of its values


def held_in(template: object, value: object, patterns: Mapping[str, str]) -> Held | None:
    """Return what the holes of a template hold in a value; None for a value that the template cannot be.

    `patterns` are regular expressions of holes in texts. A dict may have more entries than a template with holes: what
    is written is read again.
    """
    match template:
        case Hole():
            return None if value is _MISSING else {template.name: value}
        case Made():
            return dict(zip(template.holes, template.texts(value), strict=True))
        case str():
            return _held_in_text(template, value, patterns) if isinstance(value, str) else None
        case Struct() if type(template) is type(value):
            names = template.__struct_fields__
            return _together(((getattr(template, name), getattr(value, name)) for name in names), patterns)
        case tuple() if isinstance(value, tuple) and len(value) == len(template):
            return _together(zip(template, value, strict=True), patterns)
        case dict() if isinstance(value, dict) and names_in(template):
            return _together(_entries(template, value), patterns)
        case _:
            return {} if type(template) is type(value) and template == value else None


def names_in(template: object) -> dict[str, bool]:
    """Return the names of the holes of a template, and whether each holds its text as it is."""
    match template:
        case Hole():
            return {template.name: template.raw}
        case Made():
            return dict.fromkeys(template.holes, True)
        case str():
            return dict.fromkeys(_NAMED.findall(template), False)
        case Struct():
            inner: Iterable[object] = (getattr(template, name) for name in template.__struct_fields__)
        case tuple():
            inner = template
        case dict():
            inner = (*template, *template.values())
        case _:
            return {}
    return {name: raw for one in inner for name, raw in names_in(one).items()}


def _held_in_text(template: str, value: str, patterns: Mapping[str, str]) -> Held | None:
    parts = _NAMED.split(template)  # texts, and between them the names of holes
    named = (f"(?P<{part}>{patterns.get(part, '.*')})" if at % 2 else re.escape(part) for at, part in enumerate(parts))
    found = re.fullmatch("".join(named), value, re.DOTALL)
    return None if found is None else dict(found.groupdict())


def _entries(template: Mapping[str, object], value: Mapping[str, object]) -> Iterator[tuple[object, object]]:
    """The entries of a dict with their templates; that of a key with a hole is the first entry."""
    for key, inner in template.items():
        if _NAMED.search(str(key)):
            yield from zip((key, inner), next(iter(value.items()), (None, None)), strict=True)
        else:
            yield inner, value.get(key, _MISSING)


def _together(pairs: Iterable[tuple[object, object]], patterns: Mapping[str, str]) -> Held | None:
    """What the holes of several templates hold; None if one of them cannot be its value."""
    together: Held = {}
    for template, value in pairs:
        held = held_in(template, value, patterns)
        if held is None:
            return None
        together |= held
    return together
