"""The agent of the OpenAI Agents SDK: its messages, its model, its runs and its hooks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import count
from typing import Any

from agents import (
    Agent,
    AgentHookContext,
    AgentHooks,
    ModelResponse,
    RunConfig,
    RunContextWrapper,
    RunHooks,
    Runner,
    RunState,
    Tool,
    ToolExecutionConfig,
    TResponseInputItem,
    Usage,
)
from agents.exceptions import MaxTurnsExceeded, ModelBehaviorError, UserError
from agents.items import TResponseStreamEvent
from agents.models.interface import Model
from agents.run import CallModelData, ModelInputData
from agents.tool_context import ToolContext

from loopspec import Message
from loopspec import adapting as kit
from loopspec.contract.doubles import Inner
from loopspec.contract.stage import Stage

from .interrupts import continued, report_end
from .items import Group, group_of, groups_of, input_of, message_of, output_of, text_of
from .postures import POSTURES
from .retries import RECOVERY, settings_of
from .session import Context, SessionValues, entered, new_context
from .streaming import events_of, report_events
from .tools import behavior_of, info_of, stopping_tools, tool_of


@dataclass(frozen=True)
class Built:
    """An agent, and the parts that its runs are configured from."""

    agent: Agent[Context]
    parts: kit.Parts[Group]


class OpenAIAgents(kit.AgentAdapter[Group]):
    """Judges `agents.Agent` and `agents.Runner`."""

    name, version = "openai-agents", version("openai-agents")
    capabilities = (
        *("concurrent-runs", "streaming", "interrupt", "checkpoint-reuse", "sequential-tools", "return-directly"),
        *("before-agent-hooks", "before-agent-edits", "before-model-hooks", "before-model-edits"),
        *("after-model-hooks", "after-agent-hooks", "tool-wrappers", "raw-arguments", "missing-results"),
        *("reports-instruction", "reports-tools", "reports-return-directly", "retry", "session-values"),
    )
    postures = POSTURES
    error_kinds = {MaxTurnsExceeded: "max_iterations", UserError: "invalid_config"}

    def __init__(self) -> None:
        self._answers = count(1)

    def to_wire(self, message: Group) -> Sequence[Message]:
        """Convert a group of items: a message, a result, or an answer with its calls."""
        return [message_of(message)]

    def from_wire(self, message: Message) -> Group:
        """Convert a message. The id of an answer is new: the SDK drops a message whose id repeats."""
        return group_of(message, f"msg_{next(self._answers)}")

    def inside(self) -> Inner:
        """Return the session values, which are in the context of the run."""
        return SessionValues()

    async def perform(self, stage: Stage) -> None:
        """Perform a scene. The retry policy of a run asks the scene which errors are retried."""
        RECOVERY.set(stage.recovery)
        await super().perform(stage)

    def build(self, parts: kit.Parts[Group]) -> Built:
        """Build the agent. Its handlers and its limits are options of each run."""
        directly = [tool.name for tool in parts.tools if tool.directly]
        agent = Agent[Context](
            name=parts.name,
            instructions=parts.instruction,
            model=Scripted(parts.model) if parts.model else None,
            model_settings=settings_of(parts.spec),
            tools=[tool_of(tool, parts.hooks) for tool in parts.tools],
            tool_use_behavior=behavior_of(directly),
        )
        return Built(agent, parts)

    async def run(self, agent: Built, messages: list[Group], report: kit.Reporter[Group]) -> None:
        """Perform a run of the caller's messages."""
        own, context = for_one_run(agent.agent, report), new_context(report.run.session)
        await self._perform(agent, own, input_of(messages), context, report)

    async def resume(
        self, agent: Built, checkpoint: bytes, answers: Mapping[str, Any], report: kit.Reporter[Group]
    ) -> None:
        """Continue a run whose tool calls wait for approval."""
        own = for_one_run(agent.agent, report)
        state, context = await continued(own, checkpoint, answers)
        await self._perform(agent, own, state, context, report)

    async def _perform(
        self,
        built: Built,
        agent: Agent[Context],
        given: list[TResponseInputItem] | RunState[Context],
        context: Context,
        report: kit.Reporter[Group],
    ) -> None:
        parts, handlers = built.parts, Handlers(built.parts)
        limit = {} if parts.max_iterations is None else {"max_turns": parts.max_iterations}
        options: Any = {  # Any: the options of two methods that type them one by one
            "context": context,
            "hooks": handlers,
            "run_config": RunConfig(
                tracing_disabled=True,
                call_model_input_filter=handlers.before_model,
                tool_execution=ToolExecutionConfig(max_function_tool_concurrency=1 if parts.spec.sequential else None),
            ),
            **limit,
        }
        try:
            if report.run.streaming:
                streamed = Runner.run_streamed(agent, given, **options)
                await report_events(streamed, report)
                report_end(streamed, report)
            else:
                report_end(await Runner.run(agent, given, **options), report)
        finally:
            report.session(context["session"])


