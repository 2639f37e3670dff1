"""The agent of pydantic-ai: its messages, its model, its tools and its capabilities, which are its hooks."""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable, Mapping, Sequence
from importlib.metadata import version
from typing import Any

from pydantic_ai import Agent, DeferredToolRequests, RunContext
from pydantic_ai import messages as pai
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import UsageLimitExceeded, UserError
from pydantic_ai.models import ModelRequestContext, ModelRequestParameters
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.run import AgentRunResult
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.usage import UsageLimits

from loopspec import Message
from loopspec import adapting as kit

from .events import report_events
from .interrupts import Output, continued
from .postures import POSTURES
from .streaming import chunk_function
from .tools import info_of, tool_of

Built = tuple[Agent[None, Output], UsageLimits]  # an agent, and the limits of its runs


class PydanticAI(kit.AgentAdapter[pai.ModelMessage]):
    """Judges `pydantic_ai.Agent`."""

    name, version = "pydantic-ai", version("pydantic-ai-slim")
    capabilities = (
        *("concurrent-runs", "interrupt", "checkpoint-reuse", "sequential-tools", "streaming", "several-handlers"),
        *("before-agent-hooks", "before-model-hooks", "before-model-edits", "tools-from-hooks", "reports-tools"),
        *("after-model-hooks", "after-model-edits", "after-agent-hooks", "model-wrappers", "tool-wrappers"),
        "missing-results",
    )
    postures = POSTURES
    error_kinds = {UsageLimitExceeded: "max_iterations", UserError: "invalid_config"}

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

    def build(self, parts: kit.Parts[pai.ModelMessage]) -> Built:
        """Build the agent. A handler becomes a capability, the limit of model calls a usage limit of each run."""
        limits = UsageLimits() if parts.max_iterations is None else UsageLimits(request_limit=parts.max_iterations)
        agent = Agent(
            model_of(parts.model) if parts.model else None,
            name=parts.name,
            instructions=parts.instruction,
            output_type=[str, DeferredToolRequests],
            tools=[tool_of(tool, parts.spec.sequential) for tool in parts.tools],
            capabilities=parts.handlers(lambda hook: Scripted(hook, parts)),
        )
        return agent, limits

    async def run(self, agent: Built, messages: list[pai.ModelMessage], report: kit.Reporter[pai.ModelMessage]) -> None:
        """Perform a run of the caller's messages."""
        await self._iterate(agent, report, message_history=messages)

    async def resume(
        self, agent: Built, checkpoint: bytes, answers: Mapping[str, Any], report: kit.Reporter[pai.ModelMessage]
    ) -> None:
        """Continue a run whose tool calls wait for approval."""
        await self._iterate(agent, report, **continued(checkpoint, answers))

    async def _iterate(self, agent: Built, report: kit.Reporter[pai.ModelMessage], **given: Any) -> None:
        async with agent[0].iter(usage_limits=agent[1], **given) as run:
            await report_events(run, report)


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


class Scripted(AbstractCapability[None]):
    """A scripted handler as a capability. The instructions are parts of a request, and no messages."""

    def __init__(self, double: kit.HookDouble[pai.ModelMessage], parts: kit.Parts[pai.ModelMessage]) -> None:
        super().__init__()
        self.double, self.parts = double, parts

    async def before_run(self, ctx: RunContext[None]) -> None:
        """Receives neither instructions nor tools, and returns nothing."""
        await self.double.before_agent()

    async def before_model_request(
        self, ctx: RunContext[None], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Changes the request. The history of the run stays as it is."""
        params = request_context.model_request_parameters
        names = [tool.name for tool in params.function_tools]
        change = await self.double.before_model(request_context.messages, names, system_of(params))
        return None if change.returns_nothing else self._changed(request_context, change)  # type: ignore[return-value]  # a hook's mistake

    async def after_model_request(
        self, ctx: RunContext[None], *, request_context: ModelRequestContext, response: pai.ModelResponse
    ) -> pai.ModelResponse:
        """Changes the answer, and the history before it."""
        params = request_context.model_request_parameters
        names = [tool.name for tool in params.function_tools]
        change = await self.double.after_model([*ctx.messages, response], names, system_of(params))
        if change.messages_changed:
            ctx.messages[:] = change.messages[:-1]
        return change.messages[-1] if change.messages and not change.returns_nothing else None  # type: ignore[return-value]  # likewise

    async def after_run(self, ctx: RunContext[None], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        """Receives the messages of the run, each request with the instructions that it was sent with."""
        messages = result.all_messages()
        sent = [one.instructions for one in messages if isinstance(one, pai.ModelRequest) and one.instructions]
        await self.double.after_agent(messages, sent[-1] if sent else "")
        return result

    async def wrap_model_request(
        self,
        ctx: RunContext[None],
        *,
        request_context: ModelRequestContext,
        handler: Callable[[ModelRequestContext], Awaitable[pai.ModelResponse]],
    ) -> pai.ModelResponse:
        """Wraps a model call, the hooks before and after it included."""
        params = request_context.model_request_parameters
        return await self.double.around_model(  # type: ignore[return-value]  # a wrapper's mistake
            request_context.messages,
            lambda change: handler(self._changed(request_context, change)),
            tools=[info_of(tool) for tool in params.function_tools],
            system=system_of(params),
        )

    async def wrap_tool_execute(
        self,
        ctx: RunContext[None],
        *,
        call: pai.ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        handler: Callable[[dict[str, Any]], Awaitable[Any]],
    ) -> Any:
        """Wraps a tool call. The arguments are an object."""
        return await self.double.around_tool(
            call.tool_name, call.tool_call_id, args, lambda text: handler(kit.args_object(text) or {})
        )

    def _changed(self, request: ModelRequestContext, change: kit.Change[pai.ModelMessage]) -> ModelRequestContext:
        params = request.model_request_parameters
        if change.system_changed:
            instructions = [pai.InstructionPart(content=change.system)] if change.system else []
            params = dataclasses.replace(params, instruction_parts=instructions)
        if change.tools_changed:
            known = {tool.name: tool for tool in params.function_tools}
            tools = self.parts.pick(change.tools or (), known, lambda double: tool_of(double).tool_def)
            params = dataclasses.replace(params, function_tools=tools)
        messages = list(change.messages) if change.messages_changed else request.messages
        return dataclasses.replace(request, model_request_parameters=params, messages=messages)


def system_of(params: ModelRequestParameters) -> str:
    """The instructions of a request."""
    return "\n\n".join(part.content for part in params.instruction_parts or ())
