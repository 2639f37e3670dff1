"""Then: what handlers, models and tools receive and find."""

from __future__ import annotations

import json
from typing import Literal

from loopspec.contract.agents import Hook
from loopspec.contract.mismatch import Mismatch, expect, shown
from loopspec.contract.observation import HookCall, Observation, ToolRun
from loopspec.contract.values import Json, ToolKind

from ..cells import TEXT, as_arguments, as_json, as_text, names
from ..declarations import ClosedList, PhraseError, SeenColumn, SeenColumns, Table, Word
from ..holes import MODES
from ..hooks import hook_of, where_of
from ..phrasebook import looks_at, then
from .observed import MESSAGES, expect_messages, hook_call, hook_calls, model_call, reported, tool_runs

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
INTERFACES: ClosedList[ToolKind] = ClosedList(
    "tool interfaces",
    "The interface by which a tool is called.",
    Word("invokable", "The tool returns one text.", "invokable"),
    Word("streamable", "The tool returns a stream of texts.", "streamable"),
    Word("enhanced invokable", "The tool returns one result of several parts.", "enhanced invokable"),
    Word("enhanced streamable", "The tool returns a stream of parts.", "enhanced streamable"),
)
# The hooks that wrap no call: a wrapper finds the tools in its request, another hook only if the framework passes them.
_WITHOUT_REQUEST: tuple[Hook, ...] = ("before agent", "before model", "after model", "after agent")
_TOOLS = looks_at("reports-tools", _WITHOUT_REQUEST)
_INSTRUCTION = looks_at("reports-instruction", ["before agent"])
_RETURN_DIRECTLY = looks_at("reports-return-directly", ["before agent"])
_RECOVERY = looks_at("reports-recovery", ["before model", "around model", "after model"])

TOOL_CALLS: SeenColumns[HookCall] = SeenColumns(
    "wrapped tool calls",
    "The tool calls that a handler wraps, one per row.",
    SeenColumn("tool", "The name of the tool.", TEXT, lambda call: call.tool),
    SeenColumn("call id", "The id of the tool call.", TEXT, lambda call: call.call_id),
    SeenColumn("kind", "The interface by which the tool is called.", INTERFACES, lambda call: call.kind),
)


def call_at(seen: Observation, handler: str, where: str) -> HookCall:
    """The call of a hook that a Then names: the first one, unless it names another; in any run, unless it names one."""
    place = where_of(where)
    if place.tool:
        raise PhraseError(f"{where!r} names a tool: a Then is about all calls of a hook")
    return hook_call(seen, handler, place.hook, place.call or 1, place.run)


@then('"{handler}" is called {times:Times} {hook}')
def handler_is_called(seen: Observation, handler: str, times: int, hook: str) -> None:
    """How often the hook of the handler is called in all runs together."""
    expect(f"how often {handler} is called {hook}", times, len(hook_calls(seen, handler, hook_of(hook))))


@then('"{handler}" is never called {hook}')
def handler_is_never_called(seen: Observation, handler: str, hook: str) -> None:
    """The hook of the handler is not called in any run."""
    expect(f"how often {handler} is called {hook}", 0, len(hook_calls(seen, handler, hook_of(hook))))


@then('{where:Where}, "{handler}" sees the messages', MESSAGES)
def handler_sees_messages(seen: Observation, where: str, handler: str, table: Table) -> None:
    """The whole conversation that the hook receives."""
    call = call_at(seen, handler, where)
    expect_messages("the conversation", table, call.messages)


@then('{where:Where}, the last message that "{handler}" sees is "{text}"')
def handler_sees_last(seen: Observation, where: str, handler: str, text: str) -> None:
    """The content of the last message that the hook receives."""
    expect("the last message", [as_text(text)], [m.content for m in call_at(seen, handler, where).messages[-1:]])


@then('{where:Where}, "{handler}" sees the tools {tools}')
@_TOOLS
def handler_sees_tools(seen: Observation, where: str, handler: str, tools: str) -> None:
    """The names of the tools that the hook receives, in order."""
    expect("the tools", names(tools), _tools(seen, handler, where))


@then('{where:Where}, "{handler}" sees, in any order, the tools {tools}')
@_TOOLS
def handler_sees_tools_in_any_order(seen: Observation, where: str, handler: str, tools: str) -> None:
    """The names of the tools that the hook receives, in any order."""
    expect("the tools", sorted(names(tools)), sorted(_tools(seen, handler, where)))


