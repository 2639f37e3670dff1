"""What cannot be built of plugins is rejected where it is built, with a sentence that says what to change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from syrupy.assertion import SnapshotAssertion

from loopspec_reference import Json
from loopspec_reference.plugins import (
    Edge,
    Hook,
    Middleware,
    MiddlewareContext,
    MiddlewareMeta,
    Node,
    PluginError,
    Registry,
    Stack,
    StrategyError,
    SummarizationStrategy,
    TodoListStrategy,
    Workflow,
    get_agent_middlewares,
    middleware_strategy,
)

from ..doubles import Answers, returning
from .stacks import made_for, returns

META = MiddlewareMeta(name="audit", label={"en_US": "Audit"})


class Count(msgspec.Struct):
    """A state."""

    count: int = 0


class Row(msgspec.Struct, array_like=True):
    """A struct without field names in its JSON form."""


def strategy(provider: str, **attributes: object) -> type[Any]:
    """A decorated class with every member, except those that are given as None."""

    def create_middleware(self: object, options: Mapping[str, Json], context: MiddlewareContext) -> object:
        return None if provider == "invalid" else Middleware("m")

    members: dict[str, Any] = {"meta": META, "create_middleware": create_middleware, **attributes}
    return middleware_strategy(provider)(type(f"Of_{provider}", (), members))


def registry_of(**strategies: object) -> Registry:
    """A registry with the strategies of a module."""
    registry = Registry()
    registry.load(SimpleNamespace(**strategies))
    return registry


def meta(name: str = "a", **parts: Any) -> MiddlewareMeta:  # Any: values of wrong types
    """Metadata with these parts."""
    return MiddlewareMeta(**{"name": name, "label": {"en_US": "x"}, **parts})


def workflow(nodes: str, edges: str) -> Workflow:
    """A workflow of agents, by the letters of its nodes and of its edges."""
    return Workflow([Node(key, "agent") for key in nodes], [Edge(*edge) for edge in edges.split()])


def made(agent: str, *providers: str, **strategies: object) -> list[Middleware]:
    """The middlewares of an agent in a workflow whose agent `a` has a node for each provider."""
    nodes = [Node(f"m{at}", "middleware", provider) for at, provider in enumerate(providers)]
    flow = Workflow([Node("a", "agent"), *nodes], [Edge("a", node.key) for node in nodes])
    return asyncio.run(get_agent_middlewares(flow, agent, registry_of(**strategies), MiddlewareContext()))


def summarization(**options: Json) -> Middleware:
    """A summarization with a model of its own."""
    return SummarizationStrategy().create_middleware(options, made_for(Answers("S"), models={"other": Answers("S")}))


def reserving(name: str) -> object:
    """A middleware whose state declares a reserved field."""
    return Middleware("m", state_schema=msgspec.defstruct("Bad", [(name, str, "")]))


def sentence_of(build: Callable[[], object]) -> str:
    """The error of what cannot be built."""
    with pytest.raises(PluginError) as raised:
        build()
    return f"{type(raised.value).__name__}: {raised.value}"


WRONG: Any = 3  # a value of a wrong type

WRONG_PARTS: list[Callable[[], object]] = [
    lambda: meta(" "),
    lambda: meta(label={}),
    lambda: meta(label=3),
    lambda: meta(description={"en_US": 3}),
    lambda: meta(config_schema={"x": object()}),
    lambda: registry_of(a=strategy("a", meta=None)),
    lambda: registry_of(a=strategy("a", create_middleware=None)),
    lambda: registry_of(a=strategy("a", __init__=lambda self, needed: None)),
    lambda: Registry().register(type("Plain", (strategy("a"),), {})()),
    lambda: middleware_strategy("  "),
    lambda: middleware_strategy("a")(WRONG),
    lambda: registry_of().get("a"),
    lambda: registry_of(a=strategy("a")).get("A"),
    lambda: workflow("aa", ""),
    lambda: workflow("a", "ba"),
    lambda: workflow("a", "aa"),
    lambda: workflow("abc", "ab bc ca"),
    lambda: made("x"),
    lambda: made("m0", "spy"),
    lambda: made("a", "invalid", invalid=strategy("invalid")),
    lambda: Middleware(""),
    lambda: Middleware("m", state_schema=WRONG),
    lambda: Middleware("m", state_schema=Count | Row),
    lambda: Middleware("m", context_schema=WRONG),
    lambda: Middleware("m", state_schema=Row),
    lambda: Middleware("m", context_schema=Row),
    lambda: Middleware("m", before_model=WRONG),
    lambda: Middleware("m", wrap_tool_call=WRONG),
    *((lambda name=name: reserving(name)) for name in ("messages", "tools", "jump_to")),
    lambda: Hook(returns(None), frozenset({"start"})),
    lambda: Stack([Middleware("m"), Middleware("m")]),
    lambda: Stack([Middleware(name, tools=[returning("add", "")]) for name in "ab"]),
    lambda: summarization(trigger={}),
    lambda: summarization(trigger={"messages": 1, "fraction": 1}),
    lambda: summarization(trigger={"fraction": 1.5}),
    lambda: summarization(keep=-1),
    lambda: summarization(model="nope"),
    lambda: summarization(trigger={"fraction": 0.5}),
    lambda: SummarizationStrategy().create_middleware({"trigger": {"messages": 1}}, made_for()),
    lambda: TodoListStrategy().create_middleware({"x": 1}, made_for()),
]


def test_a_wrong_part_is_named(snapshot: SnapshotAssertion) -> None:
    """With its place, and with what to give instead."""
    assert [sentence_of(build) for build in WRONG_PARTS] == snapshot


def test_a_module_with_an_invalid_strategy_registers_nothing() -> None:
    """Not even the strategies before it."""
    registry = Registry()
    with pytest.raises(StrategyError):
        registry.load(SimpleNamespace(good=strategy("b"), bad=strategy("a", meta=None)))
    assert registry.providers() == ()


def test_an_imported_strategy_is_registered_once_and_another_one_replaces_it(caplog: pytest.LogCaptureFixture) -> None:
    """The same class in a second module replaces nothing. Another class has the same position, and causes a warning."""
    one = strategy("a")
    registry = registry_of(one=one, two=strategy("b"))
    before = registry.get("a")
    registry.load(SimpleNamespace(one=one))
    assert (registry.get("a") is before, caplog.messages) == (True, [])

    registry.register(strategy("a")())
    assert registry.get("a") is not before
    assert registry.providers() == ("a", "b")
    assert [(record.name, record.levelname, record.message) for record in caplog.records] == [
        ("loopspec_reference.plugins", "WARNING", "the strategy Of_a of the provider 'a' is replaced by Of_a")
    ]


def test_an_unknown_provider_of_a_node_is_skipped_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    """The warning names the node and the agent."""
    assert [middleware.name for middleware in made("a", "nope", "a", a=strategy("a"))] == ["m1"]
    assert caplog.messages == ["the node 'm0' of the agent 'a' is skipped: no provider 'nope'"]


@pytest.mark.parametrize("schema", [Count, Count | None])
def test_a_state_schema_may_be_optional_as_a_whole(schema: type[Count]) -> None:
    """A state has defaults, so the schema is the type itself."""
    assert Middleware("m", state_schema=schema).own_schema is Count
