"""An agent, its sub-agents and its configuration as Given steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

from loopspec.contract.agents import (
    Agent,
    AgentsMD,
    Failover,
    Handler,
    Hook,
    Legacy,
    MakeInput,
    Model,
    Retry,
    Script,
    Scripted,
    Tool,
)

from ..given.scripts import ACTION, HOOK
from .clauses import script_text
from .doubles import error_code, tools_table, turns_table
from .messages import conversation_table
from .steps import NotWritable, WrittenStep
from .texts import json_text, names_text, quoted, times

_EVERY_HOOK: tuple[Hook, ...] = get_args(Hook)
_LEGACY_HOOKS: tuple[Hook, ...] = ("before model", "after model", "around tool")


def agent_steps(agent: Agent, field: str = "agent") -> Iterator[WrittenStep]:
    """The Givens of the agent of a scene. There is at least one: without any, a scene has no agent."""
    steps = tuple(_all_steps(agent, field))
    yield from steps or (_given("an agent"),)


def _all_steps(agent: Agent, field: str) -> Iterator[WrittenStep]:
    if agent.name != "agent":
        if agent.name:
            raise NotWritable(f"{field}.name", "only a sub-agent has a name of its own")
        yield _given("no name")
    if agent.description:
        yield _given(f'the description "{quoted(agent.description, f"{field}.description")}"')
    yield from _inner_steps(agent, "model", field)


def _inner_steps(agent: Agent, model: str, field: str) -> Iterator[WrittenStep]:
    """What the Givens say of the current agent."""
    if agent.instruction:
        text = quoted(agent.instruction, f"{field}.instruction")
        yield _given(f'an agent with the instruction "{text}"')
    yield from _model_steps(agent, model, field)
    yield from _tool_steps(agent.tools, f"{field}.tools")
    if agent.additional_tools:
        table = tools_table(agent.additional_tools, f"{field}.additional_tools")
        yield WrittenStep("given", "the additional tools", table)
    for at, handler in enumerate(agent.handlers):
        yield from _handler_steps(handler, f"{field}.handlers[{at}]")
    for at, legacy in enumerate(agent.legacy):
        yield from _legacy_steps(legacy, f"{field}.legacy[{at}]")
    for at, middleware in enumerate(agent.tool_middlewares):
        yield _tool_middleware_step(middleware, f"{field}.tool_middlewares[{at}]")
    yield from _configuration_steps(agent, field)
    if agent.retry:
        yield from _retry_steps(agent.retry, f"{field}.retry")
    if agent.failover:
        yield from _failover_steps(agent.failover, f"{field}.failover")
    if agent.make_input:
        yield _input_step(agent.make_input, f"{field}.make_input")


def _given(text: str) -> WrittenStep:
    return WrittenStep("given", text)


# -- models ------------------------------------------------------------------------------------------------------------


def _model_steps(agent: Agent, name: str, field: str) -> Iterator[WrittenStep]:
    if agent.model is None:
        yield _given("an agent without a model")
    elif agent.model.reports:
        yield _given("a model that calls the callbacks itself")
    elif not agent.model.takes_tools:
        yield _given("a model that does not support tools")
    elif agent.model != Model(name=name):
        yield WrittenStep("given", "a model that answers", turns_table(agent.model.turns, f"{field}.model.turns"))
    for at, model in enumerate(agent.additional_models):
        yield _further_model(model, f"{field}.additional_models[{at}]")


def _further_model(model: Model, field: str) -> WrittenStep:
    text = f'a model "{quoted(model.name, f"{field}.name")}" that answers'
    return WrittenStep("given", text, turns_table(model.turns, f"{field}.turns"))


def _retry_steps(retry: Retry, field: str) -> Iterator[WrittenStep]:
    yield _given(f"failed model calls are retried at most {times(retry.max_retries)}")
    if retry.codes is not None:
        yield _given(f"a retry predicate that accepts the errors {names_text(retry.codes, f'{field}.codes')}")
    for text in retry.rejects:
        yield _given(f'an answer check that rejects "{quoted(text, f"{field}.rejects")}"')
    if retry.delays:
        yield _given("a back-off of N seconds before retry N")


def _failover_steps(failover: Failover, field: str) -> Iterator[WrittenStep]:
    for at, model in enumerate(failover.models):
        if model != Model(name=model.name):
            yield _further_model(model, f"{field}.models[{at}]")
    models = names_text([model.name for model in failover.models], f"{field}.models")
    if failover.asks and failover.chooses:
        limit = "" if failover.limit is None else f", at most {times(failover.limit)},"
        yield _given(f"a failover{limit} to the models {models}")
    else:
        yield _given(f"a failover without a {'backup selector' if failover.asks else 'failover predicate'}")
    if failover.codes is not None:
        yield _given(f"a failover predicate that accepts the errors {names_text(failover.codes, f'{field}.codes')}")
    if failover.messages is not None:
        table = conversation_table(failover.messages, f"{field}.messages")
        only = names_text(failover.messages_for, f"{field}.messages_for")
        named = f" for the models {only}" if failover.messages_for else ""
        yield WrittenStep("given", f"a backup selector that replaces the messages{named} with", table)
    if failover.error:
        yield _given(f'a backup selector that fails with "{error_code(failover.error, f"{field}.error")}"')


# -- tools -------------------------------------------------------------------------------------------------------------


def _tool_steps(tools: Sequence[Tool], field: str) -> Iterator[WrittenStep]:
    """The tools in order, with a table for those between two sub-agents."""
    row: list[Tool] = []
    for at, tool in enumerate(tools):
        if tool.agent is None:
            row.append(tool)
            continue
        if row:
            yield WrittenStep("given", "the tools", tools_table(row, field))
        row = []
        yield from _sub_agent_steps(tool, tool.agent, f"{field}[{at}]")
    if row:
        yield WrittenStep("given", "the tools", tools_table(row, field))


def _sub_agent_steps(tool: Tool, agent: Agent, field: str) -> Iterator[WrittenStep]:
    yield _given(f'a sub-agent "{quoted(tool.name, f"{field}.name")}", with')
    if agent.name != tool.name:
        yield _given("no name")
    if agent.description != f"what {tool.name} does":
        yield _given(f'the description "{quoted(agent.description, f"{field}.agent.description")}"')
    yield from _inner_steps(agent, f"{tool.name}'s", f"{field}.agent")
    if tool.full_history:
        yield _given("the whole conversation as input")
    if tool.schema == {"type": "object"}:
        yield _given("an input schema without properties")
    elif tool.schema is not None:
        yield WrittenStep("given", "the input schema", docstring=json_text(tool.schema))
    yield _given("an outer agent, with")


# -- handlers ----------------------------------------------------------------------------------------------------------


def _handler_steps(handler: Handler, field: str) -> Iterator[WrittenStep]:
    if isinstance(handler, AgentsMD):
        yield _given("AgentsMD with the configured files")
        return
    if not isinstance(handler, Scripted):
        raise NotWritable(field, f"a handler of the kind {type(handler).__name__} is not written")
    name = quoted(handler.name, f"{field}.name")
    if not handler.scripts:
        yield _given(f'a handler "{name}" that overrides no hook')
    elif handler.scripts == tuple(Script(hook=hook) for hook in _EVERY_HOOK):
        yield _given(f'a handler "{name}" that observes')
    elif all(script.actions == () for script in handler.scripts):
        wheres = (script_text(script, field)[0] for script in handler.scripts)
        yield _given(f'a handler "{name}" that observes {" and ".join(wheres)}')
    elif len(handler.scripts) == 1:
        where, actions = script_text(handler.scripts[0], f"{field}.scripts[0]")
        yield _given(f'a handler "{name}" that, {where}, {actions}')
    else:
        rows = [script_text(script, f"{field}.scripts[{at}]") for at, script in enumerate(handler.scripts)]
        yield WrittenStep("given", f'a handler "{name}" with the actions', ((HOOK.name, ACTION.name), *rows))


def _legacy_steps(legacy: Legacy, field: str) -> Iterator[WrittenStep]:
    name = quoted(legacy.name, f"{field}.name")
    yield _given(f'an empty legacy middleware "{name}"')
    if legacy.instruction:
        text = quoted(legacy.instruction, f"{field}.instruction")
        yield _given(f'a legacy middleware "{name}" that adds the instruction "{text}"')
    if legacy.tools:
        table = tools_table(legacy.tools, f"{field}.tools")
        yield WrittenStep("given", f'a legacy middleware "{name}" that adds the tools', table)
    if legacy.scripts == tuple(Script(hook=hook) for hook in _LEGACY_HOOKS):
        yield _given(f'a legacy middleware "{name}" that observes')
    else:
        for at, script in enumerate(legacy.scripts):
            where, actions = script_text(script, f"{field}.scripts[{at}]")
            yield _given(f'a legacy middleware "{name}" that, {where}, {actions}')
    if legacy.plain_only:
        yield _given(f'the legacy middleware "{name}" supports plain messages only')


def _tool_middleware_step(middleware: Scripted, field: str) -> WrittenStep:
    scripts = middleware.scripts
    if len(scripts) != 1 or scripts[0] != Script(hook="around tool", actions=scripts[0].actions):
        raise NotWritable(f"{field}.scripts", "a tool middleware has the actions of one tool wrapper")
    name = quoted(middleware.name, f"{field}.name")
    return _given(f'a tool middleware "{name}" that {script_text(scripts[0], f"{field}.scripts[0]")[1]}')


# -- configuration -----------------------------------------------------------------------------------------------------


def _configuration_steps(agent: Agent, field: str) -> Iterator[WrittenStep]:
    if agent.max_iterations is not None:
        yield _given(f"an iteration limit of {agent.max_iterations}")
    direct = [tool for tool, is_direct in agent.return_directly.items() if is_direct]
    if direct:
        yield _given(f"the tools {names_text(direct, f'{field}.return_directly')} return directly")
    for tool in agent.return_directly.keys() - direct:
        name = quoted(tool, f"{field}.return_directly")
        yield _given(f'the tool "{name}" is configured not to return directly')
    if agent.exit_tool:
        yield _given("the exit tool")
    if agent.output_key is not None:
        yield _given(f'the output key "{quoted(agent.output_key, f"{field}.output_key")}"')
    if agent.sequential:
        yield _given("tool calls run sequentially")
    if agent.callbacks and not (agent.model and agent.model.reports):
        yield _given("callbacks for model and tool calls")
    if agent.internal_events:
        yield _given("the events of sub-agents are forwarded")


def _input_step(make: MakeInput, field: str) -> WrittenStep:
    if make.error:
        return _given(f'a custom input function that fails with "{error_code(make.error, f"{field}.error")}"')
    table = conversation_table(make.messages, f"{field}.messages")
    return WrittenStep("given", "a custom input function that prepends", table)
