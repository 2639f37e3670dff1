"""A framework for tests: its messages are bundles, each of which is one or several messages of the contract."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from loopspec import Message, Observation
from loopspec.contract.actions import Script
from loopspec.contract.agents import Agent as Described
from loopspec.contract.agents import Model, Scripted, Tool, Turn
from loopspec.contract.capabilities import Capability
from loopspec.contract.doubles import NoInside
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import ToolCall, joined
from loopspec.stage import LiveStage
from loopspec_adapting import AgentAdapter, Change, Conversion, HookDouble, Parts, Reporter, ToolDouble, result_message
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
Hooks: TypeAlias = Sequence[HookDouble[Bundle]]


class Bundled(AgentAdapter[Bundle]):
    """An adapter for the framework. The results of an answer's calls are one bundle, the instruction is none."""

    name, version = "bundled", "1"
    capabilities: Sequence[Capability] = (
        *("concurrent-runs", "raw-arguments", "return-directly", "reports-instruction", "reports-tools", "streaming"),
        *("before-agent-hooks", "before-agent-edits", "before-model-hooks", "before-model-edits", "several-handlers"),
        *("after-model-hooks", "after-model-edits", "after-agent-hooks", "model-wrappers", "tool-wrappers"),
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
        names, system = tuple(tools), agent.instruction or ""
        for hook in agent.hooks:
            start = await hook.before_agent(system, names)
            assert start is not None
            names, system = start.tools or (), start.instruction or ""
        tools = {tool.name: tool for tool in agent.pick(names, tools, lambda tool: tool)}
        for _ in range(agent.max_iterations or 20):
            for hook in agent.hooks:
                state = list((await hook.before_model(state, names, system)).messages)
            answer = await self._answer(agent, agent.hooks, Change(state, names, system), report)
            assert answer is not None
            if not report.run.streaming:
                report.message(answer)
            state.append(answer)
            for hook in agent.hooks:
                state = list((await hook.after_model(state, names, system)).messages)
            called = state[-1].wires[-1].tool_calls if state else ()
            if not called:
                for hook in agent.hooks:
                    await hook.after_agent(state, system)
                return
            results = await asyncio.gather(*(self._call(agent.hooks, tools[one.name], one, report) for one in called))
            state.append(bundle(*results))
            if any(tools[one.name].directly for one in called):
                return
        raise OverflowError("the limit is reached")

    async def _answer(
        self, agent: Parts[Bundle], hooks: Hooks, wanted: Change[Bundle], report: Reporter[Bundle]
    ) -> Bundle | None:
        """Call the model inside its wrappers. A streaming run has no wrappers."""
        known = {tool.name: tool for tool in agent.tools}
        infos = [tool.info for tool in agent.pick(wanted.tools or (), known, lambda tool: tool)]
        assert agent.model is not None
        if hooks and not report.run.streaming:
            first, *rest = hooks

            def next_handler(change: Change[Bundle]) -> Awaitable[Bundle | None]:
                return self._answer(agent, rest, change, report)

            return await first.around_model(wanted.messages, next_handler, tools=infos, system=wanted.system)
        if not report.run.streaming:
            return await agent.model.answer(wanted.messages, infos, wanted.system)
        said = Message(role="assistant")
        async with report.stream() as push:
            async for chunk in agent.model.chunks(wanted.messages, infos, wanted.system):
                push(chunk)
                said = joined((said, chunk))
        return bundle(said)

    async def _call(self, hooks: Hooks, tool: ToolDouble, call: ToolCall, report: Reporter[Bundle]) -> Message:
        text = await self.result(hooks, tool, call)
        assert text is not None
        said = result_message(text, call.id, call.name)
        report.message(said)
        return said

    async def result(self, hooks: Hooks, tool: ToolDouble, call: ToolCall) -> str | None:
        """Call a tool inside its wrappers."""

        async def inner(args: str) -> str | None:
            return await tool.call(args, call.id)

        for hook in reversed(hooks):
            inner = partial(hook.around_tool, call.name, call.id, call=inner)
        return await inner(call.args)


def scene_with(*scripts: Script, **more: object) -> Scene:
    """A scene with a handler "H" that has these scripts, a tool "t", and one run."""
    agent = Described(
        name="a",
        model=Model(name="m", turns=(Turn(text="done"),)),
        tools=(Tool(name="t"),),
        handlers=(Scripted(name="H", scripts=scripts),),
    )
    return Scene(act="run", agent=agent, runs=(Run(id="1", messages=(user("Hello."),)),))


def in_hook(scene: Scene, steps: Callable[[HookDouble[Bundle]], Awaitable[None]]) -> Observation:
    """The observation after a coroutine that calls the hooks of handler "H" inside the run, which succeeds."""

    async def inside_the_run(stage: LiveStage) -> None:
        (handler,) = scene.agent.handlers
        assert isinstance(handler, Scripted)
        double = HookDouble(handler, stage, CONVERSION, NoInside)
        with stage.runs.running(scene.runs[0]):
            async with waiting_wrappers():
                await steps(double)

    seen = staged(scene, inside_the_run)
    assert [end.error for end in seen.runs] == [None]
    return seen