def for_one_run(agent: Agent[Context], report: kit.Reporter[Group]) -> Agent[Context]:
    """Return an agent for one run: its hooks report the events, and a before-agent hook may change its tools."""
    return agent.clone(tools=list(agent.tools), hooks=None if report.run.streaming else Events(report))


class Scripted(Model):
    """A scripted model."""

    def __init__(self, double: kit.ModelDouble[Group]) -> None:
        self.double = double

    async def get_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],
        model_settings: object,
        tools: list[Tool],
        *more: Any,
        **others: Any,
    ) -> ModelResponse:
        """Return the answer."""
        offered = [info_of(tool) for tool in tools]
        answer = await self.double.answer(groups_of(input), offered, system_instructions or "")
        if answer is None:
            return None  # type: ignore[return-value]  # a model's mistake
        return ModelResponse(output=output_of(answer), usage=Usage(), response_id=None)

    def stream_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],
        model_settings: object,
        tools: list[Tool],
        *more: Any,
        **others: Any,
    ) -> AsyncIterator[TResponseStreamEvent]:
        """Return the events of the answer."""
        return events_of(
            self.double.chunks(groups_of(input), [info_of(tool) for tool in tools], system_instructions or "")
        )


class Events(AgentHooks[Context]):
    """The hooks of an agent: events of a run that does not stream."""

    def __init__(self, report: kit.Reporter[Group]) -> None:
        self.report = report

    async def on_llm_end(
        self, context: RunContextWrapper[Context], agent: Agent[Context], response: ModelResponse
    ) -> None:
        """Report an answer."""
        for group in groups_of(response.output):
            self.report.message(group)

    async def on_tool_end(
        self, context: RunContextWrapper[Context], agent: Agent[Context], tool: Tool, result: object
    ) -> None:
        """Report a result."""
        self.report.message(result_of(context, result))


class Handlers(RunHooks[Context]):
    """The scripted handlers as the hooks of a run. The input filter is the only hook that changes a model call."""

    def __init__(self, parts: kit.Parts[Group]) -> None:
        self.parts = parts
        self.messages: list[Group] = []  # of the last model call: its input, its answer, and results
        self.system = ""

    async def on_agent_start(self, context: AgentHookContext[Context], agent: Agent[Context]) -> None:
        """Receives the agent, and may change the instruction and the tools."""
        entered(context.context)
        for hook in self.parts.hooks:
            names = [tool.name for tool in agent.tools]
            start = await hook.before_agent(str(agent.instructions or ""), names, stopping_tools(agent))
            if start is None:
                continue
            if start.instruction is not None:
                agent.instructions = start.instruction
            if start.tools is not None and list(start.tools) != names:
                known = {tool.name: tool for tool in agent.tools}
                agent.tools = self.parts.pick(start.tools, known, lambda one: tool_of(one, self.parts.hooks))
            if start.return_directly is not None:
                agent.tool_use_behavior = behavior_of(start.return_directly)

    async def before_model(self, data: CallModelData[Context]) -> ModelInputData:
        """Changes the input of one model call, and its instructions."""
        entered(data.context)
        given, groups, system = data.model_data, groups_of(data.model_data.input), data.model_data.instructions or ""
        for hook in self.parts.hooks:
            change = await hook.before_model(groups, names_of(data.agent.tools), system)
            if change.returns_nothing:
                return None  # type: ignore[return-value]  # a hook's mistake
            if change.messages_changed or change.system_changed:
                groups, system = list(change.messages), change.system or ""
                given = ModelInputData(input=input_of(groups), instructions=system or None)
        return given

    async def on_llm_start(
        self,
        context: RunContextWrapper[Context],
        agent: Agent[Context],
        system_prompt: str | None,
        input_items: list[TResponseInputItem],
    ) -> None:
        """Receives the input of a model call."""
        self.messages, self.system = groups_of(input_items), system_prompt or ""

    async def on_llm_end(
        self, context: RunContextWrapper[Context], agent: Agent[Context], response: ModelResponse
    ) -> None:
        """Receives the answer, and changes nothing."""
        entered(context.context)
        self.messages += groups_of(response.output)
        for hook in self.parts.hooks:
            await hook.after_model(self.messages, names_of(agent.tools), self.system)

    async def on_tool_end(
        self, context: RunContextWrapper[Context], agent: Agent[Context], tool: Tool, result: object
    ) -> None:
        """Receives a result."""
        self.messages += groups_of([result_of(context, result)[0]])  # type: ignore[list-item]

    async def on_agent_end(self, context: AgentHookContext[Context], agent: Agent[Context], output: object) -> None:
        """Receives the final answer, which ends the conversation of the last model call."""
        entered(context.context)
        for hook in self.parts.hooks:
            await hook.after_agent(self.messages, self.system)


def names_of(tools: Iterable[Tool]) -> list[str]:
    """Return the names of tools."""
    return [tool.name for tool in tools]


def result_of(context: RunContextWrapper[Context], result: object) -> Group:
    """Return the result of a tool call as the item that the model receives."""
    call_id = context.tool_call_id if isinstance(context, ToolContext) else ""
    return ({"type": "function_call_output", "call_id": call_id, "output": text_of(result)},)
