"""What cannot be built of plugins is rejected where it is built, with a sentence that says what to change."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from loopspec_reference import Json
from loopspec_reference.plugins import (
    Edge,
    GraphError,
    Hook,
    JumpError,
    Middleware,
    MiddlewareContext,
    MiddlewareMeta,
    Node,
    OptionsError,
    Registry,
    Stack,
    StrategyError,
    SummarizationStrategy,
    TodoListStrategy,
    UnknownProviderError,
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


WRONG: Any = 3  # a value of a wrong type

SENTENCES: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: meta(" "), StrategyError, "the metadata has the name ' ': give a text that is"),
    (lambda: meta(label={}), StrategyError, "the label of 'a' has no text: give one for a language, such as"),
    (lambda: meta(label=3), StrategyError, "the label of 'a' is 3: give its texts by language"),
    (
        lambda: meta(description={"en_US": 3}),
        StrategyError,
        "the description of 'a' is {'en_US': 3}: give its texts by language",
    ),
    (
        lambda: meta(config_schema={"x": object()}),
        StrategyError,
        "the config schema of 'a' is not JSON: Encoding objects of type object is unsupported",
    ),
    (lambda: registry_of(a=strategy("a", meta=None)), StrategyError, "the strategy Of_a of 'a' has no metadata: set"),
    (
        lambda: registry_of(a=strategy("a", create_middleware=None)),
        StrategyError,
        "the strategy Of_a of 'a' has no factory: define `create_middleware`",
    ),
    (
        lambda: registry_of(a=strategy("a", __init__=lambda self, needed: None)),
        StrategyError,
        "the strategy Of_a cannot be made without arguments: ",
    ),
    (
        lambda: Registry().register(type("Plain", (strategy("a"),), {})()),
        StrategyError,
        "Plain is not decorated: put @middleware_strategy('<provider>')",
    ),
    (lambda: middleware_strategy("  "), StrategyError, "give a text that is not blank"),
    (lambda: middleware_strategy("a")(WRONG), StrategyError, "was decorated as the strategy of 'a': decorate a class"),
    (
        lambda: registry_of().get("a"),
        UnknownProviderError,
        "no strategy is registered for the provider 'a'; registered: none",
    ),
    (lambda: registry_of(a=strategy("a")).get("A"), UnknownProviderError, "the provider 'A'; registered: 'a'"),
    (lambda: workflow("aa", ""), GraphError, "two nodes of the workflow have the key 'a': rename one"),
    (lambda: workflow("a", "ba"), GraphError, "the edge from 'b' to 'a' has no node 'b': add the node, or remove the"),
    (lambda: workflow("a", "aa"), GraphError, "the workflow has a cycle: 'a' -> 'a'; remove one of these edges"),
    (lambda: workflow("abc", "ab bc ca"), GraphError, "the workflow has a cycle: 'b' -> 'c' -> 'a' -> 'b'; remove"),
    (lambda: made("x"), GraphError, "the workflow has no agent 'x'; its agents are: 'a'"),
    (lambda: made("m0", "spy"), GraphError, "the workflow has no agent 'm0'; its agents are: 'a'"),
    (
        lambda: made("a", "invalid", invalid=strategy("invalid")),
        StrategyError,
        "the strategy of 'invalid' has returned None for the node 'm0': it must return a Middleware",
    ),
    (lambda: Middleware(""), StrategyError, "a middleware has no name: give it one"),
    (
        lambda: Middleware("m", state_schema=WRONG),
        StrategyError,
        "the state_schema of 'm' is 3: give a subclass of msgspec.Struct",
    ),
    (
        lambda: Middleware("m", state_schema=Count | Row),
        StrategyError,
        "give a subclass of msgspec.Struct",
    ),
    (lambda: Middleware("m", context_schema=WRONG), StrategyError, "the context_schema of 'm' is 3: give a subclass"),
    (
        lambda: Middleware("m", state_schema=Row),
        StrategyError,
        "the state_schema of 'm' is an array: give a schema of fields with names",
    ),
    (
        lambda: Middleware("m", context_schema=Row),
        StrategyError,
        "the context_schema of 'm' is an array: give a schema of fields with names",
    ),
    (lambda: Middleware("m", before_model=WRONG), StrategyError, "the before_model of 'm' is 3: give a function, or"),
    (lambda: Middleware("m", wrap_tool_call=WRONG), StrategyError, "the wrap_tool_call of 'm' is 3: give a function"),
    *(
        (
            lambda name=name: reserving(name),
            StrategyError,
            f"the state_schema of 'm' declares '{name}', ",
        )
        for name in ("messages", "tools", "jump_to")
    ),
    (
        lambda: Hook(returns(None), frozenset({"start"})),
        JumpError,
        "a hook declares a jump to 'start': choose from model, tools, end",
    ),
    (
        lambda: Stack([Middleware("m"), Middleware("m")]),
        StrategyError,
        "two middlewares of one agent have the name 'm': rename one",
    ),
    (
        lambda: Stack([Middleware(name, tools=[returning("add", "")]) for name in "ab"]),
        StrategyError,
        "the middlewares 'a' and 'b' both have a tool 'add': leave one out",
    ),
    (
        lambda: summarization(trigger={}),
        OptionsError,
        "give one of tokens, messages and fraction, or tokens with fraction; not [] - at `$.trigger`",
    ),
    (
        lambda: summarization(trigger={"messages": 1, "fraction": 1}),
        OptionsError,
        "not ['messages', 'fraction'] - at `$.trigger`",
    ),
    (
        lambda: summarization(trigger={"fraction": 1.5}),
        OptionsError,
        "Expected `float` <= 1.0 - at `$.trigger.fraction`",
    ),
    (lambda: summarization(keep=-1), OptionsError, "Expected `int` >= 0 - at `$.keep`"),
    (
        lambda: summarization(model="nope"),
        OptionsError,
        "the option `model` names 'nope', which is unknown; the models are: 'other'",
    ),
    (
        lambda: summarization(trigger={"fraction": 0.5}),
        OptionsError,
        "needs a model with a `profile.max_input_tokens`, which this model does not have: set `trigger.tokens`",
    ),
    (
        lambda: SummarizationStrategy().create_middleware({"trigger": {"messages": 1}}, made_for()),
        OptionsError,
        "a summarization needs a model: set the option `model`, or",
    ),
    (
        lambda: TodoListStrategy().create_middleware({"x": 1}, made_for()),
        OptionsError,
        "the options of 'node' do not fit TodoListOptions: Object contains unknown field `x`",
    ),
]


@pytest.mark.parametrize(("build", "error", "sentence"), SENTENCES, ids=[sentence for _, _, sentence in SENTENCES])
def test_a_wrong_part_is_named(build: Callable[[], object], error: type[Exception], sentence: str) -> None:
    """With its place, and with what to give instead."""
    with pytest.raises(error, match=re.escape(sentence)):
        build()


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
