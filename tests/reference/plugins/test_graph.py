"""Which middlewares an agent of a workflow has."""

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
    """Makes middlewares that do nothing, slowly, and notes for whom."""

    meta = MiddlewareMeta(name="spy", label={"en_US": "Spy"})

    def __init__(self) -> None:
        self.log: list[str] = []
        self.options: list[Mapping[str, Json]] = []

    async def create_middleware(self, options: Mapping[str, Json], context: MiddlewareContext) -> Middleware:
        """Make one that calls itself something else."""
        self.log.append(f"{context.agent}/{context.node} begins")
        await asyncio.sleep(0)
        self.log.append(f"{context.agent}/{context.node} ends")
        self.options.append(options)
        return Middleware("own name")


@middleware_strategy("invalid")
class InvalidValue:
    """Makes what is no middleware."""

    meta = MiddlewareMeta(name="invalid", label={"en_US": "Invalid"})

    def create_middleware(self, options: Mapping[str, Json], context: MiddlewareContext) -> Middleware:
        """Return nothing."""
        return None  # type: ignore[return-value]  # that is the point


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


@pytest.mark.parametrize("order", [["m3", "m1", "m2"], ["m1", "m2", "m3"]])
def test_the_order_is_that_of_the_edges(order: list[str]) -> None:
    """Not that of the nodes; rearranging the edges rearranges the middlewares, which are named after their nodes."""
    workflow = Workflow([AGENT, *spies("m1", "m2", "m3")], [Edge("a", key) for key in order])

    assert middlewares(workflow, Spy()) == order


def test_factories_run_one_after_the_other() -> None:
    """The next one begins when the one before is done."""
    spy = Spy()
    middlewares(Workflow([AGENT, *spies("m1", "m2")], [Edge("a", "m2"), Edge("a", "m1")]), spy)

    assert spy.log == ["a/m2 begins", "a/m2 ends", "a/m1 begins", "a/m1 ends"]


def test_only_what_an_agent_points_to_is_its_own() -> None:
    """Not what points to it, not another agent's, not a node of another kind; and a second edge adds nothing."""
    nodes = [AGENT, Node("b", "agent"), Node("k", "knowledge", "spy"), *spies("m1", "m2", "m3")]
    edges = [Edge("m1", "a"), Edge("a", "m2"), Edge("a", "k"), Edge("a", "b"), Edge("a", "m2"), Edge("b", "m3")]

    assert middlewares(Workflow(nodes, edges), Spy()) == ["m2"]


def test_a_shared_node_is_made_for_each_agent() -> None:
    """With the same options."""
    spy = Spy()
    node = Node("m", "middleware", "spy", {"calls": 3})
    workflow = Workflow([AGENT, Node("b", "agent"), node], [Edge("a", "m"), Edge("b", "m")])

    assert middlewares(workflow, spy) == ["m"]
    assert middlewares(workflow, spy, "b") == ["m"]
    assert spy.log == ["a/m begins", "a/m ends", "b/m begins", "b/m ends"]
    assert spy.options == [{"calls": 3}, {"calls": 3}]


def test_an_unknown_provider_is_skipped(caplog: pytest.LogCaptureFixture) -> None:
    """With a warning; the others are loaded under their own names."""
    workflow = Workflow([AGENT, Node("m1", "middleware", "nope"), *spies("m2")], [Edge("a", "m1"), Edge("a", "m2")])

    assert middlewares(workflow, Spy()) == ["m2"]
    assert caplog.messages == ["the node 'm1' of the agent 'a' is skipped: no provider 'nope'"]


def test_a_factory_that_makes_something_else_is_an_error() -> None:
    """It names provider and node."""
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
def test_what_is_no_graph_is_refused(nodes: str, edges: str, sentence: str) -> None:
    """Each with the place."""
    with pytest.raises(GraphError) as raised:
        Workflow([Node(key, "agent") for key in nodes], [Edge(*edge) for edge in edges.split()])

    assert str(raised.value) == sentence


@pytest.mark.parametrize("key", ["x", "m"])
def test_an_unknown_agent_is_named(key: str) -> None:
    """A node of another kind is no agent either."""
    with pytest.raises(GraphError, match=f"^the workflow has no agent '{key}'; its agents are: 'a'$"):
        middlewares(Workflow([AGENT, *spies("m")]), Spy(), key)


def test_a_factory_that_changes_its_options_changes_no_others() -> None:
    """The node keeps what was configured, and so does the next agent that it is connected to."""

    @middleware_strategy("greedy")
    class Greedy:
        meta = MiddlewareMeta(name="greedy", label={"en_US": "Greedy"})

        def create_middleware(self, options: Mapping[str, Json], context: MiddlewareContext) -> Middleware:
            assert isinstance(options, dict)
            found.append((options.pop("size"), options["by"].pop()))
            return Middleware("m")

    found: list[tuple[Json, Json]] = []
    registry = Registry()
    registry.register(Greedy())
    node = Node("m", "middleware", "greedy", {"size": 3, "by": ["words"]})
    workflow = Workflow([AGENT, Node("b", "agent"), node], [Edge("a", "m"), Edge("b", "m")])
    for key in ("a", "b"):
        asyncio.run(get_agent_middlewares(workflow, key, registry, MiddlewareContext()))

    assert found == [(3, "words"), (3, "words")]
