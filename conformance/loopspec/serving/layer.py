"""The doubles of the plugin layer, and what decides about failed model calls, as proxies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from ..contract.agents import Plugin
from ..contract.calls import Chosen, Edited, InvalidValue, ModelRequest, State, ToolAnswer, ToolRequest, View
from ..contract.doubles import Begun
from ..contract.errors import describe
from ..contract.middlewares import Assign, ModelFurtherIn, StateHook, ToolFurtherIn
from ..contract.plugins import Strategy
from ..contract.values import Json, Message
from ..protocol import messages as m
from ..protocol.encoding import plugin_from
from .doubles import Asking, RemoteDoubles
from .inside import Around, Inside


class RemoteMiddlewares:
    """The middlewares of the plugin layer. The contract's `Middlewares`."""

    def __init__(self, asking: Asking, doubles: RemoteDoubles, keys: Mapping[int, str]) -> None:
        self._asking = asking
        self._doubles = doubles
        self._keys = keys  # of strategies, by their identity

    async def create(
        self, strategy: Strategy, node: str, agent: str, options: Mapping[str, Json]
    ) -> Plugin | InvalidValue:
        """Return what a strategy's factory makes."""
        key = self._keys[id(strategy)]
        params = m.CreatePlugin(**self._asking.where(), strategy=key, node=node, agent=agent, options=dict(options))
        reply = await self._asking.ask("plugin/create", params, m.PluginReply)
        if reply.plugin is None:
            return InvalidValue()
        self._doubles.know_middleware(reply.plugin)
        return plugin_from(reply.plugin)

    async def change(
        self, name: str, hook: StateHook, state: State, view: View, assign: Assign
    ) -> Edited | InvalidValue | None:
        """Return what one of the hooks that get the state wants."""
        asking = self._asking
        params = m.ChangeState(**asking.where(), plugin=name, hook=hook, state=state, view=view)
        inside = Inside(asking.kinds, assign=assign)
        if name in self._doubles.plain:
            reply = asking.ask_now("plugin/change", params, m.EditReply, inside.at_once)
        else:
            reply = await asking.ask("plugin/change", params, m.EditReply, inside)
        return InvalidValue() if reply.invalid else reply.edited

    async def around_model(
        self, name: str, request: ModelRequest, view: View, inner: ModelFurtherIn
    ) -> Begun[Message] | Message | InvalidValue:
        """Let a middleware answer in the model's place."""
        asking = self._asking
        params = m.PluginAroundModel(**asking.where(), plugin=name, request=request, view=view)
        around = Around(asking.kinds, None, model=inner)
        answer: Begun[Message] | Message | InvalidValue = await asking.ask_around("plugin/aroundModel", params, around)
        return answer

    async def around_tool(
        self, name: str, request: ToolRequest, view: View, inner: ToolFurtherIn
    ) -> Begun[ToolAnswer] | ToolAnswer | InvalidValue:
        """Let a middleware answer in a tool's place."""
        asking = self._asking
        params = m.PluginAroundTool(**asking.where(), plugin=name, request=request, view=view)
        around = Around(asking.kinds, None, tool=inner)
        answer: Begun[ToolAnswer] | ToolAnswer | InvalidValue = await asking.ask_around(
            "plugin/aroundTool", params, around
        )
        return answer

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """How many tokens a conversation has."""
        params = m.CountTokens(**self._asking.where(), messages=tuple(messages))
        return self._asking.ask_now("tokens/count", params, m.Counted).tokens

    def executed(
        self, node: str, inputs: Sequence[Message], output: str | None = None, error: str | None = None
    ) -> None:
        """Take an entry of the execution trace."""
        params = m.Execution(**self._asking.where(), node=node, inputs=tuple(inputs), output=output, error=error)
        self._asking.pipe.notify("execution", params)


class RemoteRecovery:
    """What decides about failed model calls. The contract's `Recovery`."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    def _yes(self, method: Literal["retry/retryable", "failover/should"], agent: str, error: BaseException) -> bool:
        asking = self._asking
        params = m.AboutError(**asking.where(), agent=agent, error=describe(error, asking.kinds))
        return bool(asking.ask_now(method, params, m.Decided).yes)

    def retryable(self, agent: str, error: BaseException) -> bool:
        """Whether to try again after this error."""
        return self._yes("retry/retryable", agent, error)

    def should_failover(self, agent: str, error: BaseException) -> bool:
        """Whether another model shall be asked after this error."""
        return self._yes("failover/should", agent, error)

    def accepted(
        self, agent: str, attempt: int, messages: Sequence[Message], answer: Message | None, error: BaseException | None
    ) -> bool | None:
        """Whether an attempt stands."""
        asking = self._asking
        params = m.Attempt(
            **asking.where(),
            agent=agent,
            attempt=attempt,
            messages=tuple(messages),
            answer=answer,
            error=describe(error, asking.kinds) if error else None,
        )
        return asking.ask_now("retry/accepted", params, m.Decided).yes

    def delay(self, agent: str, retry: int) -> float:
        """How many seconds to wait before a retry."""
        params = m.RetryNumber(**self._asking.where(), agent=agent, retry=retry)
        return self._asking.ask_now("retry/delay", params, m.Seconds).seconds

    async def sleep(self, seconds: float) -> None:
        """Wait so long."""
        await self._asking.ask("clock/sleep", m.Sleep(**self._asking.where(), seconds=seconds), m.Reply)

    def next_model(
        self, agent: str, attempt: int | None, messages: Sequence[Message] | None, error: BaseException
    ) -> Chosen:
        """The model to ask next."""
        asking = self._asking
        params = m.ChooseModel(
            **asking.where(),
            agent=agent,
            error=describe(error, asking.kinds),
            attempt=attempt,
            messages=None if messages is None else tuple(messages),
        )
        return asking.ask_now("failover/model", params, m.ChosenReply).chosen or Chosen()
