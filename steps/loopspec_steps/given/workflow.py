"""Given: plugin modules, strategies and workflows."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from loopspec.contract.agents import Plugin, Script
from loopspec.contract.plugins import Edge, Module, Node, Strategy, StrategyMeta

from ..builders.agent import EVERY_HOOK
from ..builders.scene import SceneBuilder
from ..cells import NAME, OBJECT, names
from ..declarations import ClosedList, Column, Columns, OpenType, PhraseError, Row, Table, Word
from ..phrasebook import given

NodeKind = Literal["agent", "middleware", "other"]

PROVIDER = Column("provider", "The provider that the strategy is registered for.", NAME, required=True)
STRATEGY = Column("name", "The name in the metadata; the provider by default.", NAME)
LABEL = Column("label", "The English label; the provider by default.", NAME)
LABEL_ZH = Column("label zh", "The Chinese label; none by default.", NAME)
ICON = Column("icon", "The icon in the metadata; none by default.", NAME)
DESCRIPTION = Column("description", "The English description; none by default.", NAME)
DESCRIPTION_ZH = Column("description zh", "The Chinese description; none by default.", NAME)
SCHEMA = Column("schema", "The config schema; none by default.", OBJECT)

STRATEGIES: Columns[Column[object]] = Columns(
    "strategies",
    "The strategies of a plugin module with their metadata, one per row.",
    PROVIDER,
    STRATEGY,
    LABEL,
    LABEL_ZH,
    ICON,
    DESCRIPTION,
    DESCRIPTION_ZH,
    SCHEMA,
)

NODE_KINDS: ClosedList[NodeKind] = ClosedList(
    "kinds of nodes",
    "The kinds of nodes that a workflow has.",
    Word("agent", "The node is an agent.", "agent"),
    Word("middleware", "The node is a middleware that a strategy makes.", "middleware"),
    Word("other", "The node is neither an agent nor a middleware.", "other"),
)
KEY = Column("key", "The key of the node; the key of an agent is the agent's name.", NAME, required=True)
NODE_PROVIDER = Column("provider", "The provider whose strategy makes the middleware; empty for other nodes.", NAME)
OPTIONS = Column("options", "The options that the strategy's factory receives; none by default.", OBJECT)
KIND = Column("kind", "The kind of the node; `middleware` for a node with a provider, else `agent`.", NODE_KINDS)

NODES: Columns[Column[object]] = Columns(
    "nodes",
    "The nodes of a workflow in the order in which they were drawn, one per row.",
    KEY,
    NODE_PROVIDER,
    OPTIONS,
    KIND,
)

METADATA_PARTS: ClosedList[str] = ClosedList(
    "parts of the metadata",
    "A part that is missing from the metadata of a strategy.",
    Word("name", "The metadata has an empty name.", "name"),
    Word("label", "The metadata has no label in any language.", "label"),
)
CLASS_PARTS: ClosedList[str] = ClosedList(
    "parts of a strategy's class",
    "A part that is missing from the class of a strategy.",
    Word("metadata", "The class has no metadata.", "metadata"),
    Word("factory", "The class has no method that makes a middleware.", "factory"),
    Word("constructor without parameters", "The class cannot be instantiated without arguments.", "maker"),
)


def _edges(text: str) -> tuple[Edge, ...]:
    found = []
    for edge in () if text == "none" else text.split(", "):
        source, _, target = edge.partition(" to ")
        if not target:
            raise PhraseError(f"{edge!r} is no connection: say where it goes to")
        found.append(Edge(source=source, target=target))
    return tuple(found)


EDGES = OpenType(
    "connections",
    "Connections in the order in which they were made, with commas between them; or `none`.",
    "agent to m1, agent to m2",
    _edges,
)


def _by_language(row: Row, english: Column[str], chinese: Column[str]) -> dict[str, str]:
    texts = {"en_US": english.of(row, ""), "zh_Hans": chinese.of(row, "")}
    return {language: text for language, text in texts.items() if text}


def _strategies(scene_builder: SceneBuilder, module: str, *strategies: Strategy) -> None:
    known = scene_builder.modules.get(module, Module(name=module))
    scene_builder.modules[module] = replace(known, strategies=(*known.strategies, *strategies))


@given('a plugin module "{module}" with the strategies', STRATEGIES)
def module_with_strategies(scene_builder: SceneBuilder, module: str, table: Table) -> None:
    """A plugin module with strategies, loaded after all modules so far."""
    for row in table:
        provider = PROVIDER.read(row)
        meta = StrategyMeta(
            name=STRATEGY.of(row, provider),
            label=_by_language(row, LABEL, LABEL_ZH) or {"en_US": provider},
            icon=ICON.of(row, ""),
            description=_by_language(row, DESCRIPTION, DESCRIPTION_ZH),
            config_schema=SCHEMA.of(row, None),
        )
        _strategies(scene_builder, module, Strategy(provider=provider, meta=meta))


@given('a plugin module "{module}" with the providers {providers}')
def module_with_providers(scene_builder: SceneBuilder, module: str, providers: str) -> None:
    """A plugin module with one strategy per provider.

    Each strategy makes a middleware with every hook that only observes.
    """
    observers = tuple(Script(hook=hook) for hook in EVERY_HOOK)
    for provider in names(providers):
        meta = StrategyMeta(name=provider, label={"en_US": provider})
        _strategies(
            scene_builder,
            module,
            Strategy(provider=provider, meta=meta, makes=Plugin(name=provider, scripts=observers)),
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


@given('the metadata of "{provider}" has no {part}', part=METADATA_PARTS)
def metadata_lacks(scene_builder: SceneBuilder, provider: str, part: str) -> None:
    """A part is missing from the metadata of the strategy."""
    meta = _known(scene_builder, provider).meta
    without = {"name": replace(meta, name=""), "label": replace(meta, label={})}
    _change(scene_builder, provider, meta=without[METADATA_PARTS.read(part)])


@given('the class of "{provider}" is not marked')
def not_decorated(scene_builder: SceneBuilder, provider: str) -> None:
    """The class has all parts of a strategy, and nothing marks the class as one for the provider."""
    _change(scene_builder, provider, decorated=False)


@given('the strategy "{provider}" creates the middleware "{name}"')
def strategy_makes(scene_builder: SceneBuilder, provider: str, name: str) -> None:
    """The strategy makes the middleware that other steps describe. The middleware is not attached by itself."""
    loop = scene_builder.loop_or_new()
    made = loop.plugin_or_new(name)
    loop.handlers.pop(name, None)
    _change(scene_builder, provider, makes=made)


@given('the strategy "{provider}" requires the option "{option}"')
def strategy_requires(scene_builder: SceneBuilder, provider: str, option: str) -> None:
    """The factory of the strategy fails without this option."""
    _change(scene_builder, provider, requires=(option,))


@given('the factory of "{provider}" takes time')
def slow_factory(scene_builder: SceneBuilder, provider: str) -> None:
    """The factory waits before it returns, so that another factory could begin."""
    _change(scene_builder, provider, slow=True)


@given('the factory of "{provider}" removes its options')
def factory_uses_up(scene_builder: SceneBuilder, provider: str) -> None:
    """The factory removes all options from the mapping that it receives. Needs the capability mutable-options."""
    _change(scene_builder, provider, uses_up=True)


@given('the factory of "{provider}" returns an invalid value')
def factory_returns_invalid_value(scene_builder: SceneBuilder, provider: str) -> None:
    """The factory returns an object that is no middleware. Needs the capability invalid-values."""
    _change(scene_builder, provider, invalid=True)


@given('the class of "{provider}" has no {part}', part=CLASS_PARTS)
def class_lacks(scene_builder: SceneBuilder, provider: str, part: str) -> None:
    """A part is missing from a class that is marked as a strategy."""
    _change(scene_builder, provider, lacks=CLASS_PARTS.read(part))


@given("a workflow with the nodes", NODES)
def workflow_nodes(scene_builder: SceneBuilder, table: Table) -> None:
    """The nodes of the workflow, in the order in which they were drawn."""
    for row in table:
        provider = NODE_PROVIDER.of(row, "")
        scene_builder.loop_or_new()
        scene_builder.nodes.append(
            Node(
                key=KEY.read(row),
                kind=KIND.of(row, "middleware" if provider else "agent"),
                provider=provider,
                options=OPTIONS.of(row, {}),
            )
        )


@given("the connections {edges}", edges=EDGES)
def connections(scene_builder: SceneBuilder, edges: str) -> None:
    """The connections of the workflow, in the order in which they were made."""
    scene_builder.edges += EDGES.read(edges)
