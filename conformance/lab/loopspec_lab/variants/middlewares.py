"""The variant with a middleware of the plugin layer that does nothing."""

from __future__ import annotations

from loopspec.contract.actions import Script
from loopspec.contract.agents import Agent, Handler, Plugin, Summarization, TodoList

from .facts import Facts
from .handlers import ALL_HOOKS, HOOKS, with_handler
from .variant import Variant

_MIDDLEWARES = (Plugin, Summarization, TodoList)


def _has_middlewares(facts: Facts) -> bool:
    return facts.is_run and any(map(_has_middleware, facts.agents))


def _has_middleware(agent: Agent) -> bool:
    return any(isinstance(handler, _MIDDLEWARES) for handler in agent.handlers)


def _inert_next_to_others(name: str, agent: Agent) -> Plugin | None:
    """A middleware that has every hook and does nothing in any."""
    scripts = tuple(Script(hook=hook) for hook in HOOKS)
    return Plugin(name=name, scripts=scripts) if _has_middleware(agent) else None


def _before_others(handlers: tuple[Handler, ...], new: Handler) -> tuple[Handler, ...]:
    """The handlers with a new one before the first middleware."""
    at = next(at for at, handler in enumerate(handlers) if isinstance(handler, _MIDDLEWARES))
    return (*handlers[:at], new, *handlers[at:])


VARIANTS = (
    Variant(
        "inert-middleware-first",
        _has_middlewares,
        lambda scene: with_handler(scene, "inert-first-middleware", _inert_next_to_others, _before_others),
        needs=ALL_HOOKS,
    ),
)
