"""Sub-agents: a tool that delegates to another agent, in the way that pydantic-ai documents."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_ai import Agent, DeferredToolRequests, RunContext, Tool
from pydantic_ai.messages import CustomEvent, FunctionToolResultEvent, ModelMessage, ModelRequest
from pydantic_ai.run import AgentRun
from pydantic_ai.usage import UsageLimits

import loopspec_adapting as kit
from loopspec.contract.values import Json

from .inside import Deps
from .interrupts import Output, checkpoint_of, continued, interrupts_of, waiting
from .tools import tool_of

Built = tuple[Agent[Deps, Output], UsageLimits]  # an agent, and the limits of its runs
# The arguments of a sub-agent without a schema of its own.
REQUEST: Mapping[str, Json] = {
    "type": "object",
    "properties": {"request": {"type": "string"}},
    "required": ["request"],
}


@dataclass(kw_only=True)
class Forwarded(CustomEvent):
    """A message of a sub-agent, as an event of the outer run."""

    agent: str
    message: ModelMessage


def any_tool(
    double: kit.ToolDouble, parts: kit.Parts[ModelMessage], build: Callable[[kit.Parts[ModelMessage]], Built]
) -> Tool[Deps]:
    """Build a tool, or a tool that delegates to a sub-agent."""
    if double.spec.agent is None:
        return tool_of(double, parts.spec.sequential)
    own = parts.of(double.spec.agent)
    agent, limits = build(own)

    async def call(ctx: RunContext[Deps], **args: object) -> str:
        given = continued_in(ctx) if ctx.tool_call_approved else begun(double, ctx, args)
        deps: Deps = {"session": ctx.deps["session"], "local": {}}
        async with agent.iter(usage_limits=limits, deps=deps, **given) as run:
            await (forward(run, own.name, ctx) if parts.spec.internal_events else finish(run))
        assert run.result is not None
        if isinstance(run.result.output, DeferredToolRequests):
            found = interrupts_of(run.result.output)
            raise waiting({f"{ctx.tool_call_id}/{key}": info for key, info in found.items()}, checkpoint_of(run.result))
        return run.result.output

    schema = dict(double.spec.schema or REQUEST)
    return Tool.from_schema(
        call, double.name, own.spec.description, schema, takes_ctx=True, sequential=parts.spec.sequential
    )


def begun(double: kit.ToolDouble, ctx: RunContext[Deps], args: Mapping[str, object]) -> dict[str, Any]:
    """Return what a run of a sub-agent begins with. Any: the arguments of `Agent.iter`."""
    prompt = str(args["request"]) if double.spec.schema is None else json.dumps(args)
    history = ctx.messages[:-1] if double.spec.full_history else None  # the last message has the call of the sub-agent
    return {"user_prompt": prompt, "message_history": history}


def continued_in(ctx: RunContext[Deps]) -> dict[str, Any]:
    """Return what a run of a sub-agent continues from. Any: the arguments of `Agent.iter`."""
    metadata, prefix = ctx.tool_call_metadata, f"{ctx.tool_call_id}/"
    answers = {key.removeprefix(prefix): answer for key, answer in metadata["answers"].items()}
    return {**continued(metadata["state"], answers)}


async def finish(run: AgentRun[Deps, Any]) -> None:  # Any: an output
    """Perform a run to its end."""
    async for _ in run:
        pass


async def forward(run: AgentRun[Deps, Any], name: str, ctx: RunContext[Deps]) -> None:  # Any: an output
    """Perform a run to its end, and emit its answers and results as events of the outer run."""
    async for node in run:
        if Agent.is_call_tools_node(node):
            await ctx.emit(Forwarded(agent=name, message=node.model_response))
            async with node.stream(run.ctx) as events:
                async for event in events:
                    if isinstance(event, FunctionToolResultEvent):
                        await ctx.emit(Forwarded(agent=name, message=ModelRequest([event.part])))
                    elif isinstance(event, Forwarded):
                        await ctx.emit(Forwarded(agent=event.agent, message=event.message))
