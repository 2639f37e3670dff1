"""Variants about middlewares of the plugin layer, and about the form of their hooks and states."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import get_args

from msgspec.structs import replace

from loopspec.contract.acting import Hook
from loopspec.contract.actions import Script
from loopspec.contract.agents import Agent, Handler, Plugin, Summarization, TodoList
from loopspec.contract.around import Jump
from loopspec.contract.scene import Scene

from .facts import Facts, found, mapped, with_agents
from .handlers import ALL_HOOKS
from .restoring import WithoutHandlers
from .variant import Variant, Varied

_HOOKS: tuple[Hook, ...] = get_args(Hook)
MIDDLEWARES = (Plugin, Summarization, TodoList)
_TARGETS = ("model", "tools", "end")


def inert(name: str) -> Plugin:
    """A middleware that has every hook and does nothing in any."""
    return Plugin(name=name, scripts=tuple(Script(hook=hook) for hook in _HOOKS))


def _has_middlewares(facts: Facts) -> bool:
    return facts.is_run and any(map(_has_middleware, facts.agents))


def _has_middleware(agent: Agent) -> bool:
    return any(isinstance(handler, MIDDLEWARES) for handler in agent.handlers)


def _with_inert(scene: Scene, *, first: bool) -> Varied:
    """The scene with an inert middleware in each agent with middlewares, next to its first or its last one."""
    numbers, names = count(1), set()

    def change(agent: Agent) -> Agent:
        if not _has_middleware(agent):
            return agent
        handlers = agent.handlers
        places = [at for at, handler in enumerate(handlers) if isinstance(handler, MIDDLEWARES)]
        at = places[0] if first else places[-1] + 1
        new = inert(f"inert-{'first' if first else 'last'}-middleware-{next(numbers)}")
        names.add(new.name)
        both: tuple[Handler, ...] = (*handlers[:at], new, *handlers[at:])
        return replace(agent, handlers=both)

    return Varied(replace(scene, agent=with_agents(scene.agent, change)), (WithoutHandlers(frozenset(names)),))


def _with_plugins(scene: Scene, change: Callable[[Plugin], Plugin]) -> Varied:
    agent, modules = mapped(scene.agent, Plugin, change), mapped(scene.modules, Plugin, change)
    return Varied(replace(scene, agent=agent, modules=modules))


def _is_asynchronous(facts: Facts) -> bool:
    """Whether an agent has middlewares with asynchronous hooks, and nothing waits for something else."""
    return facts.is_run and not facts.gates and any(not plugin.sync for plugin in facts.plugins)


def _declares_nothing(facts: Facts) -> bool:
    """Whether the hooks of an agent's middlewares are functions, and jump to known targets only."""
    if not facts.is_run or not any(plugin.scripts and not plugin.declares for plugin in facts.plugins):
        return False
    return all(isinstance(jump, Jump) and jump.target in _TARGETS for jump in found(facts.plugins, (Jump,)))


def _with_declarations(plugin: Plugin) -> Plugin:
    return replace(plugin, declares=True)


def _has_schema(facts: Facts) -> bool:
    """Whether a middleware of an agent has a state schema that is an object."""
    return facts.is_run and any(plugin.state and plugin.form == "object" for plugin in facts.plugins)


def _with_optional_schema(plugin: Plugin) -> Plugin:
    return replace(plugin, form="optional object") if plugin.state and plugin.form == "object" else plugin


VARIANTS = (
    Variant(
        name="inert-middleware-first",
        rule="VARIANT-47",
        applies=_has_middlewares,
        vary=lambda scene: _with_inert(scene, first=True),
        needs=ALL_HOOKS,
    ),
    Variant(
        name="inert-middleware-last",
        rule="VARIANT-48",
        applies=_has_middlewares,
        vary=lambda scene: _with_inert(scene, first=False),
        needs=ALL_HOOKS,
    ),
    Variant(
        name="synchronous-hooks",
        rule="VARIANT-54",
        applies=_is_asynchronous,
        vary=lambda scene: _with_plugins(scene, lambda plugin: replace(plugin, sync=True)),
    ),
    Variant(
        name="declared-jumps",
        rule="VARIANT-55",
        applies=_declares_nothing,
        vary=lambda scene: _with_plugins(scene, _with_declarations),
    ),
    Variant(
        name="optional-schema",
        rule="VARIANT-56",
        applies=_has_schema,
        vary=lambda scene: _with_plugins(scene, _with_optional_schema),
        needs=frozenset({"schema-forms"}),
    ),
)
