"""An agent and its sub-agents as Given steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from loopspec.contract.agents import Agent, AgentsMD, Failover, Handler, Legacy, Model, Retry, Scripted, Tool

from ..cells import json_text, names_text, quoted, times
from ..declarations import each, within
from ..given.parts import AGENT, AROUND, FAILOVER, HANDLER, LEGACY, NEIGHBORS, RETRY, SUB_AGENT
from ..given.tables import TOOLS, TURNS
from ..phrasebook import WrittenStep
from .steps import given, some


def agent_steps(agent: Agent) -> Iterator[WrittenStep]:
    """The Givens of the agent of a scene. There is at least one: without any, a scene has no agent."""
    steps = tuple(_agent_steps(agent, Agent()))
    yield from steps or (given("an agent"),)


def _agent_steps(agent: Agent, default: Agent) -> Iterator[WrittenStep]:
    """What the Givens say of the current agent, as far as it differs from the default one."""
    without_turns = agent.model and replace(agent.model, turns=Model().turns)  # which the next step says
    yield from AGENT.write(replace(agent, model=without_turns), default)
    if agent.model and agent.model.turns != Model().turns:
        with within("model.turns"):
            yield WrittenStep("given", "a model that answers", TURNS.write(agent.model.turns))
    yield from each("additional_models", agent.additional_models, _further_model)
    yield from _tool_steps(agent.tools)
    yield from each("handlers", agent.handlers, _handler_step)
    for at, legacy in enumerate(agent.legacy):
        with within(f"legacy[{at}]"):
            yield given(f'an empty legacy middleware "{quoted(legacy.name)}"')
            yield from LEGACY.write(legacy, Legacy(name=legacy.name), name=legacy.name)
    yield from _configuration_steps(agent)


def _configuration_steps(agent: Agent) -> Iterator[WrittenStep]:
    """What the settings of an agent leave out."""
    with within("return_directly"):
        direct = [tool for tool, is_direct in agent.return_directly.items() if is_direct]
        if direct:
            yield given(f"the tools {names_text(direct)} return directly")
        for tool in agent.return_directly.keys() - direct:
            yield AGENT.entry("return_directly", {tool: False})
    if agent.retry:
        with within("retry"):
            yield from RETRY.write(agent.retry, Retry(max_retries=-1))  # their number is always said
    if agent.failover:
        with within("failover"):
            yield from _failover_steps(agent.failover)


def _further_model(model: Model) -> WrittenStep:
    with within("turns"):
        return WrittenStep("given", f'a model "{quoted(model.name)}" that answers', TURNS.write(model.turns))


def _failover_steps(failover: Failover) -> Iterator[WrittenStep]:
    for at, model in enumerate(failover.models):
        if model != Model(name=model.name):
            with within(f"models[{at}]"):
                yield _further_model(model)
    if failover.asks and failover.chooses:
        start = f"a failover{'' if failover.limit is None else f', at most {times(failover.limit)},'} to"
        yield given(some(f"{start} the models", [one.name for one in failover.models], f"{start} no model"))
    else:
        yield given(f"a failover without a {'backup selector' if failover.asks else 'failover predicate'}")
    yield from FAILOVER.write(failover, Failover())


def _tool_steps(tools: Sequence[Tool]) -> Iterator[WrittenStep]:
    """The tools in order, with a table for those between two sub-agents."""
    row: list[Tool] = []
    for at, tool in enumerate([*tools, None]):
        if tool and not tool.agent:
            row.append(tool)
            continue
        if row:
            with within("tools"):
                yield WrittenStep("given", "the tools", TOOLS.write(row))
        row = []
        if tool and tool.agent:
            with within(f"tools[{at}]"):
                yield from _sub_agent_steps(tool, tool.agent)


def _sub_agent_steps(tool: Tool, agent: Agent) -> Iterator[WrittenStep]:
    yield given(f'a sub-agent "{quoted(tool.name)}"')
    with within("agent"):
        yield from _agent_steps(agent, Agent(name=tool.name, description=f"what {tool.name} does"))
    yield from SUB_AGENT.write(tool, Tool(name=""))
    if tool.schema not in (None, {"type": "object"}):
        yield WrittenStep("given", "the input schema", docstring=json_text(tool.schema))
    yield given("an outer agent")


def _handler_step(handler: Handler) -> WrittenStep:
    if isinstance(handler, AgentsMD):
        return given("AgentsMD with the configured files")
    if not isinstance(handler, Scripted):
        return AGENT.entry("handlers", handler)
    return HANDLER.whole(handler, Scripted(name=handler.name), name=quoted(handler.name))


def neighbor_steps(agent: Agent) -> Iterator[WrittenStep]:
    """The Givens of the agent around an AgentsMD middleware."""
    yield from AROUND.write(agent, Agent())
    side = "before"
    for at, handler in enumerate(agent.handlers):
        if isinstance(handler, AgentsMD) and handler.name == "agentsmd":
            side = "after"
            continue
        with within(f"handlers[{at}]"):
            yield NEIGHBORS.entry("handlers", handler, side=side)
    yield from each("tools", agent.tools, _neighboring_tool)
    calls = len(agent.model.turns) - 1 if agent.model else 0
    if calls > 1 or (calls and not any(tool.agent or tool.interrupts or tool.error for tool in agent.tools)):
        yield given(f"a model that calls a tool {times(calls)} before it answers")


def _neighboring_tool(tool: Tool) -> WrittenStep:
    if tool == Tool(name=tool.name):
        return given(f"the tools {names_text([tool.name])}")
    agent = tool.agent and replace(tool.agent, handlers=())  # the AgentsMD middleware is added
    return AROUND.entry("tools", replace(tool, agent=agent))
