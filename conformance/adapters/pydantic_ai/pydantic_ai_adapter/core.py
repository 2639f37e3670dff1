"""The agent of pydantic-ai: its messages, its model and its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai import messages as pai
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import UsageLimitExceeded, UserError
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import UsageLimits

import loopspec_adapting as kit
from loopspec import Message
from loopspec.contract.agents import Handler
from loopspec.contract.doubles import Inner
from loopspec.contract.stage import Stage

from .cancelling import CANCEL_KINDS, cancelled_runs
from .conversations import Conversations
from .events import report_events
from .hooks import Scripted
from .inside import Deps, Inside, deps_of
from .interrupts import Output, continued
from .postures import POSTURES
from .recovery import recovery_of
from .streaming import chunk_function
from .sub_agents import any_tool
from .tools import info_of

Built = tuple[Agent[Deps, Output], UsageLimits]  # an agent, and the limits of its runs


class PydanticAI(kit.AgentAdapter[pai.ModelMessage]):
    """Judges `pydantic_ai.Agent`."""

    name, version = "pydantic-ai", version("pydantic-ai-slim")
    capabilities = (
        *("concurrent-runs", "interrupt", "checkpoint-reuse", "sequential-tools", "streaming", "several-handlers"),
        *("before-agent-hooks", "before-model-hooks", "before-model-edits", "tools-from-hooks", "reports-tools"),
        *("after-model-hooks", "after-model-edits", "after-agent-hooks", "model-wrappers", "tool-wrappers"),
        *("approvals", "approval-edits", "interrupting-tool-wrappers"),
        "missing-results",
        "agent-tool",
        "full-history",
        "retry",
        "failover",
        *("cancel", "synchronous-cancel"),
        "tool-support",
        "context-values",
        "session-values",
        "session-on-resume",
        "shared-lists",
        "run-values",
        *("send-event", "messages-during-runs"),
        "conversations",
    )
    postures = POSTURES
    error_kinds = {UsageLimitExceeded: "max_iterations", UserError: "invalid_config", **CANCEL_KINDS}

    def to_wire(self, message: pai.ModelMessage) -> Sequence[Message]:
        """Convert a message; a request of pydantic-ai has several parts."""
        extra = message.metadata
        if isinstance(message, pai.ModelResponse):
            texts = [one.content for one in message.parts if isinstance(one, pai.TextPart)]
            parts = [one for one in message.parts if isinstance(one, pai.ToolCallPart)]
            calls = [(one.tool_call_id, one.tool_name, one.args) for one in parts]
            return [kit.answer_message("".join(texts), calls, extra)]
        found: list[Message] = []
        for part in message.parts:
            match part:
                case pai.SystemPromptPart():
                    found.append(Message(role="system", content=part.content))
                case pai.UserPromptPart():
                    found.append(Message(role="user", content=str(part.content), extra=extra or {}))
                case pai.ToolReturnPart():
                    found.append(
                        kit.result_message(part.model_response_str(), part.tool_call_id, part.tool_name, extra)
                    )
                case pai.RetryPromptPart(tool_name=None):
                    found.append(Message(role="user", content=part.model_response()))
                case pai.RetryPromptPart():
                    found.append(kit.result_message(part.model_response(), part.tool_call_id, part.tool_name))
        return found

    def from_wire(self, message: Message) -> pai.ModelMessage:
        """Convert a message of the contract to one with a single part, or to an answer."""
        extra, text = dict(message.extra) or None, message.content
        match message.role:
            case "assistant":
                texts = [pai.TextPart(text)] if text or not message.tool_calls else []
                calls = [pai.ToolCallPart(call.name, call.args, call.id) for call in message.tool_calls]
                return pai.ModelResponse([*texts, *calls], metadata=extra)
            case "system":
                return pai.ModelRequest([pai.SystemPromptPart(text)], metadata=extra)
            case "tool":
                part = pai.ToolReturnPart(message.tool_name or "", text, message.tool_call_id or "")
                return pai.ModelRequest([part], metadata=extra)
            case _:
                return pai.ModelRequest([pai.UserPromptPart(text)], metadata=extra)

    async def perform(self, stage: Stage) -> None:
        """Perform a scene, whose agents may share a list object of handlers, and whose runs a conversation."""
        self._conversations = Conversations()
        self._lists: list[tuple[Sequence[Handler], list[AbstractCapability[Deps]]]] = []
        await super().perform(stage)

    def inside(self) -> Inner:
        """Return the values in the dependencies of the run, and its custom events."""
        return Inside()

    def build(self, parts: kit.Parts[pai.ModelMessage]) -> Built:
        """Build the agent. A handler becomes a capability, the limit of model calls a usage limit of each run."""
        limits = UsageLimits() if parts.max_iterations is None else UsageLimits(request_limit=parts.max_iterations)
        agent = Agent(
            model_of(parts.model) if parts.model else None,
            name=parts.name,
            instructions=parts.instruction,
            output_type=[str, DeferredToolRequests],
            tools=[any_tool(tool, parts, self.build) for tool in parts.tools],
            capabilities=self.capabilities_of(parts),
        )
        return agent, limits

    def capabilities_of(self, parts: kit.Parts[pai.ModelMessage]) -> list[AbstractCapability[Deps]]:
        """Build the handlers of an agent, or return the list that another agent has for equal ones."""
        for handlers, made in self._lists if parts.stage.scene.shared_lists else ():
            if handlers == parts.spec.handlers:
                return made
        made = [*parts.handlers(lambda hook: Scripted(hook, parts)), *recovery_of(parts, model_of)]
        self._lists.append((parts.spec.handlers, made))
        return made

    async def run(self, agent: Built, messages: list[pai.ModelMessage], report: kit.Reporter[pai.ModelMessage]) -> None:
        """Perform a run of the caller's messages."""
        await self._iterate(agent, report, **self._conversations.continued(report.run.conversation, messages))

    async def resume(
        self, agent: Built, checkpoint: bytes, answers: Mapping[str, Any], report: kit.Reporter[pai.ModelMessage]
    ) -> None:
        """Continue a run whose tool calls wait for approval."""
        await self._iterate(agent, report, **continued(checkpoint, answers))

    async def _iterate(self, agent: Built, report: kit.Reporter[pai.ModelMessage], **given: Any) -> None:
        deps = deps_of(report.run.session)
        try:
            with self._conversations.kept(report.run.conversation, given["message_history"]):
                async with cancelled_runs(report), agent[0].iter(usage_limits=agent[1], deps=deps, **given) as run:
                    report.cancels.cancel_with(run.cancel)
                    await report_events(run, report)
        finally:
            report.session(deps["session"])


def model_of(double: kit.ModelDouble[pai.ModelMessage]) -> FunctionModel:
    """Build a model that accepts system prompts anywhere in a conversation."""

    async def function(messages: list[pai.ModelMessage], info: AgentInfo) -> pai.ModelResponse:
        tools = [info_of(tool) for tool in info.function_tools]
        return await double.answer(messages, tools, info.instructions)  # type: ignore[return-value]  # an answer, or None

    profile: Any = {
        "supports_inline_system_prompts": True,
        "supports_tools": double.spec.takes_tools,
    }  # Any: a partial profile
    return FunctionModel(function, stream_function=chunk_function(double), model_name=double.name, profile=profile)
