"""From the scene's agents to what an adapter is told of them, and back again for an adapter in Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..contract import agents as spec
from ..contract.actions import Jump
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
    ToolSpec,
    WrapsSpec,
)

_ORDER: tuple[spec.Hook, ...] = (
    "before agent", "before model", "around model", "after model", "around tool", "after agent",
)  # fmt: skip


def model_told(model: spec.Model) -> ModelSpec:
    """A model, without its turns."""
    return ModelSpec(
        name=model.name,
        takes_tools=model.takes_tools,
        reports=model.reports,
        max_input_tokens=model.max_input_tokens,
    )


class Telling:
    """Tells of agents. `info` is what the stage says models are told about a tool."""

    def __init__(self, info: Callable[[str], ToolInfo]) -> None:
        self._info = info

    def agent(self, agent: spec.Agent) -> AgentSpec:
        """An agent, with its sub-agents."""
        return AgentSpec(
            name=agent.name,
            model=model_told(agent.model) if agent.model else None,
            description=agent.description,
            instruction=agent.instruction,
            tools=self._tools(agent.tools),
            handlers=tuple(map(self._handler, agent.handlers)),
            max_iterations=agent.max_iterations,
            spare_tools=self._tools(agent.spare_tools),
            spare_models=tuple(map(model_told, agent.spare_models)),
            makes_input=agent.make_input is not None,
            exit_tool=agent.exit_tool,
            return_directly=agent.return_directly,
            output_key=agent.output_key,
            sequential=agent.sequential,
            retry=_retry_told(agent.retry) if agent.retry else None,
            failover=_failover_told(agent.failover) if agent.failover else None,
            legacy=tuple(map(self._legacy, agent.legacy)),
            tool_middlewares=tuple(WrapsSpec(name=one.name, hooks=_hooks(one)) for one in agent.tool_middlewares),
            callbacks=agent.callbacks,
            internal_events=agent.internal_events,
        )

    def _tools(self, tools: Sequence[spec.Tool]) -> tuple[ToolSpec, ...]:
        return tuple(map(self.tool, tools))

    def tool(self, tool: spec.Tool) -> ToolSpec:
        """A tool, without what it does."""
        told = ToolSpec(name=tool.name, kinds=tool.kinds, full_history=tool.full_history, schema=tool.schema)
        if tool.agent:
            return _with(told, agent=self.agent(tool.agent))
        try:
            return _with(told, info=self._info(tool.name))
        except ScriptedError as error:
            return _with(told, info_error=error.code)

    def _handler(self, handler: spec.Handler) -> HandlerSpec:
        match handler:
            case spec.Scripted():
                return ScriptedSpec(name=handler.name, hooks=_hooks(handler))
            case spec.Plugin():
                return self.plugin(handler)
            case spec.Summarization():
                return SummarizationSpec(
                    name=handler.name,
                    counts=handler.counts,
                    trigger=handler.trigger,
                    keep=handler.keep,
                    prefix=handler.prefix,
                    model=model_told(handler.model) if handler.model else None,
                )
            case _:
                return handler

    def plugin(self, plugin: spec.Plugin) -> PluginSpec:
        """A middleware of the plugin layer, without its scripts."""
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


def modules_told(modules: Sequence[Module]) -> tuple[ModuleSpec, ...]:
    """Plugin modules; a strategy's key says where it stands."""
    return tuple(
        ModuleSpec(
            name=module.name,
            strategies=tuple(
                StrategySpec(
                    key=f"{at}.{n}", provider=one.provider, meta=one.meta, decorated=one.decorated, lacks=one.lacks
                )
                for n, one in enumerate(module.strategies)
            ),
        )
        for at, module in enumerate(modules)
    )


def strategies_by_key(modules: Sequence[Module]) -> dict[str, Strategy]:
    """The strategies that those keys are of."""
    return {f"{at}.{n}": one for at, module in enumerate(modules) for n, one in enumerate(module.strategies)}


def _with(told: ToolSpec, **more: object) -> ToolSpec:
    return type(told)(**{name: getattr(told, name) for name in told.__struct_fields__} | more)


def _hooks(actor: spec.Scripted | spec.Legacy | spec.Plugin) -> tuple[spec.Hook, ...]:
    return tuple(hook for hook in _ORDER if hook in actor.hooks)


def _hook_told(plugin: spec.Plugin, hook: spec.Hook) -> HookSpec:
    return HookSpec(hook=hook, jumps_to=tuple(sorted(plugin.jumps_from(hook))))


def _retry_told(retry: spec.Retry) -> RetrySpec:
    return RetrySpec(
        max_retries=retry.max_retries,
        asks_retryable=retry.codes is not None,
        asks_accepted=bool(retry.rejects),
        asks_delay=retry.delays,
    )


