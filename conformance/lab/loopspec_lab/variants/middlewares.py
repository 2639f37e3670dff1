"""Variants about middlewares of the plugin layer, and about the form of their hooks and states."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from loopspec.contract.actions import Script
from loopspec.contract.agents import Agent, Handler, Plugin, Summarization, TodoList
from loopspec.contract.around import Jump
from loopspec.contract.scene import Scene

from .facts import Facts, found, mapped
from .handlers import ALL_HOOKS, HOOKS, with_handler
from .variant import Variant, Varied

MIDDLEWARES = (Plugin, Summarization, TodoList)
_TARGETS = ("model", "tools", "end")


def inert(name: str) -> Plugin:
    """A middleware that has every hook and does nothing in any."""
    return Plugin(name=name, scripts=tuple(Script(hook=hook) for hook in HOOKS))


def _has_middlewares(facts: Facts) -> bool:
    return facts.is_run and any(map(_has_middleware, facts.agents))


def _has_middleware(agent: Agent) -> bool:
    return any(isinstance(handler, MIDDLEWARES) for handler in agent.handlers)


def _inert_next_to_others(name: str, agent: Agent) -> Plugin | None:
    return inert(name) if _has_middleware(agent) else None


def _before_others(handlers: tuple[Handler, ...], new: Handler) -> tuple[Handler, ...]:
    """The handlers with a new one before the first middleware."""
    at = next(at for at, handler in enumerate(handlers) if isinstance(handler, MIDDLEWARES))
    return (*handlers[:at], new, *handlers[at:])


def _after_others(handlers: tuple[Handler, ...], new: Handler) -> tuple[Handler, ...]:
    """The handlers with a new one after the last middleware."""
    return _before_others(handlers[::-1], new)[::-1]


def _with_plugins(scene: Scene, change: Callable[[Plugin], Plugin]) -> Varied:
    agent, modules = mapped(scene.agent, (Plugin,), change), mapped(scene.modules, (Plugin,), change)
    return Varied(replace(scene, agent=agent, modules=modules))


def _is_asynchronous(facts: Facts) -> bool:
    """Whether an agent has middlewares with asynchronous hooks, and nothing waits for something else."""
    return facts.is_run and not facts.gates and any(not plugin.sync for plugin in facts.plugins)


def _declares_nothing(facts: Facts) -> bool:
    """Whether the hooks of an agent's middlewares are functions, and jump to known targets only."""
    if not facts.is_run or not any(plugin.scripts and not plugin.declares for plugin in facts.plugins):
        return False
    return all(isinstance(jump, Jump) and jump.target in _TARGETS for jump in found(facts.plugins, (Jump,)))


def _has_schema(facts: Facts) -> bool:
    """Whether a middleware of an agent has a state schema that is an object."""
    return facts.is_run and any(plugin.state and plugin.form == "object" for plugin in facts.plugins)


def _with_optional_schema(plugin: Plugin) -> Plugin:
    return replace(plugin, form="optional object") if plugin.state and plugin.form == "object" else plugin


VARIANTS = (
    Variant(
        "inert-middleware-first",
        _has_middlewares,
        lambda scene: with_handler(scene, "inert-first-middleware", _inert_next_to_others, _before_others),
        needs=ALL_HOOKS,
    ),
    Variant(
        "inert-middleware-last",
        _has_middlewares,
        lambda scene: with_handler(scene, "inert-last-middleware", _inert_next_to_others, _after_others),
        needs=ALL_HOOKS,
    ),
    Variant(
        "synchronous-hooks",
        _is_asynchronous,
        lambda scene: _with_plugins(scene, lambda plugin: replace(plugin, sync=True)),
    ),
    Variant(
        "declared-jumps",
        _declares_nothing,
        lambda scene: _with_plugins(scene, lambda plugin: replace(plugin, declares=True)),
    ),
    Variant(
        "optional-schema",
        _has_schema,
        lambda scene: _with_plugins(scene, _with_optional_schema),
        needs=frozenset({"schema-forms"}),
    ),
)
