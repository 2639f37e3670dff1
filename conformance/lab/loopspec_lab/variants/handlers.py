"""Variants about handlers and middlewares that change nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count
from typing import get_args

from msgspec.structs import replace

from loopspec.contract.acting import Hook
from loopspec.contract.actions import Script
from loopspec.contract.agents import Agent, Handler, Plugin, Scripted, Summarization, TodoList
from loopspec.contract.capabilities import Capability
from loopspec.contract.scene import Scene

from .facts import Facts, with_agents
from .restoring import without_handlers
from .variant import Variant, Varied

HOOKS: tuple[Hook, ...] = get_args(Hook)
# The capabilities that a handler with every hook needs next to other handlers.
ALL_HOOKS: frozenset[Capability] = frozenset(
    {
        "after-agent-hooks",
        "after-model-hooks",
        "before-agent-hooks",
        "before-model-hooks",
        "model-wrappers",
        "several-handlers",
        "tool-wrappers",
    }
)

# A wrapper that encloses after-model hooks decides what the event of an answer contains, even an inert one.
SEPARATE = {"nesting": "hooks-then-wrappers"}

_MIDDLEWARES = (Plugin, Summarization, TodoList)

# The handlers of an agent, with the new one.
Place = Callable[[tuple[Handler, ...], Handler], tuple[Handler, ...]]


def _inert(name: str, hooks: Iterable[Hook] = HOOKS) -> Scripted:
    """A handler that overrides every hook, or these, and does nothing in any."""
    return Scripted(name=name, scripts=tuple(Script(hook=hook) for hook in hooks))


def inert_first(scene: Scene, hooks: Iterable[Hook] = HOOKS) -> Varied:
    """The scene with a handler that does nothing, before the handlers of each agent."""
    return with_handler(scene, "inert-first", lambda name, agent: _inert(name, hooks), first)


def inert_last(scene: Scene, hooks: Iterable[Hook] = HOOKS) -> Varied:
    """The scene with a handler that does nothing, after the handlers of each agent."""
    return with_handler(scene, "inert-last", lambda name, agent: _inert(name, hooks), last)


def with_handler(scene: Scene, name: str, made: Callable[[str, Agent], Handler | None], place: Place) -> Varied:
    """The scene with a new handler in each agent for which `made` returns one, with a name and a number."""
    numbers, names = count(1), set()

    def change(agent: Agent) -> Agent:
        handler = made(f"{name}-{next(numbers)}", agent)
        if handler is None:
            return agent
        names.add(handler.name)
        return replace(agent, handlers=place(agent.handlers, handler))

    return Varied(replace(scene, agent=with_agents(scene.agent, change)), (without_handlers(names),))


def first(handlers: tuple[Handler, ...], new: Handler) -> tuple[Handler, ...]:
    """The handlers with a new one before them."""
    return (new, *handlers)


def last(handlers: tuple[Handler, ...], new: Handler) -> tuple[Handler, ...]:
    """The handlers with a new one after them."""
    return (*handlers, new)


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


def _has_objects(facts: Facts) -> bool:
    """Whether an agent has a tool or a handler whose object the harness makes."""
    tools = any(not tool.agent for tool in facts.tools)
    return facts.is_run and (tools or any(isinstance(handler, Scripted) for handler in facts.handlers))


def _with_bare_handlers(scene: Scene) -> Varied:
    """The scene with a handler without hooks before and after the handlers of each agent."""
    numbers = count(1)

    def bare() -> Scripted:
        return Scripted(name=f"bare-{next(numbers)}")

    def change(agent: Agent) -> Agent:
        return replace(agent, handlers=(bare(), *agent.handlers, bare()))

    return Varied(replace(scene, agent=with_agents(scene.agent, change)))


VARIANTS = (
    Variant("inert-handler-first", lambda facts: facts.is_plain_run, inert_first, needs=ALL_HOOKS, postures=SEPARATE),
    Variant("inert-handler-last", lambda facts: facts.is_plain_run, inert_last, needs=ALL_HOOKS, postures=SEPARATE),
    Variant(
        "inert-middleware-first",
        _has_middlewares,
        lambda scene: with_handler(scene, "inert-first-middleware", _inert_next_to_others, _before_others),
        needs=ALL_HOOKS,
    ),
    Variant(
        "falsy-objects",
        _has_objects,
        lambda scene: Varied(replace(scene, falsy=True)),
        needs=frozenset({"falsy-objects"}),
    ),
    Variant(
        "handlers-without-hooks",
        lambda facts: facts.is_run,
        _with_bare_handlers,
        exempt={
            "PLUGIN-11 :: A middleware in the configuration and one in the workflow": "A handler between the two "
            "middlewares hides their conflict until the run (the decision of PLUGIN-11).",
        },
    ),
)
