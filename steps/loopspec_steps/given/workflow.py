"""Given: plugin modules, strategies and workflows."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from loopspec.contract.agents import Plugin
from loopspec.contract.plugins import Edge, Module, Node, Strategy, StrategyMeta

from ..builders.scene import OBSERVERS, SceneBuilder, named, with_named
from ..cells import NAME, OBJECT, names
from ..declarations import CELL, BuiltColumns, ClosedList, FieldColumn, OpenType, PhraseError, Table, Word
from ..phrasebook import given
from ..settings import Added
from ..templates import hole
from .parts import PLUGIN, STRATEGY, WORKFLOW

NodeKind = Literal["agent", "middleware", "other"]

PROVIDER = FieldColumn("provider", "The provider that the strategy is registered for.", NAME, {}, required=True)
STRATEGIES = BuiltColumns(
    "strategies",
    "The strategies of a plugin module with their metadata, one per row.",
    StrategyMeta(name=""),
    PROVIDER,
    FieldColumn("name", "The name in the metadata; the provider by default.", NAME),
    FieldColumn("label", "The English label; the provider by default.", NAME, {"label": {"en_US": CELL}}),
    FieldColumn("label zh", "The Chinese label; none by default.", NAME, {"label": {"zh_Hans": CELL}}),
    FieldColumn("icon", "The icon in the metadata; none by default.", NAME),
    FieldColumn("description", "The English description; none by default.", NAME, {"description": {"en_US": CELL}}),
    FieldColumn(
        "description zh", "The Chinese description; none by default.", NAME, {"description": {"zh_Hans": CELL}}
    ),
    FieldColumn("schema", "The config schema; none by default.", OBJECT, "config_schema"),
)

NODE_KINDS: ClosedList[NodeKind] = ClosedList(
    "kinds of nodes",
    "The kinds of nodes that a workflow has.",
    Word("agent", "The node is an agent.", "agent"),
    Word("middleware", "The node is a middleware that a strategy makes.", "middleware"),
    Word("other", "The node is neither an agent nor a middleware.", "other"),
)
NODE_PROVIDER = FieldColumn(
    "provider", "The provider whose strategy makes the middleware; empty for other nodes.", NAME
)
NODE_KIND = FieldColumn(
    "kind", "The kind of the node; `middleware` for a node with a provider, else `agent`.", NODE_KINDS
)
NODES = BuiltColumns(
    "nodes",
    "The nodes of a workflow in the order in which they were drawn, one per row.",
    Node(key=""),
    FieldColumn("key", "The key of the node; the key of an agent is the agent's name.", NAME, required=True),
    NODE_PROVIDER,
    FieldColumn("options", "The options that the strategy's factory receives; none by default.", OBJECT),
    NODE_KIND,
)

METADATA_PARTS: ClosedList[dict[str, object]] = ClosedList(
    "parts of the metadata",
    "A part that is missing from the metadata of a strategy.",
    Word("name", "The metadata has an empty name.", {"name": ""}),
    Word("label", "The metadata has no label in any language.", {"label": {}}),
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


def _register(scene_builder: SceneBuilder, module: str, *strategies: Strategy) -> None:
    modules = scene_builder.scene.modules
    known = named(modules, module, Module(name=module))
    more = replace(known, strategies=(*known.strategies, *strategies))
    scene_builder.scene = replace(scene_builder.scene, modules=with_named(modules, more))


@given('a plugin module "{module}" with the strategies', STRATEGIES)
def module_with_strategies(scene_builder: SceneBuilder, module: str, table: Table) -> None:
    """A plugin module with strategies, loaded after all modules so far."""
    for row in table:
        provider, meta = PROVIDER.read(row), STRATEGIES.build(row)
        meta = replace(meta, name=meta.name or provider, label=meta.label or {"en_US": provider})
        _register(scene_builder, module, Strategy(provider=provider, meta=meta))


@given(
    'a plugin module "{module}" with the providers {providers}',
    one='a plugin module "{module}" with the provider "{providers}"',
)
def module_with_providers(scene_builder: SceneBuilder, module: str, providers: str) -> None:
    """A plugin module with one strategy per provider.

    Each strategy makes a middleware with every hook that only observes.
    """
    for name in names(providers):
        meta, makes = StrategyMeta(name=name, label={"en_US": name}), Plugin(name=name, scripts=OBSERVERS)
        _register(scene_builder, module, Strategy(provider=name, meta=meta, makes=makes))


@given('the metadata of "{provider}" has no {part}', part=METADATA_PARTS)
def metadata_without(scene_builder: SceneBuilder, provider: str, part: str) -> None:
    """A part is missing from the metadata of the strategy."""
    known = STRATEGY.of(scene_builder, provider)
    STRATEGY.put(scene_builder, replace(known, meta=replace(known.meta, **METADATA_PARTS.read(part))), provider)


STRATEGY.given(
    'the class of "{provider}" is not marked',
    "The class has all parts of a strategy, and nothing marks the class as one for the provider.",
    decorated=False,
)


@given('the strategy "{provider}" creates the middleware "{name}"')
def strategy_creates(scene_builder: SceneBuilder, provider: str, name: str) -> None:
    """The strategy makes the middleware that other steps describe. The middleware is not attached by itself."""
    loop = scene_builder.described
    made = PLUGIN.of(scene_builder, name)
    loop.agent = replace(loop.agent, handlers=tuple(one for one in loop.agent.handlers if one.name != name))
    STRATEGY.put(scene_builder, replace(STRATEGY.of(scene_builder, provider), makes=made), provider)


STRATEGY.given(
    'the strategy "{provider}" requires the option "{option}"',
    "The factory of the strategy fails without this option.",
    requires=("{option}",),
)
STRATEGY.given(
    'the factory of "{provider}" takes time',
    "The factory waits before it returns, so that another factory could begin.",
    slow=True,
)
STRATEGY.given(
    'the factory of "{provider}" removes its options',
    "The factory removes all options from the mapping that it receives, and all that they hold. "
    "Needs the capability mutable-options.",
    uses_up=True,
)
STRATEGY.given(
    'the factory of "{provider}" returns an invalid value',
    "The factory returns an object that is no middleware. Needs the capability invalid-values.",
    invalid=True,
)
STRATEGY.given(
    'the class of "{provider}" has no {part}',
    "A part is missing from a class that is marked as a strategy.",
    holds={"part": CLASS_PARTS},
    lacks=hole("part"),
)


@given("a workflow with the nodes", NODES)
def workflow_nodes(scene_builder: SceneBuilder, table: Table) -> None:
    """The nodes of the workflow, in the order in which they were drawn."""
    scene_builder.loop = scene_builder.described
    for row in table:
        kind = NODE_KIND.of(row, "middleware" if NODE_PROVIDER.text(row) else "agent")
        known = WORKFLOW.of(scene_builder)
        WORKFLOW.put(scene_builder, replace(known, nodes=(*known.nodes, NODES.build(row, kind=kind))))


WORKFLOW.given(
    "the connections {edges}",
    "The connections of the workflow, in the order in which they were made.",
    holds={"edges": EDGES},
    edges=Added(hole("edges")),
)