def _failover_told(failover: spec.Failover) -> FailoverSpec:
    return FailoverSpec(
        models=tuple(map(model_told, failover.models)),
        asks_whether=failover.asks,
        asks_which=failover.chooses,
        limit=failover.limit,
    )


# -- and back -------------------------------------------------------------------------------------------------------


def agent_from(told: AgentSpec) -> spec.Agent:
    """An agent as a Python adapter knows it: its doubles have no scripts, only the hooks that they have some for."""
    return spec.Agent(
        name=told.name,
        model=_model_from(told.model) if told.model else None,
        description=told.description,
        instruction=told.instruction,
        tools=tuple(map(_tool_from, told.tools)),
        handlers=tuple(map(_handler_from, told.handlers)),
        max_iterations=told.max_iterations,
        spare_tools=tuple(map(_tool_from, told.spare_tools)),
        spare_models=tuple(map(_model_from, told.spare_models)),
        make_input=spec.MakeInput() if told.makes_input else None,
        exit_tool=told.exit_tool,
        return_directly=told.return_directly,
        output_key=told.output_key,
        sequential=told.sequential,
        retry=_retry_from(told.retry) if told.retry else None,
        failover=_failover_from(told.failover) if told.failover else None,
        legacy=tuple(map(_legacy_from, told.legacy)),
        tool_middlewares=tuple(
            spec.Scripted(name=one.name, scripts=_scripts(one.hooks)) for one in told.tool_middlewares
        ),
        callbacks=told.callbacks,
        internal_events=told.internal_events,
    )


def plugin_from(told: PluginSpec) -> spec.Plugin:
    """A middleware of the plugin layer, likewise."""
    return spec.Plugin(
        name=told.name,
        scripts=tuple(
            spec.Script(hook=one.hook, actions=tuple(Jump(target=target) for target in one.jumps_to))
            for one in told.hooks
        ),
        state=told.state,
        context=told.context,
        tools=tuple(map(_tool_from, told.tools)),
        form=told.form,
        sync=told.sync,
        declares=told.declares,
    )


def modules_from(told: Sequence[ModuleSpec]) -> tuple[Module, ...]:
    """Plugin modules, likewise."""
    return tuple(
        Module(
            name=module.name,
            strategies=tuple(
                Strategy(provider=one.provider, meta=one.meta, decorated=one.decorated, lacks=one.lacks)
                for one in module.strategies
            ),
        )
        for module in told
    )


def _model_from(told: ModelSpec) -> spec.Model:
    return spec.Model(
        name=told.name, takes_tools=told.takes_tools, reports=told.reports, max_input_tokens=told.max_input_tokens
    )


def _tool_from(told: ToolSpec) -> spec.Tool:
    return spec.Tool(
        name=told.name,
        kinds=told.kinds,
        agent=agent_from(told.agent) if told.agent else None,
        full_history=told.full_history,
        schema=told.schema,
        description=told.info.description if told.info else "",
        known_as=told.info.name if told.info and told.info.name != told.name else None,
        nameless=told.info_error is not None,
    )


def _handler_from(told: HandlerSpec) -> spec.Handler:
    match told:
        case ScriptedSpec():
            return spec.Scripted(name=told.name, scripts=_scripts(told.hooks))
        case PluginSpec():
            return plugin_from(told)
        case SummarizationSpec():
            return spec.Summarization(
                name=told.name,
                trigger=told.trigger,
                keep=told.keep,
                prefix=told.prefix,
                model=_model_from(told.model) if told.model else None,
                counts=told.counts,
            )
        case _:
            return told


def _legacy_from(told: LegacySpec) -> spec.Legacy:
    return spec.Legacy(
        name=told.name,
        instruction=told.instruction,
        tools=tuple(map(_tool_from, told.tools)),
        scripts=_scripts(told.hooks),
        plain_only=told.plain_only,
    )


def _scripts(hooks: Sequence[spec.Hook]) -> tuple[spec.Script, ...]:
    return tuple(spec.Script(hook=hook) for hook in hooks)


def _retry_from(told: RetrySpec) -> spec.Retry:
    return spec.Retry(
        max_retries=told.max_retries,
        codes=() if told.asks_retryable else None,
        rejects=("",) if told.asks_accepted else (),
        delays=told.asks_delay,
    )


def _failover_from(told: FailoverSpec) -> spec.Failover:
    return spec.Failover(
        models=tuple(map(_model_from, told.models)), limit=told.limit, asks=told.asks_whether, chooses=told.asks_which
    )
