"""Then: the states of middlewares, the order of their hooks, built-in middlewares and the execution trace."""

from __future__ import annotations

import json
from collections.abc import Mapping

from loopspec.contract.calls import View
from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Executed, Observation
from loopspec.contract.values import Json

from ..cells import NUMBER, TEXT, as_object, as_text, names
from ..declarations import ClosedList, SeenColumn, SeenColumns, Table, Word
from ..holes import HOOKS_IN_ORDER, hook_of
from ..phrasebook import then
from .hooks import call_at
from .observed import (
    MESSAGES,
    end_of,
    errors_of,
    expect_log,
    expect_names,
    model_call,
    model_calls,
    parts_of,
    require,
    success_of,
)


def _view(seen: Observation, where: str, name: str) -> View:
    return call_at(seen, name, where).view or View()


def _context(seen: Observation, where: str, name: str) -> Mapping[str, Json]:
    return _view(seen, where, name).context or {}


def _expect_fields(what: str, wanted: str, found: Mapping[str, Json]) -> None:
    """The fields of a JSON object are among those that are found."""
    fields = as_object(wanted)
    expect(what, fields, {key: found[key] for key in fields if key in found})


@then('{where:Where}, "{name}" sees the state {state}')
def middleware_sees_state(seen: Observation, where: str, name: str, state: str) -> None:
    """The middleware's own state, as its hook receives it, has these fields. Other fields are not compared."""
    _expect_fields("the state", state, _view(seen, where, name).own)


@then('{where:Where}, "{name}" sees no "{key}" in its state')
def middleware_sees_no_field(seen: Observation, where: str, name: str, key: str) -> None:
    """The middleware's own state, as its hook receives it, has no value under the key."""
    expect(f"the field {key!r} of the state", None, _view(seen, where, name).own.get(key))


@then('building the agent fails, or {where:Where}, "{name}" sees the state {state}', waives={"runs"})
def building_fails_or_middleware_sees_state(seen: Observation, where: str, name: str, state: str) -> None:
    """The state that the hook receives has these fields, unless building the agent fails, or the run fails before any
    hook or model is called.
    """
    if not errors_of(seen) or seen.hooks or seen.model_calls:
        middleware_sees_state(seen, where, name, state)


@then('{where:Where}, "{name}" sees the runtime context {context}')
def middleware_sees_context(seen: Observation, where: str, name: str, context: str) -> None:
    """The runtime context that the hook can read has these fields. Other fields are not compared."""
    _expect_fields("the runtime context", context, _context(seen, where, name))


@then('{where:Where}, "{name}" sees no "{key}" in the runtime context')
def middleware_sees_no_context(seen: Observation, where: str, name: str, key: str) -> None:
    """The runtime context that the hook receives has no value under the key."""
    expect(f"{key!r} in the runtime context", None, _context(seen, where, name).get(key))


@then('the runtime context that "{name}" sees never changes')
def context_never_changes(seen: Observation, name: str) -> None:
    """All hooks of the middleware receive the same runtime context in all runs, and at least two are called."""
    calls = [call for call in seen.hooks if call.handler == name]
    require(len(calls) >= 2, f"how often {name} is called", "at least 2", len(calls))
    views = [call.view.context if call.view else None for call in calls]
    expect("the runtime contexts that differ", [], [view for view in views if view != views[0]])


@then("afterwards the state includes {state}")
def final_state_includes(seen: Observation, state: str) -> None:
    """The states of the middlewares after run 1 have these fields. Other fields are not compared."""
    _expect_fields("the state afterwards", state, end_of(seen, 1).state)


@then("the run fails, or afterwards the state includes {state}")
def run_fails_or_final_state_includes(seen: Observation, state: str) -> None:
    """Run 1 ends with an error, or the final state has these fields."""
    if end_of(seen, 1).error is None:
        final_state_includes(seen, state)


@then('afterwards the state has no "{key}"')
def final_state_has_no(seen: Observation, key: str) -> None:
    """Run 1 succeeds, and the states of the middlewares have no value under the key."""
    expect(f"the field {key!r} afterwards", None, success_of(seen, 1).state.get(key))


@then("afterwards the state contains the texts {texts}", one='afterwards the state contains the text "{texts}"')
def final_state_contains_texts(seen: Observation, texts: str) -> None:
    """The states of the middlewares after run 1 contain each text, in any field and form."""
    kept = [part for part in parts_of(success_of(seen, 1).state) if isinstance(part, str)]
    missing = [text for text in names(texts) if not any(text in one for one in kept)]
    expect("the texts missing from the state", [], missing)


@then('no stored state of run 1 contains "{text}"')
def no_stored_state_contains(seen: Observation, text: str) -> None:
    """The state, the session and the checkpoint after run 1 do not contain the text.

    The run succeeds or is interrupted. An interrupted run has a checkpoint.
    """
    end = success_of(seen, 1)
    left = json.dumps([end.state, end.session], ensure_ascii=False)
    require(text not in left, "the state and the session after run 1", f"without {text!r}", left)
    require(end.checkpoint is not None or not end.interrupted, "the checkpoint of run 1", "there is one", "none")
    stored = (end.checkpoint or b"").decode(errors="replace")
    require(text not in stored, "the checkpoint of run 1", f"without {text!r}", stored)


