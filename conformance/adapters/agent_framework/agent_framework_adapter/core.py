"""The agent of Microsoft Agent Framework: its messages, its chat client and its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, TypeAlias

import agent_framework as af

import loopspec_adapting as kit
from loopspec import Message
from loopspec.contract.doubles import Inner
from loopspec.contract.stage import Stage

from .agents import Buffered, agent_tool, without_history
from .events import report_response, report_updates
from .interrupts import approvals, restored
from .middleware import middleware_of
from .models import Client
from .postures import POSTURES
from .sessions import InsideSession, add_values, new_conversations, session_of
from .tools import PassThrough, tool_of

Built: TypeAlias = af.Agent[Any]  # Any: the options of any chat client


class AgentFramework(kit.AgentAdapter[af.Message]):
    """Judges `agent_framework.Agent`."""

    name, version = "agent-framework", version("agent-framework-core")
    capabilities = (
        *("agent-tool", "concurrent-runs", "interrupt", "checkpoint-reuse", "sequential-tools"),
        *("streaming", "extra-data", "session-values", "session-on-resume", "several-handlers"),
        *("before-agent-hooks", "reports-tools", "before-model-hooks", "before-model-edits"),
        *("tools-from-hooks", "after-model-hooks", "after-model-edits", "after-agent-hooks"),
        *("model-wrappers", "tool-wrappers", "repeated-inner-calls", "conversations", "approvals"),
        "interrupting-tool-wrappers",
    )
    postures = POSTURES
    error_kinds = {ValueError: "invalid_config"}

    def to_wire(self, message: af.Message) -> Sequence[Message]:
        """Convert a message. A tool message has the results of all calls; an approval is no message."""
        contents = [one for one in message.contents if not one.type.startswith("function_approval")]
        if message.contents and not contents:
            return []
        results = [one for one in contents if one.type == "function_result"]
        if results:
            return [kit.result_message(str(one.result or ""), one.call_id, None) for one in results]
        calls = [(one.call_id, one.name or "", one.arguments) for one in contents if one.type == "function_call"]
        extra = {**message.additional_properties}
        for one in contents:
            extra |= one.additional_properties
        extra.pop("_attribution", None)  # the framework's own: the provider that has stored the message
        if message.role == "assistant":
            return [kit.answer_message(message.text, calls, extra)]
        return [Message(role="system" if message.role == "system" else "user", content=message.text, extra=extra)]

    def from_wire(self, message: Message) -> af.Message:
        """Convert a message of the contract."""
        contents, extra = [], dict(message.extra)
        if message.content or not message.tool_calls:
            contents = [af.Content.from_text(message.content, additional_properties=extra)]
        if message.role == "tool":
            contents = [af.Content.from_function_result(message.tool_call_id or "", result=message.content)]
        contents += [af.Content.from_function_call(one.id, one.name, arguments=one.args) for one in message.tool_calls]
        return af.Message(message.role, contents, additional_properties=extra)

    def build(self, parts: kit.Parts[af.Message]) -> Built:
        """Build the agent. A handler becomes a middleware of each kind, the iteration limit an option of the client."""
        return self._built(parts)

    def _built(
        self,
        parts: kit.Parts[af.Message],
        providers: Sequence[af.ContextProvider] = (),
        middleware: Sequence[af.ChatMiddleware] = (),
    ) -> Built:
        config = af.FunctionInvocationConfiguration(allow_concurrent_invocation=not parts.spec.sequential)
        if parts.max_iterations is not None:
            config["max_iterations"] = parts.max_iterations
        models = {"": parts.model, **parts.additional_models}
        hooks = [one for hook in parts.hooks for one in middleware_of(hook, parts)]
        return af.Agent(
            Client(models, self.from_wire, function_invocation_configuration=config),
            parts.instruction,
            name=parts.name or None,
            description=parts.spec.description,
            tools=[self._tool(tool, parts) for tool in parts.tools],
            context_providers=providers,
            middleware=[*hooks, *middleware, PassThrough()],
        )

    async def perform(self, stage: Stage) -> None:
        """Perform a scene, whose conversations have sessions of their own."""
        new_conversations()
        await super().perform(stage)

    async def run(self, agent: Built, messages: list[af.Message], report: kit.Reporter[af.Message]) -> None:
        """Perform a run of the caller's messages, with the session of its conversation."""
        await self._perform(agent, messages, add_values(session_of(report.run), report.run.session), report)

    async def resume(
        self, agent: Built, checkpoint: bytes, answers: Mapping[str, Any], report: kit.Reporter[af.Message]
    ) -> None:
        """Continue a run whose tool calls wait: the message of a resumption has the decisions."""
        restored_session, requests = restored(checkpoint)
        session = add_values(session_of(report.run, restored_session), report.run.session)
        await self._perform(agent, approvals(requests, answers), session, report)

    def inside(self) -> Inner:
        """Return the session values of the current run."""
        return InsideSession()

    def _tool(self, double: kit.ToolDouble, parts: kit.Parts[af.Message]) -> af.FunctionTool:
        agent = double.spec.agent
        if agent is None:
            return tool_of(double)
        return agent_tool(self._built(parts.of(agent), [without_history()], [Buffered()]), double.spec.schema)

    async def _perform(
        self,
        agent: af.Agent[Any],
        messages: list[af.Message],
        session: af.AgentSession,
        report: kit.Reporter[af.Message],
    ) -> None:
        if report.run.streaming:
            stream = agent.run(messages, session=session, stream=True)
            await report_updates(stream, report)
            response = await stream.get_final_response()
        else:
            response = await agent.run(messages, session=session)
            for message in response.messages:
                report.message(message)
        report_response(response, session, report)
