"""Then: how runs of a loop ended."""

from __future__ import annotations

from itertools import permutations

from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Event, Observation
from loopspec.contract.values import ErrorKind

from ..cells import as_text, names, one_of
from ..phrasebook import Table, then
from .observed import end_of, events_of, expected_rows, model_call, rows_of

_REASONS: dict[str, ErrorKind] = {
    "its iteration limit is reached": "max_iterations",
    "a tool is unknown": "unknown_tool",
    "its instruction cannot be rendered": "instruction",
    "all retries are spent": "retries_exhausted",
    "it was cancelled": "cancel",
    "a hook has returned what it must not": "hook",
    "a jump goes where it must not": "jump",
    "its middlewares cannot work": "strategy",
    "its options are impossible": "options",
    "its workflow is impossible": "graph",
    "it would end with nothing": "nothing_returned",
}


@then("run {run:d} succeeds")
def one_run_succeeds(seen: Observation, run: int) -> None:
    """It ends without an error, and not in an interrupt."""
    end = end_of(seen, run)
    expect(f"how run {run} ends", (None, False), (end.error, end.interrupted))


@then("the run fails")
def the_run_fails(seen: Observation) -> None:
    """Run 1 ends in an error, whichever; and the harness was not left waiting."""
    if end_of(seen, 1).error is None:
        raise Mismatch("how run 1 ends", "in an error", end_of(seen, 1))


@then('the run fails with the error "{code}"')
def the_run_fails_with(seen: Observation, code: str) -> None:
    """Run 1 ends in the error that a double raised, itself or as a cause."""
    error = end_of(seen, 1).error
    expect("the error of run 1", code, error and (error.code or error.kind))


@then('the run fails, and "{name}" is named')
def the_run_fails_naming(seen: Observation, name: str) -> None:
    """Run 1 ends in an error that says what it is about."""
    error = end_of(seen, 1).error
    if error is None or name not in error.message:
        raise Mismatch("the error of run 1", f"one that names {name!r}", error)


@then("the run fails because {reason}")
def the_run_fails_because(seen: Observation, reason: str) -> None:
    """Run 1 ends in an error of a kind of its own."""
    error = end_of(seen, 1).error
    expect("the kind of the error of run 1", one_of(reason, _REASONS), error and error.kind)


@then("run {run:d} fails because {reason}")
def a_run_fails_because(seen: Observation, run: int, reason: str) -> None:
    """The same, of another run."""
    error = end_of(seen, run).error
    expect(f"the kind of the error of run {run}", one_of(reason, _REASONS), error and error.kind)


@then('all retries are spent, at last with the error "{code}"')
def retries_spent(seen: Observation, code: str) -> None:
    """Run 1 ends in an error that says so and carries the last one."""
    error = end_of(seen, 1).error
    expect("the error of run 1", "retries_exhausted", error and error.kind)
    expect("the error it carries", code, error and error.cause and error.cause.code)


@then("run {run:d} is interrupted")
def run_is_interrupted(seen: Observation, run: int) -> None:
    """It can be resumed from where it stopped; whatever else it says of its end."""
    expect(f"whether run {run} can be resumed", True, end_of(seen, run).interrupted)


@then("run {run:d} is interrupted by {tools}")
def run_is_interrupted_by(seen: Observation, run: int, tools: str) -> None:
    """It ends without an error and names these tools' calls, in any order, and no others."""
    end = end_of(seen, run)
    expect(f"how run {run} ends", (None, True), (end.error, end.interrupted))
    expect("what has interrupted", sorted(names(tools)), sorted(str(one.info) for one in end.interrupts))


@then('the agent is refused, and "{name}" is named')
def the_agent_is_refused_naming(seen: Observation, name: str) -> None:
    """It could not be built, and the error says what is the matter; for spaces in the name there may be underscores."""
    message = seen.created.message if seen.created else ""
    if name not in message and name.replace(" ", "_") not in message:
        raise Mismatch("the error of the agent", f"one that names {name!r}", seen.created or "none")


@then("the agent is refused because {reason}")
def the_agent_is_refused_because(seen: Observation, reason: str) -> None:
    """It could not be built, by an error of a kind of its own."""
    expect("the kind of the error of the agent", one_of(reason, _REASONS), seen.created and seen.created.kind)


