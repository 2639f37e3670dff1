"""Mutants about workflows: which middlewares an agent has, in which order, and how they come to be."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from unittest.mock import patch

from loopspec_reference import plugins
from loopspec_reference.plugins.errors import GraphError
from loopspec_reference.plugins.graph import Node, Workflow, get_agent_middlewares
from loopspec_reference.plugins.middleware import Middleware
from loopspec_reference.plugins.registry import MiddlewareContext, Registry

from ..registry import mutant

MakeAll = Callable[[Workflow, str, Registry, MiddlewareContext], Awaitable[list[Middleware]]]


def _attached(choose: Callable[[Workflow, str, list[Node]], list[Node]]) -> AbstractContextManager[object]:
    """A workflow has other nodes attached to an agent than it should: see `choose`."""
    attached = Workflow.attached

    def attaches(self: Workflow, agent_key: str) -> list[Node]:
        return choose(self, agent_key, attached(self, agent_key))

    return patch.object(Workflow, "attached", attaches)


def made_by(make: MakeAll) -> AbstractContextManager[object]:
    """The middlewares of an agent are made by `make`."""
    return patch.object(plugins, "get_agent_middlewares", make)


@mutant("XP-NODE-01", neighbors={"XP-NODE-17": "it has a middleware in its workflow that is not connected"})
def attaches_unconnected_nodes() -> AbstractContextManager[object]:
    """Attaches to each agent the middlewares that nothing is connected to, too."""

    def with_others(workflow: Workflow, agent_key: str, found: list[Node]) -> list[Node]:
        connected = {key for edge in workflow.edges for key in (edge.source, edge.target)}
        return [*found, *(node for node in workflow.nodes if node.kind == "middleware" and node.key not in connected)]

    return _attached(with_others)


@mutant("XP-NODE-02")
def loads_in_the_order_drawn() -> AbstractContextManager[object]:
    """Makes middlewares in the order in which their nodes were drawn, and sorts them afterwards."""

    async def makes(
        workflow: Workflow, agent_key: str, known: Registry, context: MiddlewareContext
    ) -> list[Middleware]:
        places = [node.key for node in workflow.nodes]
        drawn = Workflow(workflow.nodes, sorted(workflow.edges, key=lambda edge: places.index(edge.target)))
        made = await get_agent_middlewares(drawn, agent_key, known, context)
        order = [node.key for node in workflow.attached(agent_key)]
        return sorted(made, key=lambda one: order.index(one.name))

    return made_by(makes)


@mutant(
    "XP-NODE-03",
    neighbors={
        "XP-NODE-18": "two sentences of the document on one thing",
        "XP-NODE-02": "to rearrange connections needs that their order counts",
        "XP-BEST-08": "wrappers of middlewares from a workflow are called there, too",
    },
)
def attaches_in_the_order_drawn() -> AbstractContextManager[object]:
    """Attaches middlewares in the order of the nodes, whatever that of the connections."""
    return _attached(lambda workflow, _, found: [node for node in workflow.nodes if node in found])


@mutant(
    "XP-NODE-18",
    neighbors={
        "XP-NODE-03": "two sentences of the document on one thing",
        "XP-NODE-02": "to rearrange connections needs that their order counts",
        "XP-BEST-08": "wrappers of middlewares from a workflow are called there, too",
    },
)
def sorts_by_provider() -> AbstractContextManager[object]:
    """Attaches middlewares sorted by their providers."""
    return _attached(lambda _, __, found: sorted(found, key=lambda node: node.provider))


@mutant("XP-NODE-05")
def refuses_unknown_providers() -> AbstractContextManager[object]:
    """Makes no agent at all when one of its nodes has an unknown provider."""

    async def makes(
        workflow: Workflow, agent_key: str, known: Registry, context: MiddlewareContext
    ) -> list[Middleware]:
        for node in workflow.attached(agent_key):
            known.get(node.provider)
        return await get_agent_middlewares(workflow, agent_key, known, context)

    return made_by(makes)


@mutant("XP-NODE-07")
def follows_connections_both_ways() -> AbstractContextManager[object]:
    """Attaches a middleware to an agent whichever of the two the connection comes from."""

    def both_ways(workflow: Workflow, agent_key: str, found: list[Node]) -> list[Node]:
        sources = {edge.source for edge in workflow.edges if edge.target == agent_key}
        return [*found, *(node for node in workflow.nodes if node.kind == "middleware" and node.key in sources)]

    return _attached(both_ways)


@mutant("XP-NODE-08")
def gives_a_node_to_one_agent_only() -> AbstractContextManager[object]:
    """Attaches a middleware to the agent that was connected to it first, and to no other."""

    def first_come(workflow: Workflow, agent_key: str, found: list[Node]) -> list[Node]:
        owners = {edge.target: edge.source for edge in reversed(workflow.edges)}
        return [node for node in found if owners[node.key] == agent_key]

    return _attached(first_come)


@mutant("XP-NODE-17")
def demands_a_middleware() -> AbstractContextManager[object]:
    """Refuses an agent that no middleware is attached to."""

    def some(workflow: Workflow, agent_key: str, found: list[Node]) -> list[Node]:
        if not found:
            raise GraphError(f"the agent {agent_key!r} has no middleware: connect it to one")
        return found

    return _attached(some)


@mutant("XP-NODE-13", neighbors={"PLUGIN-09": "a factory is called behind one that has returned no middleware"})
def makes_all_at_once() -> AbstractContextManager[object]:
    """Calls an agent's factories at the same time."""

    async def makes(
        workflow: Workflow, agent_key: str, known: Registry, context: MiddlewareContext
    ) -> list[Middleware]:
        alone = [Workflow(workflow.nodes, [edge]) for edge in workflow.edges]
        made = await asyncio.gather(*(get_agent_middlewares(one, agent_key, known, context) for one in alone))
        return [middleware for some in made for middleware in some]

    return made_by(makes)


@mutant("XP-REG-12")
def drops_middlewares_without_hooks() -> AbstractContextManager[object]:
    """Has no use for a middleware that has tools only."""
    hooks = ("before_agent", "before_model", "after_model", "after_agent", "wrap_model_call", "wrap_tool_call")

    async def makes(
        workflow: Workflow, agent_key: str, known: Registry, context: MiddlewareContext
    ) -> list[Middleware]:
        made = await get_agent_middlewares(workflow, agent_key, known, context)
        return [one for one in made if any(getattr(one, hook) is not None for hook in hooks)]

    return made_by(makes)
