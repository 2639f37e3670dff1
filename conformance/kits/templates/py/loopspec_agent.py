"""The adapter between loopspec and my agent. Run: loopspec run py:loopspec_agent:Adapter

The first half is a toy loop, so that this file runs unchanged. Import your own loop instead, and change the second
half. `loopspec doctor py:loopspec_agent:Adapter` checks this file; `loopspec capabilities` lists what else to declare.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from loopspec import Message
from loopspec_adapting import AgentAdapter, HookDouble, Parts, Reporter, answer_message, result_message

Dict = dict[str, Any]  # a message of the toy loop


class TooManyCalls(Exception):
    """A run has reached its limit of model calls."""


class UnknownTool(Exception):
    """The model has called a tool that the loop does not have."""


class Loop:
    """A toy loop. Models, tools, hooks and wrappers of tool calls are coroutine functions."""

    def __init__(
        self, model: Any, tools: Dict, instruction: str | None, limit: int | None, hooks: list[Any], wraps: list[Any]
    ) -> None:
        if model is None:
            raise ValueError("a loop needs a model")
        self.model, self.tools, self.instruction, self.limit = model, tools, instruction, limit or 20
        self.hooks, self.wraps = hooks, wraps

    async def run(self, messages: list[Dict], emit: Callable[[Dict], None]) -> str:
        if self.instruction:
            messages = [{"role": "system", "content": self.instruction}, *messages]
        await self.fire("start", messages)
        for _ in range(self.limit):
            messages = await self.fire("before model", messages)
            said = await self.model(messages)
            emit(said)
            messages = await self.fire("after model", [*messages, said])
            if not messages[-1].get("calls"):
                await self.fire("end", messages)
                return str(messages[-1]["content"])
            messages = [*messages, *await asyncio.gather(*(self.call(call, emit) for call in messages[-1]["calls"]))]
        raise TooManyCalls(f"no answer after {self.limit} model calls")

    async def fire(self, event: str, messages: list[Dict]) -> list[Dict]:
        for hook in self.hooks:
            messages = await hook(event, messages)
        return messages

    async def call(self, call: Dict, emit: Callable[[Dict], None]) -> Dict:
        if call["name"] not in self.tools:
            raise UnknownTool(f"there is no tool {call['name']!r}")
        tool = partial(self.tools[call["name"]], call_id=call["id"])
        for wrap in reversed(self.wraps):
            tool = partial(wrap, call["name"], call["id"], call=tool)
        said = {"role": "tool", "content": await tool(call["args"]), "id": call["id"], "name": call["name"]}
        emit(said)
        return said


def hook_of(double: HookDouble[Dict]) -> Any:
    async def hook(event: str, messages: list[Dict]) -> list[Dict]:
        if event == "start":
            await double.before_agent()
            return messages
        calls = {"before model": double.before_model, "after model": double.after_model}
        change = await (calls[event](messages) if event in calls else double.after_agent(messages))
        return list(change.messages)

    return hook


class Adapter(AgentAdapter[Dict]):
    name, version = "my agent", "0.1.0"
    capabilities = (
        *("concurrent-runs", "several-handlers", "raw-arguments", "before-agent-hooks", "before-model-hooks"),
        *("before-model-edits", "after-model-hooks", "after-model-edits", "after-agent-hooks"),
        *("tool-wrappers", "repeated-inner-calls"),
    )
    error_kinds = {TooManyCalls: "max_iterations", UnknownTool: "unknown_tool", ValueError: "invalid_config"}

    def to_wire(self, message: Dict) -> list[Message]:
        match message["role"]:
            case "assistant":
                calls = [(call["id"], call["name"], call["args"]) for call in message["calls"]]
                return [answer_message(message["content"], calls)]
            case "tool":
                return [result_message(message["content"], message["id"], message["name"])]
        return [Message(role=message["role"], content=message["content"])]

    def from_wire(self, message: Message) -> Dict:
        calls = [{"id": call.id, "name": call.name, "args": call.args} for call in message.tool_calls]
        own: Dict = {"assistant": {"calls": calls}, "tool": {"id": message.tool_call_id, "name": message.tool_name}}
        return {"role": message.role, "content": message.content, **own.get(message.role, {})}

    def build(self, parts: Parts[Dict]) -> Loop:
        double, infos = parts.model, [tool.info for tool in parts.tools]

        async def model(messages: list[Dict]) -> Dict | None:
            return await double.answer(messages, infos) if double else None

        tools = {tool.name: tool.call for tool in parts.tools}
        hooks, wraps = [hook_of(double) for double in parts.hooks], [double.around_tool for double in parts.hooks]
        return Loop(double and model, tools, parts.instruction, parts.max_iterations, hooks, wraps)

    async def run(self, agent: Loop, messages: list[Dict], report: Reporter[Dict]) -> None:
        report.final(await agent.run(messages, report.message))