@then("the agent is refused, or the run fails before any model call")
def refused_or_fails(seen: Observation) -> None:
    """Whichever comes first; the model is not reached."""
    if seen.created is None and end_of(seen, 1).error is None:
        raise Mismatch("the agent", "is refused, or its run fails", "neither")
    expect("the model calls", (), seen.model_calls)


def final_text(seen: Observation, run: int = 1) -> str | None:
    """The text of the last message that a run's stream shows."""
    shown = [event for event in events_of(seen, run) if event.message or event.chunks is not None]
    return text_of(shown[-1]) if shown else None


def text_of(event: Event) -> str:
    """The text of an event's message, or of its chunks together."""
    messages = [event.message] if event.message else list(event.chunks or ())
    return "".join(message.content or "".join(part.text for part in message.parts) for message in messages)


@then('the final answer is "{text}"')
def the_final_answer(seen: Observation, text: str) -> None:
    """Run 1 succeeds, and the last message of its stream says this."""
    one_run_succeeds(seen, 1)
    expect("the final answer", as_text(text), final_text(seen))


@then('the final answer of run {run:d} is "{text}"')
def the_final_answer_of(seen: Observation, run: int, text: str) -> None:
    """The same, of another run."""
    one_run_succeeds(seen, run)
    expect("the final answer", as_text(text), final_text(seen, run))


@then('afterwards the session holds "{key}" as "{value}"')
def session_holds(seen: Observation, key: str, value: str) -> None:
    """In the session that run 1 leaves."""
    expect(f"the session value {key!r}", value, end_of(seen, 1).session.get(key))


@then('afterwards the session does not hold "{key}"')
def session_does_not_hold(seen: Observation, key: str) -> None:
    """In the session that run 1 leaves there is nothing under the key."""
    expect("the keys of the session", False, key in end_of(seen, 1).session)


@then("sending an event is refused")
def sending_is_refused(seen: Observation) -> None:
    """Of the things that are for the inside of runs, this one; whatever becomes of the others."""
    expect("whether it is refused", [True], [one.error is not None for one in seen.outside if one.what == "send event"])


_OUTSIDE = {
    "keep a run-local value": "set",
    "look up a run-local value": "get",
    "forget a run-local value": "delete",
}


@then("it is an error to {action}")
def it_is_an_error(seen: Observation, action: str) -> None:
    """One of the things that are for the inside of runs, tried outside."""
    errors = [one.error for one in seen.outside if one.what == one_of(action, _OUTSIDE)]
    expect(f"whether it is an error to {action}", [True], [error is not None for error in errors])


@then("model call {call:d} receives")
def model_call_receives(seen: Observation, call: int, table: Table) -> None:
    """The whole conversation of the n-th model call, of any model and in any run, in the columns given."""
    _receives(seen, None, call, table)


@then("in any order, model call {call:d} receives the results")
def model_call_receives_results(seen: Observation, call: int, table: Table) -> None:
    """The tool messages in the conversation of the n-th model call, in the columns given, where nothing orders them."""
    results = [message for message in model_call(seen, call).messages if message.role == "tool"]
    expect("the results", sorted(expected_rows(table)), sorted(rows_of(results, list(table[0]))))


@then('the system message of model call {call:d} is "{text}", and after it, in any order, {texts}')
def system_message_is(seen: Observation, call: int, text: str, texts: str) -> None:
    """Its whole text but for white space: it begins with the one, and the others follow, each once."""
    system = [message.content for message in model_call(seen, call).messages if message.role == "system"]
    orders = [" ".join([as_text(text), *order]) for order in permutations(names(texts))]
    if len(system) != 1 or " ".join(system[0].split()) not in orders:
        raise Mismatch("the system message", orders, system)


@then('call {call:d} of the model "{model}" receives')
def call_of_model_receives(seen: Observation, call: int, model: str, table: Table) -> None:
    """The same, of one model."""
    _receives(seen, model, call, table)


def _receives(seen: Observation, model: str | None, number: int, table: Table) -> None:
    call = model_call(seen, number, model=model)
    expect("the conversation", expected_rows(table), rows_of(call.messages, list(table[0])))
