"""Decoding of received agents for an adapter in Python."""

from __future__ import annotations

from collections.abc import Sequence

from ..contract import agents as spec
from ..contract.actions import Jump
from ..contract.plugins import Module, Strategy
from .specs import (
    AgentSpec,
    FailoverSpec,
    HandlerSpec,
    LegacySpec,
    ModelSpec,
    ModuleSpec,
    PluginSpec,
    RetrySpec,
    ScriptedSpec,
    SummarizationSpec,
    ToolSpec,
)


def agent_from(sent: AgentSpec) -> spec.Agent:
    """An agent for an adapter in Python: its handlers have hooks, and no actions in them."""
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
    """A middleware of the plugin layer for an adapter in Python."""
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
    """Plugin modules for an adapter in Python."""
    return tuple(
        Module(
            name=module.name,
            strategies=tuple(
                Strategy(
                    provider=one.provider,
                    meta=one.meta,
                    decorated=one.decorated,
                    lacks=one.lacks,
                    uses_up=one.uses_up,
                )
                for one in module.strategies
            ),
        )
        for module in sent
    )


def _model_from(sent: ModelSpec) -> spec.Model:
    return spec.Model(
        name=sent.name,
        takes_tools=sent.takes_tools,
        reports=sent.reports_callbacks,
        max_input_tokens=sent.max_input_tokens,
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
                counts=sent.counts_tokens,
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
        codes=() if sent.has_is_retryable else None,
        rejects=("",) if sent.has_is_accepted else (),
        delays=sent.has_delay,
    )


def _failover_from(sent: FailoverSpec) -> spec.Failover:
    return spec.Failover(
        models=tuple(map(_model_from, sent.models)),
        limit=sent.limit,
        asks=sent.has_should_failover,
        chooses=sent.has_next_model,
    )