@then('the hooks of "{name}" are, in this order, {hooks}', hooks=HOOKS_IN_ORDER)
def hooks_are(seen: Observation, name: str, hooks: str) -> None:
    """All calls of the middleware's hooks in all runs, in order."""
    called = [call.hook for call in seen.hooks if call.handler == name]
    expect(f"the hooks of {name}", list(HOOKS_IN_ORDER.read(hooks)), called)


@then(
    "{hook:Where}, the middlewares are called in the order {order}",
    one='{hook:Where}, only the middleware "{order}" is called',
)
def middlewares_are_called_in_order(seen: Observation, hook: str, order: str) -> None:
    """All calls of the hook in run 1, in order, of any middleware."""
    wanted = hook_of(hook)
    called = [call.handler for call in seen.hooks if call.hook == wanted and call.run == "1"]
    expect_names(f"the middlewares called {wanted}", order, called)


@then("{hook:Where}, no middleware is called")
def no_middleware_is_called(seen: Observation, hook: str) -> None:
    """The run succeeds, and no middleware is called in the hook."""
    success_of(seen, 1)
    expect(f"the middlewares called {hook}", [], [call.handler for call in seen.hooks if call.hook == hook_of(hook)])


def _system_messages(seen: Observation, call: int, model: str) -> list[str]:
    return [message.content for message in model_call(seen, call, model=model).messages if message.role == "system"]


@then('call {call:d} of the model "{model}" does not contain "{text}"')
def call_of_model_does_not_contain(seen: Observation, call: int, model: str, text: str) -> None:
    """No message that the call receives contains the text."""
    contents = [message.content for message in model_call(seen, call, model=model).messages]
    without = not any(as_text(text) in content for content in contents)
    require(without, f"the conversation of call {call} of {model}", f"without {text!r}", contents)


@then('call {call:d} of the model "{model}" ends with', MESSAGES)
def call_of_model_ends_with(seen: Observation, call: int, model: str, table: Table) -> None:
    """The last messages that the call receives. Any messages can precede them."""
    last = model_call(seen, call, model=model).messages[-len(table) :]
    MESSAGES.compare("the end of the conversation", table, last)


@then('the system message of call {call:d} of the model "{model}" begins with "{text}" and continues')
def system_message_continues(seen: Observation, call: int, model: str, text: str) -> None:
    """The call receives one system message, which begins with the text and has more text after it."""
    start, system = as_text(text), _system_messages(seen, call, model)
    if len(system) != 1 or not system[0].startswith(start) or not system[0][len(start) :].strip():
        raise Mismatch("the system message", f"begins with {text!r} and has more text after it", system)


@then('every call of the model "{model}" has the same system message')
def every_call_has_the_same_system_message(seen: Observation, model: str) -> None:
    """Every call receives the same single system message, and there are at least two calls."""
    count = len(model_calls(seen, model=model))
    systems = [_system_messages(seen, call, model) for call in range(1, count + 1)]
    same = count > 1 and all(len(one) == 1 and one == systems[0] for one in systems)
    require(same, "the system messages", "the same one in each of several calls", systems)


OUTCOMES: ClosedList[bool] = ClosedList(
    "outcomes",
    "The outcome of an entry of the execution trace.",
    Word("success", "The execution ends without an error.", True),
    Word("failure", "The execution ends with an error.", False),
)
EXECUTIONS: SeenColumns[Executed] = SeenColumns(
    "executions",
    "The entries of the execution trace, one per row.",
    SeenColumn("node", "The key of the node of the middleware.", TEXT),
    SeenColumn("inputs", "How many messages the execution receives.", NUMBER, lambda entry: len(entry.inputs)),
    SeenColumn(
        "output", "The text that the execution returns; empty without a text.", TEXT, lambda entry: entry.output or ""
    ),
    SeenColumn("outcome", "Whether the execution succeeds.", OUTCOMES, lambda entry: not entry.error),
)


@then("the execution trace is", EXECUTIONS)
def execution_trace_is(seen: Observation, table: Table) -> None:
    """The entries of the execution trace in order, in the columns of the table."""
    EXECUTIONS.compare("the execution trace", table, seen.executions)


@then("the execution trace has {count:d} entries")
@then("the execution trace is empty", meaning="The execution trace of a successful run has no entry.", count=0)
@then("the execution trace has one entry", meaning="A successful run has exactly one entry.", count=1)
def execution_trace_has(seen: Observation, count: int) -> None:
    """The execution trace of a successful run has exactly this many entries."""
    success_of(seen, 1)
    expect("how many entries the execution trace has", count, len(seen.executions))


@then('a warning that names "{name}" is logged')
def warning_is_logged(seen: Observation, name: str) -> None:
    """The default log of the implementation has a line with the name."""
    expect_log(seen, name)


@then("no warning is logged")
def no_warning_is_logged(seen: Observation) -> None:
    """The default log of the implementation has no warning. Lines of lower levels do not count."""
    expect("the warnings in the log", [], list(seen.log))
