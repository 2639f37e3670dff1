"""Variants about handlers and tools that change nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count
from typing import get_args

from msgspec.structs import replace

from loopspec.contract.acting import Hook
from loopspec.contract.actions import Action, Script, SetTools
from loopspec.contract.agents import Agent, Handler, Scripted, Tool
from loopspec.contract.capabilities import Capability
from loopspec.contract.scene import Scene

from .facts import Facts, with_agents
from .restoring import without_handlers, without_tools
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


def _setting_tools(name: str, agent: Agent) -> Scripted | None:
    """A handler whose before-agent hook sets the tools that the agent has already."""
    if not _has_only_own_tools(agent):
        return None
    actions: tuple[Action, ...] = (SetTools(tools=tuple(tool.name for tool in agent.tools)),)
    return Scripted(name=name, scripts=(Script(hook="before agent", actions=actions),))


def _has_only_own_tools(agent: Agent) -> bool:
    """Whether the agent has tools, all of which the scene names: an exit tool and legacy tools have no such name."""
    return bool(agent.tools) and not agent.exit_tool and not agent.legacy


def _with_tools(scene: Scene) -> Varied:
    """The scene with a tool before and a tool after the tools of each agent that has tools."""
    numbers = count(1)
    names: set[str] = set()

    def change(agent: Agent) -> Agent:
        if not agent.tools:
            return agent
        first, last = Tool(name=f"unused-{next(numbers)}"), Tool(name=f"unused-{next(numbers)}")
        names.update((first.name, last.name))
        return replace(agent, tools=(first, *agent.tools, last))

    return Varied(replace(scene, agent=with_agents(scene.agent, change)), (without_tools(names),))


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
        "same-tools-set",
        lambda facts: facts.is_plain_run and any(map(_has_only_own_tools, facts.agents)),
        lambda scene: with_handler(scene, "setting-tools", _setting_tools, first),
        needs=frozenset({"before-agent-edits", "before-agent-hooks", "several-handlers"}),
    ),
    Variant(
        "falsy-objects",
        _has_objects,
        lambda scene: Varied(replace(scene, falsy=True)),
        needs=frozenset({"falsy-objects"}),
    ),
    Variant("unused-tools", lambda facts: facts.is_run and any(agent.tools for agent in facts.agents), _with_tools),
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
