"""The agent of the OpenAI Agents SDK: its messages, its runs and its hooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from itertools import count
from typing import Any

from agents import (
    Agent,
    AgentHookContext,
    FunctionTool,
    ModelResponse,
    RunConfig,
    RunContextWrapper,
    RunHooks,
    Runner,
    RunState,
    Tool,
    ToolExecutionConfig,
    TResponseInputItem,
)
from agents.run import CallModelData, ModelInputData

import loopspec_adapting as kit
from loopspec import Message
from loopspec.contract.doubles import Inner
from loopspec.contract.stage import Stage

from .conversations import conversation_of, stored_conversations
from .errors import ERROR_KINDS
from .events import Events
from .interrupts import continued, function_tool, report_end
from .items import Group, group_of, groups_of, input_of, message_of
from .model import Scripted
from .postures import POSTURES
from .retries import RECOVERY, settings_of
from .session import Context, ContextValues, entered, new_context
from .streaming import report_run
from .sub_agents import RUNS, STREAMING, agent_tool
from .tools import behavior_of, stopping_tools, wrapped

Built = tuple[Agent[Context], kit.Parts[Group]]  # an agent, and the parts that its runs are configured from


class OpenAIAgents(kit.AgentAdapter[Group]):
    """Judges `agents.Agent` and `agents.Runner`."""

    name, version = "openai-agents", version("openai-agents")
    capabilities = (
        *("concurrent-runs", "streaming", "sequential-tools", "return-directly", "agent-tool", "cancel"),
        *("before-agent-hooks", "before-agent-edits", "before-model-hooks", "before-model-edits"),
        *("after-model-hooks", "after-agent-hooks", "tool-wrappers", "raw-arguments", "missing-results"),
        *("reports-instruction", "reports-tools", "reports-return-directly", "retry", "session-values"),
        *("run-values", "interrupt", "checkpoint-reuse", "session-on-resume", "conversations", "approvals"),
    )
    postures = POSTURES
    error_kinds = ERROR_KINDS

    def __init__(self) -> None:
        self._answers = count(1)

    def to_wire(self, message: Group) -> Sequence[Message]:
        """Convert a group of items: a message, a result, or an answer with its calls."""
        return [message_of(message)]

    def from_wire(self, message: Message) -> Group:
        """Convert a message. The id of an answer is new: the SDK drops a message whose id repeats."""
        return group_of(message, f"msg_{next(self._answers)}")

    def inside(self) -> Inner:
        """Return the session values and the run-local values, which are in the context of the run."""
        return ContextValues()

    async def perform(self, stage: Stage) -> None:
        """Perform a scene, which decides about retries, and which receives the events of sub-agents."""
        RECOVERY.set(stage.recovery)
        RUNS.set(stage.runs)
        with stored_conversations():
            await super().perform(stage)

    def build(self, parts: kit.Parts[Group]) -> Built:
        """Build the agent. Its handlers and its limits are options of each run."""
        directly = [tool.name for tool in parts.tools if tool.directly]
        agent = Agent[Context](
            name=parts.name,
            instructions=parts.instruction,
            model=Scripted(parts.model) if parts.model else None,
            model_settings=settings_of(parts.spec),
            tools=[self.tool_of(tool, parts) for tool in parts.tools],
            tool_use_behavior=behavior_of(directly),
        )
        return agent, parts

    def tool_of(self, double: kit.ToolDouble, parts: kit.Parts[Group]) -> FunctionTool:
        """Build a tool, or a sub-agent as a tool, with the wrappers of the agent."""
        if double.spec.agent is None:
            return wrapped(function_tool(double), parts.hooks)
        conversion = kit.Conversion(self.to_wire, self.from_wire)
        agent, own = self.build(parts.of(double.spec.agent))
        handlers = Handlers(own, self.tool_of)
        forwarded = conversion if parts.spec.internal_events else None
        return wrapped(agent_tool(double, own, agent, handlers, handlers.config(), forwarded), parts.hooks)

    async def run(self, agent: Built, messages: list[Group], report: kit.Reporter[Group]) -> None:
        """Perform a run of the caller's messages."""
        own, context = agent_of_run(agent, report), new_context(report.run.session)
        await self._perform(own, agent[1], input_of(messages), context, report)

    async def resume(
        self, agent: Built, checkpoint: bytes, answers: Mapping[str, Any], report: kit.Reporter[Group]
    ) -> None:
        """Continue a run whose tool calls wait for approval."""
        own = agent_of_run(agent, report)
        state, context = await continued(own, checkpoint, answers, report.run)
        await self._perform(own, agent[1], state, context, report)

    async def _perform(
        self,
        own: Agent[Context],
        parts: kit.Parts[Group],
        given: list[TResponseInputItem] | RunState[Context],
        context: Context,
        report: kit.Reporter[Group],
    ) -> None:
        STREAMING.set(report.run.streaming)
        handlers = Handlers(parts, self.tool_of)
        options: Any = {"context": context, "hooks": handlers, "run_config": handlers.config()}
        options["session"] = conversation_of(report.run)
        if parts.max_iterations is not None:
            options["max_turns"] = parts.max_iterations
        try:
            if report.run.streaming:
                await report_run(Runner.run_streamed(own, given, **options), report)
            else:
                await report_end(await Runner.run(own, given, **options), report)
        finally:
            report.session(context["session"])


