"""Where the middlewares of a scene's agents come from: attached by hand, or by a workflow from strategies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from inspect import isawaitable
from types import SimpleNamespace

import loopspec_reference as ref
from loopspec_reference import plugins as ref_plugins
from loopspec_reference.plugins import summarization, todo_list

from ...contract import agents as spec
from ...contract.plugins import Strategy, StrategyMeta
from ...contract.stage import Stage
from ...contract.values import Json
from .scripted import ModelNamed, ScriptedMiddleware
from .wire import MESSAGE_TYPES, to_wire


def catalogue(stage: Stage) -> None:
    """Tell which strategies there are, of the scene's modules or of the reference itself, and look some up."""
    registry = ref_plugins.Registry()
    if stage.scene.act == "catalogue":
        registry.load(summarization)
        registry.load(todo_list)
    for module in modules_of(stage, None):
        registry.load(module)
    for provider in registry.providers():
        stage.outcomes.registered(provider, _meta(registry.get(provider).meta))
    for provider in stage.scene.lookups:
        try:
            stage.outcomes.looked_up(provider, _meta(registry.get(provider).meta))
        except ref_plugins.PluginError as error:
            stage.outcomes.look_up_failed(provider, error)


def _meta(meta: ref_plugins.MiddlewareMeta) -> StrategyMeta:
    return StrategyMeta(
        name=meta.name,
        label=dict(meta.label),
        icon=meta.icon,
        description=dict(meta.description),
        config_schema=None if meta.config_schema is None else dict(meta.config_schema),
    )


Make = Callable[[spec.Plugin], ref_plugins.Middleware]


def modules_of(stage: Stage, make: Make | None) -> Iterator[object]:
    """The scene's plugin modules, each with a class for each strategy."""
    for module in stage.scene.modules:
        yield SimpleNamespace(
            **{f"Strategy{n}": _strategy_class(one, stage, make) for n, one in enumerate(module.strategies)}
        )


def _strategy_class(strategy: Strategy, stage: Stage, make: Make | None) -> type:
    class ScriptedStrategy:
        meta = ref_plugins.MiddlewareMeta(
            name=strategy.meta.name,
            label=strategy.meta.label,
            icon=strategy.meta.icon,
            description=strategy.meta.description,
            config_schema=strategy.meta.config_schema,
        )

        async def create_middleware(
            self, options: Mapping[str, Json], context: ref_plugins.MiddlewareContext
        ) -> ref_plugins.Middleware:
            assert make is not None, "where strategies are only looked up, nothing is made"
            made = await stage.middlewares.create(strategy, context.node, context.agent, options)
            return make(made) if isinstance(made, spec.Plugin) else made  # type: ignore[return-value]  # a factory's mistake

    match strategy.lacks:
        case "metadata":
            del ScriptedStrategy.meta
        case "factory":
            del ScriptedStrategy.create_middleware
        case "maker":
            ScriptedStrategy.__init__ = _needs_more  # type: ignore[method-assign, assignment]  # for this class only
    return (
        ref_plugins.middleware_strategy(strategy.provider)(ScriptedStrategy) if strategy.decorated else ScriptedStrategy
    )


def _needs_more(strategy: object, more: object) -> None:
    """The start of an object that cannot be made of nothing."""


