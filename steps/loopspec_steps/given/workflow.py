"""Given: plugin modules with their strategies, and the workflow that attaches what they make."""

from __future__ import annotations

from msgspec.structs import replace

from loopspec.contract.agents import Plugin, Script
from loopspec.contract.plugins import Edge, Module, Node, Strategy, StrategyMeta

from ..builders.agent import EVERY_HOOK
from ..builders.scene import SceneBuilder
from ..cells import as_object, names, one_of
from ..phrasebook import PhraseError, Table, given

_COLUMNS = {"provider", "name", "label", "label zh", "icon", "description", "description zh", "schema"}


def _by_language(row: dict[str, str], what: str) -> dict[str, str]:
    texts = {"en_US": row.get(what), "zh_Hans": row.get(f"{what} zh")}
    return {language: text for language, text in texts.items() if text}


def _strategies(scene_builder: SceneBuilder, module: str, *strategies: Strategy) -> None:
    known = scene_builder.modules.get(module, Module(name=module))
    scene_builder.modules[module] = replace(known, strategies=(*known.strategies, *strategies))


@given('a plugin module "{module}" with the strategies')
def module_with_strategies(scene_builder: SceneBuilder, module: str, table: Table) -> None:
    """A plugin module, loaded after those given before. Columns: `provider`, and of the metadata `name`, `label`,
    `label zh`, `icon`, `description`, `description zh`, `schema` (JSON).
    """
    for row in table:
        if unknown := set(row) - _COLUMNS:
            raise PhraseError(f"a table of strategies has the column {unknown.pop()!r}")
        meta = StrategyMeta(
            name=row.get("name") or row["provider"],
            label=_by_language(row, "label") or {"en_US": row["provider"]},
            icon=row.get("icon", ""),
            description=_by_language(row, "description"),
            config_schema=as_object(row["schema"]) if row.get("schema") else None,
        )
        _strategies(scene_builder, module, Strategy(provider=row["provider"], meta=meta))


@given('a plugin module "{module}" with the providers {providers}')
def module_with_providers(scene_builder: SceneBuilder, module: str, providers: str) -> None:
    """A plugin module with one strategy for each provider, whose middlewares have every hook and only look on."""
    looks_on = tuple(Script(hook=hook) for hook in EVERY_HOOK)
    for provider in names(providers):
        meta = StrategyMeta(name=provider, label={"en_US": provider})
        _strategies(
            scene_builder, module, Strategy(provider=provider, meta=meta, makes=Plugin(name=provider, scripts=looks_on))
        )


def _known(scene_builder: SceneBuilder, provider: str) -> Strategy:
    """The strategy that was given last under this provider."""
    for module in reversed(scene_builder.modules.values()):
        for strategy in reversed(module.strategies):
            if strategy.provider == provider:
                return strategy
    raise PhraseError(f"no plugin module has a strategy for the provider {provider!r}")


def _change(scene_builder: SceneBuilder, provider: str, **details: object) -> None:
    """Say more of the strategy that was given last under this provider."""
    for module in reversed(scene_builder.modules.values()):
        if provider in [strategy.provider for strategy in module.strategies]:
            scene_builder.modules[module.name] = replace(
                module,
                strategies=tuple(
                    replace(one, **details) if one.provider == provider else one for one in module.strategies
                ),
            )
            return
    raise PhraseError(f"no plugin module has a strategy for the provider {provider!r}")


@given('its metadata for "{provider}" has no {part}')
def metadata_lacks(scene_builder: SceneBuilder, provider: str, part: str) -> None:
    """What is left out of it: `name` or `label`."""
    meta = _known(scene_builder, provider).meta
    without = {"name": replace(meta, name=""), "label": replace(meta, label={})}
    _change(scene_builder, provider, meta=one_of(part, without))


@given('its class for "{provider}" is not decorated')
def not_decorated(scene_builder: SceneBuilder, provider: str) -> None:
    """The class has all that a strategy needs, but nothing marks it as one for this provider."""
    _change(scene_builder, provider, decorated=False)


@given('the strategy "{provider}" makes the middleware "{name}"')
def strategy_makes(scene_builder: SceneBuilder, provider: str, name: str) -> None:
    """What it makes is what was said of this middleware, which is not attached by itself."""
    loop = scene_builder.loop_or_new()
    made = loop.plugin_or_new(name)
    loop.handlers.pop(name, None)
    _change(scene_builder, provider, makes=made)


@given('the strategy "{provider}" refuses to do without the option "{option}"')
def strategy_requires(scene_builder: SceneBuilder, provider: str, option: str) -> None:
    """Its factory looks at its options, and fails without this one."""
    _change(scene_builder, provider, requires=(option,))


@given('the factory of "{provider}" takes time')
def slow_factory(scene_builder: SceneBuilder, provider: str) -> None:
    """It waits for a while before it returns, so that others could begin in the meantime."""
    _change(scene_builder, provider, slow=True)


@given('the factory of "{provider}" returns junk')
def factory_returns_invalid_value(scene_builder: SceneBuilder, provider: str) -> None:
    """What it returns is no middleware. Needs the capability junk."""
    _change(scene_builder, provider, invalid=True)


@given('its class for "{provider}" has no {part}')
def class_lacks(scene_builder: SceneBuilder, provider: str, part: str) -> None:
    """The class is marked as a strategy and has no `metadata`, no `factory`, or no `way to be made without more`."""
    lacking = {"metadata": "metadata", "factory": "factory", "way to be made without more": "maker"}
    _change(scene_builder, provider, lacks=one_of(part, lacking))


@given("a workflow with the nodes")
def workflow_nodes(scene_builder: SceneBuilder, table: Table) -> None:
    """Nodes in the order they were drawn in: `key`, `provider` (none: it is an agent, by its name), `options` (JSON),
    `kind` (agent, middleware, other).
    """
    for row in table:
        provider = row.get("provider") or ""
        scene_builder.loop_or_new()
        scene_builder.nodes.append(
            Node(
                key=row["key"],
                kind=one_of(
                    row.get("kind") or ("middleware" if provider else "agent"),
                    {"agent": "agent", "middleware": "middleware", "other": "other"},
                ),
                provider=provider,
                options=as_object(row["options"]) if row.get("options") else {},
            )
        )


@given("the connections {edges}")
def connections(scene_builder: SceneBuilder, edges: str) -> None:
    """The connections in the order they were made: `agent to m1, agent to m2`; `none` without any."""
    for edge in () if edges == "none" else edges.split(", "):
        source, _, target = edge.partition(" to ")
        if not target:
            raise PhraseError(f"{edge!r} is no connection: say where it goes to")
        scene_builder.edges.append(Edge(source=source, target=target))
