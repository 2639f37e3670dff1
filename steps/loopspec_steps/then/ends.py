"""Then: how runs end, cancel requests, and actions outside a run."""

from __future__ import annotations

from collections.abc import Sequence

from loopspec.contract.doubles import tool_and_call
from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Cancelled, Event, Observation, Waited
from loopspec.contract.values import ErrorKind, Message

from ..cells import YES_NO, as_text
from ..declarations import ClosedList, SeenColumn, SeenColumns, Table, Word
from ..holes import FAULTS, CancelMode
from ..phrasebook import then
from .observed import (
    end_of,
    errors_of,
    events_of,
    expect_code,
    expect_kind,
    expect_kind_through,
    expect_names,
    how_it_ended,
    line_of,
    require,
    swallowed,
)

REASONS: ClosedList[ErrorKind] = ClosedList(
    "reasons",
    "The kind of the error with which a run fails, or with which building an agent fails.",
    Word("the iteration limit is reached", "The run needs more model calls than the limit allows.", "max_iterations"),
    Word("a tool is unknown", "The model calls a tool that the agent does not have.", "unknown_tool"),
    Word("the instruction cannot be rendered", "A placeholder of the instruction has no value.", "instruction"),
    Word("the run was cancelled", "The caller cancelled the run.", "cancel"),
    Word("a hook or a tool returned an invalid value", "A hook, wrapper or tool returned an invalid value.", "hook"),
    Word("a jump has an unknown or undeclared target", "A jump has a target that is unknown or not allowed.", "jump"),
    Word("the middlewares are in conflict", "The middlewares of the agent cannot work together.", "strategy"),
    Word("the options are invalid", "The options of a strategy are invalid.", "options"),
    Word("the workflow is invalid", "The workflow is invalid.", "graph"),
    Word("nothing was returned", "The run would end without an answer.", "nothing_returned"),
)


@then("the run succeeds")
def run_succeeds(seen: Observation) -> None:
    """Every run ends without an error, and there is at least one run."""
    expect("the errors", [], errors_of(seen))
    require(seen.runs, "the runs", "at least one", "none")


@then("run {run:d} succeeds")
def one_run_succeeds(seen: Observation, run: int) -> None:
    """The run ends without an error and without an interrupt."""
    end = end_of(seen, run)
    if end.error or end.interrupted:
        raise Mismatch(f"how run {run} ends", "without an error, and not interrupted", how_it_ended(end))


@then("the run fails", meaning="Run 1 ends with an error of any kind.", run=1)
@then("run {run:d} fails")
def run_fails(seen: Observation, run: int) -> None:
    """The run ends with an error of any kind."""
    end = end_of(seen, run)
    if end.error is None:
        raise Mismatch(f"how run {run} ends", "in an error", how_it_ended(end), swallowed(seen, end))


@then('the run fails with the error "{code}"')
def run_fails_with_error(seen: Observation, code: str) -> None:
    """Run 1 ends with the error that has this code, or with an error that this error caused."""
    expect_code(seen, end_of(seen, 1), code)


@then('the run fails with an error that names "{name}"')
def run_fails_naming(seen: Observation, name: str) -> None:
    """Run 1 ends with an error whose message contains the name."""
    end = end_of(seen, 1)
    if end.error is None or name not in end.error.message:
        raise Mismatch("the error of run 1", f"one that names {name!r}", end.error or how_it_ended(end))


@then("run {run:d} fails because {reason}", reason=REASONS)
@then("the run fails because {reason}", reason=REASONS, run=1)
def run_fails_because(seen: Observation, run: int, reason: str) -> None:
    """The run ends with an error of the kind."""
    end = end_of(seen, run)
    expect_kind(f"the kind of the error of run {run}", REASONS.read(reason), end.error, how_it_ended(end))


@then("run {run:d} fails with {fault}", fault=FAULTS)
def run_fails_with_fault(seen: Observation, run: int, fault: str) -> None:
    """The run ends with the error, or with an error that this error caused."""
    ends = [end for end in seen.runs if end.run == str(run)]
    expect(f"how often run {run} ends", 1, len(ends))
    what = f"the kind of the error of run {run}"
    expect_kind_through(what, FAULTS.read(fault).kind, ends[0].error, how_it_ended(ends[0]))


