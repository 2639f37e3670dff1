"""Mutants about strategies: how they are found, their metadata, and how they build middlewares."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from inspect import isawaitable
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import plugins
from loopspec_reference.plugins import registry
from loopspec_reference.plugins.errors import UnknownProviderError
from loopspec_reference.plugins.metadata import MiddlewareMeta
from loopspec_reference.plugins.middleware import Middleware
from loopspec_reference.plugins.registry import MiddlewareContext, Registry, Strategy, provider_of
from loopspec_reference.values.messages import Json

from ..registry import mutant

Options = Mapping[str, Json]
Describe = Callable[[Strategy], MiddlewareMeta]
Make = Callable[[Strategy, Options, MiddlewareContext], Awaitable[Middleware]]


async def _made(strategy: Strategy, options: Options, context: MiddlewareContext) -> Middleware:
    """Return the middleware that the factory of a strategy builds."""
    made = strategy.create_middleware(options, context)
    return await made if isawaitable(made) else made


class _Altered:
    """A strategy with other metadata, or with another factory."""

    def __init__(self, strategy: Strategy, meta: MiddlewareMeta, make: Make) -> None:
        self.meta = meta
        self._strategy = strategy
        self._make = make

    async def create_middleware(self, options: Options, context: MiddlewareContext) -> Middleware:
        return await self._make(self._strategy, options, context)


def _altered(describe: Describe = lambda strategy: strategy.meta, make: Make = _made) -> AbstractContextManager[object]:
    """Patch the metadata and the factory of each strategy that the registry returns."""
    get = Registry.get

    def returns(self: Registry, provider: str) -> Strategy:
        strategy = get(self, provider)
        return _Altered(strategy, describe(strategy), make)

    return patch.object(Registry, "get", returns)


# -- the registry -------------------------------------------------------------------------------------------------


@mutant("XP-REG-01", neighbors={"XP-REG-06": "the example distinguishes two providers by their metadata"})
def shares_the_metadata_of_the_first_strategy() -> AbstractContextManager[object]:
    """Returns the metadata of the first strategy for all strategies."""
    get = Registry.get

    def returns(self: Registry, provider: str) -> Strategy:
        return _Altered(get(self, provider), get(self, self.providers()[0]).meta, _made)

    return patch.object(Registry, "get", returns)


@mutant("XP-REG-02", neighbors={"XP-META-01": "the strategy of the example has a name that differs from its provider"})
def registers_strategies_by_name() -> AbstractContextManager[object]:
    """Registers a strategy under the name in its metadata, not under its provider."""
    checked = registry._checked

    def names(strategy: Strategy) -> str:
        checked(strategy)
        return strategy.meta.name

    return patch.object(registry, "_checked", names)


@mutant(
    "XP-REG-03",
    neighbors={
        "XP-REG-13": "the example reads the strategies of a module from the same list",
        "XP-REG-07": "the example reads from the list that a provider is registered once",
        "XP-META-02": "the example compares all built-in strategies in the list",
        "PLUGIN-46": "the example reads the schemas of the strategies in the list",
    },
)
def lists_requested_strategies_only() -> AbstractContextManager[object]:
    """Lists a strategy only after it was requested."""
    get = Registry.get
    requested: set[str] = set()

    def returns(self: Registry, provider: str) -> Strategy:
        requested.add(provider)
        return get(self, provider)

    def lists(self: Registry) -> tuple[str, ...]:
        return tuple(provider for provider in self._strategies if provider in requested)

    return _both(patch.object(Registry, "get", returns), patch.object(Registry, "providers", lists))


@contextmanager
def _both(one: AbstractContextManager[object], other: AbstractContextManager[object]) -> Iterator[None]:
    with one, other:
        yield


@mutant("XP-REG-04")
def registers_unmarked_classes() -> AbstractContextManager[object]:
    """Registers classes that are not marked as strategies, under the name in their metadata."""

    def guesses(strategy: type[object]) -> str | None:
        meta = getattr(strategy, "meta", None)
        fitting = isinstance(meta, MiddlewareMeta) and hasattr(strategy, "create_middleware")
        return provider_of(strategy) or (meta.name if fitting and isinstance(meta, MiddlewareMeta) else None)

    return patch.object(registry, "provider_of", guesses)


@mutant("XP-REG-05")
def omits_the_unknown_provider_in_the_error() -> AbstractContextManager[object]:
    """Reports an unknown provider without its id."""
    get = Registry.get

    def returns(self: Registry, provider: str) -> Strategy:
        try:
            return get(self, provider)
        except UnknownProviderError:
            raise UnknownProviderError("no such strategy") from None

    return patch.object(Registry, "get", returns)


@mutant("XP-REG-06")
def ignores_the_case_of_providers() -> AbstractContextManager[object]:
    """Finds a provider without regard to case."""
    get = Registry.get

    def returns(self: Registry, provider: str) -> Strategy:
        fitting = [one for one in self.providers() if one.lower() == provider.lower()]
        return get(self, fitting[0] if fitting else provider)

    return patch.object(Registry, "get", returns)


@mutant("XP-REG-07")
def keeps_the_first_strategy() -> AbstractContextManager[object]:
    """Keeps the first of two strategies with the same provider, and warns about the second."""
    register = Registry.register

    def registers(self: Registry, strategy: Strategy) -> None:
        before = dict(self._strategies)
        register(self, strategy)
        self._strategies.update(before)

    return patch.object(Registry, "register", registers)


@mutant("XP-REG-13", neighbors={"XP-REG-07": "the rule is about a second module"})
def loads_one_module_only() -> AbstractContextManager[object]:
    """Loads no further plugin module when one has registered strategies."""
    load = Registry.load

    def loads(self: Registry, module: object) -> None:
        if not self.providers():
            load(self, module)

    return patch.object(Registry, "load", loads)


# -- metadata of strategies ---------------------------------------------------------------------------------------


@mutant("XP-META-01")
def drops_icons() -> AbstractContextManager[object]:
    """Drops the icon from the metadata."""
    return _altered(lambda strategy: replace(strategy.meta, icon=""))


@mutant("XP-META-02")
def accepts_metadata_without_a_label() -> AbstractContextManager[object]:
    """Accepts metadata without a label or without a name."""

    class Lenient(MiddlewareMeta, frozen=True, kw_only=True):
        def __post_init__(self) -> None:
            """Accept everything."""

    return patch.object(plugins, "MiddlewareMeta", Lenient)


@mutant("XP-META-03")
def drops_form_hints() -> AbstractContextManager[object]:
    """Drops the form hints, which are not keywords of JSON Schema, from configuration schemas."""

    def standard(part: Json) -> Json:
        if isinstance(part, Mapping):
            return {key: standard(value) for key, value in part.items() if not key.startswith("x-")}
        return [standard(one) for one in part] if isinstance(part, list) else part

    return _altered(lambda strategy: replace(strategy.meta, config_schema=standard(strategy.meta.config_schema)))


@mutant(
    "XP-META-04",
    neighbors={"PLUGIN-46": "the example compares the languages of options with the languages of the label"},
)
def keeps_one_language_of_labels() -> AbstractContextManager[object]:
    """Keeps the first text of a label, and drops the other languages."""
    return _altered(lambda strategy: replace(strategy.meta, label=dict([*strategy.meta.label.items()][:1])))


@mutant("XP-META-10")
def keeps_one_language_of_descriptions() -> AbstractContextManager[object]:
    """Keeps one text of a description, and takes it for English."""

    def flat(strategy: Strategy) -> MiddlewareMeta:
        texts = [*strategy.meta.description.values()]
        return replace(strategy.meta, description={"en_US": texts[0]} if texts else {})

    return _altered(flat)


# -- middlewares of strategies ------------------------------------------------------------------------------------


@mutant(
    "XP-REG-11",
    neighbors={"XP-NODE-08": "a node that two agents share has one provider and the same options for both"},
)
def shares_middlewares_with_equal_options() -> AbstractContextManager[object]:
    """Builds one middleware for all nodes with the same provider and the same options."""
    known: dict[tuple[str, str], Middleware] = {}

    async def makes(strategy: Strategy, options: Options, context: MiddlewareContext) -> Middleware:
        key = (provider_of(type(strategy)) or "", json.dumps(options))
        if key not in known:
            known[key] = await _made(strategy, options, context)
        return known[key]

    return _altered(make=makes)


@mutant("XP-META-05")
def ignores_a_failed_factory() -> AbstractContextManager[object]:
    """Attaches a middleware without hooks in place of one whose factory has failed."""

    async def makes(strategy: Strategy, options: Options, context: MiddlewareContext) -> Middleware:
        try:
            return await _made(strategy, options, context)
        except Exception:  # the bug: any error
            return Middleware(context.node)

    return _altered(make=makes)


@mutant("XP-META-09")
def shares_options_among_nodes() -> AbstractContextManager[object]:
    """Passes the options of the first node of a provider to all nodes of the provider."""
    known: dict[str | None, Options] = {}

    async def makes(strategy: Strategy, options: Options, context: MiddlewareContext) -> Middleware:
        return await _made(strategy, known.setdefault(provider_of(type(strategy)), options), context)

    return _altered(make=makes)


@mutant("XP-NODE-12")
def passes_defaults_of_the_schema() -> AbstractContextManager[object]:
    """Passes the defaults of the configuration schema to a factory for missing options."""

    async def makes(strategy: Strategy, options: Options, context: MiddlewareContext) -> Middleware:
        properties: Mapping[str, Options] = (strategy.meta.config_schema or {}).get("properties", {})
        defaults = {name: one["default"] for name, one in properties.items() if "default" in one}
        return await _made(strategy, {**defaults, **options}, context)

    return _altered(make=makes)
