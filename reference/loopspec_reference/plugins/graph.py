"""Workflows: the middlewares of an agent are those that its edges lead to, in the order of the edges."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from copy import deepcopy
from graphlib import CycleError, TopologicalSorter
from inspect import isawaitable

from msgspec import Struct
from msgspec.structs import replace

from ..values.messages import Json
from .errors import GraphError, StrategyError, UnknownProviderError
from .middleware import Middleware
from .registry import MiddlewareContext, Registry

_log = logging.getLogger("loopspec_reference.plugins")


class Node(Struct, frozen=True):
    """One node. Its kind is "agent", "middleware", or another kind, which the plugin layer ignores."""

    key: str
    kind: str
    provider: str = ""
    options: Mapping[str, Json] = {}


class Edge(Struct, frozen=True):
    """A directed connection of two nodes, by their keys (XP-NODE-07)."""

    source: str
    target: str


class Workflow(Struct, frozen=True):
    """Nodes and the edges between them, both in order.

    Raises `GraphError` for two nodes with one key, an edge from or to an unknown node, and a cycle.
    """

    nodes: Sequence[Node]
    edges: Sequence[Edge] = ()

    def __post_init__(self) -> None:
        """Refuse nodes and edges that are not a valid graph."""
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
            raise GraphError(f"the workflow has a cycle: {path}; remove one of these edges") from None

    def attached(self, agent_key: str) -> list[Node]:
        """Return the middleware nodes of an agent, in the order of its edges, each once (XP-NODE-01, XP-NODE-02).

        Raises `GraphError` for an unknown agent.
        """
        nodes = {node.key: node for node in self.nodes}
        if agent_key not in nodes or nodes[agent_key].kind != "agent":
            agents = ", ".join(repr(node.key) for node in self.nodes if node.kind == "agent") or "none"
            raise GraphError(f"the workflow has no agent {agent_key!r}; its agents are: {agents}")
        targets = dict.fromkeys(edge.target for edge in self.edges if edge.source == agent_key)
        return [nodes[key] for key in targets if nodes[key].kind == "middleware"]


async def get_agent_middlewares(
    workflow: Workflow, agent_key: str, registry: Registry, context: MiddlewareContext
) -> list[Middleware]:
    """Make the middlewares of an agent, one after the other, in the order of its edges (XP-NODE-13, XP-NODE-18).

    The name of a middleware is the key of its node. A node that two agents share is made for each (XP-NODE-08). A node
    with an unknown provider is skipped with a warning (XP-NODE-05). Raises `GraphError` for an unknown agent, and
    `StrategyError` if a factory does not return a middleware. Exceptions of a factory are passed on unchanged.
    """
    made = []
    for node in workflow.attached(agent_key):
        try:
            strategy = registry.get(node.provider)
        except UnknownProviderError:
            _log.warning("the node %r of the agent %r is skipped: no provider %r", node.key, agent_key, node.provider)
            continue
        options = deepcopy(dict(node.options))  # a factory may change its options, and agents can share a node
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
