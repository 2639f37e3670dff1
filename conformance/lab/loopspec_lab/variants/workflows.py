"""Variants about workflows and the modules of strategies."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from loopspec.contract.agents import Agent, Field, Model, Plugin, Tool
from loopspec.contract.observation import Observation, Span
from loopspec.contract.plugins import Edge, Module, Node, Strategy, StrategyMeta, Workflow
from loopspec.contract.scene import Scene
from loopspec.specification.cases import Restore

from .facts import Facts, found
from .handlers import ALL_HOOKS
from .middlewares import MIDDLEWARES, inert
from .names import Renaming, mirrored
from .restoring import without_handlers, without_tools
from .variant import Variant, Varied


def _strategy(provider: str, makes: Plugin) -> Strategy:
    meta = StrategyMeta(name=provider, label={"en_US": "A strategy that nothing else needs"})
    return Strategy(provider=provider, meta=meta, makes=makes)


# -- another module ----------------------------------------------------------------------------------------------------

_UNRELATED = "unrelated-provider"


def _with_module(scene: Scene) -> Varied:
    module = Module(name="unrelated_module", strategies=(_strategy(_UNRELATED, Plugin(name="unrelated")),))
    return Varied(replace(scene, modules=(module, *scene.modules)), (_without_provider,))


def _without_provider(seen: Observation) -> Observation:
    return replace(seen, strategies=tuple(one for one in seen.strategies if one.provider != _UNRELATED))


# -- other nodes -------------------------------------------------------------------------------------------------------


def _workflow(scene: Scene) -> Workflow:
    assert scene.workflow is not None, "the predicate of the variant requires a workflow"
    return scene.workflow


def _without_creations(nodes: Collection[str] = (), agents: Collection[str] = ()) -> Restore:
    """Remove the calls of factories for added nodes or added agents."""

    def is_added(span: Span) -> bool:
        return span.name.startswith("create ") and (span.name[7:] in nodes or span.agent in agents)

    def restore(seen: Observation) -> Observation:
        creations = tuple(one for one in seen.creations if one.node not in nodes and one.agent not in agents)
        return replace(seen, creations=creations, spans=tuple(span for span in seen.spans if not is_added(span)))

    return restore


def _with_inert_nodes(scene: Scene) -> Varied:
    """The scene with a node before, and a node after, those that each agent is connected to."""
    flow = _workflow(scene)
    agents = [node.key for node in flow.nodes if node.kind == "agent"]
    first, last = "inert-first", "inert-last"
    nodes = (*flow.nodes, *(Node(key=key, provider="inert-provider") for key in (first, last)))
    edges = (
        *(Edge(source=agent, target=first) for agent in agents),
        *flow.edges,
        *(Edge(source=agent, target=last) for agent in agents),
    )
    module = Module(name="inert_module", strategies=(_strategy("inert-provider", inert("inert")),))
    names = frozenset({first, last})
    return Varied(
        replace(scene, workflow=Workflow(nodes=nodes, edges=edges), modules=(*scene.modules, module)),
        (_without_creations(nodes=names), without_handlers(names)),
    )


def _has_nodes(facts: Facts) -> bool:
    flow = facts.scene.workflow
    return facts.is_run and flow is not None and any(node.kind == "middleware" for node in flow.nodes)


def _with_unconnected_nodes(scene: Scene) -> Varied:
    """The scene with a second node of each strategy, with other options, which no agent is connected to."""
    flow = _workflow(scene)
    second = [
        replace(node, key=f"unconnected-{node.key}", options={"unconnected": True})
        for node in flow.nodes
        if node.kind == "middleware"
    ]
    return Varied(replace(scene, workflow=replace(flow, nodes=(*second, *flow.nodes))))


# -- a second agent ----------------------------------------------------------------------------------------------------

_IDLE = "idle agent"


def _is_shared(facts: Facts) -> bool:
    """Whether the agent has middlewares, and tools if its model calls any."""
    agent, flow = facts.scene.agent, facts.scene.workflow
    by_hand = any(isinstance(handler, MIDDLEWARES) for handler in agent.handlers)
    by_node = flow is not None and any(edge.source == agent.name for edge in flow.edges)
    return facts.is_run and (by_hand or by_node) and bool(agent.tools)


def _with_idle_agent(scene: Scene) -> Varied:
    """The scene with a sub-agent that has the same middlewares, in the same order, and is never called."""
    agent, flow = scene.agent, scene.workflow
    idle = Agent(
        name=_IDLE,
        description="an agent that nothing calls",
        model=Model(name="idle model"),
        handlers=tuple(handler for handler in agent.handlers if isinstance(handler, MIDDLEWARES)),
    )
    tools = (*agent.tools, Tool(name=_IDLE, agent=idle))
    varied = replace(scene, agent=replace(agent, tools=tools), workflow=flow and _with_idle_node(flow, agent.name))
    return Varied(varied, (_without_creations(agents={_IDLE}), without_tools({_IDLE})))


def _with_idle_node(flow: Workflow, agent: str) -> Workflow:
    edges = [replace(edge, source=_IDLE) for edge in flow.edges if edge.source == agent]
    return Workflow(nodes=(*flow.nodes, Node(key=_IDLE, kind="agent")), edges=(*edges, *flow.edges))


# -- other names -------------------------------------------------------------------------------------------------------

# names that mean something to the contract or to every implementation
_RESERVED = {"user", "system", "assistant", "tool", "agent", "messages", "tools", "text", "number", "list", "any"}


def _names(scene: Scene) -> Iterator[str]:
    yield from scene.lookups
    for one in found((scene.modules, scene.workflow, scene.agent), (Strategy, Node, Field)):
        match one:
            case Strategy():
                yield one.provider
            case Node():
                yield one.provider
                if one.kind == "middleware":
                    yield one.key
            case Field():
                yield one.name


def _with_other_names(scene: Scene) -> Varied:
    """The scene with the mirror image of each name: the replacement is its own inverse."""
    names = {name for name in _names(scene) if name not in _RESERVED}
    change = Renaming({name: mirrored(name) for name in names | set(map(mirrored, names))})
    return Varied(change.of(scene), (change.of,))


def _has_names(facts: Facts) -> bool:
    scene = facts.scene
    return any(name not in _RESERVED and mirrored(name) != name for name in _names(scene)) and scene.act != "catalog"


VARIANTS = (
    Variant("unrelated-module", lambda facts: bool(facts.scene.modules), _with_module, roles=("plugins",)),
    Variant(
        "inert-nodes",
        lambda facts: facts.is_run and facts.scene.workflow is not None,
        _with_inert_nodes,
        roles=("plugins",),
        needs=ALL_HOOKS | {"registry"},
    ),
    Variant("unconnected-nodes", _has_nodes, _with_unconnected_nodes, roles=("plugins",)),
    Variant("idle-agent", _is_shared, _with_idle_agent, roles=("plugins",), needs=frozenset({"agent-tool"})),
    Variant("other-providers", _has_names, _with_other_names, roles=("plugins",)),
)
