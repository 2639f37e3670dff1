"""Then: how runs end, and what model calls receive."""

from __future__ import annotations

from itertools import permutations

from loopspec.contract.interrupts import tool_and_call
from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Event, Observation
from loopspec.contract.values import ErrorKind

from ..cells import as_text, names
from ..declarations import ClosedList, Table, Word
from ..phrasebook import then, waives
from .failures import expect_code, expect_kind, how_it_ended, swallowed
from .observed import MESSAGES, end_of, events_of, expect_messages, model_call

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


@then("run {run:d} succeeds")
def one_run_succeeds(seen: Observation, run: int) -> None:
    """The run ends without an error and without an interrupt."""
    end = end_of(seen, run)
    if end.error or end.interrupted:
        raise Mismatch(f"how run {run} ends", "without an error, and not interrupted", how_it_ended(end))


@then("the run fails")
def the_run_fails(seen: Observation) -> None:
    """Run 1 ends with an error of any kind."""
    end = end_of(seen, 1)
    if end.error is None:
        raise Mismatch("how run 1 ends", "in an error", how_it_ended(end), swallowed(seen, end))


@then('the run fails with the error "{code}"')
def the_run_fails_with(seen: Observation, code: str) -> None:
    """Run 1 ends with the error that has this code, or with an error that this error caused."""
    expect_code(seen, end_of(seen, 1), code)


@then('the run fails with an error that names "{name}"')
def the_run_fails_naming(seen: Observation, name: str) -> None:
    """Run 1 ends with an error whose message contains the name."""
    end = end_of(seen, 1)
    if end.error is None or name not in end.error.message:
        raise Mismatch("the error of run 1", f"one that names {name!r}", end.error or how_it_ended(end))


@then("the run fails because {reason}", reason=REASONS)
def the_run_fails_because(seen: Observation, reason: str) -> None:
    """Run 1 ends with an error of the kind."""
    _fails_because(seen, 1, reason)


@then("run {run:d} fails because {reason}", reason=REASONS)
def a_run_fails_because(seen: Observation, run: int, reason: str) -> None:
    """The run ends with an error of the kind."""
    _fails_because(seen, run, reason)


def _fails_because(seen: Observation, run: int, reason: str) -> None:
    end = end_of(seen, run)
    expect_kind(f"the kind of the error of run {run}", REASONS.read(reason), end.error, how_it_ended(end))


@then('the retries are exhausted, with the last error "{code}"')
def retries_spent(seen: Observation, code: str) -> None:
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
    if not end.interrupted:
        raise Mismatch(f"how run {run} ends", "interrupted, so that it can be resumed", how_it_ended(end))


@then("run {run:d} is interrupted by {tools}")
def run_is_interrupted_by(seen: Observation, run: int, tools: str) -> None:
    """The run ends without an error, and exactly the calls of these tools interrupt it, in any order."""
    end = end_of(seen, run)
    if end.error or not end.interrupted:
        raise Mismatch(f"how run {run} ends", "interrupted, and without an error", how_it_ended(end))
    interrupting = sorted(tool_and_call(one.info)[0] for one in end.interrupts)
    expect("the tools that interrupted the run", sorted(names(tools)), interrupting)


@then('building the agent fails with an error that names "{name}"')
@waives("runs")
def the_agent_is_refused_naming(seen: Observation, name: str) -> None:
    """Building the agent fails, and the message of the error contains the name.

    Underscores can replace the spaces of the name.
    """
    message = seen.created.message if seen.created else ""
    if name not in message and name.replace(" ", "_") not in message:
        raise Mismatch("the error of building the agent", f"one that names {name!r}", seen.created or "no error")


@then("building the agent fails")
@waives("runs")
def the_agent_is_refused(seen: Observation) -> None:
    """Building the agent fails with any error. No model is called."""
    if seen.created is None:
        raise Mismatch("building the agent", "fails", "succeeds")
    expect("the number of model calls", 0, len(seen.model_calls))


@then("building the agent fails because {reason}", reason=REASONS)
@waives("runs")
def the_agent_is_refused_because(seen: Observation, reason: str) -> None:
    """Building the agent fails with an error of the kind."""
    expect_kind("the kind of the error of building the agent", REASONS.read(reason), seen.created)


@then(
    'either building the agent fails because {reason}, or the model "{model}" is called {times:Times}', reason=REASONS
)
@waives("runs")
def refused_or_calls(seen: Observation, reason: str, model: str, times: int) -> None:
    """Building the agent fails with an error of the kind, or the model is called so often in all runs."""
    if seen.created is not None:
        expect_kind("the kind of the error of building the agent", REASONS.read(reason), seen.created)
    else:
        expect(f"the number of calls of {model}", times, sum(call.model == model for call in seen.model_calls))


