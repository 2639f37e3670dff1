"""Then: the event stream of a run."""

from __future__ import annotations

from collections.abc import Callable

from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Event, Observation
from loopspec.contract.values import Message

from ..cells import as_text
from ..phrasebook import PhraseError, Table, then
from .ends import text_of
from .failures import unreported
from .observed import events_of


@then("the events are")
def the_events(seen: Observation, table: Table) -> None:
    """All events of run 1, in order, in the columns given: see `the events of run`."""
    _compare(seen, events_of(seen), table)


@then("the events of run {run:d} are")
def the_events_of_run(seen: Observation, run: int, table: Table) -> None:
    """All events of a run, in order, in the columns given.

    `event` is message, stream, custom or error; `role` and `content` are of the message, `content` is also a custom
    event's payload or an error's code; `chunks` are the texts of a stream, with `/` between them, `ends with` the
    code, or the kind, of the error that a stream ends with; `parts` are those of enhanced results; `agent` and `path`
    say where it comes from, `exits` that it carries the action that ends the run.
    """
    _compare(seen, events_of(seen, run), table, run)


@then("the events are, with all custom ones or none")
def the_events_with_or_without_custom_ones(seen: Observation, table: Table) -> None:
    """All events of run 1, in order, in the columns given, of which `event` is one. Sending a custom one may fail."""
    columns, events = list(table[0]), events_of(seen)
    if "event" not in columns:
        raise PhraseError("the table needs the column 'event', to know the custom ones")
    _known(columns)
    custom = any(_kind(event) == "custom" for event in events)
    rows = [row for row in table if custom or row["event"] != "custom"]
    expect("the events", _expected(rows), [_row(event, columns) for event in events], unreported(seen, 1))


@then("in any order, the events are")
def the_events_in_any_order(seen: Observation, table: Table) -> None:
    """All events of run 1, in the columns given, where nothing orders them."""
    columns = list(table[0])
    _known(columns)
    found = sorted(_row(event, columns) for event in events_of(seen))
    expect("the events, sorted", sorted(_expected(table)), found, unreported(seen, 1))


@then("the events of the agent are")
def the_events_of_the_agent(seen: Observation, table: Table) -> None:
    """The same as the events, custom ones left out."""
    _compare(seen, [event for event in events_of(seen) if _kind(event) != "custom"], table)


@then("the stream ends with one error")
def the_stream_ends_with_an_error(seen: Observation) -> None:
    """The last event of run 1 is an error, and no other is."""
    kinds = [_kind(event) for event in events_of(seen)]
    if kinds[-1:] != ["error"] or kinds.count("error") != 1:
        raise Mismatch("the events", "one error, and it is the last", kinds, unreported(seen, 1))


def _compare(seen: Observation, events: list[Event], table: Table, run: int = 1) -> None:
    columns = list(table[0])
    _known(columns)
    expect("the events", _expected(table), [_row(event, columns) for event in events], unreported(seen, run))


def _known(columns: list[str]) -> None:
    if unknown := set(columns) - set(_COLUMNS):
        raise PhraseError(f"a table of events has the column {unknown.pop()!r}: they are {', '.join(_COLUMNS)}")


def _expected(table: Table) -> list[str]:
    return [" | ".join(as_text(cell) for cell in row.values()) for row in table]


def _row(event: Event, columns: list[str]) -> str:
    return " | ".join(_COLUMNS[column](event) for column in columns)


def _kind(event: Event) -> str:
    if event.chunks is not None:
        return "stream"
    if event.message:
        return "message"
    return "error" if event.error else "custom"


def _content(event: Event) -> str:
    match _kind(event):
        case "custom":
            return str(event.custom)
        case "error":
            return _ending(event)
        case _:
            return text_of(event)


def _ending(event: Event) -> str:
    return (event.error.code or event.error.kind.replace("_", " ")) if event.error else ""


def _role(event: Event) -> str:
    messages = [event.message] if event.message else list(event.chunks or ())
    return messages[0].role if messages else ""


def _chunks(event: Event) -> str:
    return "/".join(
        chunk.content or "".join(part.text or f"image:{part.url}" for part in chunk.parts)
        for chunk in event.chunks or ()
    )


def _parts(message: Message) -> str:
    return "/".join(part.text or f"image:{part.url}" for part in message.parts)


_COLUMNS: dict[str, Callable[[Event], str]] = {
    "event": _kind,
    "role": _role,
    "content": _content,
    "chunks": _chunks,
    "parts": lambda event: "/".join(map(_parts, [event.message] if event.message else event.chunks or ())),
    "ends with": lambda event: _ending(event) if event.chunks is not None else "",
    "agent": lambda event: event.agent,
    "path": lambda event: "/".join(event.path),
    "exits": lambda event: "yes" if event.exits else "",
}
