"""The function agent of LlamaIndex: its messages, its model, its tools and its runs."""

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from contextvars import ContextVar
from importlib.metadata import version
from typing import Any

from llama_index.core.agent.workflow import AgentOutput, AgentStream, FunctionAgent, ToolCallResult
from llama_index.core.base.llms.types import ToolCallBlock
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.llms import ChatMessage, ChatResponse, LLMMetadata
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.workflow import Context, WorkflowRuntimeError
from workflows.context import PickleSerializer
from workflows.events import StepState, StepStateChanged, WorkflowIdleEvent

import loopspec_adapting as kit
from loopspec import Message, Posture, ToolInfo
from loopspec.contract.stage import Stage

from .tools import Answered, Asked, tool_of

_AT = "https://github.com/run-llama/llama_index/blob/v0.14.25/llama-index-core/llama_index/core"
_AGENT = f"{_AT}/agent/workflow/base_agent.py"
_conversations: ContextVar[dict[str, Context]] = ContextVar("llama_index_conversations")


class LlamaIndex(kit.AgentAdapter[ChatMessage]):
    """Judges `FunctionAgent`, the agent of LlamaIndex for models that call functions."""

    name, version = "llama-index", version("llama-index-core")
    capabilities = (
        *("concurrent-runs", "streaming", "return-directly", "agent-tool", "interrupt", "checkpoint-reuse"),
        *("incomplete-tools", "conversations", "saved-runs"),
    )
    postures = {
        "calls-without-tools": Posture("reported", link=f"{_AGENT}#L647-L654"),
        "instruction-template": Posture("literal", link=f"{_AGENT}#L452-L456"),
        "same-name": Posture("accepted", link=f"{_AGENT}#L646"),
        "tool-failure": Posture("reported", link=f"{_AGENT}#L375-L389"),
        "tool-information": Posture("at-build", link=f"{_AT}/tools/types.py#L27-L31"),
        "unknown-tool": Posture("reported", link=f"{_AGENT}#L647-L654"),
    }
    error_kinds = {WorkflowRuntimeError: "max_iterations"}

    def to_wire(self, message: ChatMessage) -> Sequence[Message]:
        text, role, extra = message.content or "", message.role.value, dict(message.additional_kwargs)
        if role == "tool":
            return [kit.result_message(text, extra.pop("tool_call_id", None), None, extra)]
        if role == "assistant":
            calls = [one for one in message.blocks if isinstance(one, ToolCallBlock)]
            found = [(one.tool_call_id, one.tool_name, one.tool_kwargs) for one in calls]
            return [kit.answer_message(text, found, extra)]
        return [Message(role="system" if role == "system" else "user", content=text, extra=extra)]

    def from_wire(self, message: Message) -> ChatMessage:
        extra = {**message.extra, **({"tool_call_id": message.tool_call_id} if message.role == "tool" else {})}
        made = ChatMessage(message.content or None, role=message.role, additional_kwargs=extra)
        for one in message.tool_calls:
            arguments = kit.args_object(one.args) or {}
            made.blocks.append(ToolCallBlock(tool_call_id=one.id, tool_name=one.name, tool_kwargs=arguments))
        return made

    def build(self, parts: kit.Parts[ChatMessage]) -> kit.Parts[ChatMessage]:
        agent_of(parts, streaming=False)  # a wrong configuration fails here
        return parts

    async def perform(self, stage: Stage) -> None:
        _conversations.set({})
        await super().perform(stage)

    async def run(self, agent: Any, messages: list[ChatMessage], report: kit.Reporter[ChatMessage]) -> None:
        own, options = agent_of(agent, report.run.streaming), {"memory": memory_of()}
        if name := report.run.conversation:
            options["ctx"] = _conversations.get().setdefault(name, Context(own))
        given = {"user_msg": messages[0]} if len(messages) == 1 else {"chat_history": messages}
        await perform(own.run(**given, max_iterations=agent.max_iterations, **options), report)

    async def resume(self, agent: Any, checkpoint: bytes, answers: Mapping[str, Any], report: Any) -> None:
        stored, own = json.loads(checkpoint), agent_of(agent, report.run.streaming)
        context = Context.from_dict(own, stored["context"], PickleSerializer())
        _conversations.get()[report.run.conversation] = context
        handler = own.run(ctx=context)
        for one in stored["waiting"]:
            await handler.send_event(Answered(asked=one, response=answers.get(one)))
        await perform(handler, report)


