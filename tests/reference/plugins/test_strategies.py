"""Kinds of middleware: metadata, options, and the registry."""

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
    """A decorated class, complete but for what is given as None."""

    def create_middleware(self: object, options: Mapping[str, Json], context: MiddlewareContext) -> Middleware:
        return Middleware("m")

    members: dict[str, Any] = {"meta": META, "create_middleware": create_middleware, **attributes}
    return middleware_strategy(provider)(type(f"Of_{provider}", (), members))


class Limits(msgspec.Struct, forbid_unknown_fields=True):
    """A configuration."""

    calls: int
    names: list[str] = []


def test_metadata_keeps_its_five_parts() -> None:
    """The registry returns them unchanged, and a form can be drawn from them."""
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
def test_metadata_that_cannot_be_shown_is_refused(given: dict[str, Any], sentence: str) -> None:
    """Only name and label are needed."""
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
def test_options_that_do_not_fit_are_refused(options: dict[str, Json], reason: str) -> None:
    """The error says where and why."""
    with pytest.raises(OptionsError, match=re.escape(f"the options of 'm1' do not fit Limits: {reason}")):
        read_options(Limits, options, "m1")


def test_a_schema_refers_to_nothing_outside() -> None:
    """It is one JSON value."""

    class Outer(msgspec.Struct):
        inner: Limits

    schema = config_schema(Outer)

    assert schema["properties"] == {"inner": {"$ref": "#/$defs/Limits"}}
    assert list(schema["$defs"]) == ["Limits"]
    assert config_schema(Limits)["properties"]["calls"] == {"type": "integer"}


def test_a_module_brings_its_decorated_classes_in_order() -> None:
    """Others are no strategies, subclasses of decorated ones among them; two names for one class make one."""
    module = ModuleType("plugin")
    first, second = strategy("z"), strategy("a")
    plain = type("Plain", (first,), {})
    vars(module).update(Z=first, Plain=plain, A=second, Again=first, number=3)
    registry = Registry()
    registry.load(module)

    assert registry.providers() == ("z", "a")
    assert type(registry.get("z")) is first


def test_an_imported_strategy_is_registered_once(caplog: pytest.LogCaptureFixture) -> None:
    """The second module replaces nothing, and there is no warning."""
    one = strategy("a")
    registry = Registry()
    registry.load(SimpleNamespace(one=one))
    before = registry.get("a")
    registry.load(SimpleNamespace(one=one, two=strategy("b")))

    assert registry.get("a") is before
    assert registry.providers() == ("a", "b")
    assert caplog.messages == []


def test_a_second_strategy_replaces_the_first(caplog: pytest.LogCaptureFixture) -> None:
    """In its place, and not silently."""
    registry = Registry()
    registry.load(SimpleNamespace(a=strategy("a"), b=strategy("b")))
    other = strategy("a")()
    registry.register(other)

    assert registry.get("a") is other
    assert registry.providers() == ("a", "b")
    assert [(record.name, record.levelname) for record in caplog.records] == [("loopspec_reference.plugins", "WARNING")]
    assert caplog.messages == ["the strategy Of_a of the provider 'a' is replaced by Of_a"]


def test_an_unknown_provider_is_named() -> None:
    """And so are those there are; names are exact."""
    registry = Registry()
    with pytest.raises(UnknownProviderError, match=r"provider 'a'; registered: none$"):
        registry.get("a")
    registry.register(strategy("a")())

    with pytest.raises(
        UnknownProviderError, match=r"^no strategy is registered for the provider 'A'; registered: 'a'$"
    ):
        registry.get("A")


def test_what_cannot_be_a_strategy_is_refused() -> None:
    """Each with its own sentence, and a module with one of them registers nothing."""
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


def test_an_undecorated_strategy_is_refused() -> None:
    """It says how to decorate it."""
    plain = type("Plain", (strategy("a"),), {})

    with pytest.raises(StrategyError, match=r"^Plain is not decorated: put @middleware_strategy\('<provider>'\)"):
        Registry().register(plain())


@pytest.mark.parametrize("provider", ["", "  ", None])
def test_a_strategy_needs_a_provider(provider: Any) -> None:
    """A blank one could not be asked for."""
    with pytest.raises(StrategyError, match="give a text that is not blank"):
        middleware_strategy(provider)


def test_only_classes_are_decorated() -> None:
    """A function makes nothing by itself."""
    decorated: Any = print
    with pytest.raises(StrategyError, match="was decorated as the strategy of 'a': decorate a class"):
        middleware_strategy("a")(decorated)


@pytest.mark.parametrize("built_in", [SummarizationStrategy, TodoListStrategy])
def test_the_built_in_ones_speak_two_languages(built_in: type[Any]) -> None:
    """Their labels, their descriptions, and the labels of their options; and no text names a rule."""
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
def test_a_middleware_that_cannot_work_is_refused(parts: dict[str, Any], sentence: str) -> None:
    """When it is made."""
    with pytest.raises(StrategyError, match=f"^{re.escape(sentence)}"):
        Middleware(**parts)


@pytest.mark.parametrize("reserved", ["messages", "tools", "jump_to"])
def test_a_state_cannot_declare_what_every_run_has(reserved: str) -> None:
    """Its updates could not be distinguished."""
    schema = msgspec.defstruct("Bad", [(reserved, str, "")])

    with pytest.raises(StrategyError, match=rf"^the state_schema of 'm' declares '{reserved}', .*: rename the field$"):
        Middleware("m", state_schema=schema)
