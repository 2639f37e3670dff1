"""The tools of an agent, and the guardrails that are their wrappers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agents import (
    Agent,
    FunctionTool,
    StopAtTools,
    Tool,
    ToolGuardrailFunctionOutput,
    ToolInputGuardrail,
    ToolInputGuardrailData,
    ToolOutputGuardrail,
    ToolOutputGuardrailData,
)

import loopspec_adapting as kit
from loopspec import ToolInfo

from .items import Group, text_of
from .session import entered


def wrapped(tool: FunctionTool, hooks: Sequence[kit.HookDouble[Group]]) -> FunctionTool:
    """Add guardrails to a tool: each handler that wraps tool calls is one before the call and one after it."""
    wrappers = [Wrapper(hook) for hook in hooks]
    tool.tool_input_guardrails = [ToolInputGuardrail(one.before) for one in wrappers]
    tool.tool_output_guardrails = [ToolOutputGuardrail(one.after) for one in wrappers]
    return tool


class Wrapper:
    """A scripted tool wrapper. A guardrail rejects a call or a result with a text, and changes no arguments."""

    def __init__(self, hook: kit.HookDouble[Group]) -> None:
        self.hook = hook

    async def before(self, data: ToolInputGuardrailData) -> ToolGuardrailFunctionOutput:
        """Begin the wrapper. A wrapper that short-circuits rejects the call with its result."""
        context = data.context
        entered(context.context)
        call = await self.hook.enter_tool(context.tool_name, context.tool_call_id, context.tool_arguments)
        if call.result is None:
            return ToolGuardrailFunctionOutput.allow()
        return ToolGuardrailFunctionOutput.reject_content(call.result)

    async def after(self, data: ToolOutputGuardrailData) -> ToolGuardrailFunctionOutput:
        """End the wrapper. A result that the wrapper changes is rejected with the wrapper's own."""
        given = text_of(data.output)
        wanted = await self.hook.leave_tool(data.context.tool_call_id, given)
        if wanted == given:
            return ToolGuardrailFunctionOutput.allow()
        return ToolGuardrailFunctionOutput.reject_content(wanted or "")


def behavior_of(directly: Iterable[str]) -> Any:  # Any: a literal, or tools that end the run
    """Return the behavior of an agent whose run ends after one of these tools."""
    names = list(directly)
    return StopAtTools(stop_at_tool_names=names) if names else "run_llm_again"


def stopping_tools(agent: Agent[Any]) -> list[str]:  # Any: the parameter of the SDK's own type
    """Return the tools after which a run ends."""
    behavior = agent.tool_use_behavior
    return list(behavior.get("stop_at_tool_names", ())) if isinstance(behavior, dict) else []


def info_of(tool: Tool) -> ToolInfo:
    """The information that a model receives about a tool."""
    assert isinstance(tool, FunctionTool), "a scene has function tools only"
    return ToolInfo(name=tool.name, description=tool.description, parameters=tool.params_json_schema)
