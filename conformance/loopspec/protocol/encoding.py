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


def encode_model(model: spec.Model) -> ModelSpec:
    """A model, without its turns."""
    return ModelSpec(
        name=model.name,
        takes_tools=model.takes_tools,
        reports=model.reports,
        max_input_tokens=model.max_input_tokens,
    )


class Encoder:
    """Tells of agents. `info` is what the stage says models are told about a tool."""

    def __init__(self, info: Callable[[str], ToolInfo]) -> None:
        self._info = info

    def agent(self, agent: spec.Agent) -> AgentSpec:
        """An agent, with its sub-agents."""
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
            tool_middlewares=tuple(WrapsSpec(name=one.name, hooks=_hooks(one)) for one in agent.tool_middlewares),
            callbacks=agent.callbacks,
            internal_events=agent.internal_events,
        )

    def _tools(self, tools: Sequence[spec.Tool]) -> tuple[ToolSpec, ...]:
        return tuple(map(self.tool, tools))

    def tool(self, tool: spec.Tool) -> ToolSpec:
        """A tool, without what it does."""
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
                    counts=handler.counts,
                    trigger=handler.trigger,
                    keep=handler.keep,
                    prefix=handler.prefix,
                    model=encode_model(handler.model) if handler.model else None,
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


def encode_modules(modules: Sequence[Module]) -> tuple[ModuleSpec, ...]:
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


def _with(sent: ToolSpec, **more: object) -> ToolSpec:
    return type(sent)(**{name: getattr(sent, name) for name in sent.__struct_fields__} | more)


def _hooks(actor: spec.Scripted | spec.Legacy | spec.Plugin) -> tuple[spec.Hook, ...]:
    return tuple(hook for hook in _ORDER if hook in actor.hooks)


def _encode_hook(plugin: spec.Plugin, hook: spec.Hook) -> HookSpec:
    return HookSpec(hook=hook, jumps_to=tuple(sorted(plugin.jumps_from(hook))))


def _encode_retry(retry: spec.Retry) -> RetrySpec:
    return RetrySpec(
        max_retries=retry.max_retries,
        asks_retryable=retry.codes is not None,
        asks_accepted=bool(retry.rejects),
        asks_delay=retry.delays,
    )


def _encode_failover(failover: spec.Failover) -> FailoverSpec:
    return FailoverSpec(
        models=tuple(map(encode_model, failover.models)),
        asks_whether=failover.asks,
        asks_which=failover.chooses,
        limit=failover.limit,
    )


# -- and back -------------------------------------------------------------------------------------------------------


def agent_from(sent: AgentSpec) -> spec.Agent:
    """An agent as a Python adapter knows it: its doubles have no scripts, only the hooks that they have some for."""
    return spec.Agent(
        name=sent.name,
        model=_model_from(sent.model) if sent.model else None,
        description=sent.description,
        instruction=sent.instruction,
        tools=tuple(map(_tool_from, sent.tools)),
        handlers=tuple(map(_handler_from, sent.handlers)),
        max_iterations=sent.max_iterations,
        additional_tools=tuple(map(_tool_from, sent.additional_tools)),
        additional_models=tuple(map(_model_from, sent.additional_models)),
        make_input=spec.MakeInput() if sent.makes_input else None,
        exit_tool=sent.exit_tool,
        return_directly=sent.return_directly,
        output_key=sent.output_key,
        sequential=sent.sequential,
        retry=_retry_from(sent.retry) if sent.retry else None,
        failover=_failover_from(sent.failover) if sent.failover else None,
        legacy=tuple(map(_legacy_from, sent.legacy)),
        tool_middlewares=tuple(
            spec.Scripted(name=one.name, scripts=_scripts(one.hooks)) for one in sent.tool_middlewares
        ),
        callbacks=sent.callbacks,
        internal_events=sent.internal_events,
    )


def plugin_from(sent: PluginSpec) -> spec.Plugin:
    """A middleware of the plugin layer, likewise."""
    return spec.Plugin(
        name=sent.name,
        scripts=tuple(
            spec.Script(hook=one.hook, actions=tuple(Jump(target=target) for target in one.jumps_to))
            for one in sent.hooks
        ),
        state=sent.state,
        context=sent.context,
        tools=tuple(map(_tool_from, sent.tools)),
        form=sent.form,
        sync=sent.sync,
        declares=sent.declares,
    )


def modules_from(sent: Sequence[ModuleSpec]) -> tuple[Module, ...]:
    """Plugin modules, likewise."""
    return tuple(
        Module(
            name=module.name,
            strategies=tuple(
                Strategy(provider=one.provider, meta=one.meta, decorated=one.decorated, lacks=one.lacks)
                for one in module.strategies
            ),
        )
        for module in sent
    )


def _model_from(sent: ModelSpec) -> spec.Model:
    return spec.Model(
        name=sent.name, takes_tools=sent.takes_tools, reports=sent.reports, max_input_tokens=sent.max_input_tokens
    )


def _tool_from(sent: ToolSpec) -> spec.Tool:
    return spec.Tool(
        name=sent.name,
        kinds=sent.kinds,
        agent=agent_from(sent.agent) if sent.agent else None,
        full_history=sent.full_history,
        schema=sent.schema,
        description=sent.info.description if sent.info else "",
        known_as=sent.info.name if sent.info and sent.info.name != sent.name else None,
        nameless=sent.info_error is not None,
    )


def _handler_from(sent: HandlerSpec) -> spec.Handler:
    match sent:
        case ScriptedSpec():
            return spec.Scripted(name=sent.name, scripts=_scripts(sent.hooks))
        case PluginSpec():
            return plugin_from(sent)
        case SummarizationSpec():
            return spec.Summarization(
                name=sent.name,
                trigger=sent.trigger,
                keep=sent.keep,
                prefix=sent.prefix,
                model=_model_from(sent.model) if sent.model else None,
                counts=sent.counts,
            )
        case _:
            return sent


def _legacy_from(sent: LegacySpec) -> spec.Legacy:
    return spec.Legacy(
        name=sent.name,
        instruction=sent.instruction,
        tools=tuple(map(_tool_from, sent.tools)),
        scripts=_scripts(sent.hooks),
        plain_only=sent.plain_only,
    )


def _scripts(hooks: Sequence[spec.Hook]) -> tuple[spec.Script, ...]:
    return tuple(spec.Script(hook=hook) for hook in hooks)


def _retry_from(sent: RetrySpec) -> spec.Retry:
    return spec.Retry(
        max_retries=sent.max_retries,
        codes=() if sent.asks_retryable else None,
        rejects=("",) if sent.asks_accepted else (),
        delays=sent.asks_delay,
    )


def _failover_from(sent: FailoverSpec) -> spec.Failover:
    return spec.Failover(
        models=tuple(map(_model_from, sent.models)), limit=sent.limit, asks=sent.asks_whether, chooses=sent.asks_which
    )
