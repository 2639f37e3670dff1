"""The doubles of a scene, as proxies: each asks the harness."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from typing import Any, TypeVar

from ..contract.calls import (
    Edited,
    ModelContext,
    ModelRequest,
    Start,
    State,
    ToolAnswer,
    ToolRequest,
)
from ..contract.doubles import Begun, CallbackPoint, Inner, InnerModel, InnerTool, Interruption, ScriptedError
from ..contract.values import Message, ToolInfo, Value
from ..protocol import messages as m
from ..protocol.conversion import failed
from ..protocol.rpc import Line
from ..protocol.specs import AgentSpec, LegacySpec, PluginSpec, ToolSpec
from .inside import Around, Inside, Kinds
from .pipe import Pipe, Within, current_bag, current_run

R = TypeVar("R", bound=m.Reply | m.FileReply)


class Asking:
    """Asks for one case; everything says which one, which run, and what is carried along."""

    def __init__(self, pipe: Pipe, case: int, kinds: Kinds) -> None:
        self.pipe = pipe
        self.case = case
        self.kinds = kinds

    def where(self) -> dict[str, Any]:  # Any: what every message of ours begins with
        """Which case, which run, which bag."""
        return {"case": self.case, "run": current_run.get(), "ctx": dict(current_bag.get({}))}

    async def ask(self, method: str, params: m.FromAdapter, kind: type[R], within: Within | None = None) -> R:
        """Ask. Raises what the double fails with."""
        return _checked(await self.pipe.ask(method, params, kind, within))

    def ask_now(
        self, method: str, params: m.FromAdapter, kind: type[R], within: Callable[[Line], Value] | None = None
    ) -> R:
        """Ask, where nothing can be awaited."""
        return _checked(self.pipe.ask_now(method, params, kind, within))

    async def ask_around(self, method: str, params: m.FromAdapter, around: Around) -> Any:  # Any: see `handed_on`
        """Ask an around-hook, and return what comes out of it."""
        return around.handed_on(await self.ask(method, params, m.AroundReply, around))


def _checked(reply: R) -> R:
    if isinstance(reply, m.Reply) and reply.error is not None:
        raise failed(reply.error)
    return reply


class RemoteDoubles:
    """Models, tools and handlers. The contract's `Doubles`."""

    def __init__(self, asking: Asking, outside: Callable[[Inner], None] | None = None) -> None:
        self._asking = asking
        self._outside = outside
        self._tools: dict[str, ToolSpec] = {}
        self.plain: set[str] = set()  # middlewares whose hooks are plain functions

    # -- models and tools ----------------------------------------------------------------------------------------------

    def know(self, agent: AgentSpec) -> None:
        """Know the tools of an agent, and of those below it."""
        for tool in (*agent.tools, *agent.additional_tools):
            self._tools.setdefault(tool.name, tool)
            if tool.agent:
                self.know(tool.agent)
        for one in (*agent.legacy, *agent.handlers):
            if isinstance(one, LegacySpec | PluginSpec):
                self.know_middleware(one)

    def know_middleware(self, middleware: LegacySpec | PluginSpec) -> None:
        """Know what a middleware brings, and how it is called."""
        for tool in middleware.tools:
            self._tools.setdefault(tool.name, tool)
        if isinstance(middleware, PluginSpec) and middleware.sync:
            self.plain.add(middleware.name)

    async def generate(self, model: str, request: ModelRequest) -> Message | None:
        """Answer as the model does."""
        params = m.AskModel(**self._asking.where(), model=model, request=request)
        return (await self._asking.ask("model/generate", params, m.ModelReply)).message

    async def stream(self, model: str, request: ModelRequest) -> AsyncIterator[Message]:
        """Answer likewise, in chunks."""
        params = m.AskModel(**self._asking.where(), model=model, request=request)
        async with aclosing(self._pieces("model/stream", params)) as items:
            async for item in items:
                if item.message is not None:
                    yield item.message

    def info(self, tool: str) -> ToolInfo:
        """What a model is told about a tool."""
        told = self._tools[tool]
        if told.info is None:
            raise ScriptedError(told.info_error or "no information")
        return told.info

    async def invoke(self, request: ToolRequest, inner: Inner) -> ToolAnswer | None:
        """Return what the tool returns."""
        asking = self._asking
        params = m.CallTool(**asking.where(), request=request)
        reply = await asking.ask("tool/invoke", params, m.ToolReply, Inside(asking.kinds, inner))
        _interrupt(reply.interrupt)
        return reply.answer

    async def invoke_streaming(self, request: ToolRequest, inner: Inner) -> AsyncIterator[ToolAnswer]:
        """Return it likewise, in chunks."""
        params = m.CallTool(**self._asking.where(), request=request)
        async with aclosing(self._pieces("tool/stream", params, Inside(self._asking.kinds, inner))) as items:
            async for item in items:
                if item.answer is not None:
                    yield item.answer

    async def _pieces(
        self, method: str, params: m.FromAdapter, within: Within | None = None
    ) -> AsyncGenerator[m.StreamItem, None]:
        item = await self._asking.ask(method, params, m.StreamItem, within)
        stream = item.stream
        over = False
        try:
            while True:
                _interrupt(item.interrupt)
                if item.end:
                    over = True
                    return
                yield item
                of = m.OfStream(**self._asking.where(), stream=stream)
                try:
                    item = await self._asking.ask("stream/next", of, m.StreamItem)
                except BaseException:
                    over = True
                    raise
        finally:
            if not over:
                self._asking.pipe.notify("stream/close", m.OfStream(**self._asking.where(), stream=stream))

    # -- handlers ------------------------------------------------------------------------------------------------------

    async def before_agent(self, handler: str, start: Start, inner: Inner) -> Start | None:
        """Return what a handler wants the run to start with."""
        asking = self._asking
        params = m.BeforeAgent(**asking.where(), handler=handler, start=start)
        return (await asking.ask("handler/beforeAgent", params, m.StartReply, Inside(asking.kinds, inner))).start

    async def before_model(
        self, handler: str, state: State, context: ModelContext | None, inner: Inner
    ) -> Edited | None:
        """Return the state a handler wants."""
        return await self._edited("handler/beforeModel", handler, state, context, inner)

    async def after_model(
        self, handler: str, state: State, context: ModelContext | None, inner: Inner
    ) -> Edited | None:
        """Return the state a handler wants after the call."""
        return await self._edited("handler/afterModel", handler, state, context, inner)

    async def after_agent(self, handler: str, state: State, inner: Inner) -> Edited | None:
        """Tell a handler that a run has succeeded."""
        return await self._edited("handler/afterAgent", handler, state, None, inner)

    async def _edited(
        self, method: str, handler: str, state: State, context: ModelContext | None, inner: Inner
    ) -> Edited | None:
        asking = self._asking
        params = m.OnState(**asking.where(), handler=handler, state=state, model_context=context)
        return (await asking.ask(method, params, m.EditReply, Inside(asking.kinds, inner))).edited

    async def around_model(
        self, handler: str, request: ModelRequest, context: ModelContext | None, inner: InnerModel
    ) -> Begun[Message] | Message | None:
        """Let a handler answer in the model's place."""
        asking = self._asking
        params = m.AroundModel(**asking.where(), handler=handler, request=request, model_context=context)
        around = Around(asking.kinds, inner, model=inner)
        answer: Begun[Message] | Message | None = await asking.ask_around("handler/aroundModel", params, around)
        return answer

    async def around_tool(
        self, handler: str, request: ToolRequest, inner: InnerTool
    ) -> Begun[ToolAnswer] | ToolAnswer | None:
        """Let a handler answer in a tool's place."""
        asking = self._asking
        params = m.AroundTool(**asking.where(), handler=handler, request=request)
        around = Around(asking.kinds, inner, tool=inner)
        answer: Begun[ToolAnswer] | ToolAnswer | None = await asking.ask_around("handler/aroundTool", params, around)
        return answer

    async def make_input(self, agent: str, instruction: str, messages: Sequence[Message]) -> list[Message]:
        """Make the first conversation of a run."""
        params = m.MakeInput(**self._asking.where(), agent=agent, instruction=instruction, messages=tuple(messages))
        return list((await self._asking.ask("agent/makeInput", params, m.MessagesReply)).messages)

    def called_back(self, what: CallbackPoint, name: str, call_id: str | None = None) -> None:
        """Take a callback."""
        params = m.CalledBack(**self._asking.where(), what=what, name=name, call_id=call_id)
        self._asking.pipe.notify("callback", params)

    def handled(self, hook: str, kept: bool, returned: bool, changes: bool | None = None) -> None:
        """Take down a call of a hook of the handler under test."""
        params = m.HookHandled(**self._asking.where(), hook=hook, kept=kept, returned=returned, changes=changes)
        self._asking.pipe.notify("handler/handled", params)

    def outside(self, inner: Inner) -> None:
        """Hand over what the adapter offers outside any run."""
        if self._outside is not None:
            self._outside(inner)


def _interrupt(asked: m.Interrupt | None) -> None:
    if asked is not None:
        raise Interruption(asked.info, asked.state)
