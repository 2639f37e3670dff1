"""The agent of Google ADK: its messages, its model, its callbacks, which are its hooks, and its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from importlib.metadata import version

from google.adk.agents import LlmAgent
from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.invocation_context import LlmCallsLimitExceededError
from google.adk.agents.run_config import RunConfig, StreamingMode  # type: ignore[attr-defined]  # not in an __all__
from google.adk.apps import App
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.sessions import Session
from google.adk.tools.base_tool import BaseTool
from google.genai import types

import loopspec_adapting as kit
from loopspec import Message
from loopspec.contract.doubles import Inner
from loopspec.contract.values import Json

from .cancelling import Aborted, abort_signal_of, is_aborted
from .events import report_events
from .interrupts import confirmations, conversation_of
from .model import ScriptedModel
from .postures import POSTURES
from .requests import NoValue, change_request, infos_of, is_no_value, system_of
from .sessions import APP, USER, Sessions, add, begun, continued, prepare, restored, stored
from .state import Inside, entered, session_values
from .subagents import agent_tool
from .tool_callbacks import ToolCallbacks
from .tools import text_of, tool_of


@dataclass(frozen=True)
class Built:
    """An agent with its runner, and the configuration of its runs."""

    name: str
    runner: InMemoryRunner
    config: RunConfig


class GoogleADK(kit.AgentAdapter[types.Content]):
    """Judges `google.adk.agents.LlmAgent`."""

    name, version = "google-adk", version("google-adk")
    capabilities = (
        *("concurrent-runs", "several-handlers", "streaming", "interrupt", "checkpoint-reuse", "session-on-resume"),
        *("before-agent-hooks", "before-model-hooks", "before-model-edits", "tools-from-hooks", "reports-tools"),
        *("after-model-hooks", "after-model-edits", "after-agent-hooks", "tool-wrappers"),
        *("session-values", "run-values", "output-key", "return-directly", "agent-tool", "cancel"),
        *("missing-results", "incomplete-tools", "synchronous-cancel", "conversations", "approvals", "saved-runs"),
    )
    postures = POSTURES
    error_kinds = {LlmCallsLimitExceededError: "max_iterations", Aborted: "cancel", NoValue: "instruction"}

    def to_wire(self, message: types.Content) -> Sequence[Message]:
        """Convert a content, which has several parts."""
        parts = message.parts or []
        results = [part.function_response for part in parts if part.function_response]
        if results:
            return [kit.result_message(text_of(one.response), one.id, one.name) for one in results]
        text = "".join(part.text or "" for part in parts)
        if message.role != "model":
            return [Message(role="system" if message.role == "system" else "user", content=text)]
        calls = [part.function_call for part in parts if part.function_call]
        return [kit.answer_message(text, [(call.id, call.name or "", call.args) for call in calls])]

    def from_wire(self, message: Message) -> types.Content:
        """Convert a message of the contract. ADK keeps the role of a content, also the role of a system message."""
        if message.role == "tool":
            result = types.FunctionResponse(
                id=message.tool_call_id, name=message.tool_name, response={"result": message.content}
            )
            return types.Content(role="user", parts=[types.Part(function_response=result)])
        calls = [
            types.Part(
                function_call=types.FunctionCall(id=call.id or None, name=call.name, args=kit.args_object(call.args))
            )
            for call in message.tool_calls
        ]
        texts = [types.Part(text=message.content)] if message.content or not calls else []
        return types.Content(role="model" if message.role == "assistant" else message.role, parts=[*texts, *calls])

    def build(self, parts: kit.Parts[types.Content]) -> Built:
        """Build the agent and its runner. The iteration limit is a limit of each run."""
        app = App(name=APP, root_agent=agent_of(parts))
        limit = parts.max_iterations
        config = RunConfig() if limit is None else RunConfig(max_llm_calls=limit)
        runner = InMemoryRunner(app=app)
        runner.session_service = Sessions()
        return Built(parts.name, runner, config)

    async def run(self, agent: Built, messages: list[types.Content], report: kit.Reporter[types.Content]) -> None:
        """Perform a run of the caller's messages: the last one is new, the others are events of the session."""
        values = dict(report.run.session)
        session = await continued(agent.runner, report.run.conversation)
        if session is None:
            session, values = await begun(agent.runner, report.run.conversation, values), {}
        await add(agent.runner, session, agent.name, messages[:-1])
        await self._invoke(agent, session, report, messages[-1] if messages else None, values)

    async def resume(
        self, agent: Built, checkpoint: bytes, answers: Mapping[str, Json], report: kit.Reporter[types.Content]
    ) -> None:
        """Continue a run whose tool calls wait for a confirmation, or whose process has died."""
        session = await restored(agent.runner, checkpoint, report.run.conversation)
        message, last = confirmations(session, answers), session.events[-1]
        values = {key: value for key, value in report.run.session.items() if session.state.get(key) != value}
        died = None if message.parts or is_aborted(last) else last.invocation_id
        await self._invoke(agent, session, report, None if died else message, values, died)

    def inside(self) -> Inner:
        """Return the session's state."""
        return Inside()

    async def _invoke(
        self,
        agent: Built,
        session: Session,
        report: kit.Reporter[types.Content],
        message: types.Content | None,
        values: dict[str, Json],
        invocation: str | None = None,
    ) -> None:
        prepare(agent.runner, report, resumes=invocation is not None)
        signal = abort_signal_of(report)
        mode = StreamingMode.SSE if report.run.streaming else StreamingMode.NONE
        events = agent.runner.run_async(
            user_id=USER,
            session_id=session.id,
            invocation_id=invocation,
            new_message=message,
            state_delta=values,
            run_config=agent.config.model_copy(update={"streaming_mode": mode}),
            abort_signal=signal,
        )
        try:
            async with aclosing(events):
                waiting = await report_events(events, report)
        except Aborted:
            report.cancelled((await stored(agent.runner, session)).model_dump_json().encode())
            raise
        except KeyError as error:
            if is_no_value(error):
                raise NoValue(str(error)) from error
            raise
        finally:
            ended = await stored(agent.runner, session)
            report.session(session_values(ended.state))
        if waiting:
            report.interrupted(ended.model_dump_json().encode(), waiting)


