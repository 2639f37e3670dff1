"""The function agent of LlamaIndex: its messages, its model, its tools and its runs."""

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from contextvars import ContextVar
from importlib.metadata import version
from typing import Any

from llama_index.core.agent.workflow import AgentOutput, AgentStream, FunctionAgent, ToolCallResult
from llama_index.core.base.llms.types import ToolCallBlock
from llama_index.core.bridge.pydantic import BaseModel, PrivateAttr
from llama_index.core.llms import ChatMessage, ChatResponse, LLMMetadata
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.tools import FunctionTool, ToolMetadata
from llama_index.core.workflow import (
    Context,
    HumanResponseEvent,
    InputRequiredEvent,
    StopEvent,
    WorkflowRuntimeError,
)
from workflows.events import StepState, StepStateChanged, WorkflowIdleEvent

import loopspec_adapting as kit
from loopspec import Interruption, Message, Posture, Resumed, ToolInfo
from loopspec.contract.stage import Stage

_AT = "https://github.com/run-llama/llama_index/blob/v0.14.25/llama-index-core/llama_index/core"
_AGENT = f"{_AT}/agent/workflow/base_agent.py"
_conversations: ContextVar[dict[str, Context]] = ContextVar("llama_index_conversations")


class LlamaIndex(kit.AgentAdapter[ChatMessage]):
    name, version = "llama-index", version("llama-index-core")
    capabilities = (
        *("concurrent-runs", "streaming", "return-directly", "agent-tool", "interrupt", "checkpoint-reuse"),
        *("missing-results", "incomplete-tools", "conversations", "saved-runs"),
    )
    postures = {
        "calls-without-tools": Posture("reported", measured=True),
        "instruction-template": Posture("literal", measured=True),
        "same-name": Posture("accepted", measured=True),
        "tool-failure": Posture("reported", measured=True),
        "tool-information": Posture("at-build", measured=True),
        "unknown-tool": Posture("reported", measured=True),
    }
    error_kinds = {WorkflowRuntimeError: "max_iterations"}

    def to_wire(self, message: ChatMessage) -> Sequence[Message]:
        text, role = message.content or "", message.role.value
        if role == "tool":
            return [kit.result_message(text, message.additional_kwargs.get("tool_call_id"), None)]
        if role == "assistant":
            return [kit.answer_message(text, [(one.tool_call_id, one.tool_name, one.tool_kwargs) for one in calls_in(message)])]
        return [Message(role="system" if role == "system" else "user", content=text)]

    def from_wire(self, message: Message) -> ChatMessage:
        if message.role == "tool":
            extra = {"tool_call_id": message.tool_call_id}
            return ChatMessage(message.content, role="tool", additional_kwargs=extra)
        made = ChatMessage(message.content or None, role=message.role)
        for one in message.tool_calls:
            block = ToolCallBlock(tool_call_id=one.id, tool_name=one.name, tool_kwargs=kit.args_object(one.args) or {})
            made.blocks.append(block)
        return made

    def build(self, parts: kit.Parts[ChatMessage]) -> kit.Parts[ChatMessage]:
        agent_of(parts, streaming=False)  # a wrong configuration fails here
        return parts

    async def perform(self, stage: Stage) -> None:
        _conversations.set({})
        await super().perform(stage)

    async def run(self, agent: Any, messages: list[ChatMessage], report: kit.Reporter[ChatMessage]) -> None:
        own, options = agent_of(agent, report.run.streaming), dict[str, Any]()
        if name := report.run.conversation:
            options["ctx"] = _conversations.get().setdefault(name, Context(own))
        given = {"user_msg": messages[0]} if len(messages) == 1 else {"chat_history": messages}
        await perform(own.run(**given, max_iterations=agent.max_iterations, **options), report)

    async def resume(self, agent: Any, checkpoint: bytes, answers: Mapping[str, Any], report: Any) -> None:
        stored, own = json.loads(checkpoint), agent_of(agent, report.run.streaming)
        handler = own.run(ctx=Context.from_dict(own, stored["context"]))
        for one in stored["waiting"]:
            await handler.send_event(HumanResponseEvent(asked=one, response=answers.get(one)))
        await perform(handler, report)


def agent_of(parts: kit.Parts[ChatMessage], streaming: bool) -> FunctionAgent:
    if parts.model is None:
        raise ValueError("an agent has an LLM")
    return FunctionAgent(
        name=parts.name,
        description=parts.spec.description,
        system_prompt=parts.instruction,
        tools=[tool_of(one, parts, streaming) for one in parts.tools],
        llm=Scripted(parts.model),
        streaming=streaming,
    )


