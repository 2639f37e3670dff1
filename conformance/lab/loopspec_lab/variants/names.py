"""The variant that gives every model, tool, handler and agent another name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeVar, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from loopspec.contract.acting import Hook
from loopspec.contract.agents import Summarization, TodoList
from loopspec.contract.observation import Observation, Span
from loopspec.contract.scene import File, Scene
from loopspec.contract.values import Called, Returned

from .facts import LEAVES, Facts
from .variant import Variant, Varied

T = TypeVar("T")

# What precedes the name of a double in a gate and in the record; the longer ones first.
_DOUBLES = (*(f"{hook} " for hook in get_args(Hook)), "create ", "model ", "tool ")

# The fields with the targets of jumps: "model" and "tools" there are not names of doubles.
_JUMPS = frozenset({"target", "goto", "jump", "may_jump_to"})


class Renaming:
    """New names for old ones, wherever they stand as whole words."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names
        longest_first = sorted(names, key=len, reverse=True)
        self._known: dict[str, str] = {}  # most texts of an observation occur many times
        self._pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first))

    def of(self, value: T) -> T:
        """The value with the new names."""
        return self._of(value)  # type: ignore[return-value]  # of the same type

    def _of(self, value: object) -> object:
        match value:
            case str():
                if (new := self._known.get(value)) is None:
                    new = self._known[value] = self._pattern.sub(lambda found: self.names[found[0]], value)
                return new
            case tuple():
                items = tuple(map(self._of, value))
                return value if all(new is old for new, old in zip(items, value, strict=True)) else items
            case list():
                return [self._of(item) for item in value]
            case dict():
                return {self._of(key): self._of(item) for key, item in value.items()}
            case File():
                return value  # the content of files has no names
            case Called() | Returned():
                return replace(value, double=self._of_double(value.double))
            case Span():
                agent = self._of(value.agent)
                return replace(value, name=self._of_double(value.name), agent=agent)
            case Struct():
                return self._of_struct(value)
        return value

    def _of_struct(self, value: Struct) -> Struct:
        changes = {}
        for name in _free_fields(type(value)):
            old = getattr(value, name)
            if type(old) in LEAVES:  # most values: the patterns of `_of` take longer
                continue
            new = self._of(old)
            if new is not old and new != old:
                changes[name] = new
        return replace(value, **changes) if changes else value

    def _of_double(self, double: str) -> str:
        for kind in _DOUBLES:
            if double.startswith(kind):
                return f"{kind}{self._of(double.removeprefix(kind))}"
        return double


@cache
def _free_fields(kind: type[Struct]) -> tuple[str, ...]:
    """The fields of a type that may hold names: not those of a closed list of words."""
    hints = get_type_hints(kind)
    return tuple(name for name in kind.__struct_fields__ if name not in _JUMPS and not _is_closed(hints[name]))


def _is_closed(hint: object) -> bool:
    return get_origin(hint) is Literal or any(get_origin(inner) is Literal for inner in get_args(hint))


@dataclass(frozen=True)
class WithOldNames:
    """Returns the old names to an observation."""

    renaming: Renaming

    def __call__(self, seen: Observation) -> Observation:
        """The observation with the old names."""
        return self.renaming.of(seen)


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
    return Varied(Renaming(new).of(scene), (WithOldNames(back),))


def _can_be_renamed(facts: Facts) -> bool:
    """Whether an agent runs without a workflow, whose nodes have names of their own, and without built-in plugins."""
    built_in = any(isinstance(one, Summarization | TodoList) for one in facts.handlers)
    return facts.is_run and facts.scene.workflow is None and not built_in


VARIANTS = (Variant(name="renamed", rule="VARIANT-18", applies=_can_be_renamed, vary=_renamed),)
