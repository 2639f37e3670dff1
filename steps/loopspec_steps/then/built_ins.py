"""Then: built-in middlewares and the execution trace."""

from __future__ import annotations

from collections.abc import Iterator

from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Executed, Observation
from loopspec.contract.values import Json

from ..cells import NUMBER, TEXT, as_object, as_text
from ..declarations import ClosedList, SeenColumn, SeenColumns, Table, Word
from ..phrasebook import then
from .observed import MESSAGES, end_of, expect_messages, model_call, model_calls, success_of
from .plugins import expect_fields

OUTCOMES: ClosedList[bool] = ClosedList(
    "outcomes",
    "The outcome of an entry of the execution trace.",
    Word("success", "The execution ends without an error.", True),
    Word("failure", "The execution ends with an error.", False),
)
EXECUTIONS: SeenColumns[Executed] = SeenColumns(
    "executions",
    "The entries of the execution trace, one per row.",
    SeenColumn("node", "The key of the node of the middleware.", TEXT, lambda entry: entry.node),
    SeenColumn("inputs", "How many messages the execution receives.", NUMBER, lambda entry: len(entry.inputs)),
    SeenColumn(
        "output", "The text that the execution returns; empty without a text.", TEXT, lambda entry: entry.output or ""
    ),
    SeenColumn("outcome", "Whether the execution succeeds.", OUTCOMES, lambda entry: not entry.error),
)


@then('call {call:d} of the model "{model}" does not contain "{text}"')
def call_of_model_does_not_contain(seen: Observation, call: int, model: str, text: str) -> None:
    """No message that the call receives contains the text."""
    contents = [message.content for message in model_call(seen, call, model=model).messages]
    if any(as_text(text) in content for content in contents):
        raise Mismatch(f"the conversation of call {call} of {model}", f"without {text!r}", contents)


@then('call {call:d} of the model "{model}" ends with', MESSAGES)
def call_of_model_ends_with(seen: Observation, call: int, model: str, table: Table) -> None:
    """The last messages that the call receives. Any messages can precede them."""
    messages = model_call(seen, call, model=model).messages[-len(table) :]
    expect_messages("the end of the conversation", table, messages)


@then('the system message of call {call:d} of the model "{model}" begins with "{text}" and continues')
def system_message_continues(seen: Observation, call: int, model: str, text: str) -> None:
    """The call receives one system message, which begins with the text and has more text after it."""
    system = [message.content for message in model_call(seen, call, model=model).messages if message.role == "system"]
    if len(system) != 1 or not system[0].startswith(as_text(text)) or not system[0][len(as_text(text)) :].strip():
        raise Mismatch("the system message", f"begins with {text!r} and has more text after it", system)


@then('every call of the model "{model}" has the same system message')
def same_system_message(seen: Observation, model: str) -> None:
    """Every call receives the same single system message, and there are at least two calls."""
    calls = model_calls(seen, model=model)
    systems = [[message.content for message in call.messages if message.role == "system"] for call in calls]
    if len(calls) < 2 or any(len(one) != 1 or one != systems[0] for one in systems):
        raise Mismatch("the system messages", "the same one in each of several calls", systems)


@then("the run fails, or afterwards the state includes {state}")
def fails_or_holds(seen: Observation, state: str) -> None:
    """Run 1 ends with an error, or the final state has these fields."""
    end = end_of(seen, 1)
    if end.error is None:
        expect_fields("the state afterwards", as_object(state), end.state)


@then("the execution trace is", EXECUTIONS)
def execution_trace_is(seen: Observation, table: Table) -> None:
    """The entries of the execution trace in order, in the columns of the table."""
    EXECUTIONS.compare("the execution trace", table, seen.executions)


@then("the execution trace has one entry")
def execution_trace_has_one(seen: Observation) -> None:
    """The execution trace of a successful run has exactly one entry."""
    execution_trace_has(seen, 1)


@then("the execution trace has {count:d} entries")
def execution_trace_has(seen: Observation, count: int) -> None:
    """The execution trace of a successful run has exactly this many entries."""
    success_of(seen, 1)
    expect("how many entries the execution trace has", count, len(seen.executions))


@then("the execution trace is empty")
def execution_trace_is_empty(seen: Observation) -> None:
    """The execution trace of a successful run has no entry."""
    success_of(seen, 1)
    expect("the execution trace", [], [one.node for one in seen.executions])


@then("each config schema is complete, with labels in the languages of its strategy")
def schemas_are_whole(seen: Observation) -> None:
    """Every reference in a listed config schema resolves, and every `x-label` has the languages of the strategy's
    label. At least one strategy has a schema.
    """
    schemas = {one.provider: one.meta for one in seen.strategies if one.meta and one.meta.config_schema}
    if not schemas:
        raise Mismatch("the config schemas", "at least one", [one.provider for one in seen.strategies])
    for provider, meta in schemas.items():
        found = list(_parts(meta.config_schema))
        lost = [part["$ref"] for part in found if "$ref" in part and not _leads(part["$ref"], meta.config_schema)]
        expect(f"the references in the schema of {provider} that lead nowhere", [], lost)
        labels = [part["x-label"] for part in found if "x-label" in part]
        wanted = sorted(meta.label)
        expect(f"the labels of {provider} in other languages", [], [one for one in labels if sorted(one) != wanted])


def _parts(schema: Json) -> Iterator[dict[str, Json]]:
    """All objects in a schema."""
    if isinstance(schema, dict):
        yield schema
    if isinstance(schema, dict | list):
        for part in schema.values() if isinstance(schema, dict) else schema:
            yield from _parts(part)


def _leads(reference: str, schema: Json) -> bool:
    """Whether a reference leads to a part of the schema itself."""
    start, *path = reference.split("/")
    for step in path:
        schema = schema.get(step) if isinstance(schema, dict) else None
    return start == "#" and isinstance(schema, dict)