@then('{where:Where}, "{handler}" sees one additional tool')
@_TOOLS
def handler_sees_one_tool(seen: Observation, where: str, handler: str) -> None:
    """The hook receives exactly one tool, which the implementation has added, with any name."""
    _sees_one_more(seen, where, handler, ())


@then('{where:Where}, "{handler}" sees one additional tool next to {tools:Names}')
@_TOOLS
def handler_sees_one_more_tool(seen: Observation, where: str, handler: str, tools: str) -> None:
    """The hook receives these tools and exactly one more, which the implementation has added."""
    _sees_one_more(seen, where, handler, names(tools))


def _tools(seen: Observation, handler: str, where: str) -> tuple[str, ...]:
    return reported("the tools", call_at(seen, handler, where).tools, "reports-tools")


def _sees_one_more(seen: Observation, where: str, handler: str, tools: tuple[str, ...]) -> None:
    shown = _tools(seen, handler, where)
    if len(shown) != len(tools) + 1 or len(set(shown) - set(tools)) != 1 or not set(tools) <= set(shown):
        raise Mismatch("the tools", [*tools, "one more"], shown)


@then('{where:Where}, "{handler}" sees the deferred tools {tools}')
def handler_sees_deferred(seen: Observation, where: str, handler: str, tools: str) -> None:
    """The names of the deferred tools that the hook receives."""
    expect("the deferred tools", names(tools), call_at(seen, handler, where).deferred_tools)


@then('{where:Where}, "{handler}" sees the instruction "{text}"')
@_INSTRUCTION
def handler_sees_instruction(seen: Observation, where: str, handler: str, text: str) -> None:
    """The instruction that the before-agent hook receives."""
    instruction = reported("the instruction", call_at(seen, handler, where).instruction, "reports-instruction")
    expect("the instruction", as_text(text), instruction)


@then('{where:Where}, the instruction that "{handler}" sees contains "{text}"')
@_INSTRUCTION
def handler_sees_in_instruction(seen: Observation, where: str, handler: str, text: str) -> None:
    """The instruction that the before-agent hook receives contains the text."""
    instruction = reported("the instruction", call_at(seen, handler, where).instruction, "reports-instruction")
    if text not in instruction:
        raise Mismatch("the instruction", f"one that says {text!r}", instruction)


@then('{where:Where}, "{handler}" sees the return-directly tools {tools}')
@_RETURN_DIRECTLY
def handler_sees_direct(seen: Observation, where: str, handler: str, tools: str) -> None:
    """The tools that return directly, as the before-agent hook receives them."""
    what = "the tools that return directly"
    direct = reported(what, call_at(seen, handler, where).return_directly, "reports-return-directly")
    expect(what, sorted(names(tools)), sorted(direct))


@then('{where:Where}, the model context of "{handler}" has the tools {tools}')
@_TOOLS
def model_context_has_tools(seen: Observation, where: str, handler: str, tools: str) -> None:
    """The names of the tools in the context of the model call, in order."""
    expect("the tools of the model context", names(tools), _tools_in_context(seen, handler, where))


@then('{where:Where}, the model context of "{handler}" has, in any order, the tools {tools}')
@_TOOLS
def model_context_has_tools_in_any_order(seen: Observation, where: str, handler: str, tools: str) -> None:
    """The names of the tools in the context of the model call, in any order."""
    expect("the tools of the model context", sorted(names(tools)), sorted(_tools_in_context(seen, handler, where)))


def _tools_in_context(seen: Observation, handler: str, where: str) -> tuple[str, ...]:
    context = call_at(seen, handler, where).model_context
    return reported("the tools of the model context", context.tools if context else None, "reports-tools")


@then(
    '{where:Where}, the model context of "{handler}" has {what} {configuration} configuration',
    what=WHETHER,
    configuration=CONFIGURATIONS,
)
@_RECOVERY
def model_context_has_configuration(seen: Observation, where: str, handler: str, what: str, configuration: str) -> None:
    """Whether the context of the model call has the configuration."""
    context = call_at(seen, handler, where).model_context
    known = CONFIGURATIONS.read(configuration)
    present = context and (context.retry if known == "retry" else context.failover)
    about = f"whether there is a {known} configuration"
    expect(about, WHETHER.read(what), reported(about, present, "reports-recovery"))


