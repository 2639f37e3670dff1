"""The tools of LlamaIndex: functions that can wait for the caller, and agents that a function runs."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.bridge.pydantic import BaseModel
from llama_index.core.llms import ChatMessage
from llama_index.core.tools import FunctionTool, ToolMetadata
from llama_index.core.workflow import Context, HumanResponseEvent, InputRequiredEvent

import loopspec_adapting as kit
from loopspec import Interruption, Resumed


class Asked(InputRequiredEvent):
    """A call asks its caller. A tool does not know the id of its call: `asked` is its name and its arguments."""

    asked: str
    info: Any


class Answered(HumanResponseEvent):
    """The caller's answer."""

    asked: str
    response: Any


Build = Callable[[kit.Parts[ChatMessage]], FunctionAgent]


def tool_of(double: kit.ToolDouble, parts: kit.Parts[ChatMessage], build: Build) -> FunctionTool:
    """Build a tool. A tool that waits for its caller keeps what it needs in the state: it begins again then."""
    if double.spec.agent is not None:
        return agent_tool(double, parts.of(double.spec.agent), build)
    info = double.info

    async def call(ctx: Context, **arguments: Any) -> str | None:
        asked = f"{info.name} {json.dumps(arguments)}"
        resumed, kept = None, await ctx.store.get(asked, default=None)
        if kept:
            event = Asked(asked=asked, info=kept["info"])
            response = await ctx.wait_for_event(Answered, event, requirements={"asked": asked})
            resumed = Resumed(state=kept["state"], data=response.response)
        kept = None
        try:
            return await double.call(arguments, None, resumed)
        except Interruption as interruption:
            kept = {"info": interruption.info, "state": interruption.state}
        finally:
            await ctx.store.set(asked, kept)
        return await call(ctx, **arguments)

    metadata = ToolMetadata(info.description, info.name, schema_of(info.parameters), double.directly)
    return FunctionTool(call if double.spec.kinds else None, metadata)


def agent_tool(double: kit.ToolDouble, parts: kit.Parts[ChatMessage], build: Build) -> FunctionTool:
    """Build a tool that runs an agent."""
    agent, schema = build(parts), double.spec.schema

    async def call(request: str) -> str:
        return str(await agent.run(user_msg=request, max_iterations=parts.max_iterations))

    async def call_with(**arguments: Any) -> str:
        return await call(json.dumps(arguments))

    if schema is None:
        return FunctionTool.from_defaults(call, agent.name, agent.description, double.directly)
    return FunctionTool(call_with, ToolMetadata(agent.description, agent.name, schema_of(schema), double.directly))


def schema_of(parameters: Mapping[str, Any]) -> type[BaseModel]:
    """Make a class of arguments that has this JSON Schema."""

    class Schema(BaseModel):
        @classmethod
        def model_json_schema(cls, *args: Any, **kwargs: Any) -> dict[str, Any]:
            return dict(parameters)

    return Schema