@then('the retries are exhausted, with the last error "{code}"')
def retries_are_exhausted(seen: Observation, code: str) -> None:
    """Run 1 ends with an error for spent retries, which carries the last error."""
    end = end_of(seen, 1)
    expect_kind("the kind of the error of run 1", "retries_exhausted", end.error, how_it_ended(end))
    cause = end.error and end.error.cause
    if cause is None or cause.code != code:
        hint = "in Python, the last error is the attribute `last` of the exception" if cause is None else ""
        raise Mismatch("the error that the spent retries carry", f"the error {code}", cause or "none", hint)


@then("run {run:d} is interrupted")
def run_is_interrupted(seen: Observation, run: int) -> None:
    """The run can be resumed from its checkpoint, with or without an error."""
    end = end_of(seen, run)
    require(end.interrupted, f"how run {run} ends", "interrupted, so that it can be resumed", how_it_ended(end))


@then("run {run:d} is interrupted by {tools}")
def run_is_interrupted_by(seen: Observation, run: int, tools: str) -> None:
    """The run ends without an error, and exactly the calls of these tools or handlers interrupt it, in any order."""
    end = end_of(seen, run)
    if end.error or not end.interrupted:
        raise Mismatch(f"how run {run} ends", "interrupted, and without an error", how_it_ended(end))
    interrupting = [tool_and_call(one.info)[0] for one in end.interrupts]
    expect_names("what interrupted the run", tools, interrupting, sort=True)


@then('building the agent fails with an error that names "{name}"', waives={"runs"})
def building_fails_naming(seen: Observation, name: str) -> None:
    """Building the agent fails, and the message of the error contains the name.

    Underscores can replace the spaces of the name.
    """
    message = seen.created.message if seen.created else ""
    if name not in message and name.replace(" ", "_") not in message:
        raise Mismatch("the error of building the agent", f"one that names {name!r}", seen.created or "no error")


@then("building the agent fails", waives={"runs"})
def building_fails(seen: Observation) -> None:
    """Building the agent fails with any error. No model is called."""
    require(seen.created is not None, "building the agent", "fails", "succeeds")
    expect("the number of model calls", 0, len(seen.model_calls))


@then("building the agent fails because {reason}", reason=REASONS, waives={"runs"})
def building_fails_because(seen: Observation, reason: str) -> None:
    """Building the agent fails with an error of the kind."""
    expect_kind("the kind of the error of building the agent", REASONS.read(reason), seen.created)


@then(
    'either building the agent fails because {reason}, or the model "{model}" is called {times:Times}',
    reason=REASONS,
    waives={"runs"},
)
def building_fails_or_model_is_called(seen: Observation, reason: str, model: str, times: int) -> None:
    """Building the agent fails with an error of the kind, or the model is called so often in all runs."""
    if seen.created is not None:
        building_fails_because(seen, reason)
    else:
        expect(f"the number of calls of {model}", times, sum(call.model == model for call in seen.model_calls))


@then("building the agent fails, or the run fails before any model call", waives={"runs"})
def building_or_run_fails(seen: Observation) -> None:
    """Building the agent fails, or run 1 fails. No model is called."""
    if seen.created is None and end_of(seen, 1).error is None:
        raise Mismatch("the agent", "is refused, or its run fails", "neither")
    expect("the number of model calls", 0, len(seen.model_calls))


def final_text(seen: Observation, run: int = 1) -> str | None:
    """The final answer that the adapter reports, or the text of the last message that a run's stream shows."""
    for end in seen.runs:
        if end.run == str(run) and end.final is not None:
            return end.final
    shown = [event for event in events_of(seen, run) if event.message or event.chunks is not None]
    return text_of(shown[-1]) if shown else None


def messages_of(event: Event) -> Sequence[Message]:
    """The message of an event, or its chunks."""
    return [event.message] if event.message else event.chunks or ()


def text_of(event: Event) -> str:
    """The text of an event's message, or of its chunks together."""
    return "".join(message.text for message in messages_of(event))


@then('the final answer of run {run:d} is "{text}"')
@then('the final answer is "{text}"', run=1)
def final_answer_is(seen: Observation, run: int, text: str) -> None:
    """The run succeeds, and the final answer has this content.

    The final answer is the reported one; if the adapter reports none, the last message of the event stream.
    """
    one_run_succeeds(seen, run)
    expect("the final answer", as_text(text), final_text(seen, run))


@then('after run {run:d}, the session has the value "{value}" under "{key}"')
@then('afterwards the session has the value "{value}" under "{key}"', run=1)
def session_has(seen: Observation, run: int, key: str, value: str) -> None:
    """The session after the run has the value under the key."""
    expect(f"the session value {key!r}", value, end_of(seen, run).session.get(key))


