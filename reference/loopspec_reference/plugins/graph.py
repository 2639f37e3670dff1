"""Which middlewares an agent of a workflow has: those that its edges lead to, in the order of the edges."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from inspect import isawaitable

from ..values.messages import Json
from .errors import GraphError, StrategyError, UnknownProviderError
from .middleware import Middleware
from .registry import MiddlewareContext, Registry

_log = logging.getLogger("loopspec_reference.plugins")


@dataclass(frozen=True)
class Node:
    """One node: of kind "agent", "middleware", or of another kind, which middlewares have nothing to do with."""

    key: str
    kind: str
    provider: str = ""
    options: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True)
class Edge:
    """A connection of two nodes, by their keys. Its direction matters (XP-NODE-07)."""

    source: str
    target: str


@dataclass(frozen=True)
class Workflow:
    """Nodes and the edges between them, each in an order of its own.

    Raises `GraphError` for two nodes with one key, an edge without a node at one of its ends, and a cycle.
    """

    nodes: Sequence[Node]
    edges: Sequence[Edge] = ()

    def __post_init__(self) -> None:
        """Refuse what is no graph of the kind."""
        keys: set[str] = set()
        for node in self.nodes:
            if node.key in keys:
                raise GraphError(f"two nodes of the workflow have the key {node.key!r}: rename one")
            keys.add(node.key)
        for edge in self.edges:
            for key in (edge.source, edge.target):
                if key not in keys:
                    which = f"the edge from {edge.source!r} to {edge.target!r}"
                    raise GraphError(f"{which} has no node {key!r}: add the node, or remove the edge")
        self._refuse_cycles()

    def _refuse_cycles(self) -> None:
        sorter: TopologicalSorter[str] = TopologicalSorter()
        for edge in self.edges:
            sorter.add(edge.target, edge.source)
        try:
            sorter.prepare()
        except CycleError as error:
            path = " -> ".join(map(repr, error.args[1]))
            raise GraphError(f"the workflow goes round in a circle: {path}; remove one of these edges") from None

    def attached(self, agent_key: str) -> list[Node]:
        """The middleware nodes of an agent, in the order of its edges, each once (XP-NODE-01, XP-NODE-02).

        Raises `GraphError` when there is no such agent.
        """
        nodes = {node.key: node for node in self.nodes}
        if agent_key not in nodes or nodes[agent_key].kind != "agent":
            there = ", ".join(repr(node.key) for node in self.nodes if node.kind == "agent") or "none"
            raise GraphError(f"the workflow has no agent {agent_key!r}; its agents are: {there}")
        targets = dict.fromkeys(edge.target for edge in self.edges if edge.source == agent_key)
        return [nodes[key] for key in targets if nodes[key].kind == "middleware"]


async def get_agent_middlewares(
    workflow: Workflow, agent_key: str, registry: Registry, context: MiddlewareContext
) -> list[Middleware]:
    """Make the middlewares of an agent, one after the other, in the order of its edges (XP-NODE-13, XP-NODE-18).

    Each has the key of its node as its name; a node that two agents share is made for each (XP-NODE-08). A provider
    nobody registered is skipped with a warning (XP-NODE-05). Raises `GraphError` when there is no such agent, and
    `StrategyError` when a factory returns something else than a middleware; what a factory raises comes out.
    """
    made = []
    for node in workflow.attached(agent_key):
        try:
            strategy = registry.get(node.provider)
        except UnknownProviderError:
            _log.warning("the node %r of the agent %r is skipped: no provider %r", node.key, agent_key, node.provider)
            continue
        options = deepcopy(dict(node.options))  # a factory may take them apart, and an agent is not the only one
        middleware = strategy.create_middleware(options, replace(context, agent=agent_key, node=node.key))
        if isawaitable(middleware):
            middleware = await middleware
        if not isinstance(middleware, Middleware):
            raise StrategyError(
                f"the strategy of {node.provider!r} has returned {middleware!r:.80} for the node {node.key!r}: "
                "it must return a Middleware"
            )
        made.append(replace(middleware, name=node.key))
    return made