def agent_of(parts: kit.Parts[types.Content]) -> LlmAgent:
    """Build an agent. A handler becomes callbacks of the agent; a sub-agent becomes an agent tool."""

    def tool(double: kit.ToolDouble) -> BaseTool:
        sub = double.spec.agent
        return tool_of(double) if sub is None else agent_tool(agent_of(parts.of(sub)), double)

    hooks = [Callbacks(hook, parts) for hook in parts.hooks]
    return LlmAgent(
        name=parts.name,
        description=parts.spec.description,
        model=ScriptedModel(parts.model) if parts.model else "no-model",  # ADK's default needs a network
        instruction=parts.instruction or "",
        tools=[tool(one) for one in parts.tools],
        output_key=parts.spec.output_key,
        before_agent_callback=[hook.before_agent for hook in hooks],
        before_model_callback=[hook.before_model for hook in hooks],
        after_model_callback=[hook.after_model for hook in hooks],
        before_tool_callback=[hook.before_tool for hook in hooks],
        after_tool_callback=[hook.after_tool for hook in hooks],
        on_tool_error_callback=[hook.on_tool_error for hook in hooks],
        after_agent_callback=[hook.after_agent for hook in hooks],
    )


class Callbacks(ToolCallbacks):
    """A scripted handler as callbacks of an agent. A callback that returns nothing lets the next callback run."""

    def __init__(self, double: kit.HookDouble[types.Content], parts: kit.Parts[types.Content]) -> None:
        super().__init__(double)
        self.parts = parts

    async def before_agent(self, callback_context: CallbackContext) -> None:
        """Receives neither the instruction nor the tools."""
        entered(callback_context)
        await self.double.before_agent()

    async def before_model(self, callback_context: CallbackContext, llm_request: LlmRequest) -> None:
        """Changes the request in place."""
        entered(callback_context)
        names = [info.name for info in infos_of(llm_request)]
        change = await self.double.before_model(llm_request.contents, names, system_of(llm_request))
        change_request(llm_request, change, self.parts)

    async def after_model(self, callback_context: CallbackContext, llm_response: LlmResponse) -> LlmResponse | None:
        """Returns another answer. Receives the answer, and the session before the answer; no request."""
        if llm_response.partial or llm_response.content is None:
            return None
        entered(callback_context)
        earlier = conversation_of(callback_context.session.events)
        change = await self.double.after_model([*earlier, llm_response.content])
        if not change.messages_changed or not change.messages:
            return None
        return llm_response.model_copy(update={"content": change.messages[-1]})

    async def after_agent(self, callback_context: CallbackContext) -> None:
        """Receives the events of the session."""
        entered(callback_context)
        await self.double.after_agent(conversation_of(callback_context.session.events))
