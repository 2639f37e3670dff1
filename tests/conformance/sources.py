"""An Observation split by source; the order within a source does not depend on who carries the doubles' calls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby

from msgspec import Struct, json

from loopspec.contract.observation import Answered, Event, Observation, Question, Span
from loopspec.contract.values import Error

# Evidence, which is never judged, and numbers, which count all sources together.
_LEFT_OUT = {Answered: {"n", "asked"}, Error: {"message", "place"}, Event: {"n"}, Span: {"n", "inside", "ended"}}
_KEYS: dict[str, tuple[str, ...]] = {
    "hooks": ("handler", "hook", "run", "call_id"),
    "model_calls": ("model", "run"),
    "questions": ("what", "agent", "run"),
    "tool_runs": ("tool", "run", "call"),
    "answers": ("path",),
    "creations": ("node", "agent"),
}


def by_source(seen: Observation) -> dict[tuple[object, ...], list[object]]:
    """The entries of each source, in order."""
    found: dict[tuple[object, ...], list[object]] = defaultdict(list)
    names = {span.n: span.name for span in seen.spans}
    for part in seen.__struct_fields__:
        value = getattr(seen, part)
        if not isinstance(value, tuple):
            found[part,] = [plain(value)]
            continue
        for one in _results_sorted(value) if part == "events" else value:
            if isinstance(one, Span):
                inside = names.get(one.inside) if one.inside is not None else None
                found[part, one.name, one.run, inside].append((plain(one), one.ended is None))
            else:
                key = (getattr(one, name, None) for name in _KEYS.get(part, ("run",)))
                found[part, *key].append(plain(one))
    return dict(found)


def _results_sorted(events: Iterable[Event]) -> list[Event]:
    """The events; results of concurrent tools are sorted, since they arrive in any order."""
    ordered: list[Event] = []
    for is_result, group in groupby(events, key=lambda event: _result_of(event) is not None):
        some = list(group)
        ordered += sorted(some, key=lambda event: (event.path, _result_of(event) or "")) if is_result else some
    return ordered


def _result_of(event: Event) -> str | None:
    messages = [*([event.message] if event.message else []), *(event.chunks or ())]
    return next((message.tool_call_id for message in messages if message.tool_call_id), None)


def plain(value: object) -> object:
    """A value without the omitted fields."""
    if isinstance(value, Struct):
        out = _LEFT_OUT.get(type(value), {"n"})
        if isinstance(value, Question) and value.what == "sleep":
            out = {"n", "number"}  # the reference's back-off is partly random
        kept = {name: plain(getattr(value, name)) for name in value.__struct_fields__ if name not in out}
        return type(value).__name__, kept
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, bytes) and value.startswith(b'{"'):
        return json.decode(value)  # of a checkpoint, whose values concurrent tools set in any order
    return value
