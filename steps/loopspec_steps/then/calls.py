"""Then: what models, tools, sub-agents and a custom input function receive."""

from __future__ import annotations

import json
from itertools import permutations
from typing import NamedTuple

from loopspec.contract.mismatch import Mismatch, expect, must_be_answered
from loopspec.contract.observation import ModelCall, Observation, Question, ToolRun
from loopspec.contract.values import Json, ToolInfo

from ..cells import TEXT, YES_NO, as_arguments, as_json, as_text, names
from ..declarations import Column, Columns, SeenColumn, SeenColumns, Table
from ..holes import MODES
from ..phrasebook import then
from .observed import INTERFACES, MESSAGES, expect_names, model_call, nth, require, tool_runs


def _contents(call: ModelCall) -> list[str]:
    return [message.content for message in call.messages]


@then('call {call:d} of the model "{model}" receives', MESSAGES, meaning="The conversation that the call receives.")
@then("model call {call:d} receives", MESSAGES, model=None)
def model_call_receives(seen: Observation, model: str | None, call: int, table: Table) -> None:
    """The whole conversation that call n receives, of any model and in any run."""
    MESSAGES.compare("the conversation", table, model_call(seen, call, model=model).messages)


@then("in model call {call:d}, each tool call has one result")
def each_tool_call_has_one_result(seen: Observation, call: int) -> None:
    """The results of an answer directly follow the answer, one for each of its calls. No other message is a result."""
    must_be_answered(model_call(seen, call).messages, f"model call {call}")


@then("model call {call:d} begins with the messages of model call {earlier:d}")
def model_call_begins_with_another(seen: Observation, call: int, earlier: int) -> None:
    """Call n receives all messages that an earlier call received, unchanged and in front of its other messages."""
    first = model_call(seen, earlier).messages
    expect(f"the first messages of model call {call}", first, model_call(seen, call).messages[: len(first)])


@then('the last message of model call {call:d} is "{text}" or "{other}"')
def last_message_is_either(seen: Observation, call: int, text: str, other: str) -> None:
    """The last message that call n receives is one of the two texts."""
    last = _contents(model_call(seen, call))[-1:]
    require(last in ([text], [other]), f"the last message of model call {call}", f"{text!r} or {other!r}", last)


@then("in any order, model call {call:d} receives the results", MESSAGES)
def model_call_receives_results(seen: Observation, call: int, table: Table) -> None:
    """The tool messages that call n receives, in any order."""
    results = [message for message in model_call(seen, call).messages if message.role == "tool"]
    MESSAGES.compare("the results", table, results, sort=True)


@then(
    'the system message of model call {call:d} is "{text}", and after it, in any order, {texts}',
    one='the system message of model call {call:d} is "{text}", and after it "{texts}"',
)
def system_message_is(seen: Observation, call: int, text: str, texts: str) -> None:
    """The system message begins with the first text.

    The other texts follow in any order, each once. White space does not count.
    """
    system = [message.content for message in model_call(seen, call).messages if message.role == "system"]
    orders = [" ".join([as_text(text), *order]) for order in permutations(names(texts))]
    require(len(system) == 1 and " ".join(system[0].split()) in orders, "the system message", orders, system)


@then("model call {call:d} receives no tools", tools="nothing", meaning="Call n receives no tools.")
@then("model call {call:d} receives the tools {tools}", one='model call {call:d} receives only the tool "{tools}"')
@then("in any order, model call {call:d} receives the tools {tools}", sort=True)
def model_call_receives_tools(seen: Observation, call: int, tools: str, sort: bool = False) -> None:
    """The names of the tools that call n receives, in order."""
    expect_names("the tools offered", tools, model_call(seen, call).tools, sort)


@then("from model call {call:d} on, the model receives no tools")
def model_receives_no_tools(seen: Observation, call: int) -> None:
    """Call n receives no tool, and no later call does."""
    model_call(seen, call)
    expect("the tools offered", [], [tool for one in seen.model_calls[call - 1 :] for tool in one.tools])


@then("model call {call:d} receives no deferred tools", tools="nothing", meaning="Call n receives none.")
@then(
    "model call {call:d} receives the deferred tools {tools}",
    one='model call {call:d} receives only the deferred tool "{tools}"',
)
def model_call_receives_deferred_tools(seen: Observation, call: int, tools: str) -> None:
    """The names of the deferred tools that call n receives."""
    expect_names("the deferred tools", tools, [tool.name for tool in model_call(seen, call).request.deferred_tools])


@then('model call {call:d} receives the tool search "{tool}"')
def model_call_receives_tool_search(seen: Observation, call: int, tool: str) -> None:
    """The name of the tool search that call n receives."""
    search = model_call(seen, call).request.tool_search
    expect("the tool search", tool, search and search.name)


@then("model call {call:d} is {mode:Mode}")
def model_call_is(seen: Observation, call: int, mode: str) -> None:
    """The mode in which call n requests its answer."""
    expect("the mode of the model call", mode, MODES.text_of(model_call(seen, call).request.streaming))


