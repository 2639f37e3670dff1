"""Mutants about strategies: how they are found, what they say of themselves, and how they make middlewares."""

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
Say = Callable[[Strategy], MiddlewareMeta]
Make = Callable[[Strategy, Options, MiddlewareContext], Awaitable[Middleware]]


async def _made(strategy: Strategy, options: Options, context: MiddlewareContext) -> Middleware:
    """What its factory makes."""
    made = strategy.create_middleware(options, context)
    return await made if isawaitable(made) else made


class _Altered:
    """A strategy that says, or makes, something else."""

    def __init__(self, strategy: Strategy, meta: MiddlewareMeta, make: Make) -> None:
        self.meta = meta
        self._strategy = strategy
        self._make = make

    async def create_middleware(self, options: Options, context: MiddlewareContext) -> Middleware:
        return await self._make(self._strategy, options, context)


def _altered(say: Say = lambda strategy: strategy.meta, make: Make = _made) -> AbstractContextManager[object]:
    """The registry gives strategies that say `say`, and make `make`."""
    get = Registry.get

    def gives(self: Registry, provider: str) -> Strategy:
        strategy = get(self, provider)
        return _Altered(strategy, say(strategy), make)

    return patch.object(Registry, "get", gives)


# -- the registry ------------------------------------------------------------------------------------------------


@mutant("XP-REG-01", neighbors={"XP-REG-06": "it tells two providers apart by their metadata"})
def shows_the_same_metadata_for_all() -> AbstractContextManager[object]:
    """Knows the metadata of the first strategy only and shows it for the others, too."""
    get = Registry.get

    def gives(self: Registry, provider: str) -> Strategy:
        return _Altered(get(self, provider), get(self, self.providers()[0]).meta, _made)

    return patch.object(Registry, "get", gives)


@mutant("XP-REG-02", neighbors={"XP-META-01": "its strategy has another name than its provider, to tell them apart"})
def files_strategies_under_their_names() -> AbstractContextManager[object]:
    """Registers a strategy under the name in its metadata instead of under its provider."""
    checked = registry._checked

    def names(strategy: Strategy) -> str:
        checked(strategy)
        return strategy.meta.name

    return patch.object(registry, "_checked", names)


@mutant(
    "XP-REG-03",
    neighbors={
        "XP-REG-13": "what a module contributes is seen in the same list",
        "XP-REG-07": "that a provider is there once is seen in it, too",
        "XP-META-02": "it looks at all strategies in the list of the implementation's own",
        "PLUGIN-46": "it reads the schemas of that list",
    },
)
def lists_only_what_was_asked_for() -> AbstractContextManager[object]:
    """Makes strategies when they are first asked for, and lists no others."""
    get = Registry.get
    asked: set[str] = set()

    def gives(self: Registry, provider: str) -> Strategy:
        asked.add(provider)
        return get(self, provider)

    def lists(self: Registry) -> tuple[str, ...]:
        return tuple(provider for provider in self._strategies if provider in asked)

    return _both(patch.object(Registry, "get", gives), patch.object(Registry, "providers", lists))


@contextmanager
def _both(one: AbstractContextManager[object], other: AbstractContextManager[object]) -> Iterator[None]:
    with one, other:
        yield


@mutant("XP-REG-04")
def takes_every_class_with_a_factory() -> AbstractContextManager[object]:
    """Registers classes that nobody has marked, under the name in their metadata."""

    def guesses(strategy: type[object]) -> str | None:
        meta = getattr(strategy, "meta", None)
        fitting = isinstance(meta, MiddlewareMeta) and hasattr(strategy, "create_middleware")
        return provider_of(strategy) or (meta.name if fitting and isinstance(meta, MiddlewareMeta) else None)

    return patch.object(registry, "provider_of", guesses)


@mutant("XP-REG-05")
def does_not_say_which_provider_is_unknown() -> AbstractContextManager[object]:
    """Says of a provider that is not there only that there is none such."""
    get = Registry.get

    def gives(self: Registry, provider: str) -> Strategy:
        try:
            return get(self, provider)
        except UnknownProviderError:
            raise UnknownProviderError("no such strategy") from None

    return patch.object(Registry, "get", gives)


@mutant("XP-REG-06")
def ignores_the_size_of_letters() -> AbstractContextManager[object]:
    """Finds a provider whatever the size of its letters."""
    get = Registry.get

    def gives(self: Registry, provider: str) -> Strategy:
        fitting = [one for one in self.providers() if one.lower() == provider.lower()]
        return get(self, fitting[0] if fitting else provider)

    return patch.object(Registry, "get", gives)


