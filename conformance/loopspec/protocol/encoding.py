"""Encoding of a scene's agents for an adapter, without the scripts of their doubles."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..contract import agents as spec
from ..contract.doubles import ScriptedError
from ..contract.plugins import Module, Strategy
from ..contract.values import ToolInfo
from .specs import (
    AgentSpec,
    FailoverSpec,
    HandlerSpec,
    HookSpec,
    LegacySpec,
    ModelSpec,
    ModuleSpec,
    PluginSpec,
    RetrySpec,
    ScriptedSpec,
    StrategySpec,
    SummarizationSpec,
    ToolMiddlewareSpec,
    ToolSpec,
)

_ORDER: tuple[spec.Hook, ...] = (
    "before agent", "before model", "around model", "after model", "around tool", "after agent",
)  # fmt: skip


def encode_model(model: spec.Model) -> ModelSpec:
    """Encode a model, without its turns."""
    return ModelSpec(
        name=model.name,
        takes_tools=model.takes_tools,
        reports_callbacks=model.reports,
        max_input_tokens=model.max_input_tokens,
    )


class Encoder:
    """Encodes agents without the scripts of their doubles. `info` returns the information about a tool."""

    def __init__(self, info: Callable[[str], ToolInfo]) -> None:
        self._info = info

    def agent(self, agent: spec.Agent) -> AgentSpec:
        """Encode an agent and its sub-agents."""
        return AgentSpec(
            name=agent.name,
            model=encode_model(agent.model) if agent.model else None,
            description=agent.description,
            instruction=agent.instruction,
            tools=self._tools(agent.tools),
            handlers=tuple(map(self._handler, agent.handlers)),
            max_iterations=agent.max_iterations,
            additional_tools=self._tools(agent.additional_tools),
            additional_models=tuple(map(encode_model, agent.additional_models)),
            makes_input=agent.make_input is not None,
            exit_tool=agent.exit_tool,
            return_directly=agent.return_directly,
            output_key=agent.output_key,
            sequential=agent.sequential,
            retry=_encode_retry(agent.retry) if agent.retry else None,
            failover=_encode_failover(agent.failover) if agent.failover else None,
            legacy=tuple(map(self._legacy, agent.legacy)),
            tool_middlewares=tuple(
                ToolMiddlewareSpec(name=one.name, hooks=_hooks(one)) for one in agent.tool_middlewares
            ),
            callbacks=agent.callbacks,
            internal_events=agent.internal_events,
        )

    def _tools(self, tools: Sequence[spec.Tool]) -> tuple[ToolSpec, ...]:
        return tuple(map(self.tool, tools))

    def tool(self, tool: spec.Tool) -> ToolSpec:
        """Encode a tool, without its answers."""
        sent = ToolSpec(name=tool.name, kinds=tool.kinds, full_history=tool.full_history, schema=tool.schema)
        if tool.agent:
            return _with(sent, agent=self.agent(tool.agent))
        try:
            return _with(sent, info=self._info(tool.name))
        except ScriptedError as error:
            return _with(sent, info_error=error.code)

    def _handler(self, handler: spec.Handler) -> HandlerSpec:
        match handler:
            case spec.Scripted():
                return ScriptedSpec(name=handler.name, hooks=_hooks(handler))
            case spec.Plugin():
                return self.plugin(handler)
            case spec.Summarization():
                return SummarizationSpec(
                    name=handler.name,
                    counts_tokens=handler.counts,
                    trigger=handler.trigger,
                    keep=handler.keep,
                    prefix=handler.prefix,
                    model=encode_model(handler.model) if handler.model else None,
                )
            case _:
                return handler

    def plugin(self, plugin: spec.Plugin) -> PluginSpec:
        """Encode a middleware of the plugin layer, without its scripts."""
        return PluginSpec(
            name=plugin.name,
            hooks=tuple(
                HookSpec(hook=hook, jumps_to=tuple(sorted(plugin.jumps_from(hook)))) for hook in _hooks(plugin)
            ),
            state=plugin.state,
            context=plugin.context,
            tools=self._tools(plugin.tools),
            form=plugin.form,
            sync=plugin.sync,
            declares=plugin.declares,
        )

    def _legacy(self, legacy: spec.Legacy) -> LegacySpec:
        return LegacySpec(
            name=legacy.name,
            hooks=_hooks(legacy),
            instruction=legacy.instruction,
            tools=self._tools(legacy.tools),
            plain_only=legacy.plain_only,
        )


def encode_modules(modules: Sequence[Module]) -> tuple[ModuleSpec, ...]:
    """Encode plugin modules. A strategy's key consists of the index of its module and its own index."""
    return tuple(
        ModuleSpec(
            name=module.name,
            strategies=tuple(
                StrategySpec(
                    key=f"{at}.{n}",
                    provider=one.provider,
                    meta=one.meta,
                    decorated=one.decorated,
                    lacks=one.lacks,
                    uses_up=one.uses_up,
                )
                for n, one in enumerate(module.strategies)
            ),
        )
        for at, module in enumerate(modules)
    )


def strategies_by_key(modules: Sequence[Module]) -> dict[str, Strategy]:
    """The strategies by these keys."""
    return {f"{at}.{n}": one for at, module in enumerate(modules) for n, one in enumerate(module.strategies)}


def _with(sent: ToolSpec, **more: object) -> ToolSpec:
    return type(sent)(**{name: getattr(sent, name) for name in sent.__struct_fields__} | more)


def _hooks(actor: spec.Scripted | spec.Legacy | spec.Plugin) -> tuple[spec.Hook, ...]:
    return tuple(hook for hook in _ORDER if hook in actor.hooks)


def _encode_retry(retry: spec.Retry) -> RetrySpec:
    return RetrySpec(
        max_retries=retry.max_retries,
        has_is_retryable=retry.codes is not None,
        has_is_accepted=bool(retry.rejects),
        has_delay=retry.delays,
    )


def _encode_failover(failover: spec.Failover) -> FailoverSpec:
    return FailoverSpec(
        models=tuple(map(encode_model, failover.models)),
        has_should_failover=failover.asks,
        has_next_model=failover.chooses,
        limit=failover.limit,
    )
