"""Sub-agents: an agent that is a tool of another agent, with the framework's own `as_tool`."""

from __future__ import annotations

from dataclasses import replace

from agent_framework import FunctionTool, Message

from loopspec import adapting as kit
from loopspec.contract.agents import Model, Scripted, Tool


def agent_tool(double: kit.ToolDouble, adapter: kit.AgentAdapter[Message]) -> FunctionTool:
    """Build the agent of a tool, and make it a tool."""
    agent = double.spec.agent
    assert agent is not None
    conversion = kit.Conversion(adapter.to_wire, adapter.from_wire)

    def model(one: Model) -> kit.ModelDouble[Message]:
        return kit.ModelDouble(one.name, one, double.doubles, conversion)

    def tool(name: str) -> kit.ToolDouble:
        known = {one.name: one for one in (*agent.additional_tools, *agent.tools)}
        return replace(double, name=name, spec=known.get(name, Tool(name=name)))

    parts: kit.Parts[Message] = kit.Parts(
        name=agent.name,
        instruction=agent.instruction or None,
        model=None if agent.model is None else model(agent.model),
        tools=[tool(one.name) for one in agent.tools],
        hooks=[
            kit.HookDouble(one, double.doubles, conversion, double.inside)
            for one in agent.handlers
            if isinstance(one, Scripted)
        ],
        max_iterations=agent.max_iterations,
        additional_models={one.name: model(one) for one in agent.additional_models},
        spec=agent,
        tool=tool,
    )
    made: FunctionTool = adapter.build(parts).as_tool(arg_name="request")
    schema = double.spec.schema
    if schema is None:
        return made
    return FunctionTool(name=made.name, description=made.description, func=made.func, input_model=schema)