@mutant("XP-REG-07")
def keeps_the_first_strategy() -> AbstractContextManager[object]:
    """Leaves the strategy that came first in its place, and warns of the second."""
    register = Registry.register

    def registers(self: Registry, strategy: Strategy) -> None:
        before = dict(self._strategies)
        register(self, strategy)
        self._strategies.update(before)

    return patch.object(Registry, "register", registers)


@mutant("XP-REG-13", neighbors={"XP-REG-07": "it is about a second module"})
def loads_one_module_only() -> AbstractContextManager[object]:
    """Loads no further plugin module when one has brought strategies."""
    load = Registry.load

    def loads(self: Registry, module: object) -> None:
        if not self.providers():
            load(self, module)

    return patch.object(Registry, "load", loads)


# -- what strategies say -----------------------------------------------------------------------------------------


@mutant("XP-META-01")
def forgets_icons() -> AbstractContextManager[object]:
    """Keeps everything of the metadata but the icon."""
    return _altered(lambda strategy: replace(strategy.meta, icon=""))


@mutant("XP-META-02")
def takes_strategies_that_nobody_could_show() -> AbstractContextManager[object]:
    """Takes metadata without a label, or without a name."""

    class Lenient(MiddlewareMeta, frozen=True, kw_only=True):
        def __post_init__(self) -> None:
            """Refuse nothing."""

    return patch.object(plugins, "MiddlewareMeta", Lenient)


@mutant("XP-META-03")
def keeps_standard_keywords_only() -> AbstractContextManager[object]:
    """Drops the hints for forms, which are no keywords of JSON Schema, from config schemas."""

    def standard(part: Json) -> Json:
        if isinstance(part, Mapping):
            return {key: standard(value) for key, value in part.items() if not key.startswith("x-")}
        return [standard(one) for one in part] if isinstance(part, list) else part

    return _altered(lambda strategy: replace(strategy.meta, config_schema=standard(strategy.meta.config_schema)))


@mutant("XP-META-04", neighbors={"PLUGIN-46": "it compares the languages of options with those of the label"})
def labels_in_one_language() -> AbstractContextManager[object]:
    """Keeps the first text of a label and drops the other languages."""
    return _altered(lambda strategy: replace(strategy.meta, label=dict([*strategy.meta.label.items()][:1])))


@mutant("XP-META-10")
def describes_in_one_language() -> AbstractContextManager[object]:
    """Keeps descriptions as one text, which it takes for English."""

    def flat(strategy: Strategy) -> MiddlewareMeta:
        texts = [*strategy.meta.description.values()]
        return replace(strategy.meta, description={"en_US": texts[0]} if texts else {})

    return _altered(flat)


# -- what strategies make ----------------------------------------------------------------------------------------


@mutant(
    "XP-REG-11",
    neighbors={"XP-NODE-08": "a node that two agents share has one provider and the same options for both"},
)
def shares_middlewares_that_look_alike() -> AbstractContextManager[object]:
    """Makes one middleware for all nodes that have the same provider and the same options."""
    known: dict[tuple[str, str], Middleware] = {}

    async def makes(strategy: Strategy, options: Options, context: MiddlewareContext) -> Middleware:
        key = (provider_of(type(strategy)) or "", json.dumps(options))
        if key not in known:
            known[key] = await _made(strategy, options, context)
        return known[key]

    return _altered(make=makes)


@mutant("XP-META-05")
def goes_on_without_what_cannot_be_made() -> AbstractContextManager[object]:
    """Puts a middleware that does nothing in the place of one whose factory has failed."""

    async def makes(strategy: Strategy, options: Options, context: MiddlewareContext) -> Middleware:
        try:
            return await _made(strategy, options, context)
        except Exception:  # it does not care which
            return Middleware(context.node)

    return _altered(make=makes)


@mutant("XP-META-09")
def configures_by_provider() -> AbstractContextManager[object]:
    """Gives all nodes of one provider the options of the first of them."""
    known: dict[str | None, Options] = {}

    async def makes(strategy: Strategy, options: Options, context: MiddlewareContext) -> Middleware:
        return await _made(strategy, known.setdefault(provider_of(type(strategy)), options), context)

    return _altered(make=makes)


@mutant("XP-NODE-12")
def fills_in_defaults_of_the_schema() -> AbstractContextManager[object]:
    """Gives a factory the defaults of the config schema for what was not configured."""

    async def makes(strategy: Strategy, options: Options, context: MiddlewareContext) -> Middleware:
        properties: Mapping[str, Options] = (strategy.meta.config_schema or {}).get("properties", {})
        defaults = {name: one["default"] for name, one in properties.items() if "default" in one}
        return await _made(strategy, {**defaults, **options}, context)

    return _altered(make=makes)