@then('the context of model call {call:d} has the value "{value}" under "{key}"')
def context_of_model_call_has(seen: Observation, call: int, key: str, value: str) -> None:
    """The model call receives the context value."""
    expect(f"the context value {key!r}", value, model_call(seen, call).context.get(key))


@then('the context of model call {call:d} has no "{key}"')
def context_of_model_call_has_no(seen: Observation, call: int, key: str) -> None:
    """The model call receives no such context value."""
    expect(f"whether {key!r} is in the context", False, key in model_call(seen, call).context)


def tool_run(seen: Observation, tool: str, number: int = 1) -> ToolRun:
    """The n-th call that reached a tool; there must be so many."""
    return nth(f"how often the tool {tool!r} runs", tool_runs(seen, tool), number)


@then('the tool "{tool}" runs {times:Times}')
@then('the tool "{tool}" never runs', meaning="The body of the tool does not run.", times=0)
def tool_runs_times(seen: Observation, tool: str, times: int) -> None:
    """How often the body of the tool runs in all runs together."""
    expect(f"how often the tool {tool!r} runs", times, len(tool_runs(seen, tool)))


@then('call {call:d} of the tool "{tool}" receives the arguments "{args:Text}"')
def tool_receives_arguments(seen: Observation, call: int, tool: str, args: str) -> None:
    """The arguments that the body of the tool receives. JSON is compared by value."""
    expect("the arguments", as_arguments(as_text(args)), as_arguments(tool_run(seen, tool, call).call.args))


@then('the tool "{tool}" is called as {kind}', kind=INTERFACES)
def tool_is_called_as(seen: Observation, tool: str, kind: str) -> None:
    """The interface by which the tool is called."""
    expect("the interface", INTERFACES.read(kind), tool_run(seen, tool).kind)


@then('the tool "{tool}" receives the option "{key}" with the value "{value}"')
def tool_receives_option(seen: Observation, tool: str, key: str, value: str) -> None:
    """The body of the tool receives the option."""
    expect(f"the option {key!r}", value, tool_run(seen, tool).options.get(key))


@then('the context of the tool "{tool}" has the value "{value}" under "{key}"')
def context_of_tool_has(seen: Observation, tool: str, key: str, value: str) -> None:
    """The tool receives the context value."""
    expect(f"the context value {key!r}", value, tool_run(seen, tool).context.get(key))


@then('the context of the tool "{tool}" has no "{key}"')
def context_of_tool_has_no(seen: Observation, tool: str, key: str) -> None:
    """The tool receives no such context value."""
    expect(f"whether {key!r} is in the context", False, key in tool_run(seen, tool).context)


@then('the tool "{tool}" finds "{value}" under "{key}"')
def tool_finds(seen: Observation, tool: str, key: str, value: str) -> None:
    """The run-local or session value that the body of the tool reads under the key."""
    expect(f"what is found under {key!r}", value, tool_run(seen, tool).found.get(key, "nothing"))


@then('call {call:d} of the tool "{tool}" receives its saved state')
def call_of_tool_receives_state(seen: Observation, call: int, tool: str) -> None:
    """The call receives the state that the same call stored at its interrupt."""
    _expect_state(tool_run(seen, tool, call))


@then('call {call:d} of the tool "{tool}" receives the resume data "{answer}"')
def call_of_tool_receives_data(seen: Observation, call: int, tool: str, answer: str) -> None:
    """The call receives the data that the caller gave for the interrupt."""
    _expect_data(tool_run(seen, tool, call), answer)


@then('in run {run:d}, the call "{call}" receives its saved state')
def call_receives_state(seen: Observation, run: int, call: str) -> None:
    """The tool call with this id receives the state that the same call stored at its interrupt."""
    _expect_state(_call_in_run(seen, run, call))


@then('in run {run:d}, the call "{call}" receives the resume data "{answer}"')
def call_receives_data(seen: Observation, run: int, call: str, answer: str) -> None:
    """The tool call with this id receives the data that the caller gave for its interrupt."""
    _expect_data(_call_in_run(seen, run, call), answer)


@then('in run {run:d}, the call "{call}" receives the resume data {value} as JSON')
def call_receives_json_data(seen: Observation, run: int, call: str, value: str) -> None:
    """The tool call with this id receives the JSON value that the caller gave for its interrupt."""
    _expect_data(_call_in_run(seen, run, call), as_json(value))


@then('in run {run:d}, the call "{call}" receives no resume data')
def call_receives_no_data(seen: Observation, run: int, call: str) -> None:
    """The tool call with this id is repeated without data, since the caller gave none for its interrupt."""
    _expect_data(_call_in_run(seen, run, call), None)


def _expect_state(run: ToolRun) -> None:
    expect("the state", {"left by": run.tool, "call": run.call.id}, run.resumed and run.resumed.state)


def _expect_data(run: ToolRun, answer: Json) -> None:
    if run.resumed is None:
        raise Mismatch("the tool call", "is resumed", "is not resumed")
    expect("the caller's answer", [answer], [run.resumed.data])