@then('afterwards the session has no "{key}"')
def session_has_no(seen: Observation, key: str) -> None:
    """The session after run 1 has no value under the key."""
    session = end_of(seen, 1).session
    require(key not in session, "the keys of the session", f"{key!r} is not among them", sorted(session))


OUTSIDE: ClosedList[str] = ClosedList(
    "actions outside a run",
    "An action that needs a run, tried outside any run.",
    Word("setting a run-local value", "Setting a run-local value.", "set"),
    Word("reading a run-local value", "Reading a run-local value.", "get"),
    Word("deleting a run-local value", "Deleting a run-local value.", "delete"),
    Word("sending an event", "Sending a custom event.", "send event"),
)


@then("outside a run, {action} fails", action=OUTSIDE)
def action_outside_a_run_fails(seen: Observation, action: str) -> None:
    """The action outside any run is an error."""
    errors = [one.error for one in seen.outside if one.what == OUTSIDE.read(action)]
    if len(errors) != 1 or errors[0] is None:
        raise Mismatch(f"outside a run, {action}", "an error", "no error" if errors else "was not tried")


RESULTS: ClosedList[str] = ClosedList(
    "results of waiting",
    "What waiting for a cancellation returns.",
    Word("cancelled", "The run was cancelled.", "cancelled"),
    Word("ended before", "The run ended before the cancellation took effect.", "ended"),
    Word("timed out", "The timeout of the request passed, and the run was cancelled at once.", "timed out"),
)
CANCELLED_AT: ClosedList[tuple[CancelMode, ...]] = ClosedList(
    "points in the error",
    "The points of the cancellation that the error of the run names.",
    Word("none", "The error names no point.", ()),
    Word("the model call", "The error names the model call.", ("after model",)),
    Word("the tool calls", "The error names the tool calls.", ("after tools",)),
    Word("either", "The error names both points.", ("after model", "after tools")),
)
REQUESTS: SeenColumns[Waited] = SeenColumns(
    "requests to cancel",
    "The requests to cancel the run in order, one per row.",
    SeenColumn("contributed", "Whether the request came before the end of the run.", YES_NO),
    SeenColumn("waiting returns", "What waiting for the cancellation returns.", RESULTS, "outcome", required=True),
    named=True,
)
CANCELLATION: SeenColumns[Cancelled] = SeenColumns(
    "cancellation of a run",
    "What the error of the cancelled run says, in one row.",
    SeenColumn("safe points", "The safe points that the caller requested.", CANCELLED_AT, "modes", required=True),
    SeenColumn("escalated", "Whether the cancellation took effect at once instead of at its point.", YES_NO),
    SeenColumn("timeout", "Whether the timeout of the request had passed.", YES_NO, "timed_out"),
    named=True,
)


@then("the cancel requests return", REQUESTS)
def cancel_requests_return(seen: Observation, table: Table) -> None:
    """The result of each request to cancel, in order."""
    REQUESTS.compare("the requests to cancel", table, seen.waits)


@then("waiting for the cancellation ends after every call has returned")
def waiting_ends_last(seen: Observation) -> None:
    """Waiting for the cancellation ends after every call has returned."""
    every_call_has_returned(seen)
    last = max(span.ended for span in seen.spans if span.ended is not None)
    require(seen.waits, "the requests to cancel", "at least one is waited for", "none is")
    first = min(one.n for one in seen.waits)
    if first < last:
        late = [line_of(span) for span in seen.spans if span.ended is not None and span.ended > first]
        raise Mismatch("the calls that returned after the waiting ended", "none", late)


@then("every call has returned")
def every_call_has_returned(seen: Observation) -> None:
    """Every call of a model, tool or handler has returned, and there was at least one call."""
    require(seen.spans, "the trace", "at least one call", "nothing")
    expect("what never returned", [], [line_of(span) for span in seen.spans if span.ended is None])


@then("the cancellation error reports", CANCELLATION)
def cancellation_error_reports(seen: Observation, table: Table) -> None:
    """What the error of the cancelled run says, in one row."""
    said = end_of(seen, 1).cancelled
    if said is None:
        raise Mismatch("how run 1 ends", "cancelled", how_it_ended(end_of(seen, 1)))
    CANCELLATION.compare("what the error says", table, [said])
