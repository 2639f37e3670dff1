"""The agent of Strands: its messages, its model, its tools, its hooks and its runs."""

import json
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from importlib.metadata import version
from typing import Any, cast

import strands
from strands.hooks import AfterInvocationEvent, AfterModelCallEvent, BeforeInvocationEvent, BeforeModelCallEvent
from strands.models import Model
from strands.types.content import Message

import loopspec
import loopspec_adapting as kit
from loopspec.contract.stage import Stage

from .approvals import APPROVAL, approvals_of
from .conversations import agent_for, new_conversations

AT = "https://github.com/strands-agents/harness-sdk/blob/python/v1.62.0/strands-py/src/strands"


class Strands(kit.AgentAdapter[Message]):
    """Judges `strands.Agent`. An agent keeps its conversation, so that each run has a new one."""

    name, version = "strands-agents", version("strands-agents")
    capabilities = (
        *("concurrent-runs", "several-handlers", "streaming", "agent-tool", "missing-results", "retry"),
        *("interrupt", "checkpoint-reuse", "approvals", "approval-edits", "before-agent-hooks", "reports-tools"),
        *("before-model-hooks", "before-model-edits", "after-model-hooks", "after-model-edits", "after-agent-hooks"),
        *("conversations", "guarded-conversations"),
    )
    postures = {
        "after-order": loopspec.Posture("reversed", link=f"{AT}/hooks/events.py#L404-L406"),
        "answer-event": loopspec.Posture("after-hooks", link=f"{AT}/event_loop/event_loop.py#L311-L312"),
        "calls-without-tools": loopspec.Posture("reported", link=f"{AT}/tools/executors/_executor.py#L646-L658"),
        "instruction-template": loopspec.Posture("literal", measured=True),
        "limit-default": loopspec.Posture("unlimited", link=f"{AT}/types/agent.py#L158-L159"),
        "limit-ends": loopspec.Posture("stops", link=f"{AT}/types/agent.py#L153-L156"),
        "limit-zero": loopspec.Posture("no-call", link=f"{AT}/agent/agent.py#L2081-L2083"),
        "same-name": loopspec.Posture("accepted", link=f"{AT}/tools/registry.py#L249-L253"),
        "tool-failure": loopspec.Posture("reported", link=f"{AT}/tools/decorator.py#L673-L686"),
        "unknown-tool": loopspec.Posture("reported", link=f"{AT}/tools/executors/_executor.py#L646-L658"),
    }

    def to_wire(self, message: Message) -> Sequence[loopspec.Message]:
        blocks: Any = message["content"]
        text = "".join(block.get("text", "") for block in blocks)
        if message["role"] == "assistant":
            uses = [block["toolUse"] for block in blocks if "toolUse" in block]
            return [kit.answer_message(text, [(use["toolUseId"], use["name"], use["input"]) for use in uses])]
        results = [block["toolResult"] for block in blocks if "toolResult" in block]
        texts = ["".join(one.get("text", "") for one in result["content"]) for result in results]
        wires = [kit.result_message(one, result["toolUseId"], None) for one, result in zip(texts, results, strict=True)]
        return wires if results and not text else [*wires, loopspec.Message(role=message["role"], content=text)]

    def from_wire(self, message: loopspec.Message) -> Message:
        content: list[Any] = [{"text": message.content}] if message.content or not message.tool_calls else []
        if message.role == "tool":
            content = [{"toolResult": {"toolUseId": message.tool_call_id, "status": "success", "content": content}}]
        for call in message.tool_calls:
            use = {"toolUseId": call.id, "name": call.name, "input": kit.args_object(call.args) or {}}
            content.append({"toolUse": use})
        return {"role": cast("Any", "user" if message.role == "tool" else message.role), "content": content}

    def build(self, parts: kit.Parts[Message]) -> kit.Parts[Message]:
        agent_of(parts)  # a wrong configuration fails here
        return parts

    async def perform(self, stage: Stage) -> None:
        new_conversations()
        await super().perform(stage)

    async def run(self, agent: Any, messages: list[Message], report: kit.Reporter[Message]) -> None:
        await self._perform(agent, agent_for(report.run, partial(agent_of, agent)), messages, report)

    async def resume(self, agent: Any, checkpoint: bytes, answers: Mapping[str, Any], report: Any) -> None:
        snapshot = strands.Snapshot.from_dict(json.loads(checkpoint))
        resumed, waiting = agent_for(report.run, partial(agent_of, agent)), snapshot.app_data["waiting"]
        resumed.load_snapshot(snapshot)
        given = {**{one: None for one, name in waiting.items() if name != APPROVAL}, **answers}
        responses = [{"interruptId": one, "response": {"data": data}} for one, data in given.items()]
        await self._perform(agent, resumed, [{"interruptResponse": one} for one in responses], report)

    async def _perform(self, parts: kit.Parts[Message], agent: strands.Agent, prompt: Any, report: Any) -> None:
        push: Any = None
        limits: Any = {} if parts.max_iterations is None else {"turns": parts.max_iterations}
        async with AsyncExitStack() as answer:
            async for event in agent.stream_async(prompt, limits=limits):
                while parts.spec.internal_events and "tool_stream_event" in event:
                    event = event["tool_stream_event"]["data"]  # an event of a sub-agent
                if "delta" in event and report.run.streaming:
                    push = push or await answer.enter_async_context(report.stream())
                    use = event.get("current_tool_use")
                    calls = [(use["toolUseId"], use["name"], event["delta"]["toolUse"]["input"])] if use else []
                    push(kit.answer_message(event.get("data", ""), calls))
                elif "message" in event or "messageStart" in event.get("event", ()):
                    if "message" in event and (push is None or event["message"]["role"] == "user"):
                        report.message(event["message"])
                    await answer.aclose()
                    push = None
        result = event["result"]
        if result.stop_reason == "interrupt":
            waiting = {"waiting": {one.id: one.name for one in result.interrupts}}
            kept = agent.take_snapshot(preset="session", include=["system_prompt"], app_data=waiting)
            report.interrupted(json.dumps(kept.to_dict()).encode(), [(one.id, one.reason) for one in result.interrupts])
        else:
            report.final(self.to_wire(result.message)[0])