def _call_in_run(seen: Observation, run: int, call: str) -> ToolRun:
    calls = [one for one in seen.tool_runs if one.run == str(run) and one.call.id == call]
    expect(f"how often the call {call!r} is made in run {run}", 1, len(calls))
    return calls[0]


class _Argument(NamedTuple):
    """An argument that a tool takes."""

    name: str
    type: str
    required: bool


OFFERED: SeenColumns[ToolInfo] = SeenColumns(
    "tools that a model receives",
    "All tools that the model call receives, in order, one per row.",
    SeenColumn("name", "The name of the tool.", TEXT, required=True),
    SeenColumn("description", "The description of the tool.", TEXT, required=True),
)
ARGUMENTS: SeenColumns[_Argument] = SeenColumns(
    "arguments of a tool",
    "All arguments of the tool in any order, one per row.",
    SeenColumn("name", "The name of the argument.", TEXT, required=True),
    SeenColumn("type", "The JSON Schema type of the argument.", TEXT, required=True),
    SeenColumn("required", "Whether the argument is required.", YES_NO, required=True),
    named=True,
)
SENT = Column("text", "A text that one call of the model contains, and no other call.", TEXT, required=True)
SENT_TEXTS: Columns[Column[object]] = Columns(
    "texts by call", "The texts that distinguish the calls of a model, one per row.", SENT
)


@then("model call {call:d} receives the tool descriptions", OFFERED)
def model_call_receives_descriptions(seen: Observation, call: int, table: Table) -> None:
    """The names and descriptions of all tools that call n receives, in order."""
    OFFERED.compare("the tools offered", table, model_call(seen, call).request.tools)


@then('model call {call:d} receives "{tool}" with the parameters', ARGUMENTS)
def model_call_receives_parameters(seen: Observation, call: int, tool: str, table: Table) -> None:
    """All arguments that the tool takes according to its schema, in any order."""
    ARGUMENTS.compare("the arguments, sorted", table, _arguments(seen, call, tool), sort=True)


@then('model call {call:d} receives "{tool}" without parameters')
def model_call_receives_no_parameters(seen: Observation, call: int, tool: str) -> None:
    """The tool takes no argument according to its schema."""
    expect("the arguments", [], [one.name for one in _arguments(seen, call, tool)])


def _arguments(seen: Observation, call: int, tool: str) -> list[_Argument]:
    offered = [info for info in model_call(seen, call).request.tools if info.name == tool]
    expect(f"how often {tool!r} is offered", 1, len(offered))
    schema = offered[0].parameters
    properties: dict[str, dict[str, Json]] = schema.get("properties", {})
    needed = schema.get("required", [])
    return [_Argument(name, _type(known.get("type")), name in needed) for name, known in properties.items()]


def _type(type_: Json) -> str:
    return type_ if isinstance(type_, str) else json.dumps(type_)


@then('call {call:d} of the model "{model}" contains, in this order')
def call_of_model_contains(seen: Observation, call: int, model: str, docstring: str) -> None:
    """The conversation, arguments of tool calls included, contains each line in order. Other texts can lie between."""
    messages = model_call(seen, call, model=model).messages
    said = [text for one in messages for text in (one.content, *(made.args for made in one.tool_calls))]
    conversation = rest = "\n".join(said)
    for line in docstring.splitlines():
        _, found, rest = rest.partition(line.strip())
        require(found, "the conversation", docstring.splitlines(), conversation)


@then('call {call:d} of the model "{model}" contains "{text}"')
def call_of_model_contains_text(seen: Observation, call: int, model: str, text: str) -> None:
    """The conversation, arguments of tool calls included, contains the text."""
    call_of_model_contains(seen, call, model, text)


@then('in any order, the model "{model}" receives the texts', SENT_TEXTS)
def model_receives_texts(seen: Observation, model: str, table: Table) -> None:
    """The model has one call per row, whose conversation contains the text of the row and no text of another row."""
    texts = [SENT.text(row) for row in table]
    calls = ["\n".join(_contents(call)) for call in seen.model_calls if call.model == model]
    received = sorted([text for text in texts if text in said] for said in calls)
    expect("the texts that the model is sent, call by call", sorted([text] for text in texts), received)


def _input_generation(seen: Observation) -> Question:
    """What a custom input function was given at its first call."""
    for question in seen.questions:
        if question.what == "input":
            return question
    raise Mismatch("the input generation", "is called", "is not called")


@then('the custom input function receives the instruction "{text}"')
def custom_input_receives_instruction(seen: Observation, text: str) -> None:
    """The first call of the custom input generation receives the instruction."""
    expect("the instruction", as_text(text), _input_generation(seen).instruction)


@then("the custom input function receives", MESSAGES)
def custom_input_receives(seen: Observation, table: Table) -> None:
    """The first call of the custom input generation receives these messages of the caller."""
    MESSAGES.compare("the conversation", table, _input_generation(seen).messages)


@then('the context of the custom input function has the value "{value}" under "{key}"')
def context_of_custom_input_has(seen: Observation, key: str, value: str) -> None:
    """The custom input generation receives the context value."""
    expect(f"the context value {key!r}", value, _input_generation(seen).context.get(key))