def agent_of_run(built: Built, report: kit.Reporter[Group]) -> Agent[Context]:
    """Return an agent for one run, since a before-agent hook may change its tools."""
    return built[0].clone(tools=list(built[0].tools), hooks=None if report.run.streaming else Events(report))


class Handlers(RunHooks[Context]):
    """The scripted handlers as the hooks of a run. The input filter is the only hook that changes a model call."""

    def __init__(self, parts: kit.Parts[Group], tool_of: Any) -> None:
        self.parts, self.tool_of = parts, tool_of

    def config(self) -> RunConfig:
        """Return the configuration of a run, with the input filter."""
        tools = ToolExecutionConfig(max_function_tool_concurrency=1 if self.parts.spec.sequential else None)
        return RunConfig(tracing_disabled=True, call_model_input_filter=self.before_model, tool_execution=tools)

    async def on_agent_start(self, context: AgentHookContext[Context], agent: Agent[Context]) -> None:
        """Receives the agent, and may change the instruction and the tools."""
        entered(context.context)
        for hook in self.parts.hooks:
            names = names_of(agent.tools)
            start = await hook.before_agent(str(agent.instructions or ""), names, stopping_tools(agent))
            if start is None:
                continue
            agent.instructions = agent.instructions if start.instruction is None else start.instruction
            if start.tools is not None and list(start.tools) != names:
                known = {tool.name: tool for tool in agent.tools}
                agent.tools = self.parts.pick(start.tools, known, lambda one: self.tool_of(one, self.parts))
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

    async def on_llm_end(
        self, context: RunContextWrapper[Context], agent: Agent[Context], response: ModelResponse
    ) -> None:
        """Receives the answer without the input of the model, and changes nothing."""
        entered(context.context)
        for hook in self.parts.hooks:
            await hook.after_model(groups_of(response.output), names_of(agent.tools), str(agent.instructions or ""))

    async def on_agent_end(self, context: AgentHookContext[Context], agent: Agent[Context], output: object) -> None:
        """Receives the input of the run and the text of its end, without the messages between them."""
        entered(context.context)
        answer = self.parts.conversion.from_wire(Message(role="assistant", content=str(output)))
        for hook in self.parts.hooks:
            await hook.after_agent([*groups_of(context.turn_input), answer], str(agent.instructions or ""))


def names_of(tools: Iterable[Tool]) -> list[str]:
    """Return the names of tools."""
    return [tool.name for tool in tools]
