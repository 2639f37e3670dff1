"""The scripted middlewares of the plugin layer, and the factories that make them."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence

from msgspec.structs import replace

from ..contract.actions import AssignContext, Count, Jump, SetState, UseInvalidValue
from ..contract.agents import Plugin
from ..contract.calls import Edited, InvalidValue, ModelRequest, State, ToolAnswer, ToolRequest, View
from ..contract.doubles import BegunAnswer, NoInside, ScriptedError
from ..contract.middlewares import Assign, ModelEndpoint, StateHook, ToolEndpoint
from ..contract.observation import Creation, Executed
from ..contract.plugins import Strategy
from ..contract.values import Json, Message
from .acting import act
from .hooks import HookCalls, HookUnderWay
from .index import SceneIndex
from .record import Record, current_run
from .scripts import edit
from .system import SplitEndpoint, joined, split_edited
from .wrapping import Cache, ModelWrapping, ToolWrapping


class LiveMiddlewares(HookCalls):
    """Does in each hook what the scene says. The contract's `Middlewares`."""

    def __init__(self, index: SceneIndex, record: Record) -> None:
        super().__init__(index, record)
        self._caches: dict[str, Cache] = {}

    async def create(
        self, strategy: Strategy, node: str, agent: str, options: Mapping[str, Json]
    ) -> Plugin | InvalidValue:
        """Return the middleware that a strategy's factory makes for a node of an agent."""
        record = self._record
        with record.span(f"create {node}", agent):
            created = Creation(n=record.n, provider=strategy.provider, node=node, agent=agent, options=dict(options))
            record.add(created)
            if strategy.slow:
                await record.gates.sleep(1.0, record.new_waiter)
            if missing := [option for option in strategy.requires if option not in options]:
                raise ScriptedError(f"without {missing[0]}")
            if strategy.uses_up and isinstance(options, MutableMapping):
                options.clear()
        if strategy.invalid:
            return InvalidValue()
        return self._index.add_made(strategy.makes or Plugin(name=node), node, agent)

    async def change(
        self, name: str, hook: StateHook, state: State, view: View, assign: Assign
    ) -> Edited | InvalidValue | None:
        """Return the edits of a hook that receives the state."""
        given, state = state, joined(state)
        entry = replace(self.entry(name, hook, state.messages, state.tools), view=view)
        with self.call(entry) as call:
            await self.hold(call)
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
            edited = split_edited(edit(state, call.actions, self._index.scene), given)
            if UseInvalidValue(place="messages") in call.actions:
                edited = replace(edited, invalid=InvalidValue())
            return None if call.returns_nothing else replace(edited, own=own, jump=jump)

    def _assign(self, call: HookUnderWay, action: AssignContext, assign: Assign) -> None:
        try:
            assign(action.key, action.value)
        except Exception as error:
            call.findings.refused[f"assign {action.key}"] = self._record.describe(error)

    async def around_model(
        self, name: str, request: ModelRequest, view: View, inner: ModelEndpoint
    ) -> BegunAnswer[Message] | Message | InvalidValue:
        """Return a middleware's answer around a model call."""
        given, request = request, joined(request)
        names = tuple(tool.name for tool in request.tools)
        entry = replace(self.entry(name, "around model", request.messages, names), view=view)
        with self.call(entry, "model") as call:
            if UseInvalidValue(place="request") in call.actions:
                inner = _InvalidToModel(inner)
            wrapping = ModelWrapping(
                request, SplitEndpoint(inner, given), call.findings, self._caches.setdefault(name, {})
            )
            answer = await self.wrapped(call, wrapping, _NOWHERE)
        if UseInvalidValue() in call.actions:
            return InvalidValue()
        assert answer is not None, "no phrase lets a middleware return nothing there"
        return answer

    async def around_tool(
        self, name: str, request: ToolRequest, view: View, inner: ToolEndpoint
    ) -> BegunAnswer[ToolAnswer] | ToolAnswer | InvalidValue:
        """Return a middleware's answer around a tool call."""
        entry = replace(
            self.entry(name, "around tool", tools=(request.tool,)),
            tool=request.tool,
            call_id=request.call_id,
            args=request.args,
            view=view,
        )
        with self.call(entry, request.call_id or "") as call:
            if UseInvalidValue(place="request") in call.actions:
                inner = _InvalidToTool(inner)
            answer = await self.wrapped(call, ToolWrapping(request, inner, call.findings), _NOWHERE)
        if UseInvalidValue() in call.actions:
            return InvalidValue()
        assert answer is not None, "no phrase lets a middleware return nothing there"
        return answer

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """How many tokens a conversation has: the words in its texts, each counted as the scene says."""
        return self._index.scene.tokens_per_word * sum(len(message.content.split()) for message in messages)

    def executed(
        self, node: str, inputs: Sequence[Message], output: str | None = None, error: str | None = None
    ) -> None:
        """Record an entry of the execution trace."""
        record, run = self._record, current_run.get()
        record.add(Executed(n=record.n, node=node, run=run, inputs=tuple(inputs), output=output, error=error))


class _InvalidToModel:
    """The model endpoint, for a wrapper that passes an invalid value on."""

    def __init__(self, inner: ModelEndpoint) -> None:
        self._inner = inner

    async def model(self, request: ModelRequest | InvalidValue) -> BegunAnswer[Message]:
        """Call the inner endpoint with an invalid value."""
        return await self._inner.model(InvalidValue())


class _InvalidToTool:
    """The tool endpoint, for such a wrapper."""

    def __init__(self, inner: ToolEndpoint) -> None:
        self._inner = inner

    async def tool(self, request: ToolRequest | InvalidValue) -> BegunAnswer[ToolAnswer]:
        """Call the inner endpoint with an invalid value."""
        return await self._inner.tool(InvalidValue())


class _Nowhere(NoInside):
    """The inside of a run for middlewares of the plugin layer: they have no run-local values and send no events."""

    why = "a middleware of the plugin layer has its own state, and nothing else of the run"


_NOWHERE = _Nowhere()
