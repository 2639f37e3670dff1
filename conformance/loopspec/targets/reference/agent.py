"""The reference's agent, built from the harness's doubles."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import loopspec_reference as ref

from ...contract import scene as spec
from ...contract.stage import Interruption, Stage
from ...contract.values import Json, Message
from .middleware import agentsmd_of
from .wire import MESSAGE_TYPES, from_wire, to_wire


class Agents:
    """The agents of one scene and their runs. A handler that several agents name is one handler in all of them."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._type = MESSAGE_TYPES[stage.scene.message_type]
        self._handlers: dict[str, ref.Handler[ref.AnyMessage]] = {}
        self._conversations: list[tuple[list[Message], list[ref.AnyMessage]]] = []

    def build(self, agent: spec.Agent) -> ref.Agent[ref.AnyMessage]:
        """Build an agent, its sub-agents with it."""
        return ref.Agent(
            name=agent.name,
            description="an agent of the scene",
            model=_Model(agent.model.name, self._stage, self._type),
            message_type=self._type,
            instruction=agent.instruction,
            tools=[self._tool(tool) for tool in agent.tools],
            handlers=[self._handler(handler) for handler in agent.handlers],
            max_iterations=agent.max_iterations,
        )

    def _handler(self, handler: spec.Handler) -> ref.Handler[ref.AnyMessage]:
        if handler.name not in self._handlers:
            self._handlers[handler.name] = (
                agentsmd_of(handler.config, self._stage)
                if isinstance(handler, spec.AgentsMD)
                else _Scripted(handler, self._stage, self._type)
            )
        return self._handlers[handler.name]

    def _tool(self, tool: spec.Tool) -> ref.AnyTool:
        if tool.agent:
            return ref.AgentTool(self.build(tool.agent))
        return _Tool(tool.name, self._stage)

    def _conversation(self, run: spec.Run) -> list[ref.AnyMessage]:
        """The caller's list, of the reference's messages; where the stage's is the same one, so is this."""
        messages = self._stage.runs.messages(run)
        for given, ours in self._conversations:
            if given is messages:
                return ours
        self._conversations.append((messages, [from_wire(message, self._type) for message in messages]))
        return self._conversations[-1][1]

    async def run(self, agent: ref.Agent[ref.AnyMessage], run: spec.Run) -> None:
        """Let one run happen and tell its caller's side of it."""
        runs = self._stage.runs
        with runs.running(run):
            if run.resume:
                events = agent.resume(runs.checkpoint(run.resume))
            else:
                events = agent.run(self._conversation(run), dict(run.session))
            async for event in events:
                match event:
                    case ref.MessageEvent():
                        runs.event(event.agent, to_wire(event.message))
                    case ref.CustomEvent():
                        runs.event(event.agent, custom=event.payload)
                    case ref.InterruptEvent():
                        runs.interrupted(event.checkpoint)
                    case ref.ErrorEvent():
                        raise event.error


class _Model:
    def __init__(self, name: str, stage: Stage, message_type: type[ref.AnyMessage]) -> None:
        self._name = name
        self._stage = stage
        self._type = message_type

    async def generate(self, request: ref.ModelRequest[ref.AnyMessage]) -> ref.AnyMessage:
        wire = [to_wire(message) for message in request.messages]
        answer = await self._stage.doubles.generate(self._name, wire, [tool.name for tool in request.tools])
        return from_wire(answer, self._type)

    async def stream(self, request: ref.ModelRequest[ref.AnyMessage]) -> AsyncIterator[ref.AnyMessage]:
        yield await self.generate(request)


class _Tool:
    def __init__(self, name: str, stage: Stage) -> None:
        self.info = ref.ToolInfo(name)
        self._stage = stage

    async def invoke(self, context: ref.ToolContext, request: ref.ToolRequest[str]) -> str:
        resumed = context.resumed is not None
        try:
            return await self._stage.doubles.invoke(context.name, request.arguments, context.call_id, resumed)
        except Interruption as interruption:
            raise ref.InterruptRun(state=interruption.state) from None


