"""Then: what handlers receive and find."""

from __future__ import annotations

import json
from typing import Literal

from loopspec.contract.acting import STATE
from loopspec.contract.mismatch import Mismatch, expect, shown
from loopspec.contract.observation import HookCall, Observation
from loopspec.contract.values import Json

from ..cells import TEXT, as_arguments, as_json, as_text, names
from ..declarations import ClosedList, PhraseError, SeenColumn, SeenColumns, Table, Word
from ..holes import hook_of, where_of
from ..phrasebook import LooksAt, then
from .observed import INTERFACES, MESSAGES, expect_names, hook_call, hook_calls, reported, require

WHETHER: ClosedList[bool] = ClosedList(
    "whether there is a configuration",
    "Whether the context of the model call has the configuration.",
    Word("a", "The context has the configuration.", True),
    Word("no", "The context does not have the configuration.", False),
)
CONFIGURATIONS: ClosedList[Literal["retry", "failover"]] = ClosedList(
    "configurations",
    "A configuration of an agent that the context of a model call can have.",
    Word("retry", "The retry configuration of the agent.", "retry"),
    Word("failover", "The failover configuration of the agent.", "failover"),
)
# The hooks that wrap no call: a wrapper finds the tools in its request, another hook only if the framework passes them.
_TOOLS = LooksAt("reports-tools", STATE)
_INSTRUCTION = LooksAt("reports-instruction", ["before agent"])
_RETURN_DIRECTLY = LooksAt("reports-return-directly", ["before agent"])
_RECOVERY = LooksAt("reports-recovery", ["before model", "around model", "after model"])

TOOL_CALLS: SeenColumns[HookCall] = SeenColumns(
    "wrapped tool calls",
    "The tool calls that a handler wraps, one per row.",
    SeenColumn("tool", "The name of the tool.", TEXT),
    SeenColumn("call id", "The id of the tool call.", TEXT),
    SeenColumn("kind", "The interface by which the tool is called.", INTERFACES),
)


def call_at(seen: Observation, handler: str, where: str) -> HookCall:
    """The call of a hook that a Then names: the first one, unless it names another; in any run, unless it names one."""
    place = where_of(where)
    if place.tool:
        raise PhraseError(f"{where!r} names a tool: a Then is about all calls of a hook")
    return hook_call(seen, handler, place.hook, place.call or 1, place.run)


@then('"{handler}" is called {times:Times} {hook}')
@then('"{handler}" is never called {hook}', meaning="The hook of the handler is not called in any run.", times=0)
def handler_is_called(seen: Observation, handler: str, times: int, hook: str) -> None:
    """How often the hook of the handler is called in all runs together."""
    expect(f"how often {handler} is called {hook}", times, len(hook_calls(seen, handler, hook_of(hook))))


@then('{where:Where}, "{handler}" sees the messages', MESSAGES)
def handler_sees_messages(seen: Observation, where: str, handler: str, table: Table) -> None:
    """The whole conversation that the hook receives."""
    MESSAGES.compare("the conversation", table, call_at(seen, handler, where).messages)


@then('{where:Where}, the last message that "{handler}" sees is "{text}"')
def last_message_is(seen: Observation, where: str, handler: str, text: str) -> None:
    """The content of the last message that the hook receives."""
    expect("the last message", [as_text(text)], [m.content for m in call_at(seen, handler, where).messages[-1:]])


@then('{where:Where}, "{handler}" sees no tools', tools="nothing", meaning="The hook receives none.", looks_at=_TOOLS)
@then(
    '{where:Where}, "{handler}" sees the tools {tools}',
    one='{where:Where}, "{handler}" sees only the tool "{tools}"',
    looks_at=_TOOLS,
)
@then('{where:Where}, "{handler}" sees, in any order, the tools {tools}', sort=True, looks_at=_TOOLS)
def handler_sees_tools(seen: Observation, where: str, handler: str, tools: str, sort: bool = False) -> None:
    """The names of the tools that the hook receives, in order."""
    expect_names("the tools", tools, _tools(seen, handler, where), sort)


@then('{where:Where}, "{handler}" sees one additional tool next to {tools:Names}', looks_at=_TOOLS)
@then(
    '{where:Where}, "{handler}" sees one additional tool',
    meaning="The hook receives exactly one tool, which the implementation has added, with any name.",
    tools="nothing",
    looks_at=_TOOLS,
)
def handler_sees_additional_tool(seen: Observation, where: str, handler: str, tools: str) -> None:
    """The hook receives these tools and exactly one more, which the implementation has added."""
    known, found = names(tools), _tools(seen, handler, where)
    if len(found) != len(known) + 1 or len(set(found) - set(known)) != 1 or not set(known) <= set(found):
        raise Mismatch("the tools", [*known, "one more"], found)


