"""Then: the event stream of a run, and the trace of calls."""

from __future__ import annotations

from dataclasses import replace

from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Event, Observation
from loopspec.contract.values import Message

from ..cells import TEXT, YES
from ..conversation import ROLES
from ..declarations import ClosedList, PhraseError, SeenColumn, SeenColumns, Table, Word
from ..phrasebook import then
from .ends import messages_of, text_of
from .observed import SEEN_PARTS, events_of, line_of, require, spans_of, trace, unreported


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


def _parts(message: Message, between: str = "/") -> str:
    return between.join(part.text or f"image:{part.url}" for part in message.parts)


EVENT_KINDS: ClosedList[str] = ClosedList(
    "kinds of events",
    "The kinds of events in the stream of a run.",
    Word("message", "The event has one whole message.", "message"),
    Word("stream", "The event has a stream of chunks.", "stream"),
    Word("custom", "The event was sent by a handler or tool.", "custom"),
    Word("error", "The event reports the error of the run.", "error"),
)
EVENT = SeenColumn("event", "The kind of the event.", EVENT_KINDS, _kind)
CONTENT = SeenColumn("content", "The text, the payload of a custom event, or the code of an error.", TEXT, _content)
EVENTS: SeenColumns[Event] = SeenColumns(
    "events",
    "The events of a run, one per row.",
    EVENT,
    SeenColumn(
        "role",
        "The role of the message; empty for custom events and errors.",
        ROLES,
        lambda event: next((message.role for message in messages_of(event)), ""),
    ),
    CONTENT,
    SeenColumn(
        "chunks",
        "The chunks of a stream with `/` between them.",
        TEXT,
        lambda event: "/".join(chunk.content or _parts(chunk, "") for chunk in event.chunks or ()),
    ),
    SeenColumn(
        "parts",
        "The parts of an enhanced result.",
        SEEN_PARTS,
        lambda event: "/".join(_parts(one) for one in messages_of(event) if one.parts),
    ),
    SeenColumn(
        "ends with",
        "The code or the kind of the error with which a stream ends; empty for a stream that ends normally.",
        TEXT,
        lambda event: _ending(event) if event.chunks is not None else "",
    ),
    SeenColumn("agent", "The name of the agent that emits the event.", TEXT),
    SeenColumn(
        "path",
        "The agents from the outer agent to the emitting one, with `/` between them.",
        TEXT,
        lambda event: "/".join(event.path),
        needs="event-paths",
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


@then("the events of run {run:d} are", EVENTS)
@then("the events are", EVENTS, run=1)
def events_are(seen: Observation, table: Table, run: int) -> None:
    """All events of the run in order, in the columns of the table."""
    EVENTS.compare("the events", table, events_of(seen, run), hint=unreported(seen, run))


@then("the events are, with all custom ones or none", EVENTS_BY_KIND)
def events_are_with_or_without_custom_ones(seen: Observation, table: Table) -> None:
    """All events of run 1 in order, or all events but the custom ones. Sending a custom event may fail."""
    events = events_of(seen)
    custom = any(_kind(event) == "custom" for event in events)
    rows = [row for row in table if custom or EVENT.read(row) != "custom"]
    expect("the events", EVENTS.wanted(rows), EVENTS.seen(events, table[0]), unreported(seen, 1))


@then("in any order, the events are", EVENTS)
def events_in_any_order_are(seen: Observation, table: Table) -> None:
    """All events of run 1 in any order, in the columns of the table."""
    EVENTS.compare("the events, sorted", table, events_of(seen), sort=True, hint=unreported(seen, 1))


@then("the events of the agent are", EVENTS)
def events_of_the_agent_are(seen: Observation, table: Table) -> None:
    """All events of run 1 but the custom ones, in order."""
    events = (event for event in events_of(seen) if _kind(event) != "custom")
    EVENTS.compare("the events", table, events, hint=unreported(seen, 1))


@then("the stream ends with one error")
def stream_ends_with_one_error(seen: Observation) -> None:
    """The last event of run 1 is an error, and no other event is."""
    kinds = [_kind(event) for event in events_of(seen)]
    if kinds[-1:] != ["error"] or kinds.count("error") != 1:
        raise Mismatch("the events", "one error, and it is the last", kinds, unreported(seen, 1))


@then("the trace of run {run:d} is", agent="agent")
@then("the trace is", agent="agent", run=1)
@then(
    'the trace of "{agent}" is',
    meaning="All calls of the sub-agent in run 1, in the order in which they began. Indentation is nesting.",
    run=1,
)
def trace_is(seen: Observation, docstring: str, agent: str, run: int) -> None:
    """All calls of the agent in the run but those of factories, in the order in which they began.

    Indentation is nesting.
    """
    spans = [span for span in spans_of(seen, agent, run) if not span.name.startswith("create ")]
    expect("the trace", docstring.rstrip().splitlines(), trace(spans))


@then('around the tool call "{call}", the trace is')
def trace_around_tool_call_is(seen: Observation, docstring: str, call: str) -> None:
    """All calls around one tool call and inside it. Calls of other tools do not count."""
    runs = [run.n for run in seen.tool_runs if run.call.id == call]
    hooks = [hook.n for hook in seen.hooks if hook.call_id == call]
    around = {span.n for span in seen.spans if span.n + 1 in {*runs, *hooks}}
    spans = [span for span in seen.spans if span.n in around or span.inside in around]
    expect("the trace", docstring.rstrip().splitlines(), trace(spans))


@then("the trace of run {run:d} has, in this order")
@then("the trace has, in this order", run=1)
def trace_has(seen: Observation, docstring: str, run: int) -> None:
    """The calls of the run, in all agents, include these in order. Other calls can lie between them."""
    wanted = [line.strip() for line in docstring.splitlines() if line.strip()]
    if not wanted:
        raise PhraseError(f"{docstring!r} names no call")
    lines = [line_of(span) for span in spans_of(seen, run=run)]
    rest = iter(lines)
    require(all(line in rest for line in wanted), "the trace", wanted, lines)


@then('"{line}" is called {times:Times}')
def call_happens(seen: Observation, line: str, times: int) -> None:
    """How often the call is made in all runs together, as a line of a trace names it."""
    expect(f"how often {line!r} is called", times, [line_of(span) for span in seen.spans].count(line))


@then('"{line}" is never called')
def call_never_happens(seen: Observation, line: str) -> None:
    """The call is not made, and at least one other call is made."""
    require(seen.spans, "the trace", "at least one call", "nothing")
    call_happens(seen, line, 0)
