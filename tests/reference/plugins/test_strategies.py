"""Strategies: metadata, options, and the registry."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import ModuleType, SimpleNamespace
from typing import Any

import msgspec
import pytest

from loopspec_reference import Json
from loopspec_reference.plugins import (
    Middleware,
    MiddlewareContext,
    MiddlewareMeta,
    OptionsError,
    Registry,
    StrategyError,
    SummarizationStrategy,
    TodoListStrategy,
    UnknownProviderError,
    config_schema,
    middleware_strategy,
    read_options,
)

META = MiddlewareMeta(name="audit", label={"en_US": "Audit"})


def strategy(provider: str, **attributes: object) -> type[Any]:
    """A decorated class with every member, except those that are given as None."""

    def create_middleware(self: object, options: Mapping[str, Json], context: MiddlewareContext) -> Middleware:
        return Middleware("m")

    members: dict[str, Any] = {"meta": META, "create_middleware": create_middleware, **attributes}
    return middleware_strategy(provider)(type(f"Of_{provider}", (), members))


class Limits(msgspec.Struct, forbid_unknown_fields=True):
    """A configuration."""

    calls: int
    names: list[str] = []


def test_metadata_keeps_its_five_parts() -> None:
    """The registry returns the metadata unchanged."""
    meta = MiddlewareMeta(
        name="audit",
        label={"en_US": "Audit", "zh_Hans": "审计"},
        icon="eye",
        description={"en_US": "Writes down."},
        config_schema=config_schema(Limits),
    )
    registry = Registry()
    registry.register(strategy("audit", meta=meta)())

    found = registry.get("audit").meta
    assert found == meta
    assert msgspec.json.decode(msgspec.json.encode(found), type=MiddlewareMeta) == meta


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"name": " ", "label": {"en_US": "x"}}, "the metadata has the name ' ': give a text that is not blank"),
        ({"name": "a", "label": {}}, "the label of 'a' has no text: give one for a language, such as 'en_US'"),
        ({"name": "a", "label": "Audit"}, "the label of 'a' is 'Audit': give its texts by language"),
        (
            {"name": "a", "label": {"en_US": "x"}, "description": {"en_US": 1}},
            "the description of 'a' is {'en_US': 1}: give its texts by language",
        ),
        (
            {"name": "a", "label": {"en_US": "x"}, "config_schema": {"x": object()}},
            "the config schema of 'a' is not JSON: Encoding objects of type object is unsupported",
        ),
    ],
)
def test_invalid_metadata_is_rejected(given: dict[str, Any], sentence: str) -> None:
    """Only name and label are required."""
    with pytest.raises(StrategyError, match=f"^{re.escape(sentence)}$"):
        MiddlewareMeta(**given)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, "Object missing required field `calls`"),
        ({"calls": "many"}, "Expected `int`, got `str` - at `$.calls`"),
        ({"calls": 1, "names": ["a", 2]}, "Expected `str`, got `int` - at `$.names[1]`"),
        ({"calls": 1, "call": 2}, "Object contains unknown field `call`"),
    ],
)
def test_invalid_options_are_rejected(options: dict[str, Json], reason: str) -> None:
    """The error names the option and the reason."""
    with pytest.raises(OptionsError, match=re.escape(f"the options of 'm1' do not fit Limits: {reason}")):
        read_options(Limits, options, "m1")


def test_a_schema_is_self_contained() -> None:
    """The schema is a single JSON value."""

    class Outer(msgspec.Struct):
        inner: Limits

    schema = config_schema(Outer)

    assert schema["properties"] == {"inner": {"$ref": "#/$defs/Limits"}}
    assert list(schema["$defs"]) == ["Limits"]
    assert config_schema(Limits)["properties"]["calls"] == {"type": "integer"}


def test_a_module_registers_its_decorated_classes_in_order() -> None:
    """Undecorated classes are no strategies, even subclasses; two names of one class count once."""
    module = ModuleType("plugin")
    first, second = strategy("z"), strategy("a")
    plain = type("Plain", (first,), {})
    vars(module).update(Z=first, Plain=plain, A=second, Again=first, number=3)
    registry = Registry()
    registry.load(module)

    assert registry.providers() == ("z", "a")
    assert type(registry.get("z")) is first


def test_an_imported_strategy_is_registered_once(caplog: pytest.LogCaptureFixture) -> None:
    """The second module replaces nothing and causes no warning."""
    one = strategy("a")
    registry = Registry()
    registry.load(SimpleNamespace(one=one))
    before = registry.get("a")
    registry.load(SimpleNamespace(one=one, two=strategy("b")))

    assert registry.get("a") is before
    assert registry.providers() == ("a", "b")
    assert caplog.messages == []


def test_a_second_strategy_replaces_the_first(caplog: pytest.LogCaptureFixture) -> None:
    """The new strategy has the same position and causes a warning."""
    registry = Registry()
    registry.load(SimpleNamespace(a=strategy("a"), b=strategy("b")))
    other = strategy("a")()
    registry.register(other)

    assert registry.get("a") is other
    assert registry.providers() == ("a", "b")
    assert [(record.name, record.levelname) for record in caplog.records] == [("loopspec_reference.plugins", "WARNING")]
    assert caplog.messages == ["the strategy Of_a of the provider 'a' is replaced by Of_a"]


def test_an_unknown_provider_is_named() -> None:
    """The error lists the registered providers; names are compared exactly."""
    registry = Registry()
    with pytest.raises(UnknownProviderError, match=r"provider 'a'; registered: none$"):
        registry.get("a")
    registry.register(strategy("a")())

    with pytest.raises(
        UnknownProviderError, match=r"^no strategy is registered for the provider 'A'; registered: 'a'$"
    ):
        registry.get("A")


def test_an_invalid_strategy_is_rejected() -> None:
    """Each has its own message, and a module with an invalid strategy registers nothing."""
    needy = strategy("a", __init__=lambda self, needed: None)
    for bad, sentence in [
        (strategy("a", meta=None), "the strategy Of_a of 'a' has no metadata: set `meta` to a MiddlewareMeta"),
        (strategy("a", create_middleware=None), "the strategy Of_a of 'a' has no factory: define `create_middleware`"),
        (needy, "the strategy Of_a cannot be made without arguments: "),
    ]:
        registry = Registry()
        with pytest.raises(StrategyError, match=f"^{re.escape(sentence)}"):
            registry.load(SimpleNamespace(good=strategy("b"), bad=bad))
        assert registry.providers() == ()


def test_an_undecorated_strategy_is_rejected() -> None:
    """The error shows the decorator."""
    plain = type("Plain", (strategy("a"),), {})

    with pytest.raises(StrategyError, match=r"^Plain is not decorated: put @middleware_strategy\('<provider>'\)"):
        Registry().register(plain())


@pytest.mark.parametrize("provider", ["", "  ", None])
def test_a_strategy_needs_a_provider(provider: Any) -> None:
    """A blank provider is invalid."""
    with pytest.raises(StrategyError, match="give a text that is not blank"):
        middleware_strategy(provider)


def test_only_classes_are_decorated() -> None:
    """A function cannot be a strategy."""
    decorated: Any = print
    with pytest.raises(StrategyError, match="was decorated as the strategy of 'a': decorate a class"):
        middleware_strategy("a")(decorated)


@pytest.mark.parametrize("built_in", [SummarizationStrategy, TodoListStrategy])
def test_the_built_in_strategies_have_two_languages(built_in: type[Any]) -> None:
    """Names, descriptions and labels of options have both languages, and no text names a rule."""
    meta = built_in.meta

    assert set(meta.label) == set(meta.description) == {"en_US", "zh_Hans"}
    for option in meta.config_schema["properties"].values():
        assert set(option["x-label"]) == {"en_US", "zh_Hans"}
    assert "XP-" not in msgspec.json.encode(meta).decode()


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"name": ""}, "a middleware has no name: give it one"),
        ({"name": "m", "state_schema": dict}, "the state_schema of 'm' is <class 'dict'>: give a subclass of msgspec"),
        (
            {"name": "m", "state_schema": dict | int},
            "the state_schema of 'm' is dict | int: give a subclass of",
        ),
        ({"name": "m", "context_schema": 3}, "the context_schema of 'm' is 3: give a subclass of msgspec.Struct"),
        ({"name": "m", "before_model": "x"}, "the before_model of 'm' is 'x': give a function, or nothing"),
        ({"name": "m", "wrap_tool_call": 1}, "the wrap_tool_call of 'm' is 1: give a function, or nothing"),
    ],
)
def test_an_invalid_middleware_is_rejected(parts: dict[str, Any], sentence: str) -> None:
    """The error is raised when the middleware is built."""
    with pytest.raises(StrategyError, match=f"^{re.escape(sentence)}"):
        Middleware(**parts)


@pytest.mark.parametrize("reserved", ["messages", "tools", "jump_to"])
def test_a_state_cannot_declare_a_reserved_field(reserved: str) -> None:
    """Updates of such a field would be ambiguous."""
    schema = msgspec.defstruct("Bad", [(reserved, str, "")])

    with pytest.raises(StrategyError, match=rf"^the state_schema of 'm' declares '{reserved}', .*: rename the field$"):
        Middleware("m", state_schema=schema)
