"""The middlewares of an agent in a workflow."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping

import pytest

from loopspec_reference import Json
from loopspec_reference.plugins import (
    Edge,
    GraphError,
    Middleware,
    MiddlewareContext,
    MiddlewareMeta,
    Node,
    Registry,
    StrategyError,
    Workflow,
    get_agent_middlewares,
    middleware_strategy,
)

AGENT = Node("a", "agent")


@middleware_strategy("spy")
class Spy:
    """A slow strategy that records the agents of its middlewares."""

    meta = MiddlewareMeta(name="spy", label={"en_US": "Spy"})

    def __init__(self) -> None:
        self.log: list[str] = []
        self.options: list[Mapping[str, Json]] = []

    async def create_middleware(self, options: Mapping[str, Json], context: MiddlewareContext) -> Middleware:
        """Make a middleware with another name."""
        self.log.append(f"{context.agent}/{context.node} begins")
        await asyncio.sleep(0)
        self.log.append(f"{context.agent}/{context.node} ends")
        self.options.append(options)
        return Middleware("own name")


@middleware_strategy("invalid")
class InvalidValue:
    """A strategy that makes no middleware."""

    meta = MiddlewareMeta(name="invalid", label={"en_US": "Invalid"})

    def create_middleware(self, options: Mapping[str, Json], context: MiddlewareContext) -> Middleware:
        """Return None."""
        return None  # type: ignore[return-value]  # the case under test


def middlewares(workflow: Workflow, spy: Spy, agent: str = "a") -> list[str]:
    """The names of the agent's middlewares."""
    registry = Registry()
    registry.register(spy)
    registry.register(InvalidValue())
    made = asyncio.run(get_agent_middlewares(workflow, agent, registry, MiddlewareContext()))
    return [middleware.name for middleware in made]


def spies(*keys: str) -> list[Node]:
    """Nodes of the middleware."""
    return [Node(key, "middleware", "spy") for key in keys]


def test_an_unknown_provider_is_skipped(caplog: pytest.LogCaptureFixture) -> None:
    """A warning is logged; the other nodes keep their names."""
    workflow = Workflow([AGENT, Node("m1", "middleware", "nope"), *spies("m2")], [Edge("a", "m1"), Edge("a", "m2")])

    assert middlewares(workflow, Spy()) == ["m2"]
    assert caplog.messages == ["the node 'm1' of the agent 'a' is skipped: no provider 'nope'"]


def test_a_factory_that_makes_something_else_is_an_error() -> None:
    """The error names the provider and the node."""
    workflow = Workflow([AGENT, Node("m", "middleware", "invalid")], [Edge("a", "m")])

    sentence = "the strategy of 'invalid' has returned None for the node 'm': it must return a Middleware"
    with pytest.raises(StrategyError, match=f"^{re.escape(sentence)}$"):
        middlewares(workflow, Spy())


@pytest.mark.parametrize(
    ("nodes", "edges", "sentence"),
    [
        ("aa", "", "two nodes of the workflow have the key 'a': rename one"),
        ("a", "ab", "the edge from 'a' to 'b' has no node 'b': add the node, or remove the edge"),
        ("a", "ba", "the edge from 'b' to 'a' has no node 'b': add the node, or remove the edge"),
        ("a", "aa", "the workflow has a cycle: 'a' -> 'a'; remove one of these edges"),
        ("abc", "ab bc ca", "the workflow has a cycle: 'b' -> 'c' -> 'a' -> 'b'; remove one of these edges"),
    ],
)
def test_an_invalid_graph_is_rejected(nodes: str, edges: str, sentence: str) -> None:
    """Each error names the place."""
    with pytest.raises(GraphError) as raised:
        Workflow([Node(key, "agent") for key in nodes], [Edge(*edge) for edge in edges.split()])

    assert str(raised.value) == sentence


@pytest.mark.parametrize("key", ["x", "m"])
def test_an_unknown_agent_is_named(key: str) -> None:
    """A node of another kind is no agent."""
    with pytest.raises(GraphError, match=f"^the workflow has no agent '{key}'; its agents are: 'a'$"):
        middlewares(Workflow([AGENT, *spies("m")]), Spy(), key)
