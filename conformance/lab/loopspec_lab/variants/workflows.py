"""Variants about workflows and the modules of strategies."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from loopspec.contract.agents import Agent, Field, Model, Plugin, Tool
from loopspec.contract.plugins import Edge, Module, Node, Strategy, StrategyMeta, Workflow
from loopspec.contract.scene import Scene

from .facts import Facts, found
from .handlers import ALL_HOOKS
from .middlewares import MIDDLEWARES, inert
from .restoring import WithoutHandlers, WithoutTools
from .restoring_files import WithOtherTexts
from .restoring_workflows import WithOtherWords, WithoutCreations, WithoutProviders
from .texts import with_texts
from .variant import Variant, Varied

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MIRRORED = str.maketrans(
    _LETTERS + _LETTERS.upper() + "0123456789", _LETTERS[::-1] + _LETTERS[::-1].upper() + "9876543210"
)


def _strategy(provider: str, makes: Plugin) -> Strategy:
    meta = StrategyMeta(name=provider, label={"en_US": "A strategy that nothing else needs"})
    return Strategy(provider=provider, meta=meta, makes=makes)


# -- another module ----------------------------------------------------------------------------------------------------

_UNRELATED = "unrelated-provider"


def _has_modules(facts: Facts) -> bool:
    return bool(facts.scene.modules)


def _with_module(scene: Scene) -> Varied:
    module = Module(name="unrelated_module", strategies=(_strategy(_UNRELATED, Plugin(name="unrelated")),))
    return Varied(replace(scene, modules=(module, *scene.modules)), (WithoutProviders(frozenset({_UNRELATED})),))


# -- other nodes -------------------------------------------------------------------------------------------------------


def _has_workflow(facts: Facts) -> bool:
    return facts.is_run and facts.scene.workflow is not None


def _workflow(scene: Scene) -> Workflow:
    assert scene.workflow is not None, "the predicate of the variant requires a workflow"
    return scene.workflow


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
        (WithoutCreations(nodes=names), WithoutHandlers(names)),
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
    return Varied(varied, (WithoutCreations(agents=frozenset({_IDLE})), WithoutTools(frozenset({_IDLE}))))


def _with_idle_node(flow: Workflow, agent: str) -> Workflow:
    edges = [replace(edge, source=_IDLE) for edge in flow.edges if edge.source == agent]
    return Workflow(nodes=(*flow.nodes, Node(key=_IDLE, kind="agent")), edges=(*edges, *flow.edges))


# -- other names -------------------------------------------------------------------------------------------------------

# names that mean something to the contract or to every implementation
_RESERVED = {"user", "system", "assistant", "tool", "agent", "messages", "tools", "text", "number", "list", "any"}


class _OtherNames:
    """Replaces the names of providers, nodes and fields by their mirror images; the replacement is its own inverse.

    A name is a whole text, or the last word of the name of a double's call.
    """

    def __init__(self, scene: Scene) -> None:
        names = {name for name in _names(scene) if name not in _RESERVED}
        self._names = names | {_mirrored(name) for name in names}

    def __call__(self, text: str) -> str:
        if text in self._names:
            return _mirrored(text)
        call, space, name = text.rpartition(" ")
        is_double = call in _CALLS or call.endswith("'s")  # of a sub-agent: "helper's m1"
        return call + space + _mirrored(name) if is_double and name in self._names else text

    def in_words(self, text: str) -> str:
        """The text of an implementation's own, with each name in it replaced."""
        return _WORD.sub(lambda word: _mirrored(word[0]) if word[0] in self._names else word[0], text)


_WORD = re.compile(r"[\w.\-]+")
_CALLS = frozenset(
    ("create", "before agent", "before model", "around model", "after model", "around tool", "after agent")
)


def _mirrored(name: str) -> str:
    return name.translate(_MIRRORED)


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
    change = _OtherNames(scene)
    return Varied(with_texts(scene, change), (WithOtherTexts(change), WithOtherWords(change.in_words)))


def _has_names(facts: Facts) -> bool:
    scene = facts.scene
    return any(name not in _RESERVED and _mirrored(name) != name for name in _names(scene)) and scene.act != "catalog"


VARIANTS = (
    Variant(
        name="unrelated-module",
        rule="VARIANT-49",
        roles=("plugins",),
        applies=_has_modules,
        vary=_with_module,
    ),
    Variant(
        name="inert-nodes",
        rule="VARIANT-50",
        roles=("plugins",),
        applies=_has_workflow,
        vary=_with_inert_nodes,
        needs=ALL_HOOKS | {"registry"},
    ),
    Variant(
        name="unconnected-nodes",
        rule="VARIANT-51",
        roles=("plugins",),
        applies=_has_nodes,
        vary=_with_unconnected_nodes,
    ),
    Variant(
        name="idle-agent",
        rule="VARIANT-52",
        roles=("plugins",),
        applies=_is_shared,
        vary=_with_idle_agent,
        needs=frozenset({"agent-tool"}),
    ),
    Variant(
        name="other-providers",
        rule="VARIANT-53",
        roles=("plugins",),
        applies=_has_names,
        vary=_with_other_names,
    ),
)