@then('{where:Where}, "{handler}" finds "{value}" under "{key}"')
def handler_finds(seen: Observation, where: str, handler: str, key: str, value: str) -> None:
    """The run-local or session value that the hook reads under the key."""
    call = call_at(seen, handler, where)
    expect(f"what is found under {key!r}", value, call.found.get(key, call.refused.get(f"get {key}", "nothing")))


@then('{where:Where}, "{handler}" finds the JSON value {value} under "{key}"')
def handler_finds_value(seen: Observation, where: str, handler: str, key: str, value: str) -> None:
    """The run-local value that the hook reads under the key, compared as JSON."""
    _expect_found(call_at(seen, handler, where), {key: as_json(value)})


@then('{where:Where}, "{handler}" finds the empty value under "{key}"')
def handler_finds_empty(seen: Observation, where: str, handler: str, key: str) -> None:
    """The run-local value that the hook reads under the key is null."""
    _expect_found(call_at(seen, handler, where), {key: None})


def _expect_found(call: HookCall, values: dict[str, Json]) -> None:
    if call.found != values:
        refused = [f"{action}: {shown(error)}" for action, error in call.refused.items()]
        raise Mismatch("the values found", _in_lines(values), [*_in_lines(call.found), *refused])


def _in_lines(values: dict[str, Json]) -> list[str]:
    return [f"{key}: {json.dumps(value, default=repr)}" for key, value in values.items()]


@then('{where:Where}, "{handler}" finds nothing under "{key}"')
def handler_finds_nothing(seen: Observation, where: str, handler: str, key: str) -> None:
    """The hook finds no value under the key, and reading the value is no error."""
    call = call_at(seen, handler, where)
    _expect_nothing_refused(call)
    expect(f"whether {key!r} is missing", True, key in call.missing)


@then('{where:Where}, no action of "{handler}" fails')
def handler_refused_nothing(seen: Observation, where: str, handler: str) -> None:
    """No action of the hook is an error."""
    _expect_nothing_refused(call_at(seen, handler, where))


def _expect_nothing_refused(call: HookCall) -> None:
    expect("the errors", [], [f"{action}: {shown(error)}" for action, error in call.refused.items()])


@then('{where:Where}, "{handler}" fails to set the run-local value "{key}"')
def handler_refused_to_keep(seen: Observation, where: str, handler: str, key: str) -> None:
    """Setting the run-local value in the hook is an error."""
    expect("the actions that are errors", [f"set {key}"], list(call_at(seen, handler, where).refused))


@then('{where:Where}, the context of "{handler}" has the value "{value}" under "{key}"')
def context_of_handler(seen: Observation, where: str, handler: str, key: str, value: str) -> None:
    """The hook receives the context value."""
    expect(f"the context value {key!r}", value, call_at(seen, handler, where).context.get(key))


@then('{where:Where}, the context of "{handler}" has no "{key}"')
def context_of_handler_lacks(seen: Observation, where: str, handler: str, key: str) -> None:
    """The hook receives no such context value."""
    expect(f"whether {key!r} is in the context", False, key in call_at(seen, handler, where).context)


@then('{where:Where}, "{handler}" receives the arguments "{args:Text}"')
def handler_gets_arguments(seen: Observation, where: str, handler: str, args: str) -> None:
    """The arguments of the tool call that the tool wrapper receives. JSON is compared by value."""
    expect("the arguments", as_arguments(args), as_arguments(call_at(seen, handler, where).args or ""))


@then('{where:Where}, "{handler}" receives the answer "{text}"')
def handler_gets_answer(seen: Observation, where: str, handler: str, text: str) -> None:
    """The answer of the inner endpoint that the wrapper receives. Parts have `/` between them."""
    expect("the answer of the inner endpoint", as_text(text), call_at(seen, handler, where).answer)


@then('the tool calls that "{handler}" wraps are', TOOL_CALLS)
def tools_around(seen: Observation, handler: str, table: Table) -> None:
    """The tool calls that the handler wraps, in any order."""
    calls = hook_calls(seen, handler, "around tool")
    TOOL_CALLS.compare("the tool calls", table, calls, sort=True)


@then("model call {call:d} receives the tools {tools}")
def model_call_offered(seen: Observation, call: int, tools: str) -> None:
    """The names of the tools that call n receives, in order."""
    expect("the tools offered", names(tools), model_call(seen, call).tools)


@then("in any order, model call {call:d} receives the tools {tools}")
def model_call_offered_in_any_order(seen: Observation, call: int, tools: str) -> None:
    """The names of the tools that call n receives, in any order."""
    expect("the tools offered", sorted(names(tools)), sorted(model_call(seen, call).tools))


