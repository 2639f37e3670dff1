"""Then: the event stream of a run."""

from __future__ import annotations

from dataclasses import replace

from loopspec.contract.mismatch import Mismatch
from loopspec.contract.observation import Event, Observation
from loopspec.contract.values import Message

from ..cells import TEXT, YES
from ..conversation import ROLES
from ..declarations import ClosedList, SeenColumn, SeenColumns, Table, Word
from ..phrasebook import then
from .ends import text_of
from .failures import unreported
from .observed import SEEN_PARTS, events_of


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


EVENT_KINDS: ClosedList[str] = ClosedList(
    "kinds of events",
    "The kinds of events in the stream of a run.",
    Word("message", "The event has one whole message.", "message"),
    Word("stream", "The event has a stream of chunks.", "stream"),
    Word("custom", "The event was sent by a handler or tool.", "custom"),
    Word("error", "The event reports the error of the run.", "error"),
)
EVENT = SeenColumn("event", "The kind of the event.", EVENT_KINDS, _kind)
CONTENT = SeenColumn(
    "content",
    "The content of the message or stream, the payload of a custom event, the code of an error.",
    TEXT,
    _content,
)
EVENTS: SeenColumns[Event] = SeenColumns(
    "events",
    "The events of a run, one per row.",
    EVENT,
    SeenColumn("role", "The role of the message; empty for custom events and errors.", ROLES, _role),
    CONTENT,
    SeenColumn("chunks", "The chunks of a stream with `/` between them.", TEXT, _chunks),
    SeenColumn(
        "parts",
        "The parts of an enhanced result.",
        SEEN_PARTS,
        lambda event: "/".join(map(_parts, [event.message] if event.message else event.chunks or ())),
    ),
    SeenColumn(
        "ends with",
        "The code or the kind of the error with which a stream ends; empty for a stream that ends normally.",
        TEXT,
        lambda event: _ending(event) if event.chunks is not None else "",
    ),
    SeenColumn("agent", "The name of the agent that emits the event.", TEXT, lambda event: event.agent),
    SeenColumn(
        "path",
        "The agents from the outer agent to the emitting one, with `/` between them.",
        TEXT,
        lambda event: "/".join(event.path),
    ),
    SeenColumn(
        "exits",
        "Whether the event has the action that ends the run; empty for no.",
        YES,
        lambda event: event.exits or "",
    ),
)
EVENTS_BY_KIND: SeenColumns[Event] = SeenColumns(
    "events with their kinds",
    "The events of a run, one per row; `kind` marks the custom ones.",
    replace(EVENT, required=True),
    CONTENT,
)


@then("the events are", EVENTS)
def the_events(seen: Observation, table: Table) -> None:
    """All events of run 1 in order, in the columns of the table."""
    _compare(seen, events_of(seen), table)


@then("the events of run {run:d} are", EVENTS)
def the_events_of_run(seen: Observation, run: int, table: Table) -> None:
    """All events of the run in order, in the columns of the table."""
    _compare(seen, events_of(seen, run), table, run)


@then("the events are, with all custom ones or none", EVENTS_BY_KIND)
def the_events_with_or_without_custom_ones(seen: Observation, table: Table) -> None:
    """All events of run 1 in order, or all events but the custom ones. Sending a custom event may fail."""
    events = events_of(seen)
    custom = any(_kind(event) == "custom" for event in events)
    rows = [row for row in table if custom or EVENT.read(row) != "custom"]
    EVENTS.compare("the events", rows, events, hint=unreported(seen, 1))


@then("in any order, the events are", EVENTS)
def the_events_in_any_order(seen: Observation, table: Table) -> None:
    """All events of run 1 in any order, in the columns of the table."""
    EVENTS.compare("the events, sorted", table, events_of(seen), sort=True, hint=unreported(seen, 1))


@then("the events of the agent are", EVENTS)
def the_events_of_the_agent(seen: Observation, table: Table) -> None:
    """All events of run 1 but the custom ones, in order."""
    _compare(seen, [event for event in events_of(seen) if _kind(event) != "custom"], table)


@then("the stream ends with one error")
def the_stream_ends_with_an_error(seen: Observation) -> None:
    """The last event of run 1 is an error, and no other event is."""
    kinds = [_kind(event) for event in events_of(seen)]
    if kinds[-1:] != ["error"] or kinds.count("error") != 1:
        raise Mismatch("the events", "one error, and it is the last", kinds, unreported(seen, 1))


def _compare(seen: Observation, events: list[Event], table: Table, run: int = 1) -> None:
    EVENTS.compare("the events", table, events, hint=unreported(seen, run))
