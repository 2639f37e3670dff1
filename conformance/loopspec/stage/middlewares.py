"""The scripted middlewares of the plugin layer, and the factories that make them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from ..contract.actions import AssignContext, Count, Jump, SetState, UseInvalidValue
from ..contract.agents import Plugin
from ..contract.calls import Edited, InvalidValue, ModelRequest, State, ToolAnswer, ToolRequest, View
from ..contract.doubles import Begun, NoInside, ScriptedError
from ..contract.middlewares import Assign, ModelFurtherIn, StateHook, ToolFurtherIn
from ..contract.observation import Creation, Executed
from ..contract.plugins import Strategy
from ..contract.values import Json, Message
from .acting import act
from .cast import Cast
from .hooks import CallOfHook, HookCalls
from .record import Record, current_run
from .scripts import edit
from .wrapping import Cache, ModelWrapping, ToolWrapping


class LiveMiddlewares(HookCalls):
    """Does in each hook what the scene says."""

    def __init__(self, cast: Cast, record: Record) -> None:
        super().__init__(cast, record)
        self._caches: dict[str, Cache] = {}

    async def create(
        self, strategy: Strategy, node: str, agent: str, options: Mapping[str, Json]
    ) -> Plugin | InvalidValue:
        """Return what a strategy's factory makes for a node of an agent."""
        record = self._record
        with record.span(f"create {node}", agent):
            created = Creation(n=record.n, provider=strategy.provider, node=node, agent=agent, options=dict(options))
            record.add(created)
            if strategy.slow:
                await record.gates.sleep(1.0, record.parking)
            if missing := [option for option in strategy.requires if option not in options]:
                raise ScriptedError(f"without {missing[0]}")
        if strategy.invalid:
            return InvalidValue()
        return self._cast.attach(strategy.makes or Plugin(name=node), node, agent)

    async def change(
        self, name: str, hook: StateHook, state: State, view: View, assign: Assign
    ) -> Edited | InvalidValue | None:
        """Return what one of the hooks that get the state wants."""
        entry = replace(self.entry(name, hook, state.messages, state.tools), view=view)
        with self.call(entry) as call:
            own: dict[str, Json] = {}
            jump = None
            for action in call.actions:
                match action:
                    case SetState():
                        own[action.key] = action.value
                    case Count():
                        own[action.key] = int(own.get(action.key, view.own.get(action.key)) or 0) + 1
                    case AssignContext():
                        self._assign(call, action, assign)
                    case Jump():
                        jump = action.target
                    case _:
                        await act(action, _NOWHERE, self._record, call.findings)
            if UseInvalidValue() in call.actions:
                return InvalidValue()
            edited = edit(state, call.actions, self._cast.scene)
            if UseInvalidValue(place="messages") in call.actions:
                edited = replace(edited, invalid=InvalidValue())
            return None if call.returns_nothing else replace(edited, own=own, jump=jump)

    def _assign(self, call: CallOfHook, action: AssignContext, assign: Assign) -> None:
        try:
            assign(action.key, action.value)
        except Exception as error:
            call.findings.refused[f"assign {action.key}"] = self._record.describe(error)

    async def around_model(
        self, name: str, request: ModelRequest, view: View, inner: ModelFurtherIn
    ) -> Begun[Message] | Message | InvalidValue:
        """Let a middleware answer in the model's place."""
        names = tuple(tool.name for tool in request.tools)
        entry = replace(self.entry(name, "around model", request.messages, names), view=view)
        with self.call(entry, "model") as call:
            if UseInvalidValue(place="request") in call.actions:
                inner = _InvalidToModel(inner)
            wrapping = ModelWrapping(request, inner, call.findings, self._caches.setdefault(name, {}))
            answer = await self.wrapped(call, wrapping, _NOWHERE)
        if UseInvalidValue() in call.actions:
            return InvalidValue()
        assert answer is not None, "no phrase lets a middleware return nothing there"
        return answer

    async def around_tool(
        self, name: str, request: ToolRequest, view: View, inner: ToolFurtherIn
    ) -> Begun[ToolAnswer] | ToolAnswer | InvalidValue:
        """Let a middleware answer in a tool's place."""
        entry = replace(
            self.entry(name, "around tool", tools=(request.tool,)),
            tool=request.tool,
            call_id=request.call_id,
            args=request.args,
            view=view,
        )
        with self.call(entry, request.call_id) as call:
            if UseInvalidValue(place="request") in call.actions:
                inner = _InvalidToTool(inner)
            answer = await self.wrapped(call, ToolWrapping(request, inner, call.findings), _NOWHERE)
        if UseInvalidValue() in call.actions:
            return InvalidValue()
        assert answer is not None, "no phrase lets a middleware return nothing there"
        return answer

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """How many tokens a conversation has: the words in its texts."""
        return sum(len(message.content.split()) for message in messages)

    def executed(
        self, node: str, inputs: Sequence[Message], output: str | None = None, error: str | None = None
    ) -> None:
        """Take an entry of the execution trace."""
        record, run = self._record, current_run.get()
        record.add(Executed(n=record.n, node=node, run=run, inputs=tuple(inputs), output=output, error=error))


class _InvalidToModel:
    """The inside of a model call, for a wrapper that passes on junk."""

    def __init__(self, inner: ModelFurtherIn) -> None:
        self._inner = inner

    async def model(self, request: ModelRequest | InvalidValue) -> Begun[Message]:
        """Call further in, with junk."""
        return await self._inner.model(InvalidValue())


class _InvalidToTool:
    """The same, of a tool call."""

    def __init__(self, inner: ToolFurtherIn) -> None:
        self._inner = inner

    async def tool(self, request: ToolRequest | InvalidValue) -> Begun[ToolAnswer]:
        """Call further in, with junk."""
        return await self._inner.tool(InvalidValue())


class _Nowhere(NoInside):
    """The inside of a run for middlewares of the plugin layer, which have no part in run-local values and events."""

    why = "a middleware of the plugin layer has its own state, and nothing else of the run"


_NOWHERE = _Nowhere()
