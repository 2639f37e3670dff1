"""The scripted tools, and the results and commands of tool calls."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from langchain.tools import ToolRuntime
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.graph import END
from langgraph.types import Command

import loopspec_adapting as kit
from loopspec import Resumed, ToolAnswer, ToolInfo, ToolRequest
from loopspec.contract.values import ToolKind

from .interrupts import interrupting

Outcome = ToolMessage | Command[Any]  # of a tool call


def tool_of(double: kit.ToolDouble) -> BaseTool:
    """Build a tool. LangChain's tools have one function: the invokable one, of a tool with both."""

    def request(args: object, runtime: ToolRuntime[Any, Any], kind: ToolKind, resumed: Resumed | None) -> ToolRequest:
        call_id = runtime.tool_call_id or ""
        return ToolRequest(tool=double.name, call_id=call_id, args=kit.args_text(args), kind=kind, resumed=resumed)

    async def call(runtime: ToolRuntime[Any, Any], **args: Any) -> object:
        answer = None
        async with interrupting(runtime.store, runtime.tool_call_id or "", "tool") as resumed:
            answer = await double.doubles.invoke(request(args, runtime, "invokable", resumed), double.inside())
        if answer is None or answer.command is None:
            return None if answer is None else answer.text
        return command_of(answer, ToolMessage(answer.text, tool_call_id=runtime.tool_call_id, name=info.name))

    async def call_streaming(runtime: ToolRuntime[Any, Any], **args: Any) -> str:
        text = ""
        async with interrupting(runtime.store, runtime.tool_call_id or "", "tool") as resumed:
            asked = request(args, runtime, "streamable", resumed)
            async for chunk in double.doubles.invoke_streaming(asked, double.inside()):
                runtime.emit_output_delta(chunk.text)
                text += chunk.text
        return text

    info, kinds = double.info, double.spec.kinds
    return StructuredTool(
        name=info.name,
        description=info.description,
        args_schema=dict(info.parameters),
        coroutine=call if "invokable" in kinds else call_streaming if "streamable" in kinds else None,
        return_direct=double.directly,
    )


def info_of(tool: Any) -> ToolInfo:  # Any: a tool, or the schema that a model receives
    """The information that a model receives about a tool."""
    described = convert_to_openai_tool(tool)["function"]
    parameters = described.get("parameters", {})
    return ToolInfo(name=described["name"], description=described.get("description", ""), parameters=parameters)


def command_of(answer: ToolAnswer, result: ToolMessage) -> Command[Any]:
    """Build a command. LangGraph has names of nodes as targets."""
    assert answer.command is not None
    goto = answer.command.goto
    update = {**answer.command.state, "messages": [result]}
    return Command(update=update, goto=(END if goto == "end" else goto) if goto else ())


def text_of(outcome: Outcome) -> str:
    """The text of a result, which may be in a command."""
    if isinstance(outcome, ToolMessage):
        return str(outcome.text)
    update: Any = outcome.update  # Any: of a tool it is an object with messages, which `ToolNode` has checked
    return next(str(one.text) for one in update["messages"] if isinstance(one, ToolMessage))


def with_result(outcome: Outcome | None, result: ToolMessage) -> Outcome:
    """A result in the place of the one in an outcome: the tool's own command stays."""
    if not isinstance(outcome, Command):
        return result
    update: Any = outcome.update  # Any: likewise
    return replace(outcome, update={**update, "messages": [result]})
