"""The strategies of a scene's plugin modules, in a registry of the reference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace

from loopspec.contract import agents as spec
from loopspec.contract.plugins import Strategy, StrategyMeta
from loopspec.contract.stage import Stage
from loopspec.contract.values import Json
from loopspec_reference import plugins as ref_plugins
from loopspec_reference.plugins import summarization, todo_list


def catalog(stage: Stage) -> None:
    """Report the strategies of the scene's modules, or those of the reference itself, and look some up."""
    registry = ref_plugins.Registry()
    if stage.scene.act == "catalog":
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
    """Yield the scene's plugin modules, each with a class for each strategy."""
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
            assert make is not None, "a scene that looks up strategies makes no middleware"
            made = await stage.doubles.create(strategy, context.node, context.agent, options)
            return make(made) if isinstance(made, spec.Plugin) else made  # type: ignore[return-value]  # a factory's mistake

    match strategy.lacks:
        case "metadata":
            del ScriptedStrategy.meta
        case "factory":
            del ScriptedStrategy.create_middleware
        case "maker":
            ScriptedStrategy.__init__ = _needs_more  # type: ignore[method-assign, assignment]  # for this class only
    marked = ref_plugins.middleware_strategy(strategy.provider)(ScriptedStrategy)
    # A class without a mark has a marked base, whose mark it must not inherit.
    return marked if strategy.decorated else type(marked.__name__, (marked,), {})


def _needs_more(strategy: object, more: object) -> None:
    """Initialize an object that needs an argument."""