def _tools(seen: Observation, handler: str, where: str) -> tuple[str, ...]:
    return reported("the tools", call_at(seen, handler, where).tools, "reports-tools")


@then(
    '{where:Where}, "{handler}" sees the deferred tools {tools}',
    one='{where:Where}, "{handler}" sees only the deferred tool "{tools}"',
)
def handler_sees_deferred_tools(seen: Observation, where: str, handler: str, tools: str) -> None:
    """The names of the deferred tools that the hook receives."""
    expect_names("the deferred tools", tools, call_at(seen, handler, where).deferred_tools)


@then('{where:Where}, "{handler}" sees the instruction "{text}"', looks_at=_INSTRUCTION)
def handler_sees_instruction(seen: Observation, where: str, handler: str, text: str) -> None:
    """The instruction that the before-agent hook receives."""
    expect("the instruction", as_text(text), _instruction(seen, handler, where))


@then('{where:Where}, the instruction that "{handler}" sees contains "{text}"', looks_at=_INSTRUCTION)
def instruction_contains(seen: Observation, where: str, handler: str, text: str) -> None:
    """The instruction that the before-agent hook receives contains the text."""
    instruction = _instruction(seen, handler, where)
    require(text in instruction, "the instruction", f"one that says {text!r}", instruction)


def _instruction(seen: Observation, handler: str, where: str) -> str:
    return reported("the instruction", call_at(seen, handler, where).instruction, "reports-instruction")


@then(
    '{where:Where}, "{handler}" sees the return-directly tools {tools}',
    one='{where:Where}, "{handler}" sees only the return-directly tool "{tools}"',
    looks_at=_RETURN_DIRECTLY,
)
def handler_sees_return_directly_tools(seen: Observation, where: str, handler: str, tools: str) -> None:
    """The tools that return directly, as the before-agent hook receives them."""
    what = "the tools that return directly"
    direct = reported(what, call_at(seen, handler, where).return_directly, "reports-return-directly")
    expect_names(what, tools, direct, sort=True)


@then(
    '{where:Where}, the model context of "{handler}" has the tools {tools}',
    one='{where:Where}, the model context of "{handler}" has only the tool "{tools}"',
    looks_at=_TOOLS,
)
@then(
    '{where:Where}, the model context of "{handler}" has, in any order, the tools {tools}', sort=True, looks_at=_TOOLS
)
def model_context_has_tools(seen: Observation, where: str, handler: str, tools: str, sort: bool = False) -> None:
    """The names of the tools in the context of the model call, in order."""
    what, context = "the tools of the model context", call_at(seen, handler, where).model_context
    expect_names(what, tools, reported(what, context.tools if context else None, "reports-tools"), sort)


@then(
    '{where:Where}, the model context of "{handler}" has {what} {configuration} configuration',
    what=WHETHER,
    configuration=CONFIGURATIONS,
    looks_at=_RECOVERY,
)
def model_context_has_configuration(seen: Observation, where: str, handler: str, what: str, configuration: str) -> None:
    """Whether the context of the model call has the configuration."""
    context = call_at(seen, handler, where).model_context
    about = f"whether there is a {configuration} configuration"
    found = reported(about, context and getattr(context, CONFIGURATIONS.read(configuration)), "reports-recovery")
    expect(about, WHETHER.read(what), found)


@then('{where:Where}, "{handler}" finds "{value}" under "{key}"')
def handler_finds(seen: Observation, where: str, handler: str, key: str, value: str) -> None:
    """The run-local or session value that the hook reads under the key."""
    call = call_at(seen, handler, where)
    expect(f"what is found under {key!r}", value, call.found.get(key, call.refused.get(f"get {key}", "nothing")))


@then('{where:Where}, "{handler}" finds the JSON value {value} under "{key}"')
@then(
    '{where:Where}, "{handler}" finds the empty value under "{key}"',
    meaning="The run-local or session value that the hook reads under the key is null.",
    value="null",
)
def handler_finds_json_value(seen: Observation, where: str, handler: str, key: str, value: str) -> None:
    """The run-local or session value that the hook reads under the key, compared as JSON."""
    call, values = call_at(seen, handler, where), {key: as_json(value)}
    require(call.found == values, "the values found", _in_lines(values), [*_in_lines(call.found), *_refusals(call)])