@then("building the agent fails, or the run fails before any model call")
@waives("runs")
def refused_or_fails(seen: Observation) -> None:
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


def text_of(event: Event) -> str:
    """The text of an event's message, or of its chunks together."""
    messages = [event.message] if event.message else list(event.chunks or ())
    return "".join(message.text for message in messages)


@then('the final answer is "{text}"')
def the_final_answer(seen: Observation, text: str) -> None:
    """Run 1 succeeds, and the final answer has this content.

    The final answer is the reported one; if the adapter reports none, the last message of the event stream.
    """
    one_run_succeeds(seen, 1)
    expect("the final answer", as_text(text), final_text(seen))


@then('the final answer of run {run:d} is "{text}"')
def the_final_answer_of(seen: Observation, run: int, text: str) -> None:
    """The run succeeds, and the final answer has this content.

    The final answer is the reported one; if the adapter reports none, the last message of the event stream.
    """
    one_run_succeeds(seen, run)
    expect("the final answer", as_text(text), final_text(seen, run))


@then('afterwards the session has the value "{value}" under "{key}"')
def session_holds(seen: Observation, key: str, value: str) -> None:
    """The session after run 1 has the value under the key."""
    expect(f"the session value {key!r}", value, end_of(seen, 1).session.get(key))


@then('after run {run:d}, the session has the value "{value}" under "{key}"')
def session_of_run_holds(seen: Observation, run: int, key: str, value: str) -> None:
    """The session after the run has the value under the key."""
    expect(f"the session value {key!r}", value, end_of(seen, run).session.get(key))


@then('afterwards the session has no "{key}"')
def session_does_not_hold(seen: Observation, key: str) -> None:
    """The session after run 1 has no value under the key."""
    session = end_of(seen, 1).session
    if key in session:
        raise Mismatch("the keys of the session", f"{key!r} is not among them", sorted(session))


OUTSIDE: ClosedList[str] = ClosedList(
    "actions outside a run",
    "An action that needs a run, tried outside any run.",
    Word("setting a run-local value", "Setting a run-local value.", "set"),
    Word("reading a run-local value", "Reading a run-local value.", "get"),
    Word("deleting a run-local value", "Deleting a run-local value.", "delete"),
    Word("sending an event", "Sending a custom event.", "send event"),
)


@then("outside a run, {action} fails", action=OUTSIDE)
def it_is_an_error(seen: Observation, action: str) -> None:
    """The action outside any run is an error."""
    errors = [one.error for one in seen.outside if one.what == OUTSIDE.read(action)]
    if len(errors) != 1 or errors[0] is None:
        raise Mismatch(f"outside a run, {action}", "an error", "no error" if errors else "was not tried")


@then("model call {call:d} receives", MESSAGES)
def model_call_receives(seen: Observation, call: int, table: Table) -> None:
    """The whole conversation that call n receives, of any model and in any run."""
    _receives(seen, None, call, table)


@then('the last message of model call {call:d} is "{text}" or "{other}"')
def last_is_either(seen: Observation, call: int, text: str, other: str) -> None:
    """The last message that call n receives is one of the two texts."""
    last = [message.content for message in model_call(seen, call).messages[-1:]]
    if last not in ([text], [other]):
        raise Mismatch(f"the last message of model call {call}", f"{text!r} or {other!r}", last)


@then("in any order, model call {call:d} receives the results", MESSAGES)
def model_call_receives_results(seen: Observation, call: int, table: Table) -> None:
    """The tool messages that call n receives, in any order."""
    results = [message for message in model_call(seen, call).messages if message.role == "tool"]
    expect_messages("the results", table, results, sort=True)


@then('the system message of model call {call:d} is "{text}", and after it, in any order, {texts}')
def system_message_is(seen: Observation, call: int, text: str, texts: str) -> None:
    """The system message begins with the first text.

    The other texts follow in any order, each once. White space does not count.
    """
    system = [message.content for message in model_call(seen, call).messages if message.role == "system"]
    orders = [" ".join([as_text(text), *order]) for order in permutations(names(texts))]
    if len(system) != 1 or " ".join(system[0].split()) not in orders:
        raise Mismatch("the system message", orders, system)


@then('call {call:d} of the model "{model}" receives', MESSAGES)
def call_of_model_receives(seen: Observation, call: int, model: str, table: Table) -> None:
    """The whole conversation that call n of one model receives."""
    _receives(seen, model, call, table)


def _receives(seen: Observation, model: str | None, number: int, table: Table) -> None:
    call = model_call(seen, number, model=model)
    expect_messages("the conversation", table, call.messages)
