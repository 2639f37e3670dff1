"""The registry of strategies by provider."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from ..calls.models import Model
from ..values.messages import AnyMessage, Json
from .conversations import estimated_tokens
from .errors import StrategyError, UnknownProviderError
from .metadata import MiddlewareMeta
from .middleware import Middleware
from .tracing import ExecutionTrace

_log = logging.getLogger("loopspec_reference.plugins")

_MARK = "__middleware_provider__"

T = TypeVar("T")


class MiddlewareContext(Struct, frozen=True):
    """The agent and the node for which a middleware is made, and what the middleware can use.

    `model` is the agent's own model, and `models` are additional models by name. `node` is the key of the middleware's
    node. The models have the agent's message type, which is not known here.
    """

    agent: str = ""
    node: str = ""
    model: Model[Any] | None = None
    models: Mapping[str, Model[Any]] = {}
    count_tokens: Callable[[Sequence[AnyMessage]], int] = estimated_tokens
    trace: ExecutionTrace | None = None


class Strategy(Protocol):
    """Makes middlewares of one kind (XP-REG-01). `middleware_strategy` gives the class its provider."""

    @property
    def meta(self) -> MiddlewareMeta:
        """The presentation to people, and the schema of the options."""

    def create_middleware(
        self, options: Mapping[str, Json], context: MiddlewareContext
    ) -> Middleware | Awaitable[Middleware]:
        """Make the middleware of one node. Raises `OptionsError` for options that cannot work."""


def middleware_strategy(provider: str) -> Callable[[type[T]], type[T]]:
    """Mark a class as the strategy of a provider, for a registry that loads its module (XP-REG-02).

    Subclasses of the class are not marked. Raises `StrategyError` without a provider, and for anything but a class.
    """
    if not isinstance(provider, str) or not provider.strip():
        raise StrategyError(f"a strategy has the provider {provider!r}: give a text that is not blank")

    def marked(strategy: type[T]) -> type[T]:
        if not isinstance(strategy, type):
            raise StrategyError(f"{strategy!r:.80} was decorated as the strategy of {provider!r}: decorate a class")
        setattr(strategy, _MARK, provider)
        return strategy

    return marked


def provider_of(strategy: type[object]) -> str | None:
    """Return the provider with which this class itself was marked."""
    provider: str | None = vars(strategy).get(_MARK)
    return provider


class Registry:
    """Strategies by provider, in the order in which the providers were first registered.

    The registry holds no middlewares: each attachment to an agent makes a new one (XP-REG-11). Providers are compared
    exactly, case included (XP-REG-06).
    """

    def __init__(self) -> None:
        self._strategies: dict[str, Strategy] = {}

    def load(self, module: object) -> None:
        """Register one instance of each decorated class of a module, in its order (XP-REG-03, XP-REG-13).

        A class that is already registered is skipped. Raises `StrategyError` for a class that cannot be a strategy, and
        then registers nothing.
        """
        known = {type(strategy) for strategy in self._strategies.values()}
        found = {one: None for one in vars(module).values() if isinstance(one, type) and provider_of(one) is not None}
        strategies = [_made(one) for one in found if one not in known]
        for strategy in strategies:
            self.register(strategy)

    def register(self, strategy: Strategy) -> None:
        """Register a strategy. A strategy with the same provider is replaced, with a warning (XP-REG-07).

        Raises `StrategyError` for an object whose class is not decorated, or which has no metadata or no factory.
        """
        provider = _checked(strategy)
        if provider in self._strategies:
            before, after = (type(one).__qualname__ for one in (self._strategies[provider], strategy))
            _log.warning("the strategy %s of the provider %r is replaced by %s", before, provider, after)
        self._strategies[provider] = strategy

    def get(self, provider: str) -> Strategy:
        """Return the strategy of a provider. Raises `UnknownProviderError`, which lists the providers (XP-REG-05)."""
        if provider not in self._strategies:
            known = ", ".join(map(repr, self._strategies)) or "none"
            raise UnknownProviderError(f"no strategy is registered for the provider {provider!r}; registered: {known}")
        return self._strategies[provider]

    def providers(self) -> tuple[str, ...]:
        """Return all providers."""
        return tuple(self._strategies)


def _made(strategy: type[Any]) -> Strategy:  # Any: `_checked` finds out whether it is a strategy
    try:
        made: Strategy = strategy()
    except Exception as error:
        raise StrategyError(
            f"the strategy {strategy.__qualname__} cannot be made without arguments: {error!r}; register an instance"
        ) from error
    _checked(made)
    return made


def _checked(strategy: Strategy) -> str:
    """Return the provider of an object that is a strategy."""
    name = type(strategy).__qualname__
    provider = provider_of(type(strategy))
    if provider is None:
        raise StrategyError(f"{name} is not decorated: put @middleware_strategy('<provider>') on the class")
    if not isinstance(getattr(strategy, "meta", None), MiddlewareMeta):
        raise StrategyError(f"the strategy {name} of {provider!r} has no metadata: set `meta` to a MiddlewareMeta")
    if not callable(getattr(strategy, "create_middleware", None)):
        raise StrategyError(f"the strategy {name} of {provider!r} has no factory: define `create_middleware`")
    return provider
