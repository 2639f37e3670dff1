"""The variant that gives every model, tool, handler and agent another name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal, TypeVar, get_args, get_origin, get_type_hints

from msgspec import Struct

from loopspec.contract.acting import Hook
from loopspec.contract.agents import Summarization, TodoList
from loopspec.contract.observation import Span
from loopspec.contract.plugins import Edge
from loopspec.contract.scene import File, HeldCall, Scene
from loopspec.contract.values import Called, Returned

from .facts import Facts
from .texts import Change, with_texts
from .variant import Variant, Varied

T = TypeVar("T")

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MIRRORED = str.maketrans(_LETTERS + _LETTERS.upper(), _LETTERS[::-1] + _LETTERS[::-1].upper())

# What precedes the name of a double in a gate and in the record; the longer ones first.
_DOUBLES = (*(f"{hook} " for hook in get_args(Hook)), "create ", "model ", "tool ")

# The fields with such a name.
_WITH_DOUBLE = {Called: "double", Returned: "double", HeldCall: "double", Span: "name"}

# The fields with the targets of jumps: "model" and "tools" there are not names of doubles. An edge has a node there.
_JUMPS = frozenset({"target", "goto", "jump", "may_jump_to"})


def mirrored(name: str) -> str:
    """The mirror image of a name in the alphabet."""
    return name.translate(_MIRRORED)


class Renaming:
    """New names for old ones, wherever they stand as whole words."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names
        longest_first = sorted(names, key=len, reverse=True)
        self._known: dict[str, str] = {}  # most texts of an observation occur many times
        self._pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first))

    def of(self, value: T) -> T:
        """The value with the new names; those in the contents of files are not changed."""
        return with_texts(value, self._of, self._fields)

    def _of(self, text: str) -> str:
        if (new := self._known.get(text)) is None:
            new = self._known[text] = self._pattern.sub(lambda found: self.names[found[0]], text)
        return new

    def _fields(self, kind: type[Struct], change: Change) -> Mapping[str, Change]:
        return {name: self._of_double if name == _WITH_DOUBLE.get(kind) else change for name in _free_fields(kind)}

    def _of_double(self, double: str) -> str:
        for kind in _DOUBLES:
            if double.startswith(kind):
                return f"{kind}{self._of(double.removeprefix(kind))}"
        return double


@cache
def _free_fields(kind: type[Struct]) -> tuple[str, ...]:
    """The fields of a type that may hold names: not those of a closed list of words, and none of a file."""
    if kind is File:
        return ()
    hints, jumps = get_type_hints(kind), frozenset() if kind is Edge else _JUMPS
    return tuple(name for name in kind.__struct_fields__ if name not in jumps and not _is_closed(hints[name]))


def _is_closed(hint: object) -> bool:
    return get_origin(hint) is Literal or any(get_origin(inner) is Literal for inner in get_args(hint))


def _names(scene: Scene) -> Iterator[str]:
    facts = Facts(scene)
    for agent in facts.agents:
        yield from (agent.name, *(handler.name for handler in agent.handlers))
        yield from (tool.name for plugin in facts.doubles for tool in getattr(plugin, "tools", ()))
    yield from (double.name for double in facts.doubles)
    yield from (model.name for model in facts.models)
    for tool in facts.tools:
        yield from (tool.name, *([tool.known_as] if tool.known_as else ()))


def _renamed(scene: Scene) -> Varied:
    """The scene with new names, whose order is the reverse of that of the old names."""
    old = sorted({name for name in _names(scene) if name}, reverse=True)
    new = {name: f"name_{number:02}" for number, name in enumerate(old)}
    back = Renaming({other: name for name, other in new.items()})
    return Varied(Renaming(new).of(scene), (back.of,))


def _can_be_renamed(facts: Facts) -> bool:
    """Whether an agent runs without a workflow, whose nodes have names of their own, and without built-in plugins."""
    built_in = any(isinstance(one, Summarization | TodoList) for one in facts.handlers)
    return facts.is_run and facts.scene.workflow is None and not built_in


VARIANTS = (Variant("renamed", _can_be_renamed, _renamed),)
