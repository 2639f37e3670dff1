"""The agent of Haystack: its messages, its model, its hooks, its tools and its runs."""

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from importlib.metadata import version
from typing import Any

from haystack.components.agents import Agent
from haystack.components.agents.state import State, replace_values
from haystack.dataclasses import ChatMessage, StreamingChunk, ToolCall
from haystack.dataclasses.streaming_chunk import AsyncStreamingCallbackT, ToolCallDelta
from haystack.hooks import Hook, HookPoint, hook
from haystack.tools import AgentTool
from haystack.tools.tool import Tool

import loopspec_adapting as kit
from loopspec import Message, Posture, ToolInfo

_AT = "https://github.com/deepset-ai/haystack/blob/v3.4.1/haystack"


class Haystack(kit.AgentAdapter[ChatMessage]):
    name, version = "haystack", version("haystack-ai")
    capabilities = (
        *("concurrent-runs", "streaming", "several-handlers", "return-directly", "agent-tool"),
        *("before-agent-hooks", "before-model-hooks", "before-model-edits", "after-model-hooks", "after-model-edits"),
        *("after-agent-hooks", "reports-tools", "extra-data", "full-history", "incomplete-tools", "missing-results"),
    )
    postures = {
        "answer-event": Posture("after-hooks", link=f"{_AT}/components/agents/agent.py#L470-L471"),
        "empty-answer": Posture("asked-again", link=f"{_AT}/components/agents/agent.py#L170-L171"),
        "instruction-template": Posture("literal", link=f"{_AT}/components/agents/agent.py#L442"),
        "limit-default": Posture("100", link=f"{_AT}/components/agents/agent.py#L460"),
        "limit-ends": Posture("stops", link=f"{_AT}/components/agents/agent.py#L461-L462"),
        "limit-zero": Posture("no-call", measured=True),
        "message-events": Posture("at-the-end", link=f"{_AT}/components/agents/agent.py#L1004"),
        "tool-failure": Posture("reported", link=f"{_AT}/components/agents/agent.py#L465-L466"),
        "tool-information": Posture("at-build", link=f"{_AT}/tools/tool.py#L103-L105"),
        "unknown-tool": Posture("reported", link=f"{_AT}/components/agents/tool_calling.py#L622"),
    }

    def to_wire(self, message: ChatMessage) -> Sequence[Message]:
        text, meta, result = message.text or "", message.meta, message.tool_call_result
        if result:
            return [kit.result_message(str(result.result), result.origin.id, result.origin.tool_name, meta)]
        if message.is_from("assistant"):
            calls = [(one.id, one.tool_name, one.arguments) for one in message.tool_calls]
            return [kit.answer_message(text, calls, meta)]
        return [Message(role="system" if message.is_from("system") else "user", content=text, extra=meta)]

    def from_wire(self, message: Message) -> ChatMessage:
        text, meta = message.content, dict(message.extra)
        if message.role == "assistant":
            calls = [ToolCall(one.name, kit.args_object(one.args) or {}, id=one.id) for one in message.tool_calls]
            return ChatMessage.from_assistant(text or None, meta, tool_calls=calls)
        if message.role == "tool":
            return ChatMessage.from_tool(text, ToolCall(message.tool_name or "", {}, message.tool_call_id), meta=meta)
        return (ChatMessage.from_system if message.role == "system" else ChatMessage.from_user)(text, meta)

    def build(self, parts: kit.Parts[ChatMessage]) -> Agent:
        if parts.model is None:
            raise ValueError("an agent has a chat generator")
        limits: dict[str, Any] = {"tool_concurrency_limit": 1} if parts.spec.sequential else {}
        if parts.max_iterations is not None:
            limits["max_agent_steps"] = parts.max_iterations
        return Agent(
            chat_generator=Generator(parts.model),
            tools=[self._tool(one, parts) for one in parts.tools],
            system_prompt=parts.instruction,
            exit_conditions=["text", *(one.name for one in parts.tools if one.directly)],
            state_schema={"task": {"type": list[ChatMessage]}},
            tool_streaming_callback_passthrough=parts.spec.internal_events,
            hooks=hooks_of(parts.hooks),
            **limits,
        )

    def _tool(self, double: kit.ToolDouble, parts: kit.Parts[ChatMessage]) -> Tool:
        spec, options = double.spec, dict[str, Any]()
        if spec.agent is None:
            return tool_of(double)
        agent = parts.of(spec.agent)
        if spec.schema is not None or spec.full_history:
            options["parameters"] = dict({"type": "object"} if spec.schema is None else spec.schema)
            options["inputs_from_state"] = {"messages" if spec.full_history else "task": "messages"}
        return AgentTool(self.build(agent), name=agent.name, description=agent.spec.description, **options)

    async def run(self, agent: Agent, messages: list[ChatMessage], report: kit.Reporter[ChatMessage]) -> None:
        async with AsyncExitStack() as stack:
            callback = Streaming(report, stack).receive if report.run.streaming else None
            result = await agent.run_async(messages, streaming_callback=callback)
        for message in () if callback else result["messages"]:
            if not any(message is one for one in messages):
                report.message(message)
        results = [one.tool_call_result for one in result["messages"] if one.tool_call_result]
        named = [str(one.result) for one in results if one.origin.tool_name == result["exit_reason"]]
        report.final(named[-1] if named else result["last_message"].text or "")