def _in_lines(values: dict[str, Json]) -> list[str]:
    return [f"{key}: {json.dumps(value, default=repr)}" for key, value in values.items()]


def _refusals(call: HookCall) -> list[str]:
    return [f"{action}: {shown(error)}" for action, error in call.refused.items()]


@then('{where:Where}, "{handler}" finds nothing under "{key}"')
def handler_finds_nothing(seen: Observation, where: str, handler: str, key: str) -> None:
    """The hook finds no value under the key, and reading the value is no error."""
    no_action_fails(seen, where, handler)
    expect(f"whether {key!r} is missing", True, key in call_at(seen, handler, where).missing)


@then('{where:Where}, "{handler}" receives the resume data "{answer}"')
def handler_receives_data(seen: Observation, where: str, handler: str, answer: str) -> None:
    """The call of the hook receives the data that the caller gave for the interrupt of this hook."""
    _expect_data(seen, handler, where, [answer])


@then('{where:Where}, "{handler}" receives no resume data')
def handler_receives_no_data(seen: Observation, where: str, handler: str) -> None:
    """The call of the hook is not the resumed call of a hook that interrupted the run."""
    _expect_data(seen, handler, where, [])


def _expect_data(seen: Observation, handler: str, where: str, expected: list[str]) -> None:
    resumed = call_at(seen, handler, where).resumed
    expect("the caller's answer", expected, [resumed.data] if resumed else [])


@then('{where:Where}, no action of "{handler}" fails')
def no_action_fails(seen: Observation, where: str, handler: str) -> None:
    """No action of the hook is an error."""
    expect("the errors", [], _refusals(call_at(seen, handler, where)))


@then('{where:Where}, "{handler}" fails to set the run-local value "{key}"')
def handler_fails_to_set(seen: Observation, where: str, handler: str, key: str) -> None:
    """Setting the run-local value in the hook is an error."""
    expect("the actions that are errors", [f"set {key}"], list(call_at(seen, handler, where).refused))


@then('{where:Where}, the context of "{handler}" has the value "{value}" under "{key}"')
def context_of_handler_has(seen: Observation, where: str, handler: str, key: str, value: str) -> None:
    """The hook receives the context value."""
    expect(f"the context value {key!r}", value, call_at(seen, handler, where).context.get(key))


@then('{where:Where}, the context of "{handler}" has no "{key}"')
def context_of_handler_has_no(seen: Observation, where: str, handler: str, key: str) -> None:
    """The hook receives no such context value."""
    expect(f"whether {key!r} is in the context", False, key in call_at(seen, handler, where).context)


@then('{where:Where}, the context of "{handler}" or of "{other}" has the value "{value}" under "{key}"')
def context_of_either_has(seen: Observation, where: str, handler: str, other: str, key: str, value: str) -> None:
    """One of the two handlers receives the context value. Nothing orders the two hooks."""
    values = [hook_call(seen, name, hook_of(where)).context.get(key) for name in (handler, other)]
    if value not in values:
        found = [f"{name}: {shown(one)}" for name, one in zip((handler, other), values, strict=True)]
        raise Mismatch(f"the context value {key!r}", f"{value} for {handler} or for {other}", found)


@then('{where:Where}, "{handler}" receives the arguments "{args:Text}"')
def handler_receives_arguments(seen: Observation, where: str, handler: str, args: str) -> None:
    """The arguments of the tool call that the tool wrapper receives. JSON is compared by value."""
    expect("the arguments", as_arguments(args), as_arguments(call_at(seen, handler, where).args or ""))


@then('{where:Where}, "{handler}" receives the answer "{text}"')
def handler_receives_answer(seen: Observation, where: str, handler: str, text: str) -> None:
    """The answer of the inner endpoint that the wrapper receives. Parts have `/` between them."""
    expect("the answer of the inner endpoint", as_text(text), call_at(seen, handler, where).answer)


@then('the tool calls that "{handler}" wraps are', TOOL_CALLS)
def wrapped_tool_calls_are(seen: Observation, handler: str, table: Table) -> None:
    """The tool calls that the handler wraps, in any order."""
    TOOL_CALLS.compare("the tool calls", table, hook_calls(seen, handler, "around tool"), sort=True)
