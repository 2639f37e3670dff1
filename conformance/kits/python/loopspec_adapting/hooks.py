"""The scripted handlers: each hook of the framework calls a method, with the framework's own messages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, Generic, Self, TypeVar, cast

from loopspec.contract.agents import Plugin, Scripted
from loopspec.contract.calls import (
    AgentStart,
    Edited,
    InvalidValue,
    ModelRequest,
    Resumed,
    State,
    ToolAnswer,
    ToolRequest,
    View,
)
from loopspec.contract.doubles import Inner, InnerModel, InnerTool, StateHook
from loopspec.contract.stage import Stage
from loopspec.contract.values import Json, Message, ToolInfo

from .conversion import Change, Conversion, M, args_text
from .tool_callbacks import EnteredTool, enter, leave

A = TypeVar("A")  # what a model call or a tool call of the framework returns
W = TypeVar("W")  # the contract's answer


class HookDouble(Generic[M]):
    """A scripted handler. A hook without a script calls nothing and changes nothing: an adapter attaches all hooks.

    Omit an argument that the framework does not pass to the hook: it is then not reported. `system` is the system
    instruction of a framework that holds it outside the messages, and empty if the agent has none.
    """

    def __init__(
        self, handler: Scripted | Plugin, stage: Stage, conversion: Conversion[M], inside: Callable[[], Inner]
    ) -> None:
        self.name, self.hooks, self.spec = handler.name, handler.hooks, handler
        self._doubles, self._conversion, self._inside = stage.doubles, conversion, inside
        self._view = View() if isinstance(handler, Plugin) else None
        self._resumed: Resumed | None = None

    def resuming(self, resumed: Resumed | None) -> Self:
        """Return the double for a call of the hook that interrupted the run, with the caller's answer, if it has one.

        A hook before or after the model, and a wrapper, may raise `Interruption`: raise it as the framework's own.
        """
        double = copy(self)
        double._resumed = resumed
        return double

    async def before_agent(
        self,
        instruction: str | None = None,
        tools: Sequence[str] | None = None,
        return_directly: Iterable[str] | None = None,
    ) -> AgentStart | None:
        """Return the start of the run; None where the scene makes the hook return nothing."""
        directly = None if return_directly is None else tuple(sorted(return_directly))
        start = AgentStart(instruction=instruction, tools=_names(tools), return_directly=directly)
        if "before agent" not in self.hooks:
            return start
        return await self._doubles.before_agent(self.name, start, self._inside())

    async def before_model(
        self, messages: Sequence[M], tools: Sequence[str] | None = None, system: str | None = None
    ) -> Change[M]:
        """Return the state before a model call."""
        return await self._state("before model", messages, tools, system)

    async def after_model(
        self, messages: Sequence[M], tools: Sequence[str] | None = None, system: str | None = None
    ) -> Change[M]:
        """Return the state after a model call. The last message is the answer."""
        return await self._state("after model", messages, tools, system)

    async def after_agent(self, messages: Sequence[M], system: str | None = None) -> Change[M]:
        """Return the conversation after a run that succeeded."""
        return await self._state("after agent", messages, None, system)

    async def _state(
        self,
        hook: StateHook,
        messages: Sequence[M],
        tools: Sequence[str] | None,
        system: str | None,
        inside: Inner | None = None,
    ) -> Change[M]:
        """The change of a hook that receives the state; a middleware of the plugin layer may return an invalid one."""
        if hook not in self.hooks:
            return Change(messages, tools, system)
        given = State(messages=self._conversion.all_to_wire(messages), tools=_names(tools), system=system)
        wanted = await self._doubles.edit(
            hook, self.name, given, inside or self._inside(), view=self._view, resumed=self._resumed
        )
        if wanted is None:
            return Change(messages, tools, system, returns_nothing=True)
        if isinstance(wanted, InvalidValue):
            return cast("Change[M]", wanted)
        return self._conversion.changed(messages, tools, system, wanted)

    async def around_model(
        self,
        messages: Sequence[M],
        call: Callable[[Change[M]], Awaitable[A]],
        *,
        tools: Sequence[ToolInfo] | None = None,
        system: str | None = None,
        options: Mapping[str, Json] | None = None,
        read: Callable[[A], M] | None = None,
        make: Callable[[M], A] | None = None,
    ) -> A | None:
        """Wrap a model call and return its answer; None where the scene makes the wrapper return nothing.

        `call` calls the next handler with the changed request. `read` returns the message in an answer, `make` returns
        an answer with a message; without them, the framework's answer is a message.
        """
        names = None if tools is None else [tool.name for tool in tools]
        if "around model" not in self.hooks:
            return await call(Change(messages, names, system))
        wires = self._conversion.all_to_wire(messages)
        places = {id(wire): at for at, wire in enumerate(wires)}
        request = ModelRequest(messages=wires, system=system, tools=tuple(tools or ()), options=dict(options or {}))

        async def next_handler(wanted: ModelRequest | InvalidValue) -> A:
            if isinstance(wanted, InvalidValue):
                return await call(cast("Change[M]", wanted))
            kept = tuple(places.get(id(one), one) for one in wanted.messages)
            offered = names if wanted.tools == request.tools else [tool.name for tool in wanted.tools]
            edited = Edited(messages=kept, tools=_names(offered), system=wanted.system)
            return await call(replace(self._conversion.changed(messages, names, system, edited), model=wanted.model))

        def message_in(native: A) -> Message:
            return self._conversion.to_wire(read(native) if read else cast("M", native))[-1]

        inner = cast("InnerModel", _Next(self._inside(), next_handler, message_in))
        answer = await self._doubles.around_model(self.name, request, inner, view=self._view, resumed=self._resumed)
        if not isinstance(answer, Message):
            return cast("A | None", answer.native if isinstance(answer, _Answer) else answer)
        native = self._conversion.from_wire(answer)
        return make(native) if make else cast("A", native)

    async def around_tool(
        self,
        tool: str,
        call_id: str | None,
        args: object,
        call: Callable[[str], Awaitable[A]],
        *,
        read: Callable[[A], str] = str,
        make: Callable[[str], A] | None = None,
        command: Callable[[ToolAnswer], A] | None = None,
    ) -> A | None:
        """Wrap a tool call and return its result; None where the scene makes the wrapper return nothing.

        `call` calls the next handler with the arguments as text. `read` returns the text of a result, `make` returns
        a result with a text, `command` one with a command; without `make`, the framework's result is a text.
        """
        if "around tool" not in self.hooks:
            return await call(args_text(args))
        request = ToolRequest(tool=tool, call_id=call_id, args=args_text(args), resumed=self._resumed)

        def next_handler(wanted: object) -> Awaitable[A]:  # an `InvalidValue` has no arguments
            return call(getattr(wanted, "args", cast("str", wanted)))

        inner = cast("InnerTool", _Next(self._inside(), next_handler, lambda native: ToolAnswer(text=read(native))))
        answer = await self._doubles.around_tool(self.name, request, inner, self._view)
        if not isinstance(answer, ToolAnswer):
            return cast("A | None", answer.native if isinstance(answer, _Answer) else answer)
        if answer.command and command:
            return command(answer)
        return make(answer.text) if make else cast("A", answer.text)

    async def enter_tool(self, tool: str, call_id: str, args: object) -> EnteredTool:
        """Begin a tool call, in the callback before it: the wrapper runs until it calls the next handler.

        For a framework that has callbacks around a tool call and no wrappers. The framework calls the tool, and only
        once: leave `repeated-inner-calls` undeclared.
        """
        text = args_text(args)
        if "around tool" not in self.hooks:
            return EnteredTool(text)
        return await enter(
            self.name, tool, call_id, text, lambda next_handler: self.around_tool(tool, call_id, text, next_handler)
        )

    async def leave_tool(self, call_id: str, result: str | BaseException) -> str | None:
        """End a tool call, in the callback after it, and return the wrapper's result. Raises the wrapper's error.

        `result` is the text that the tool returned, or the error that it raised, if the framework reports errors.
        Without a wrapper that waits, the result is returned and the error is raised. A wrapper that still waits at the
        end of the run is cancelled.
        """
        return await leave(self.name, call_id, result)


def _names(tools: Iterable[str] | None) -> tuple[str, ...] | None:
    return None if tools is None else tuple(tools)


class _Answer(Generic[A, W]):
    """The framework's own answer. The harness reads it only where the scene makes the wrapper look at it."""

    def __init__(self, native: A, read: Callable[[A], W]) -> None:
        self.native, self._read = native, read

    async def complete(self) -> W:
        return self._read(self.native)


class _Next(Generic[A, W]):
    """Inside a wrapper: the next handler, and everything that the adapter has inside a run."""

    def __init__(self, inside: Inner, call: Callable[[Any], Awaitable[A]], read: Callable[[A], W]) -> None:
        self._inside, self._call, self._read = inside, call, read

    def __getattr__(self, name: str) -> Any:  # Any: a method of the inside
        return getattr(self._inside, name)

    async def _next(self, request: ModelRequest | ToolRequest) -> _Answer[A, W]:
        return _Answer(await self._call(request), self._read)

    model = tool = _next  # the names in `InnerModel` and in `InnerTool`