@then("from model call {call:d} on, the model receives no tools")
def no_tool_offered_from(seen: Observation, call: int) -> None:
    """No model call from call n on receives a tool."""
    expect("the tools offered", [], [tool for one in seen.model_calls[call - 1 :] for tool in one.tools])


@then("model call {call:d} receives the deferred tools {tools}")
def model_call_deferred(seen: Observation, call: int, tools: str) -> None:
    """The names of the deferred tools that call n receives."""
    request = model_call(seen, call).request
    expect("the deferred tools", names(tools), tuple(tool.name for tool in request.deferred_tools))


@then('model call {call:d} receives the tool search "{tool}"')
def model_call_search(seen: Observation, call: int, tool: str) -> None:
    """The name of the tool search that call n receives."""
    request = model_call(seen, call).request
    expect("the tool search", tool, request.tool_search and request.tool_search.name)


@then("model call {call:d} is {mode:Mode}")
def model_call_mode(seen: Observation, call: int, mode: str) -> None:
    """The mode in which call n requests its answer."""
    streaming = model_call(seen, call).request.streaming
    expect("the mode of the model call", mode, MODES.text_of(streaming))


@then('the context of model call {call:d} has the value "{value}" under "{key}"')
def context_of_model(seen: Observation, call: int, key: str, value: str) -> None:
    """The model call receives the context value."""
    expect(f"the context value {key!r}", value, model_call(seen, call).context.get(key))


@then('the context of model call {call:d} has no "{key}"')
def context_of_model_lacks(seen: Observation, call: int, key: str) -> None:
    """The model call receives no such context value."""
    expect(f"whether {key!r} is in the context", False, key in model_call(seen, call).context)


def tool_run(seen: Observation, tool: str, number: int = 1) -> ToolRun:
    calls = tool_runs(seen, tool)
    if len(calls) < number:
        raise Mismatch(f"how often the tool {tool!r} runs", f"at least {number}", len(calls))
    return calls[number - 1]


@then('the tool "{tool}" runs {times:Times}')
def tool_runs_times(seen: Observation, tool: str, times: int) -> None:
    """How often the body of the tool runs in all runs together."""
    expect(f"how often the tool {tool!r} runs", times, len(tool_runs(seen, tool)))


@then('the tool "{tool}" never runs')
def tool_never_runs(seen: Observation, tool: str) -> None:
    """The body of the tool does not run."""
    expect(f"how often the tool {tool!r} runs", 0, len(tool_runs(seen, tool)))


@then('call {call:d} of the tool "{tool}" receives the arguments "{args:Text}"')
def tool_gets_arguments(seen: Observation, call: int, tool: str, args: str) -> None:
    """The arguments that the body of the tool receives. JSON is compared by value."""
    expect("the arguments", as_arguments(as_text(args)), as_arguments(tool_run(seen, tool, call).call.args))


@then('the tool "{tool}" is called as {kind}', kind=INTERFACES)
def tool_is_called_as(seen: Observation, tool: str, kind: str) -> None:
    """The interface by which the tool is called."""
    expect("the interface", INTERFACES.read(kind), tool_run(seen, tool).kind)


@then('the tool "{tool}" receives the option "{key}" with the value "{value}"')
def tool_gets_option(seen: Observation, tool: str, key: str, value: str) -> None:
    """The body of the tool receives the option."""
    expect(f"the option {key!r}", value, tool_run(seen, tool).options.get(key))


@then('the context of the tool "{tool}" has the value "{value}" under "{key}"')
def context_of_tool(seen: Observation, tool: str, key: str, value: str) -> None:
    """The tool receives the context value."""
    expect(f"the context value {key!r}", value, tool_run(seen, tool).context.get(key))


@then('the context of the tool "{tool}" has no "{key}"')
def context_of_tool_lacks(seen: Observation, tool: str, key: str) -> None:
    """The tool receives no such context value."""
    expect(f"whether {key!r} is in the context", False, key in tool_run(seen, tool).context)


@then('the tool "{tool}" finds "{value}" under "{key}"')
def tool_finds(seen: Observation, tool: str, key: str, value: str) -> None:
    """The run-local or session value that the body of the tool reads under the key."""
    expect(f"what is found under {key!r}", value, tool_run(seen, tool).found.get(key, "nothing"))