def tool_of(double: kit.ToolDouble) -> Tool:
    async def call(**arguments: Any) -> str | None:
        return await double.call(arguments, None)

    info, function = double.info, call if double.spec.kinds else None
    return Tool(info.name, info.description, dict(info.parameters), async_function=function)


class Generator:
    def __init__(self, double: kit.ModelDouble[ChatMessage]) -> None:
        self.double = double

    def run(self, messages: list[ChatMessage], tools: list[Tool] | None = None) -> dict[str, Any]:
        raise NotImplementedError("the runs of the adapter are asynchronous")

    async def run_async(
        self,
        messages: list[ChatMessage],
        tools: Sequence[Tool] = (),
        streaming_callback: AsyncStreamingCallbackT | None = None,
    ) -> dict[str, Any]:
        infos, chunks = [ToolInfo(**tool.tool_spec) for tool in tools], list[Message]()
        if streaming_callback is None:
            answer = await self.double.answer(messages, infos)
            return {"replies": [] if answer is None else [answer]}
        async for one in self.double.chunks(messages, infos):
            chunks.append(one)
            if one.content or not one.tool_calls:
                await streaming_callback(StreamingChunk(one.content, {**one.extra}))
            if calls := [ToolCallDelta(0, call.name, call.args, call.id) for call in one.tool_calls]:
                await streaming_callback(StreamingChunk("", {**one.extra}, index=0, tool_calls=calls))
        await streaming_callback(StreamingChunk("", finish_reason="stop"))
        parts = [(call.id, call.name, call.args) for one in chunks for call in one.tool_calls]
        meta = {key: value for one in chunks for key, value in one.extra.items()}
        whole = kit.answer_message("".join(one.content for one in chunks), parts, meta)
        return {"replies": [self.double.conversion.from_wire(whole)] if chunks else []}


class Streaming:
    def __init__(self, report: kit.Reporter[ChatMessage], stack: AsyncExitStack) -> None:
        self.report, self.stack = report, stack
        self.push: Callable[[Message], None] | None = None

    async def receive(self, chunk: StreamingChunk) -> None:
        if result := chunk.tool_call_result:
            self.report.message(ChatMessage.from_tool(result.result, result.origin, result.error))
        elif chunk.finish_reason:  # the end of an answer, or of the results
            self.push = None
            await self.stack.aclose()
        else:
            if self.push is None:
                self.push = await self.stack.enter_async_context(self.report.stream())
            calls = [(one.id, one.tool_name or "", one.arguments or "") for one in chunk.tool_calls or ()]
            self.push(kit.answer_message(chunk.content, calls, chunk.meta))


class Handler:
    def __init__(self, double: kit.HookDouble[ChatMessage]) -> None:
        self.double = double

    async def before_agent(self, state: State) -> None:
        await self.double.before_agent(tools=[tool.name for tool in state.data["tools"]])

    async def before_model(self, state: State) -> None:
        messages, tools = state.data["messages"], [tool.name for tool in state.data["tools"]]
        change_state(state, await self.double.before_model(messages, tools))

    async def after_model(self, state: State) -> None:
        messages, tools = state.data["messages"], [tool.name for tool in state.data["tools"]]
        if messages and messages[-1].is_from("assistant"):  # at an exit after tool calls, the last one is a result
            change_state(state, await self.double.after_model(messages, tools))

    async def after_agent(self, state: State) -> None:
        await self.double.after_agent(state.data["messages"])


def hooks_of(doubles: Sequence[kit.HookDouble[ChatMessage]]) -> dict[HookPoint, list[Hook]]:
    handlers = [Handler(double) for double in doubles]
    return {
        "before_run": [hook(keep_task), *(hook(one.before_agent) for one in handlers)],
        "before_llm": [hook(one.before_model) for one in handlers],
        "before_tool": [hook(one.after_model) for one in handlers],  # after an answer that may call tools
        "on_exit": [hook(one.after_model) for one in handlers],  # after any other answer
        "after_run": [hook(one.after_agent) for one in handlers],
    }


async def keep_task(state: State) -> None:  # for sub-agents whose schema has no argument with the task
    state.set("task", [one for one in state.data["messages"] if not one.is_from("system")])


def change_state(state: State, change: kit.Change[ChatMessage]) -> None:
    if change.messages_changed:
        state.set("messages", list(change.messages), handler_override=replace_values)
