"""Mutants about workflows: which middlewares an agent has, in which order, and how they are built."""

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
    """Patch which nodes a workflow attaches to an agent."""
    attached = Workflow.attached

    def attaches(self: Workflow, agent_key: str) -> list[Node]:
        return choose(self, agent_key, attached(self, agent_key))

    return patch.object(Workflow, "attached", attaches)


def made_by(make: MakeAll) -> AbstractContextManager[object]:
    """Patch how the middlewares of an agent are built."""
    return patch.object(plugins, "get_agent_middlewares", make)


@mutant("XP-NODE-01", neighbors={"XP-NODE-17": "the workflow of the example has an unconnected middleware"})
def attaches_unconnected_nodes() -> AbstractContextManager[object]:
    """Attaches unconnected middlewares to each agent."""

    def with_others(workflow: Workflow, agent_key: str, found: list[Node]) -> list[Node]:
        connected = {key for edge in workflow.edges for key in (edge.source, edge.target)}
        return [*found, *(node for node in workflow.nodes if node.kind == "middleware" and node.key not in connected)]

    return _attached(with_others)


@mutant("XP-NODE-02")
def builds_in_the_order_of_nodes() -> AbstractContextManager[object]:
    """Builds middlewares in the order of their nodes, and sorts them afterwards."""

    async def makes(
        workflow: Workflow, agent_key: str, known: Registry, context: MiddlewareContext
    ) -> list[Middleware]:
        places = [node.key for node in workflow.nodes]
        reordered = Workflow(workflow.nodes, sorted(workflow.edges, key=lambda edge: places.index(edge.target)))
        made = await get_agent_middlewares(reordered, agent_key, known, context)
        order = [node.key for node in workflow.attached(agent_key)]
        return sorted(made, key=lambda one: order.index(one.name))

    return made_by(makes)


@mutant(
    "XP-NODE-03",
    neighbors={
        "XP-NODE-18": "two sentences of the document state the same behavior",
        "XP-NODE-02": "the example reorders connections, and reads the order of the middlewares",
        "XP-BEST-08": "the example also compares the order of wrappers from a workflow",
    },
)
def attaches_in_the_order_of_nodes() -> AbstractContextManager[object]:
    """Attaches middlewares in the order of their nodes, not of the connections."""
    return _attached(lambda workflow, _, found: [node for node in workflow.nodes if node in found])


@mutant(
    "XP-NODE-18",
    neighbors={
        "XP-NODE-03": "two sentences of the document state the same behavior",
        "XP-NODE-02": "the example reorders connections, and reads the order of the middlewares",
        "XP-BEST-08": "the example also compares the order of wrappers from a workflow",
    },
)
def sorts_by_provider() -> AbstractContextManager[object]:
    """Attaches middlewares in the order of their providers."""
    return _attached(lambda _, __, found: sorted(found, key=lambda node: node.provider))


@mutant("XP-NODE-05")
def builds_nothing_with_an_unknown_provider() -> AbstractContextManager[object]:
    """Builds no middleware at all when one of the nodes has an unknown provider."""

    async def makes(
        workflow: Workflow, agent_key: str, known: Registry, context: MiddlewareContext
    ) -> list[Middleware]:
        for node in workflow.attached(agent_key):
            known.get(node.provider)
        return await get_agent_middlewares(workflow, agent_key, known, context)

    return made_by(makes)


@mutant("XP-NODE-07")
def follows_connections_both_ways() -> AbstractContextManager[object]:
    """Attaches a middleware to an agent also if the connection leads from the middleware to the agent."""

    def both_ways(workflow: Workflow, agent_key: str, found: list[Node]) -> list[Node]:
        sources = {edge.source for edge in workflow.edges if edge.target == agent_key}
        return [*found, *(node for node in workflow.nodes if node.kind == "middleware" and node.key in sources)]

    return _attached(both_ways)


@mutant("XP-NODE-08")
def attaches_a_middleware_to_one_agent_only() -> AbstractContextManager[object]:
    """Attaches a middleware only to the first agent that is connected to it."""

    def first_come(workflow: Workflow, agent_key: str, found: list[Node]) -> list[Node]:
        owners = {edge.target: edge.source for edge in reversed(workflow.edges)}
        return [node for node in found if owners[node.key] == agent_key]

    return _attached(first_come)


@mutant("XP-NODE-17")
def requires_a_middleware() -> AbstractContextManager[object]:
    """Rejects an agent without middlewares."""

    def some(workflow: Workflow, agent_key: str, found: list[Node]) -> list[Node]:
        if not found:
            raise GraphError(f"the agent {agent_key!r} has no middleware: connect it to one")
        return found

    return _attached(some)


@mutant("XP-NODE-13", neighbors={"PLUGIN-09": "a factory is called after one that has not returned a middleware"})
def builds_concurrently() -> AbstractContextManager[object]:
    """Calls the factories of an agent concurrently."""

    async def makes(
        workflow: Workflow, agent_key: str, known: Registry, context: MiddlewareContext
    ) -> list[Middleware]:
        alone = [Workflow(workflow.nodes, [edge]) for edge in workflow.edges]
        made = await asyncio.gather(*(get_agent_middlewares(one, agent_key, known, context) for one in alone))
        return [middleware for some in made for middleware in some]

    return made_by(makes)


@mutant("XP-REG-12")
def drops_middlewares_without_hooks() -> AbstractContextManager[object]:
    """Drops a middleware that provides only tools."""
    hooks = ("before_agent", "before_model", "after_model", "after_agent", "wrap_model_call", "wrap_tool_call")

    async def makes(
        workflow: Workflow, agent_key: str, known: Registry, context: MiddlewareContext
    ) -> list[Middleware]:
        made = await get_agent_middlewares(workflow, agent_key, known, context)
        return [one for one in made if any(getattr(one, hook) is not None for hook in hooks)]

    return made_by(makes)
