"""Interrupts: the SDK interrupts a run for approvals, so a tool that interrupts runs an agent that asks for one."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

from agents import (
    Agent,
    FunctionTool,
    ModelResponse,
    RunConfig,
    RunResult,
    RunResultStreaming,
    RunState,
    TResponseInputItem,
    Usage,
)
from agents.agent_tool_input import StructuredToolInputBuilderOptions
from agents.items import TResponseStreamEvent
from agents.models.interface import Model
from agents.tool_context import ToolContext

from loopspec import Interruption, Resumed
from loopspec.contract.values import Json
from loopspec_adapting import Reporter, ToolDouble

from .items import Group, call_item, groups_of, message_of, output_of
from .session import Context, entered

_ASKED = "approval of "  # begins the id of a call that waits for approval, before the id of the tool's own call


@dataclass
class Asked:
    """The argument of the agent that asks: the id of the tool call."""

    call: str


class Asking(Model):
    """The model of an agent that asks: its only answer calls the tool that needs approval."""

    async def get_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],  # noqa: A002  # the SDK's name
        *more: Any,
        **others: Any,
    ) -> ModelResponse:
        """Return a call for the id that the agent receives."""
        call_id = message_of(groups_of(input)[0]).content
        return ModelResponse(
            output=output_of((call_item(_ASKED + call_id, "approval", "{}"),)), usage=Usage(), response_id=None
        )

    def stream_response(self, *given: Any, **others: Any) -> AsyncIterator[TResponseStreamEvent]:
        """Not called: an agent as a tool runs without streaming."""
        raise NotImplementedError


async def approved(context: ToolContext[Any], args: str) -> str:
    """Return after the approval."""
    return args


def call_of(options: StructuredToolInputBuilderOptions) -> str:
    """Return the input of an agent that asks."""
    return str(options["params"]["call"])


def interruptible(double: ToolDouble) -> FunctionTool:
    """Build a tool from an agent that asks, which the tool runs only if it interrupts.

    The tool receives the arguments as the model wrote them, and is called again after the approval.
    """
    info = double.info
    approval = FunctionTool("approval", "", {}, approved, strict_json_schema=False, needs_approval=True)
    agent = Agent[Context](
        f"approval of {info.name}", model=Asking(), tools=[approval], tool_use_behavior="stop_on_first_tool"
    )
    tool = agent.as_tool(
        info.name,
        info.description,
        run_config=RunConfig(tracing_disabled=True),
        failure_error_function=None,
        parameters=Asked,
        input_builder=call_of,
    )
    ask = tool.on_invoke_tool

    async def call(context: ToolContext[Any], args: str) -> object:
        entered(context.context)
        call_id, waiting = context.tool_call_id, context.context["interrupts"]
        asked, resumed = json.dumps({"call": call_id}), None
        if call_id in waiting:
            await ask(context, asked)
            resumed = Resumed(state=waiting.pop(call_id)["state"], data=context.context["answers"].get(call_id))
        try:
            return await double.call(args, call_id, resumed)
        except Interruption as interruption:
            waiting[call_id] = {"info": interruption.info, "state": interruption.state}
            return await ask(context, asked)

    tool.on_invoke_tool, tool.params_json_schema, tool.strict_json_schema = call, dict(info.parameters), False
    return tool


def report_end(result: RunResult | RunResultStreaming, report: Reporter[Group]) -> None:
    """Report the final answer, or the calls that wait for approval, with the state of the run as the checkpoint."""
    waiting = [str(item.call_id).removeprefix(_ASKED) for item in result.interruptions]
    if not waiting:
        report.final(str(result.final_output))
        return
    interrupts = result.context_wrapper.context["interrupts"]
    checkpoint = {"state": result.to_state().to_json(), "context": result.context_wrapper.context}
    report.interrupted(json.dumps(checkpoint).encode(), [(one, interrupts[one]["info"]) for one in waiting])


async def continued(
    agent: Agent[Context], checkpoint: bytes, answers: Mapping[str, Any], session: Mapping[str, Json]
) -> tuple[RunState[Context], Context]:
    """Return the state that a run continues from: all calls are approved, and the answers are in its context."""
    stored = json.loads(checkpoint)
    context: Context = stored["context"]
    context["session"].update(session)
    context["answers"] = dict(answers)
    state: RunState[Context] = await RunState.from_json(agent, stored["state"], context_override=context)
    for item in state.get_interruptions():
        state.approve(item)
    return state, context
