"""The scripted handlers: each hook of the framework calls the method of its name, with the framework's own messages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar, cast

from ..contract.agents import Hook, Scripted
from ..contract.calls import Edited, ModelContext, ModelRequest, Start, State, ToolAnswer, ToolRequest
from ..contract.doubles import Doubles, Inner, InnerModel, InnerTool
from ..contract.values import Json, Message, ToolInfo
from .conversion import Change, Conversion, M, args_text
from .inner import NextHandler, native_of

A = TypeVar("A")  # what a model call or a tool call of the framework returns
StateHook = Callable[[str, State, ModelContext | None, Inner], Awaitable[Edited | None]]


class HookDouble(Generic[M]):
    """A scripted handler.

    A hook without a script calls nothing and changes nothing, so an adapter attaches all hooks. An argument that the
    framework does not pass to a hook stays out: the harness then knows it as not reported. `system` is the system
    instruction of a framework that holds it beside the messages, and empty if the agent has none.
    """

    def __init__(
        self, handler: Scripted, doubles: Doubles, conversion: Conversion[M], inside: Callable[[], Inner]
    ) -> None:
        self.name, self.hooks = handler.name, handler.hooks
        self._doubles, self._conversion, self._inside = doubles, conversion, inside

    def has(self, hook: Hook) -> bool:
        """Return whether the handler has this hook."""
        return hook in self.hooks

    async def before_agent(
        self, instruction: str | None = None, tools: Sequence[str] | None = None, return_directly: Sequence[str] = ()
    ) -> Start | None:
        """Return the start of the run; None where the scene makes the hook return nothing."""
        start = Start(
            instruction=instruction or "", tools=tuple(tools or ()), return_directly=tuple(sorted(return_directly))
        )
        if not self.has("before agent"):
            return start
        return await self._doubles.before_agent(self.name, start, self._inside())

    async def before_model(
        self, messages: Sequence[M], tools: Sequence[str] | None = None, system: str | None = None
    ) -> Change[M]:
        """Return the state before a model call."""
        return await self._state("before model", self._doubles.before_model, messages, tools, system)

    async def after_model(
        self, messages: Sequence[M], tools: Sequence[str] | None = None, system: str | None = None
    ) -> Change[M]:
        """Return the state after a model call. The last message is the answer."""
        return await self._state("after model", self._doubles.after_model, messages, tools, system)

    async def after_agent(self, messages: Sequence[M], system: str | None = None) -> Change[M]:
        """Return the conversation after a run that succeeded."""

        async def hook(name: str, state: State, context: ModelContext | None, inner: Inner) -> Edited | None:
            return await self._doubles.after_agent(name, state, inner)

        return await self._state("after agent", hook, messages, None, system)

    async def _state(
        self, hook: Hook, call: StateHook, messages: Sequence[M], tools: Sequence[str] | None, system: str | None
    ) -> Change[M]:
        if not self.has(hook):
            return Change(messages, tools, system)
        given = State(messages=self._conversion.all_to_wire(messages, system), tools=tuple(tools or ()))
        wanted = await call(self.name, given, _context(tools), self._inside())
        if wanted is None:
            return Change(messages, tools, system, returns_nothing=True)
        change = self._conversion.changed(messages, wanted.messages, system)
        return _with_tools(change, tools, wanted.tools)

    async def around_model(
        self,
        messages: Sequence[M],
        call: Callable[[Change[M]], Awaitable[A]],
        *,
        tools: Sequence[ToolInfo] | None = None,
        system: str | None = None,
        options: dict[str, Json] | None = None,
        read: Callable[[A], M] | None = None,
        make: Callable[[M], A] | None = None,
    ) -> A | None:
        """Wrap a model call, and return the framework's answer; None where the scene makes the wrapper return nothing.

        `call` calls the next handler with the wanted request. `read` returns the message of an answer, `make` builds
        an answer from a message; without them, the framework's answer is its message.
        """
        names = None if tools is None else [tool.name for tool in tools]
        if not self.has("around model"):
            return await call(Change(messages, names, system))
        wires = self._conversion.all_to_wire(messages, system)
        places = {id(wire): at for at, wire in enumerate(wires)}
        request = ModelRequest(messages=wires, tools=tuple(tools or ()), options=options or {})

        async def next_handler(wanted: ModelRequest) -> A:
            kept = [places.get(id(one), one) for one in wanted.messages]
            change = self._conversion.changed(messages, kept, system)
            return await call(_with_tools(change, names, [tool.name for tool in wanted.tools], wanted.model))

        def message_in(native: A) -> Message:
            return self._conversion.to_wire(read(native) if read else cast("M", native))[-1]

        inner = cast("InnerModel", NextHandler(self._inside(), next_handler, message_in))
        answer = await self._doubles.around_model(self.name, request, _context(names), inner)
        if not isinstance(answer, Message):
            return native_of(answer)
        native = self._conversion.from_wire(answer)
        return make(native) if make else cast("A", native)

    async def around_tool(
        self,
        tool: str,
        call_id: str,
        args: object,
        call: Callable[[str], Awaitable[A]],
        *,
        read: Callable[[A], str] = str,
        make: Callable[[str], A] | None = None,
    ) -> A | None:
        """Wrap a tool call, and return the framework's result; None where the scene makes the wrapper return nothing.

        `call` calls the next handler with the arguments as text. `read` returns the text of a result, `make` builds a
        result from a text; without `make`, a result is its text.
        """
        if not self.has("around tool"):
            return await call(args_text(args))
        request = ToolRequest(tool=tool, call_id=call_id, args=args_text(args))

        async def next_handler(wanted: ToolRequest) -> A:
            return await call(wanted.args)

        inner = cast(
            "InnerTool", NextHandler(self._inside(), next_handler, lambda native: ToolAnswer(text=read(native)))
        )
        answer = await self._doubles.around_tool(self.name, request, inner)
        if not isinstance(answer, ToolAnswer):
            return native_of(answer)
        return make(answer.text) if make else cast("A", answer.text)


def _context(tools: Sequence[str] | None) -> ModelContext | None:
    return None if tools is None else ModelContext(tools=tuple(tools))


def _with_tools(
    change: Change[M], given: Sequence[str] | None, wanted: Sequence[str], model: str | None = None
) -> Change[M]:
    changed = tuple(wanted) != tuple(given or ())
    return Change(
        change.messages,
        wanted if changed else given,
        change.system,
        model,
        change.messages_changed,
        changed,
        change.system_changed,
    )
