"""The doubles of an agent: scripted models, tools and handlers."""

from __future__ import annotations

from collections.abc import Sequence

from ..contract.observation import HookCall, ModelCall, ToolRun
from ..contract.scene import (
    Action,
    AddContext,
    Agent,
    Answer,
    GetLocal,
    Hold,
    Hook,
    Model,
    Raise,
    Rewrite,
    Scene,
    Scripted,
    SetLocal,
    Tool,
    Turn,
)
from ..contract.stage import Inner, InnerModel, InnerTool, Interruption, ScriptedError
from ..contract.values import Error, Json, Message, ToolCall
from .record import Record, current_context, current_run
from .scripts import actions_of, edit


class LiveDoubles:
    """The scripted models, tools and handlers of the scene's agents, by name."""

    def __init__(self, scene: Scene, record: Record) -> None:
        self._scene = scene
        self._record = record
        self._models: dict[str, Model] = {}
        self._tools: dict[str, Tool] = {}
        self._handlers: dict[str, Scripted] = {}
        self._runs = {run.id: run for run in scene.runs}
        self._enlist(scene.agent)

    def _enlist(self, agent: Agent) -> None:
        self._models[agent.model.name] = agent.model
        self._handlers |= {handler.name: handler for handler in agent.handlers if isinstance(handler, Scripted)}
        for tool in agent.tools:
            if tool.agent:
                self._enlist(tool.agent)
            else:
                self._tools[tool.name] = tool

    async def generate(self, model: str, messages: Sequence[Message], tools: Sequence[str]) -> Message:
        """Answer as the model does."""
        record, run = self._record, current_run.get()
        record.gates.called(f"model {model}", run)
        turns, lineage = self._models[model].turns, self._lineage(run)
        played = sum(call.model == model and call.run in lineage for call in record.of(ModelCall))
        turn = turns[played] if played < len(turns) else Turn(error=Error(kind="scripted", code="no more turns"))
        answer = None if turn.error else Message(role="assistant", content=turn.text, tool_calls=turn.tool_calls)
        record.add(
            ModelCall(n=record.n, model=model, run=run, messages=tuple(messages), tools=tuple(tools), answer=answer)
        )
        if turn.held:
            await record.gates.wait(turn.held, record.parking)
        if answer is None:
            raise _scripted(turn.error)
        return answer

    def _lineage(self, run: str | None) -> set[str | None]:
        """The run and those it goes on with."""
        line = {run}
        while run is not None and (spec := self._runs.get(run)) and spec.resume:
            run = spec.resume
            line.add(run)
        return line

    async def invoke(self, tool: str, args: str, call_id: str, resumed: bool = False) -> str:
        """Return what the tool returns."""
        record, run, spec = self._record, current_run.get(), self._tools[tool]
        record.gates.called(f"tool {tool}", run)
        call = ToolCall(id=call_id, name=tool, args=args)
        record.add(ToolRun(n=record.n, tool=tool, call=call, run=run, resumed=resumed))
        if spec.held:
            await record.gates.wait(spec.held, record.parking)
        if spec.error:
            raise _scripted(spec.error)
        if spec.interrupts and not resumed:
            raise Interruption(tool)
        return spec.text

    async def before_agent(self, handler: str, instruction: str, tools: Sequence[str], inner: Inner) -> None:
        """Tell a handler that a run begins."""
        await self._act(handler, "before agent", inner, tools=tools, instruction=instruction)

    async def before_model(
        self, handler: str, messages: Sequence[Message], tools: Sequence[str], inner: Inner
    ) -> Sequence[Message | int]:
        """Return the conversation a handler wants."""
        return edit(messages, await self._act(handler, "before model", inner, messages, tools), self._scene)

    async def around_model(self, handler: str, messages: Sequence[Message], inner: InnerModel) -> Message:
        """Let a handler answer in the model's place."""
        actions = await self._act(handler, "around model", inner, messages)
        for action in actions:
            if isinstance(action, Answer):
                return Message(role="assistant", content=action.text)
            if isinstance(action, Rewrite):
                messages = [*messages, Message(role="user", content=action.text)]
        return await inner.model(messages)

    async def after_model(
        self, handler: str, messages: Sequence[Message], tools: Sequence[str], inner: Inner
    ) -> Sequence[Message | int]:
        """Return the conversation a handler wants after the call."""
        return edit(messages, await self._act(handler, "after model", inner, messages, tools), self._scene)

    async def around_tool(self, handler: str, tool: str, args: str, inner: InnerTool) -> str:
        """Let a handler answer in a tool's place."""
        actions = await self._act(handler, "around tool", inner, tools=(tool,), args=args)
        for action in actions:
            if isinstance(action, Answer):
                return action.text
            if isinstance(action, Rewrite):
                args = action.text
        return await inner.tool(args)

    async def after_agent(self, handler: str, messages: Sequence[Message], inner: Inner) -> None:
        """Tell a handler that a run has succeeded."""
        await self._act(handler, "after agent", inner, messages)

    async def _act(
        self,
        handler: str,
        hook: Hook,
        inner: Inner,
        messages: Sequence[Message] = (),
        tools: Sequence[str] = (),
        instruction: str | None = None,
        args: str | None = None,
    ) -> tuple[Action, ...]:
        """Record the call and do what can be done before its outcome is known; return all the hook's actions."""
        record, run = self._record, current_run.get()
        call = record.gates.called(f"{hook} {handler}", run)
        actions = actions_of(self._handlers[handler], hook, call)
        found: dict[str, Json] = {a.key: inner.get_local(a.key) for a in actions if isinstance(a, GetLocal)}
        record.add(
            HookCall(
                n=record.n,
                handler=handler,
                hook=hook,
                run=run,
                messages=tuple(messages),
                tools=tuple(tools),
                instruction=instruction,
                args=args,
                context=dict(current_context.get({})),
                found=found,
            )
        )
        for action in actions:
            match action:
                case Raise():
                    raise ScriptedError(action.code)
                case Hold():
                    await record.gates.wait(action.until, record.parking)
                case AddContext():
                    current_context.set({**current_context.get({}), action.key: action.value})
                case SetLocal():
                    inner.set_local(action.key, action.value)
                case _:
                    continue
        return actions


def _scripted(error: Error | None) -> ScriptedError:
    return ScriptedError(error.code or error.kind if error else "scripted")