async def perform(handler: Any, report: kit.Reporter[ChatMessage]) -> None:
    push: Callable[[Message], None] | None = None
    waiting: dict[str, Any] = {}
    async with AsyncExitStack() as answer:
        async for event in handler.stream_events(expose_internal=True):
            if isinstance(event, AgentStream):
                push = push or await answer.enter_async_context(report.stream())
                push(kit.answer_message(event.delta))
            elif isinstance(event, AgentOutput):
                calls = [(one.tool_id, one.tool_name, one.tool_kwargs) for one in event.tool_calls]
                if push is None:
                    report.message(event.response, event.current_agent_name)
                elif calls:
                    push(kit.answer_message("", calls))
                await answer.aclose()
                push = None
            elif isinstance(event, ToolCallResult):
                report.message(kit.result_message(event.tool_output.content, event.tool_id, event.tool_name))
            elif isinstance(event, InputRequiredEvent):
                waiting[event.asked] = event.info
            elif isinstance(event, WorkflowIdleEvent) and waiting:
                report.interrupted(snapshot(handler, waiting), waiting.items())
                return await handler.cancel_run()
            elif report.run.saves and isinstance(event, StepStateChanged) and event.step_state is StepState.NOT_RUNNING:
                report.saved(snapshot(handler, waiting))
        result = await handler
    report.final(result.response.content or "")


def snapshot(handler: Any, waiting: Mapping[str, Any]) -> bytes:
    return json.dumps({"context": handler.ctx.to_dict(), "waiting": list(waiting)}).encode()


def tool_of(double: kit.ToolDouble, parts: kit.Parts[ChatMessage], streaming: bool) -> FunctionTool:
    if double.spec.agent is not None:
        return agent_tool(double, parts.of(double.spec.agent), streaming, parts.spec.internal_events)
    info = double.info

    async def call(ctx: Context, **arguments: Any) -> str | None:
        key = f"{info.name} {json.dumps(arguments)}"
        resumed, kept = None, await ctx.store.get(key, default=None)
        if kept:
            response = await ctx.wait_for_event(
                HumanResponseEvent,
                waiter_event=InputRequiredEvent(asked=key, info=kept["info"]),
                requirements={"asked": key},
            )
            resumed = Resumed(state=kept["state"], data=response.response)
            await ctx.store.set(key, None)
        try:
            return await double.call(arguments, None, resumed)
        except Interruption as interruption:
            await ctx.store.set(key, {"info": interruption.info, "state": interruption.state})
            return await call(ctx, **arguments)

    metadata = ToolMetadata(info.description, info.name, schema_of(info.parameters), double.directly)
    return FunctionTool(async_fn=call if double.spec.kinds else None, metadata=metadata)


def agent_tool(
    double: kit.ToolDouble, parts: kit.Parts[ChatMessage], streaming: bool, forward: bool
) -> FunctionTool:
    agent, schema = agent_of(parts, streaming), double.spec.schema

    async def call(ctx: Context, request: str) -> str:
        handler = agent.run(user_msg=request, max_iterations=parts.max_iterations)
        if forward:
            async for event in handler.stream_events():
                if not isinstance(event, StopEvent):
                    ctx.write_event_to_stream(event)
        return str(await handler)

    async def call_with(ctx: Context, **arguments: Any) -> str:
        return await call(ctx, json.dumps(arguments))

    if schema is None:
        return FunctionTool.from_defaults(call, agent.name, agent.description, double.directly)
    metadata = ToolMetadata(agent.description, agent.name, schema_of(schema), double.directly)
    return FunctionTool(call_with, metadata)


def schema_of(parameters: Mapping[str, Any]) -> type[BaseModel]:
    class Schema(BaseModel):
        @classmethod
        def model_json_schema(cls, *args: Any, **kwargs: Any) -> dict[str, Any]:
            return dict(parameters)

    return Schema


def calls_in(message: ChatMessage) -> list[ToolCallBlock]:
    return [one for one in message.blocks if isinstance(one, ToolCallBlock)]


class Scripted(MockFunctionCallingLLM):
    """A scripted model. The mock of LlamaIndex has the methods that an agent does not call."""

    _double: Any = PrivateAttr()

    def __init__(self, double: kit.ModelDouble[ChatMessage]) -> None:
        super().__init__()
        self._double = double

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(is_chat_model=True, is_function_calling_model=True, context_window=1_000_000)

    async def achat_with_tools(self, tools: Any, chat_history: Any = None, **_: Any) -> Any:
        answer = await self._double.answer(chat_history, infos_of(tools))
        return answer and ChatResponse(message=answer)

    async def astream_chat_with_tools(self, tools: Any, chat_history: Any = None, **_: Any) -> Any:
        return self._stream(self._double.chunks(chat_history, infos_of(tools)))

    async def _stream(self, chunks: AsyncIterator[Message]) -> AsyncIterator[ChatResponse]:
        text, calls = "", list[Any]()
        async for chunk in chunks:
            text, calls = text + chunk.content, [*calls, *chunk.tool_calls]
            whole = Message(role="assistant", content=text, tool_calls=tuple(calls))
            yield ChatResponse(message=self._double.conversion.from_wire(whole), delta=chunk.content)


def infos_of(tools: Any) -> list[ToolInfo]:
    found = [tool.metadata for tool in tools]
    return [ToolInfo(one.name, one.description, one.get_parameters_dict()) for one in found]
