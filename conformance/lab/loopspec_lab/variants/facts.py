"""What the predicates of variants ask about a scene, and changes inside of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, cached_property
from operator import is_
from typing import Any, TypeVar, get_args, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from loopspec.contract.actions import InterruptOnce, Script
from loopspec.contract.agents import Agent, Tool, doubles_of
from loopspec.contract.values import Gate
from loopspec.specification import facts

T = TypeVar("T")

_GATES = get_args(Gate)
LEAVES: frozenset[type] = frozenset({int, float, bool, type(None)})  # the types of values that contain no text
_SCALARS = LEAVES | {str, bytes}
types_of = cache(get_type_hints)  # the types of a struct's fields, by name: to read them takes long


class Facts(facts.Facts):
    """A scene and what variants ask about it, each computed once."""

    @cached_property
    def gates(self) -> tuple[object, ...]:
        """What anything waits for."""
        return tuple(found(self.scene, _GATES))

    @property
    def hooks_interrupt(self) -> bool:
        """Whether a hook interrupts a run: the run stops there, and the answer of the caller is for the hook."""
        return self.has_actions((InterruptOnce,))


def scripts_of(agent: Agent) -> tuple[Script, ...]:
    """The scripts of all doubles of an agent."""
    return tuple(script for double in doubles_of(agent) for script in double.scripts)


def with_agents(agent: Agent, change: Callable[[Agent], Agent]) -> Agent:
    """The agent with a change made to it and to all of its sub-agents, from the inside out."""

    def changed(tools: tuple[Tool, ...]) -> tuple[Tool, ...]:
        return tuple(replace(tool, agent=with_agents(tool.agent, change)) if tool.agent else tool for tool in tools)

    return change(replace(agent, tools=changed(agent.tools), additional_tools=changed(agent.additional_tools)))


@cache
def _leading(kind: type[Struct], kinds: tuple[type, ...]) -> tuple[str, ...]:
    """The fields of a type in which there can be values of some types, or any values."""
    return tuple([name for name, hint in types_of(kind).items() if _can_hold(hint, kinds, set())])


def _can_hold(hint: object, kinds: tuple[type, ...], known: set[object]) -> bool:
    if hint in known or hint in _SCALARS:
        return False
    if not isinstance(hint, type) or not issubclass(hint, Struct):
        return hint in (Any, object) or any(_can_hold(each, kinds, known) for each in get_args(hint))
    known.add(hint)
    return issubclass(hint, kinds) or any(_can_hold(each, kinds, known) for each in types_of(hint).values())


def found(value: object, kinds: tuple[type, ...]) -> Iterator[object]:
    """All values of some types inside a value, in order."""
    todo = [value]
    while todo:  # no recursion: a generator for each of many small values takes most of the time
        each = todo.pop()
        if isinstance(each, tuple | list):
            todo.extend(reversed(each))
        elif isinstance(each, dict):
            todo.extend(reversed(each.values()))
        elif isinstance(each, Struct):
            if isinstance(each, kinds):
                yield each
            todo.extend([part for name in reversed(_leading(type(each), kinds)) if (part := getattr(each, name))])


def mapped(value: T, kinds: tuple[type[Struct], ...], change: Callable[[Any], object]) -> T:  # Any: of these types
    """The value with a change made to every value of some types inside it, from the inside out."""
    known: dict[int, Any] = {}  # by the identity of the old struct: an observation has a message in many places

    def changed(old: Any) -> Any:  # Any: a change keeps the type of each value
        if isinstance(old, Struct):
            if id(old) not in known:
                held = [(name, part) for name in _leading(type(old), kinds) if (part := getattr(old, name))]
                changes = {name: new for name, part in held if (new := changed(part)) is not part}
                result = replace(old, **changes) if changes else old
                known[id(old)] = change(result) if isinstance(result, kinds) else result
            return known[id(old)]
        if isinstance(old, tuple):
            items = [known[id(each)] if id(each) in known else changed(each) for each in old]
            return old if all(map(is_, items, old)) else tuple(items)
        if isinstance(old, dict):
            entries = {key: changed(each) for key, each in old.items()}
            return old if all(entries[key] is old[key] for key in old) else entries
        return old

    return changed(value)  # type: ignore[no-any-return]  # see above
