"""Sub-agents: a tool that delegates to another agent, in the way that pydantic-ai documents."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from pydantic_ai import Agent, RunContext, Tool
from pydantic_ai.messages import ModelMessage
from pydantic_ai.usage import UsageLimits

import loopspec_adapting as kit
from loopspec.contract.values import Json

from .inside import Deps
from .interrupts import Output
from .tools import tool_of

Built = tuple[Agent[Deps, Output], UsageLimits]  # an agent, and the limits of its runs
# The arguments of a sub-agent without a schema of its own.
REQUEST: Mapping[str, Json] = {
    "type": "object",
    "properties": {"request": {"type": "string"}},
    "required": ["request"],
}


def any_tool(
    double: kit.ToolDouble, parts: kit.Parts[ModelMessage], build: Callable[[kit.Parts[ModelMessage]], Built]
) -> Tool[Deps]:
    """Build a tool, or a tool that delegates to a sub-agent."""
    if double.spec.agent is None:
        return tool_of(double, parts.spec.sequential)
    own = parts.of(double.spec.agent)
    agent, limits = build(own)

    async def call(ctx: RunContext[Deps], **args: object) -> Output:
        prompt = str(args["request"]) if double.spec.schema is None else json.dumps(args)
        # The last message has the call of the sub-agent.
        history = ctx.messages[:-1] if double.spec.full_history else None
        deps: Deps = {"session": ctx.deps["session"], "local": {}}
        result = await agent.run(prompt, message_history=history, usage_limits=limits, deps=deps)
        return result.output

    schema = dict(REQUEST if double.spec.schema is None else double.spec.schema)
    return Tool.from_schema(
        call, double.name, own.spec.description, schema, takes_ctx=True, sequential=parts.spec.sequential
    )