class _Inner:
    """The inside of a run, for scripted handlers."""

    def set_local(self, key: str, value: Json) -> None:
        ref.set_run_local_value(key, value)

    def get_local(self, key: str) -> Json:
        return ref.get_run_local_value(key)[0]


class _InnerModel(_Inner):
    def __init__(
        self,
        endpoint: ref.ModelEndpoint[ref.AnyMessage],
        request: ref.ModelRequest[ref.AnyMessage],
        message_type: type[ref.AnyMessage],
    ) -> None:
        self._endpoint = endpoint
        self._request = request
        self._type = message_type

    async def model(self, messages: Sequence[Message]) -> Message:
        given = [from_wire(message, self._type) for message in messages]
        output = await self._endpoint(replace(self._request, messages=given))
        return to_wire(await output.message())


class _InnerTool(_Inner):
    def __init__(self, endpoint: ref.ToolEndpoint, request: ref.ToolRequest[str]) -> None:
        self._endpoint = endpoint
        self._request = request

    async def tool(self, args: str) -> str:
        return await self._endpoint(replace(self._request, arguments=args))


class _Scripted(ref.Handler[ref.AnyMessage]):
    """A handler of the scene. Hooks it has no script for stay no-ops."""

    def __init__(self, handler: spec.Scripted, stage: Stage, message_type: type[ref.AnyMessage]) -> None:
        self._name = handler.name
        self._hooks = handler.hooks
        self._doubles = stage.doubles
        self._type = message_type

    async def before_agent(self, context: ref.AgentContext) -> ref.AgentContext:
        if "before agent" in self._hooks:
            tools = [tool.info.name for tool in context.tools]
            await self._doubles.before_agent(self._name, context.instruction, tools, _Inner())
        return context

    async def before_model(
        self, state: ref.State[ref.AnyMessage], context: ref.ModelContext[ref.AnyMessage]
    ) -> ref.State[ref.AnyMessage]:
        if "before model" not in self._hooks:
            return state
        wire, tools = [to_wire(message) for message in state.messages], [tool.name for tool in state.tools]
        return self._edited(state, await self._doubles.before_model(self._name, wire, tools, _Inner()))

    def wrap_model(
        self, endpoint: ref.ModelEndpoint[ref.AnyMessage], context: ref.ModelContext[ref.AnyMessage]
    ) -> ref.ModelEndpoint[ref.AnyMessage]:
        if "around model" not in self._hooks:
            return endpoint

        async def around(request: ref.ModelRequest[ref.AnyMessage]) -> ref.Output[ref.AnyMessage]:
            wire = [to_wire(message) for message in request.messages]
            inner = _InnerModel(endpoint, request, self._type)
            answer = await self._doubles.around_model(self._name, wire, inner)
            return ref.Output.of(from_wire(answer, self._type))

        return around

    async def after_model(
        self, state: ref.State[ref.AnyMessage], context: ref.ModelContext[ref.AnyMessage]
    ) -> ref.State[ref.AnyMessage]:
        if "after model" not in self._hooks:
            return state
        wire, tools = [to_wire(message) for message in state.messages], [tool.name for tool in state.tools]
        return self._edited(state, await self._doubles.after_model(self._name, wire, tools, _Inner()))

    def wrap_tool(self, endpoint: ref.ToolEndpoint, context: ref.ToolContext) -> ref.ToolEndpoint:
        if "around tool" not in self._hooks:
            return endpoint

        async def around(request: ref.ToolRequest[str]) -> str:
            inner = _InnerTool(endpoint, request)
            return await self._doubles.around_tool(self._name, context.name, request.arguments, inner)

        return around

    async def after_agent(self, state: ref.State[ref.AnyMessage]) -> None:
        if "after agent" in self._hooks:
            await self._doubles.after_agent(self._name, [to_wire(message) for message in state.messages], _Inner())

    def _edited(self, state: ref.State[ref.AnyMessage], edited: Sequence[Message | int]) -> ref.State[ref.AnyMessage]:
        """The state with what the handler wants; what it keeps stays the same object."""
        wanted = (state.messages[m] if isinstance(m, int) else from_wire(m, self._type) for m in edited)
        return replace(state, messages=tuple(wanted))
