"""The adapter's calls of handlers, of middlewares, and of configured functions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from ...contract.calls import Edited, InvalidValue, ModelContext, State, ToolAnswer
from ...contract.doubles import Inner
from ...contract.errors import Reported
from ...contract.faults import AdapterError
from ...contract.harness import HarnessStage
from ...contract.plugins import Strategy
from ...contract.values import Json, Message
from ...protocol import messages as m
from ...protocol.encoding import Encoder
from .inside import Around, BegunOf, Inside, OutcomeError
from .peer import Peer

# A hook of handlers before or after a model call.
_ModelHook = Callable[[str, State, ModelContext | None, Inner], Awaitable[Edited | None]]


class HandlerRequests:
    """Answers these calls during one case from the stage's doubles: `answers` are by method."""

    def __init__(self, peer: Peer, stage: HarnessStage, case: int, strategies: Mapping[str, Strategy]) -> None:
        self._peer = peer
        self._stage = stage
        self._case = case
        self._strategies = strategies
        self.answers: dict[str, Callable[[Any, str], Awaitable[m.Reply]]] = {  # Any: the params of its method
            "handler/beforeAgent": self._before_agent,
            "handler/beforeModel": self._before_model,
            "handler/aroundModel": self._around_model,
            "handler/afterModel": self._after_model,
            "handler/aroundTool": self._around_tool,
            "handler/afterAgent": self._after_agent,
            "agent/makeInput": self._make_input,
            "retry/isRetryable": self._is_retryable,
            "retry/isAccepted": self._is_accepted,
            "retry/delay": self._delay,
            "failover/shouldFailover": self._should_failover,
            "failover/nextModel": self._next_model,
            "plugin/create": self._create,
            "plugin/stateHook": self._change,
            "plugin/aroundModel": self._plugin_around_model,
            "plugin/aroundTool": self._plugin_around_tool,
            "tokens/count": self._count,
        }

    def _inside(self, id_: str) -> Inside:
        return Inside(self._peer, self._case, id_)

    def _around(self, id_: str, context: Mapping[str, Json]) -> Around:
        known = dict(context)

        def take_added() -> Mapping[str, Json]:
            added = added_values(self._stage.runs.context(), known)
            known.update(added)
            return added

        return Around(self._peer, self._case, id_, take_added)

    # -- handlers ------------------------------------------------------------------------------------------------------

    async def _before_agent(self, params: m.BeforeAgent, id_: str) -> m.StartReply:
        start = await self._stage.doubles.before_agent(params.handler, params.start, self._inside(id_))
        return m.StartReply(start=start, nothing=start is None)

    async def _before_model(self, params: m.HandlerStateHook, id_: str) -> m.EditReply:
        return await self._edited(self._stage.doubles.before_model, params, id_)

    async def _after_model(self, params: m.HandlerStateHook, id_: str) -> m.EditReply:
        return await self._edited(self._stage.doubles.after_model, params, id_)

    async def _edited(self, hook: _ModelHook, params: m.HandlerStateHook, id_: str) -> m.EditReply:
        edited = await hook(params.handler, params.state, params.model_context, self._inside(id_))
        return m.EditReply(edited=edited, nothing=edited is None)

    async def _after_agent(self, params: m.HandlerStateHook, id_: str) -> m.EditReply:
        edited = await self._stage.doubles.after_agent(params.handler, params.state, self._inside(id_))
        return m.EditReply(edited=edited, nothing=edited is None)

    async def _around_model(self, params: m.AroundModel, id_: str) -> m.AroundReply:
        inner = self._around(id_, params.ctx)
        hook = self._stage.doubles.around_model
        return await _outcome(hook(params.handler, params.request, params.model_context, inner))

    async def _around_tool(self, params: m.AroundTool, id_: str) -> m.AroundReply:
        inner = self._around(id_, params.ctx)
        return await _outcome(self._stage.doubles.around_tool(params.handler, params.request, inner))

    # -- functions of configuration ------------------------------------------------------------------------------------

    async def _make_input(self, params: m.MakeInput, id_: str) -> m.MessagesReply:
        made = await self._stage.doubles.make_input(params.agent, params.instruction, params.messages)
        return m.MessagesReply(messages=tuple(made))

    async def _is_retryable(self, params: m.FailedCall, id_: str) -> m.DecisionReply:
        return m.DecisionReply(yes=self._stage.recovery.retryable(params.agent, Reported(params.error)))

    async def _is_accepted(self, params: m.Attempt, id_: str) -> m.DecisionReply:
        error = Reported(params.error) if params.error else None
        accepted = self._stage.recovery.accepted
        return m.DecisionReply(yes=accepted(params.agent, params.attempt, params.messages, params.answer, error))

    async def _delay(self, params: m.RetryDelay, id_: str) -> m.DelayReply:
        return m.DelayReply(seconds=self._stage.recovery.delay(params.agent, params.retry))

    async def _should_failover(self, params: m.FailedCall, id_: str) -> m.DecisionReply:
        return m.DecisionReply(yes=self._stage.recovery.should_failover(params.agent, Reported(params.error)))

    async def _next_model(self, params: m.ChooseModel, id_: str) -> m.ChosenReply:
        next_model = self._stage.recovery.next_model
        return m.ChosenReply(chosen=next_model(params.agent, params.attempt, params.messages, Reported(params.error)))

    # -- the plugin layer ----------------------------------------------------------------------------------------------

    async def _create(self, params: m.CreatePlugin, id_: str) -> m.PluginReply:
        if params.strategy not in self._strategies:
            raise AdapterError(f"the adapter called the factory of the strategy {params.strategy!r}, which is unknown")
        strategy = self._strategies[params.strategy]
        made = await self._stage.middlewares.create(strategy, params.node, params.agent, params.options)
        if isinstance(made, InvalidValue):
            return m.PluginReply(invalid=True)
        return m.PluginReply(plugin=Encoder(self._stage.doubles.info).plugin(made))

    async def _change(self, params: m.PluginStateHook, id_: str) -> m.EditReply:
        change = self._stage.middlewares.change
        edited = await change(params.plugin, params.hook, params.state, params.view, self._inside(id_).assign)
        if isinstance(edited, InvalidValue):
            return m.EditReply(invalid=True)
        return m.EditReply(edited=edited, nothing=edited is None)

    async def _plugin_around_model(self, params: m.PluginAroundModel, id_: str) -> m.AroundReply:
        inner = self._around(id_, params.ctx)
        hook = self._stage.middlewares.around_model
        return await _outcome(hook(params.plugin, params.request, params.view, inner))

    async def _plugin_around_tool(self, params: m.PluginAroundTool, id_: str) -> m.AroundReply:
        inner = self._around(id_, params.ctx)
        hook = self._stage.middlewares.around_tool
        return await _outcome(hook(params.plugin, params.request, params.view, inner))

    async def _count(self, params: m.CountTokens, id_: str) -> m.TokensReply:
        return m.TokensReply(tokens=self._stage.middlewares.count_tokens(params.messages))


async def _outcome(answering: Awaitable[object]) -> m.AroundReply:
    """The result of an around-hook; an outcome of the inner endpoint, or its error, is named by its number."""
    try:
        answer = await answering
    except OutcomeError as error:
        return m.AroundReply(raised=error.outcome)
    match answer:
        case BegunOf():
            return m.AroundReply(returned=answer.number)
        case Message():
            return m.AroundReply(message=answer)
        case ToolAnswer():
            return m.AroundReply(answer=answer)
        case InvalidValue():
            return m.AroundReply(invalid=True)
    return m.AroundReply(nothing=True)


def added_values(now: Mapping[str, Json], before: Mapping[str, Json]) -> dict[str, Json]:
    """The context values that were added or changed."""
    if now is before:
        return {}
    return {key: value for key, value in now.items() if key not in before or before[key] != value}
