"""The middlewares of the plugin layer, as proxies."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence

from ..contract.agents import Plugin
from ..contract.calls import Edited, InvalidValue, ModelRequest, State, ToolAnswer, ToolRequest, View
from ..contract.doubles import BegunAnswer
from ..contract.middlewares import Assign, ModelEndpoint, StateHook, ToolEndpoint
from ..contract.plugins import Strategy
from ..contract.values import Json, Message
from ..protocol import messages as m
from ..protocol.decoding import plugin_from
from .doubles import RemoteDoubles
from .inside import Around, Inside
from .requests import CaseRequests


class RemoteMiddlewares:
    """The middlewares of the plugin layer. The contract's `Middlewares`."""

    def __init__(self, requests: CaseRequests, doubles: RemoteDoubles, keys: Mapping[int, str]) -> None:
        self._requests = requests
        self._doubles = doubles
        self._keys = keys  # of strategies, by their identity

    async def create(
        self, strategy: Strategy, node: str, agent: str, options: Mapping[str, Json]
    ) -> Plugin | InvalidValue:
        """Return the middleware that a strategy's factory makes."""
        key = self._keys[id(strategy)]
        params = m.CreatePlugin(**self._requests.where(), strategy=key, node=node, agent=agent, options=dict(options))
        reply = await self._requests.ask("plugin/create", params, m.PluginReply)
        if strategy.uses_up and isinstance(options, MutableMapping):
            options.clear()
        if reply.plugin is None:
            return InvalidValue()
        self._doubles.add_middleware(reply.plugin)
        return plugin_from(reply.plugin)

    async def change(
        self, name: str, hook: StateHook, state: State, view: View, assign: Assign
    ) -> Edited | InvalidValue | None:
        """Return the edits of a hook that receives the state."""
        requests = self._requests
        params = m.PluginStateHook(**requests.where(), plugin=name, hook=hook, state=state, view=view)
        inside = Inside(requests.described, assign=assign)
        if name in self._doubles.synchronous:
            reply = requests.ask_now("plugin/stateHook", params, m.EditReply, inside.serve_now)
        else:
            reply = await requests.ask("plugin/stateHook", params, m.EditReply, inside)
        return InvalidValue() if reply.invalid else reply.edited

    async def around_model(
        self, name: str, request: ModelRequest, view: View, inner: ModelEndpoint
    ) -> BegunAnswer[Message] | Message | InvalidValue:
        """Return a middleware's answer around a model call."""
        params = m.PluginAroundModel(**self._requests.where(), plugin=name, request=request, view=view)
        around = Around(self._requests.described, None, model=inner)
        reply = await self._requests.ask("plugin/aroundModel", params, m.AroundReply, around)
        answer: BegunAnswer[Message] | Message | InvalidValue = around.result(reply)
        return answer

    async def around_tool(
        self, name: str, request: ToolRequest, view: View, inner: ToolEndpoint
    ) -> BegunAnswer[ToolAnswer] | ToolAnswer | InvalidValue:
        """Return a middleware's answer around a tool call."""
        params = m.PluginAroundTool(**self._requests.where(), plugin=name, request=request, view=view)
        around = Around(self._requests.described, None, tool=inner)
        reply = await self._requests.ask("plugin/aroundTool", params, m.AroundReply, around)
        answer: BegunAnswer[ToolAnswer] | ToolAnswer | InvalidValue = around.result(reply)
        return answer

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """Return how many tokens a conversation has."""
        params = m.CountTokens(**self._requests.where(), messages=tuple(messages))
        return self._requests.ask_now("tokens/count", params, m.TokensReply).tokens

    def executed(
        self, node: str, inputs: Sequence[Message], output: str | None = None, error: str | None = None
    ) -> None:
        """Report an entry of the execution trace."""
        params = m.Execution(**self._requests.where(), node=node, inputs=tuple(inputs), output=output, error=error)
        self._requests.notify("execution", params)