def agent_of(parts: kit.Parts[ChatMessage], streaming: bool) -> FunctionAgent:
    if parts.model is None:
        raise ValueError("an agent has an LLM")
    return FunctionAgent(
        name=parts.name,
        description=parts.spec.description,
        system_prompt=parts.instruction,
        tools=[tool_of(one, parts, lambda sub: agent_of(sub, streaming)) for one in parts.tools],
        llm=Scripted(parts.model),
        streaming=streaming,
    )


async def perform(handler: Any, report: kit.Reporter[ChatMessage]) -> None:
    push: Callable[[Message], None] | None = None
    waiting: dict[str, Any] = {}
    async with AsyncExitStack() as answer:
        async for event in handler.stream_events(expose_internal=True):
            if isinstance(event, AgentStream):
                if push is None:
                    push = await answer.enter_async_context(report.stream())
                push(kit.answer_message(event.delta, extra=event.raw))
            elif isinstance(event, AgentOutput) and push:
                push_calls(push, event)
                await answer.aclose()
                push = None
            elif isinstance(event, AgentOutput):
                report.message(event.response)
            elif isinstance(event, ToolCallResult):
                report.message(kit.result_message(event.tool_output.content, event.tool_id, event.tool_name))
            elif isinstance(event, Asked):
                waiting[event.asked] = event.info
            elif isinstance(event, WorkflowIdleEvent) and waiting:
                report.interrupted(snapshot(handler, waiting), waiting.items())
                await handler.cancel_run()
                return
            if report.run.saves and is_saved(event):
                report.saved(snapshot(handler, waiting))
        result = await handler
    report.final(result.response.content or "")


def push_calls(push: Callable[[Message], None], event: AgentOutput) -> None:
    if event.tool_calls:  # the events before it have what is parsed of the calls so far
        push(kit.answer_message("", [(one.tool_id, one.tool_name, one.tool_kwargs) for one in event.tool_calls]))


def memory_of() -> Any:
    """Make the default memory of a run. The default tokenizer needs the network when another process restores it."""
    return ChatMemoryBuffer.from_defaults(token_limit=1_000_000, tokenizer_fn=str.split)


def is_saved(event: object) -> bool:
    finished = isinstance(event, StepStateChanged) and event.step_state is StepState.NOT_RUNNING
    return finished or isinstance(event, Asked)


def snapshot(handler: Any, waiting: Mapping[str, Any]) -> bytes:
    return json.dumps({"context": handler.ctx.to_dict(PickleSerializer()), "waiting": list(waiting)}).encode()


class Scripted(MockFunctionCallingLLM):
    """A scripted model. The mock of LlamaIndex has the methods that an agent does not call."""

    _double: Any = PrivateAttr()

    def __init__(self, double: kit.ModelDouble[ChatMessage]) -> None:
        super().__init__()
        self._double = double

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(is_chat_model=True, is_function_calling_model=True)

    async def achat_with_tools(self, tools: Any, chat_history: Any = None, **_: Any) -> Any:  # type: ignore[override]  # as agents call it
        answer = await self._double.answer(chat_history, infos_of(tools))
        return answer and ChatResponse(message=answer)

    async def astream_chat_with_tools(self, tools: Any, chat_history: Any = None, **_: Any) -> Any:  # type: ignore[override]  # as agents call it
        return self._stream(self._double.chunks(chat_history, infos_of(tools)))

    async def _stream(self, chunks: AsyncIterator[Message]) -> AsyncIterator[ChatResponse]:
        text, calls, extra = "", list[Any](), dict[str, Any]()
        async for chunk in chunks:
            text, calls, extra = text + chunk.content, [*calls, *chunk.tool_calls], {**extra, **chunk.extra}
            whole = Message(role="assistant", content=text, tool_calls=tuple(calls), extra=extra)
            made = self._double.conversion.from_wire(whole)
            yield ChatResponse(message=made, delta=chunk.content, raw=dict(chunk.extra))


def infos_of(tools: Any) -> list[ToolInfo]:
    return [ToolInfo(one.name, one.description, one.get_parameters_dict()) for one in (tool.metadata for tool in tools)]