class Attached:
    """The middlewares of the plugin layer that the agents of a scene have."""

    def __init__(self, stage: Stage, model_of: Callable[[spec.Model | None], ref.Model[ref.AnyMessage] | None]) -> None:
        self._stage = stage
        self._model_of = model_of
        self._type = MESSAGE_TYPES[stage.scene.message_type]
        self._by_hand: dict[tuple[str, str], ref_plugins.Middleware] = {}
        self._by_workflow: dict[str, list[ref_plugins.Middleware]] = {}

    async def attach(self, agent: spec.Agent) -> None:
        """Make the middlewares of an agent and of its sub-agents. Raises `PluginError`, and what factories raise."""
        for handler in agent.handlers:
            if isinstance(handler, spec.Plugin | spec.Summarization | spec.TodoList):
                self._by_hand[agent.name, handler.name] = await self._made(handler, agent)
        if self._stage.scene.workflow:
            self._by_workflow[agent.name] = await self._from_workflow(agent)
        for tool in agent.tools:
            if tool.agent:
                await self.attach(tool.agent)

    async def _from_workflow(self, agent: spec.Agent) -> list[ref_plugins.Middleware]:
        flow = self._stage.scene.workflow
        assert flow is not None, "asked only where there is one"
        registry = ref_plugins.Registry()
        for module in modules_of(self._stage, lambda plugin: self._scripted(plugin, agent)):
            registry.load(module)
        workflow = ref_plugins.Workflow(
            [ref_plugins.Node(node.key, node.kind, node.provider, node.options) for node in flow.nodes],
            [ref_plugins.Edge(edge.source, edge.target) for edge in flow.edges],
        )
        return await ref_plugins.get_agent_middlewares(workflow, agent.name, registry, self._context(agent))

    def _scripted(self, plugin: spec.Plugin, agent: spec.Agent) -> ref_plugins.Middleware:
        return ScriptedMiddleware(plugin, self._stage, self._type, self._named(agent)).built()

    def _named(self, agent: spec.Agent) -> ModelNamed:
        models = {model.name: model for model in agent.additional_models}

        def named(name: str) -> ref.Model[ref.AnyMessage]:
            model = self._model_of(models[name])
            assert model is not None, "a scene names its spare models"
            return model

        return named

    async def _made(
        self, handler: spec.Plugin | spec.Summarization | spec.TodoList, agent: spec.Agent
    ) -> ref_plugins.Middleware:
        if isinstance(handler, spec.Plugin):
            return self._scripted(handler, agent)
        strategy: ref_plugins.Strategy
        if isinstance(handler, spec.Summarization):
            strategy = summarization.SummarizationStrategy()
            options = {
                "trigger": handler.trigger,
                "keep": handler.keep,
                "prefix": handler.prefix,
                "model": handler.model.name if handler.model else None,
            }
        else:
            strategy = todo_list.TodoListStrategy()
            options = {"prompt": handler.prompt, "description": handler.description}
        given = {name: value for name, value in options.items() if value is not None}
        made = strategy.create_middleware(given, self._context(agent, handler))
        return await made if isawaitable(made) else made

    def _context(self, agent: spec.Agent, handler: spec.Handler | None = None) -> ref_plugins.MiddlewareContext:
        own = handler.model if isinstance(handler, spec.Summarization) else None
        others = [*agent.additional_models, *([own] if own else [])]
        context = ref_plugins.MiddlewareContext(
            agent=agent.name,
            node=handler.name if handler else "",
            model=self._model_of(agent.model),
            models={model.name: built for model in others if (built := self._model_of(model))},
            trace=_Trace(self._stage) if self._stage.scene.traces else None,
        )
        if isinstance(handler, spec.Summarization) and not handler.counts:
            return context
        return replace(context, count_tokens=self._count_tokens)

    def _count_tokens(self, messages: Sequence[ref.AnyMessage]) -> int:
        return self._stage.middlewares.count_tokens([to_wire(one) for one in messages])

    def handlers(
        self, agent: spec.Agent, other: Callable[[spec.Handler], ref.Handler[ref.AnyMessage]]
    ) -> list[ref.Handler[ref.AnyMessage]]:
        """The agent's handlers: middlewares that stand next to each other are one of them."""
        found: list[ref.Handler[ref.AnyMessage]] = []
        together: list[ref_plugins.Middleware] = list(self._by_workflow.get(agent.name, ()))
        for handler in agent.handlers:
            if (agent.name, handler.name) in self._by_hand:
                together.append(self._by_hand[agent.name, handler.name])
                continue
            found += self._stacked(together)
            together = []
            found.append(other(handler))
        return [*found, *self._stacked(together)]

    @staticmethod
    def _stacked(middlewares: Sequence[ref_plugins.Middleware]) -> list[ref.Handler[ref.AnyMessage]]:
        return [ref_plugins.Stack(middlewares)] if middlewares else []


def state_in(session: Mapping[str, Json]) -> dict[str, Json]:
    """The fields of all middlewares' states."""
    by_agent: Mapping[str, Mapping[str, Mapping[str, Json]]] = session.get("plugins", {})
    return {
        key: value
        for states in by_agent.values()
        for fields in states.values()
        for key, value in (fields or {}).items()
    }


class _Trace:
    """Tells the harness what middlewares have done."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def executed(self, execution: ref_plugins.Execution) -> None:
        inputs = [to_wire(message) for message in execution.inputs]
        self._stage.middlewares.executed(execution.node, inputs, execution.output, execution.error)
