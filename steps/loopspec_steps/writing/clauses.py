"""Actions, gates and moments in words: the clause and the holes that read as the value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from msgspec import Struct

from loopspec.contract.actions import Action
from loopspec.contract.agents import Script
from loopspec.contract.values import Called, Gate, Json, Message, Returned, ToolCall, Value

from ..action_clauses import ACTIONS, Place
from ..actions import script_of
from ..declarations import Clause, PhraseError
from ..gates import GATES, MOMENTS, gate_of, moment_of
from ..holes import holds_of
from ..hooks import HOOKS
from .steps import NotWritable
from .texts import calls_text, json_text, names_text

_HOLE = re.compile(r"\{(\w+)(?::\w+)?\}")


def action_text(action: Action, place: Place, field: str) -> str:
    """An action of a hook or a tool in words. Raises `NotWritable` for an action that no clause says."""
    clauses = [clause for clause in ACTIONS if not clause.places or place in clause.places]
    return _said(action, clauses, tuple(_texts_of(action, field)), lambda clause, holes: clause.reads(**holes), field)


def gate_text(gate: Gate, field: str, run: str = "1") -> str:
    """A gate of a run in words."""
    text = _said(gate, GATES, tuple(_texts_of(gate, field)), lambda clause, holes: clause.reads(run, **holes), field)
    return _checked(text, gate, lambda words: gate_of(words, run), field)


def moment_text(gate: Gate, field: str) -> str:
    """A moment in words."""
    text = _said(gate, MOMENTS, tuple(_texts_of(gate, field)), lambda clause, holes: clause.reads(**holes), field)
    return _checked(text, gate, moment_of, field)


def script_text(script: Script, field: str) -> tuple[str, str]:
    """The hook of a script and its actions, in words."""
    if max(len(script.calls), len(script.tools), len(script.runs)) > 1:
        raise NotWritable(field, "no phrase names several calls, several tools or several runs of a hook")
    call = f" call {script.calls[0]}" if script.calls else ""
    tool = f' "{script.tools[0]}"' if script.tools else ""
    run = f" of run {script.runs[0]}" if script.runs else ""
    where = f"{script.hook}{call}{tool}{run}"
    texts = [action_text(action, script.hook, f"{field}.actions[{at}]") for at, action in enumerate(script.actions)]
    actions = "; ".join(texts) or "observes"
    _checked(actions, script, lambda text: script_of(where, text), field)
    return where, actions


def _checked(text: str, value: object, read: Callable[[str], object], field: str) -> str:
    """The text, if it reads as the value."""
    try:
        same = read(text) == value
    except PhraseError as error:
        raise NotWritable(field, str(error)) from error
    if not same:
        raise NotWritable(field, f"{text!r} reads as something else")
    return text


def _said(
    value: object,
    clauses: Sequence[Clause[object]],
    texts: Sequence[str | int],
    read: Callable[[Clause[object], Mapping[str, str | int]], object],
    field: str,
) -> str:
    for clause in clauses:
        names = tuple(holds_of(clause.sentence))
        for chosen in product(texts, repeat=len(names)):
            holes = dict(zip(names, chosen, strict=True))
            if _reads(clause, holes, read) == value:
                return _filled(clause.sentence, holes)
    raise NotWritable(field, f"no clause says {value!r}")


def _reads(
    clause: Clause[object],
    holes: Mapping[str, str | int],
    read: Callable[[Clause[object], Mapping[str, str | int]], object],
) -> object:
    if any(isinstance(text, str) == (f"{{{name}:d}}" in clause.sentence) for name, text in holes.items()):
        return None
    if "" in holes.values():
        return None  # the hole of a clause is never empty
    try:
        return read(clause, holes)
    except (PhraseError, ValueError, TypeError):
        return None


def _filled(sentence: str, holes: Mapping[str, str | int]) -> str:
    return _HOLE.sub(lambda hole: str(holes[hole[1]]), sentence)


def _texts_of(value: Value, field: str) -> Iterator[str | int]:
    """The texts and numbers that the holes of a clause about this value may hold."""
    for name in value.__struct_fields__:
        yield from _texts_in(getattr(value, name), f"{field}.{name}")
    if isinstance(value, Called | Returned):
        yield value.double.partition(" ")[2]
        for hook in (word.text for word in HOOKS.words if value.double.startswith(f"{word.text} ")):
            yield from (hook, value.double.removeprefix(f"{hook} "))


def _texts_in(value: Json, field: str) -> Iterator[str | int]:
    match value:
        case str():
            yield from (value, json_text(value))
            if value.isdigit():
                yield int(value)
        case bool() | None | float() | list():
            yield json_text(value)
        case int():
            yield from (value, json_text(value))
        case dict():
            yield from (*value, *map(json_text, value.values()), json_text(value))
        case tuple():
            yield from _texts_of_tuple(value, field)
        case Message():
            yield value.content
        case Struct():
            yield _gate_inside(value, field)


def _texts_of_tuple(values: tuple[object, ...], field: str) -> Iterator[str | int]:
    if values and all(isinstance(one, ToolCall) for one in values):
        yield calls_text([one for one in values if isinstance(one, ToolCall)], 1, field)
    elif values and all(isinstance(one, Message) for one in values):
        yield from (one.content for one in values if isinstance(one, Message))
    elif all(isinstance(one, str) for one in values):
        yield names_text([str(one) for one in values], field)


def _gate_inside(value: Struct, field: str) -> str:
    return gate_text(value, field) if isinstance(value, Gate) else ""