def agent_of(parts: kit.Parts[Message]) -> strands.Agent:
    return strands.Agent(
        model=ScriptedModel(parts.model),
        tools=[tool_of(one, parts) for one in parts.tools],
        system_prompt=parts.instruction,
        callback_handler=None,
        name=parts.name,
        description=parts.spec.description or None,
        hooks=approvals_of(parts) + [one for double in parts.hooks for one in hooks_of(double)],
        retry_strategy=Retry(parts, parts.spec.retry) if parts.spec.retry else strands.ModelRetryStrategy(),
    )


class Retry(strands.ModelRetryStrategy):
    def __init__(self, parts: kit.Parts[Message], retry: Any) -> None:
        super().__init__(max_attempts=retry.max_retries + 1, initial_delay=0)
        self.asked = parts if retry.codes is not None else None

    def is_retryable(self, exception: Exception) -> bool:
        return self.asked is None or self.asked.stage.recovery.retryable(self.asked.name, exception)


def tool_of(double: kit.ToolDouble, parts: kit.Parts[Message]) -> Any:
    """Build a tool. A tool that interrupts keeps what it needs in the agent's state."""
    if double.spec.agent is not None:
        return agent_of(parts.of(double.spec.agent)).as_tool()
    info = double.info

    @strands.tool(name=info.name, description=info.description, inputSchema={"json": info.parameters}, context=True)
    async def scripted(tool_context: strands.ToolContext) -> str | None:
        call_id, state, resumed = tool_context.tool_use["toolUseId"], tool_context.agent.state, None
        if kept := state.get(call_id):
            response = tool_context.interrupt(double.name, kept["info"])
            resumed = loopspec.Resumed(state=kept["state"], data=response["data"])
            state.delete(call_id)
        try:
            return await double.call(tool_context.tool_use["input"], call_id, resumed)
        except loopspec.Interruption as interruption:
            state.set(call_id, {"info": interruption.info, "state": interruption.state})
            tool_context.interrupt(double.name, interruption.info)
            raise

    return scripted


class ScriptedModel(Model):
    """A scripted model. An agent of Strands streams the answers of its model in each run."""

    get_config = structured_output = update_config = cast("Any", None)  # not called

    def __init__(self, double: Any) -> None:
        self.double = double

    async def stream(self, messages: Any, tool_specs: Any = None, system_prompt: Any = None, **_: Any) -> Any:
        specs, reason = tool_specs or (), "end_turn"
        infos = [loopspec.ToolInfo(one["name"], one["description"], one["inputSchema"]["json"]) for one in specs]
        yield {"messageStart": {"role": "assistant"}}
        async for chunk in self.double.chunks(messages, infos, system_prompt or ""):
            if chunk.content or not chunk.tool_calls:
                yield {"contentBlockDelta": {"delta": {"text": chunk.content}}}
            for call in chunk.tool_calls:
                reason = "tool_use"
                yield {"contentBlockStop": {}}
                yield {"contentBlockStart": {"start": {"toolUse": {"toolUseId": call.id, "name": call.name}}}}
                yield {"contentBlockDelta": {"delta": {"toolUse": {"input": call.args}}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": reason}}


def hooks_of(double: kit.HookDouble[Message]) -> list[Any]:
    """Return the hooks of a scripted handler. They change the agent and, in place, its answer."""

    async def before_agent(event: BeforeInvocationEvent) -> None:
        await double.before_agent(event.agent.system_prompt or "", event.agent.tool_names)

    async def before_model(event: BeforeModelCallEvent) -> None:
        agent = event.agent
        change = await double.before_model(agent.messages, agent.tool_names, agent.system_prompt or "")
        agent.messages[:], agent.system_prompt = change.messages, change.system or None

    async def after_model(event: AfterModelCallEvent) -> None:
        if event.stop_response:
            agent, answer = event.agent, cast("Any", event.stop_response.message)
            change = await double.after_model([*agent.messages, answer], agent.tool_names, agent.system_prompt or "")
            agent.messages[:], agent.system_prompt = change.messages[:-1], change.system or None
            answer.update(*change.messages[-1:])

    async def after_agent(event: AfterInvocationEvent) -> None:
        await double.after_agent(event.agent.messages, event.agent.system_prompt or "")

    return [before_agent, before_model, after_model, after_agent]
