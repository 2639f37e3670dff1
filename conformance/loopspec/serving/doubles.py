"""The doubles of a scene, as proxies: each calls the harness."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing

from ..contract.calls import AgentStart, Edited, ModelContext, ModelRequest, State, ToolAnswer, ToolRequest
from ..contract.doubles import BegunAnswer, CallbackPoint, Inner, InnerModel, InnerTool, Interruption, ScriptedError
from ..contract.faults import AdapterError
from ..contract.values import NO_PARAMETERS, Message, ToolInfo
from ..protocol import messages as m
from ..protocol.specs import AgentSpec, LegacySpec, PluginSpec, ToolSpec
from .inside import Around, Inside
from .pipe import Within
from .requests import CaseRequests


class RemoteDoubles:
    """Models, tools and handlers. The contract's `Doubles`."""

    def __init__(self, requests: CaseRequests, outside: Callable[[Inner], None] | None = None) -> None:
        self._requests = requests
        self._outside = outside
        self._tools: dict[str, ToolSpec] = {}
        self._named: set[str] = set()  # the tools that handlers name
        self.synchronous: set[str] = set()  # middlewares whose hooks are plain functions

    # -- models and tools ----------------------------------------------------------------------------------------------

    def add_agent(self, agent: AgentSpec) -> None:
        """Add the tools and middlewares of an agent, and of its sub-agents."""
        for tool in (*agent.tools, *agent.additional_tools):
            self._tools.setdefault(tool.name, tool)
            if tool.agent:
                self.add_agent(tool.agent)
        for one in (*agent.legacy, *agent.handlers):
            if isinstance(one, LegacySpec | PluginSpec):
                self.add_middleware(one)

    def add_middleware(self, middleware: LegacySpec | PluginSpec) -> None:
        """Add the tools of a middleware."""
        for tool in middleware.tools:
            self._tools.setdefault(tool.name, tool)
        if isinstance(middleware, PluginSpec) and middleware.sync:
            self.synchronous.add(middleware.name)

    async def generate(self, model: str, request: ModelRequest) -> Message | None:
        """Return the model's answer."""
        params = m.CallModel(**self._requests.where(), model=model, request=request)
        return (await self._requests.ask("model/generate", params, m.ModelReply)).message

    async def stream(self, model: str, request: ModelRequest) -> AsyncIterator[Message]:
        """Return the model's answer in chunks."""
        params = m.CallModel(**self._requests.where(), model=model, request=request)
        async with aclosing(self._chunks("model/stream", params)) as items:
            async for item in items:
                if item.message is not None:
                    yield item.message

    def info(self, tool: str) -> ToolInfo:
        """Return the information about a tool."""
        spec = self._tools.get(tool)
        if spec is None and tool in self._named:
            return ToolInfo(name=tool, parameters=dict(NO_PARAMETERS))
        if spec is None:
            error = AdapterError(
                f"the adapter asked for the tool {tool!r}, which the scene does not have: "
                f"the tools of the scene are {', '.join(self._tools) or 'none'}"
            )
            self._requests.notify("adapter/fault", m.AdapterFault(message=str(error)))
            raise error
        if spec.info is None:
            raise ScriptedError(spec.info_error or "no information")
        return spec.info

    async def invoke(self, request: ToolRequest, inner: Inner) -> ToolAnswer | None:
        """Return the tool's answer."""
        requests = self._requests
        params = m.CallTool(**requests.where(), request=request)
        reply = await requests.ask("tool/invoke", params, m.ToolReply, Inside(requests.described, inner))
        _raise_interrupt(reply.interrupt)
        return reply.answer

    async def invoke_streaming(self, request: ToolRequest, inner: Inner) -> AsyncIterator[ToolAnswer]:
        """Return the tool's answer in chunks."""
        params = m.CallTool(**self._requests.where(), request=request)
        async with aclosing(self._chunks("tool/stream", params, Inside(self._requests.described, inner))) as items:
            async for item in items:
                if item.answer is not None:
                    yield item.answer

    async def _chunks(
        self, method: str, params: m.AdapterMessage, within: Within | None = None
    ) -> AsyncGenerator[m.StreamItem, None]:
        item = await self._requests.ask(method, params, m.StreamItem, within)
        stream = item.stream
        over = False
        try:
            while True:
                _raise_interrupt(item.interrupt)
                if item.end:
                    over = True
                    return
                yield item
                read_on = m.StreamRequest(**self._requests.where(), stream=stream)
                try:
                    item = await self._requests.ask("stream/next", read_on, m.StreamItem)
                except BaseException:
                    over = True
                    raise
        finally:
            if not over:
                self._requests.notify("stream/close", m.StreamRequest(**self._requests.where(), stream=stream))

    # -- handlers ------------------------------------------------------------------------------------------------------

    async def before_agent(self, handler: str, start: AgentStart, inner: Inner) -> AgentStart | None:
        """Return the start of the run after a handler's hook before the agent."""
        requests = self._requests
        params = m.BeforeAgent(**requests.where(), handler=handler, start=start)
        inside = Inside(requests.described, inner)
        wanted = (await requests.ask("handler/beforeAgent", params, m.StartReply, inside)).start
        if wanted is not None:
            self._named.update(wanted.tools or (), wanted.return_directly or (), [wanted.tool_search or ""])
        return wanted

    async def before_model(
        self, handler: str, state: State, context: ModelContext | None, inner: Inner
    ) -> Edited | None:
        """Return the state after a handler's hook before the model."""
        return await self._edited("handler/beforeModel", handler, state, context, inner)

    async def after_model(
        self, handler: str, state: State, context: ModelContext | None, inner: Inner
    ) -> Edited | None:
        """Return the state after a handler's hook after the model."""
        return await self._edited("handler/afterModel", handler, state, context, inner)

    async def after_agent(self, handler: str, state: State, inner: Inner) -> Edited | None:
        """Call a handler's hook after a run that succeeded."""
        return await self._edited("handler/afterAgent", handler, state, None, inner)

    async def _edited(
        self, method: str, handler: str, state: State, context: ModelContext | None, inner: Inner
    ) -> Edited | None:
        requests = self._requests
        params = m.HandlerStateHook(**requests.where(), handler=handler, state=state, model_context=context)
        edited = (await requests.ask(method, params, m.EditReply, Inside(requests.described, inner))).edited
        if edited is not None:
            self._named.update(edited.tools or (), edited.deferred_tools)
        return edited

    async def around_model(
        self, handler: str, request: ModelRequest, context: ModelContext | None, inner: InnerModel
    ) -> BegunAnswer[Message] | Message | None:
        """Return a handler's answer around a model call."""
        requests = self._requests
        params = m.AroundModel(**requests.where(), handler=handler, request=request, model_context=context)
        around = Around(requests.described, inner, model=inner)
        reply = await requests.ask("handler/aroundModel", params, m.AroundReply, around)
        answer: BegunAnswer[Message] | Message | None = around.result(reply)
        return answer

    async def around_tool(
        self, handler: str, request: ToolRequest, inner: InnerTool
    ) -> BegunAnswer[ToolAnswer] | ToolAnswer | None:
        """Return a handler's answer around a tool call."""
        requests = self._requests
        params = m.AroundTool(**requests.where(), handler=handler, request=request)
        around = Around(requests.described, inner, tool=inner)
        reply = await requests.ask("handler/aroundTool", params, m.AroundReply, around)
        answer: BegunAnswer[ToolAnswer] | ToolAnswer | None = around.result(reply)
        return answer

    async def make_input(self, agent: str, instruction: str, messages: Sequence[Message]) -> list[Message]:
        """Return the first conversation of a run."""
        params = m.MakeInput(**self._requests.where(), agent=agent, instruction=instruction, messages=tuple(messages))
        return list((await self._requests.ask("agent/makeInput", params, m.MessagesReply)).messages)

    def called_back(self, what: CallbackPoint, name: str, call_id: str | None = None) -> None:
        """Report a callback."""
        self._requests.notify("callback", m.Callback(**self._requests.where(), what=what, name=name, call_id=call_id))

    def handled(self, hook: str, kept: bool, returned: bool, changes: bool | None = None) -> None:
        """Report a call of a hook of the handler under test."""
        params = m.HandlerReport(
            **self._requests.where(), hook=hook, input_kept=kept, output_valid=returned, changes_again=changes
        )
        self._requests.notify("handler/report", params)

    def outside(self, inner: Inner) -> None:
        """Take what the adapter offers outside any run."""
        if self._outside is not None:
            self._outside(inner)


def _raise_interrupt(interrupt: m.Interrupt | None) -> None:
    if interrupt is not None:
        raise Interruption(interrupt.info, interrupt.state)
