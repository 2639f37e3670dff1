"""A framework for tests: its messages are bundles, each of which is one or several messages of the contract."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from loopspec import Message
from loopspec.contract.agents import Agent as Described
from loopspec.contract.agents import Model, Script, Scripted, Tool, Turn
from loopspec.contract.capabilities import Capability
from loopspec.contract.doubles import NoInside
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import ToolCall
from loopspec.stage import LiveStage
from loopspec_adapting import AgentAdapter, Conversion, HookDouble, Parts, Reporter, ToolDouble, result_message
from loopspec_adapting.tool_callbacks import waiting_wrappers

from ..staging import staged


@dataclass(frozen=True, eq=False)
class Bundle:
    """One message of the framework."""

    wires: tuple[Message, ...]


def bundle(*wires: Message) -> Bundle:
    """A message of the framework from messages of the contract."""
    return Bundle(wires)


def user(text: str) -> Message:
    """A user message."""
    return Message(role="user", content=text)


CONVERSION: Conversion[Bundle] = Conversion(lambda one: one.wires, bundle)
CALL = ToolCall(id="c1", name="t", args="{}")


class Bundled(AgentAdapter[Bundle]):
    """An adapter for the framework. The results of an answer's calls are one bundle, the instruction is none."""

    name, version = "bundled", "1"
    capabilities: Sequence[Capability] = (
        *("concurrent-runs", "raw-arguments", "return-directly", "reports-instruction", "reports-tools", "streaming"),
        *("before-agent-hooks", "before-model-hooks", "before-model-edits", "several-handlers"),
        *("after-model-hooks", "after-model-edits", "after-agent-hooks"),
    )
    error_kinds = {OverflowError: "max_iterations", LookupError: "unknown_tool"}

    def to_wire(self, message: Bundle) -> tuple[Message, ...]:
        return message.wires

    def from_wire(self, message: Message) -> Bundle:
        return bundle(message)

    def build(self, parts: Parts[Bundle]) -> Parts[Bundle]:
        if parts.model is None:
            raise ValueError("no model")
        return parts

    async def run(self, agent: Parts[Bundle], messages: list[Bundle], report: Reporter[Bundle]) -> None:
        state = list(messages)
        tools = {tool.name: tool for tool in agent.tools}
        names, infos = list(tools), [tool.info for tool in agent.tools]
        model, system = agent.model, agent.instruction or ""
        assert model is not None
        for hook in agent.hooks:
            await hook.before_agent(agent.instruction, names)
        for _ in range(agent.max_iterations or 20):
            for hook in agent.hooks:
                state = list((await hook.before_model(state, names, system)).messages)
            if report.run.streaming:
                said = ""
                calls: tuple[ToolCall, ...] = ()
                async with report.stream() as push:
                    async for chunk in model.chunks(state, infos, system):
                        push(chunk)
                        said, calls = said + chunk.content, calls + chunk.tool_calls
                answer: Bundle | None = bundle(Message(role="assistant", content=said, tool_calls=calls))
            else:
                answer = await model.answer(state, infos, system)
                assert answer is not None
                report.message(answer)
            assert answer is not None
            state.append(answer)
            for hook in agent.hooks:
                state = list((await hook.after_model(state, names, system)).messages)
            called = state[-1].wires[-1].tool_calls if state else ()
            if not called:
                for hook in agent.hooks:
                    await hook.after_agent(state, system)
                return
            results = await asyncio.gather(*(self._call(tools, one, report) for one in called))
            state.append(bundle(*results))
            if any(tools[one.name].directly for one in called):
                return
        raise OverflowError("the limit is reached")

    async def _call(self, tools: dict[str, ToolDouble], call: ToolCall, report: Reporter[Bundle]) -> Message:
        text = await tools[call.name].call(call.args, call.id)
        assert text is not None
        said = result_message(text, call.id, call.name)
        report.message(said)
        return said


def scene_with(*scripts: Script, **more: object) -> Scene:
    """A scene with a handler "H" that has these scripts, a tool "t", and one run."""
    agent = Described(
        name="a",
        model=Model(name="m", turns=(Turn(text="done"),)),
        tools=(Tool(name="t"),),
        handlers=(Scripted(name="H", scripts=scripts),),
    )
    return Scene(act="run", agent=agent, runs=(Run(id="1", messages=(user("Hello."),)),))


def in_hook(scene: Scene, steps: Callable[[HookDouble[Bundle]], Awaitable[None]]) -> object:
    """The observation after a coroutine that calls the hooks of handler "H" inside the run."""

    async def inside_the_run(stage: LiveStage) -> None:
        (handler,) = scene.agent.handlers
        assert isinstance(handler, Scripted)
        double = HookDouble(handler, stage, CONVERSION, NoInside)
        with stage.runs.running(scene.runs[0]):
            async with waiting_wrappers():
                await steps(double)

    return staged(scene, inside_the_run)
