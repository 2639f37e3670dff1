"""Questions about a scene that the predicates of variants and invariants ask."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace

from ..contract.actions import Action
from ..contract.agents import (
    Agent,
    Handler,
    Legacy,
    Model,
    Own,
    Plugin,
    Script,
    Scripted,
    Summarization,
    TodoList,
    Tool,
)
from ..contract.scene import Scene
from ..contract.values import Gate
from .once import once

S = TypeVar("S", bound=Struct)

_GATES = get_args(Gate)
LEAVES: frozenset[type] = frozenset({int, float, bool, type(None)})  # the types of values that contain no text
_SCALARS = LEAVES | {str, bytes}
_MIDDLEWARES = (Own, Plugin, Summarization, TodoList)


class Facts:
    """A scene and what variants ask about it, each computed once."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    @once
    def agents(self) -> tuple[Agent, ...]:
        """The agent and all of its sub-agents."""
        return tuple(agents_in(self.scene.agent))

    @once
    def handlers(self) -> tuple[Handler, ...]:
        """The handlers of all agents."""
        return tuple(handler for agent in self.agents for handler in agent.handlers)

    @once
    def doubles(self) -> tuple[Scripted | Plugin | Legacy, ...]:
        """The scripted handlers, middlewares and legacy middlewares of all agents."""
        return tuple(double for agent in self.agents for double in doubles_of(agent))

    @once
    def tools(self) -> tuple[Tool, ...]:
        """The tools of all agents."""
        return tuple(tool for agent in self.agents for tool in tools_of(agent))

    @once
    def is_run(self) -> bool:
        """Whether an agent runs, without a handler under test."""
        return self.scene.act == "run" and not any(isinstance(handler, Own) for handler in self.handlers)

    @once
    def is_plain_run(self) -> bool:
        """Whether an agent runs, without middlewares of the plugin layer and without a handler under test."""
        plugins = any(isinstance(handler, _MIDDLEWARES) for handler in self.handlers)
        return self.scene.act == "run" and not plugins and self.scene.workflow is None

    @once
    def models(self) -> tuple[Model, ...]:
        """The models of all agents."""
        return tuple(model for agent in self.agents for model in models_of(agent))

    @once
    def actions(self) -> tuple[Action, ...]:
        """The actions of all scripted doubles and tools."""
        actions = [action for double in self.doubles for script in double.scripts for action in script.actions]
        return (*actions, *(action for tool in self.tools for action in tool.actions))

    def has_actions(self, kinds: tuple[type, ...]) -> bool:
        """Whether a double does an action of one of these types."""
        return any(isinstance(action, kinds) for action in self.actions)

    @once
    def caller_calls_nothing(self) -> bool:
        """Whether the messages of the caller contain neither tool calls nor results."""
        messages = [message for run in self.scene.runs for message in run.messages]
        return not any(message.role == "tool" or message.tool_calls for message in messages)

    @once
    def gates(self) -> tuple[object, ...]:
        """What anything waits for."""
        return tuple(found(self.scene, _GATES))

    @property
    def has_gates(self) -> bool:
        """Whether anything waits for something else."""
        return bool(self.gates)


def agents_in(agent: Agent) -> Iterator[Agent]:
    """An agent and all of its sub-agents."""
    yield agent
    for tool in tools_of(agent):
        if tool.agent:
            yield from agents_in(tool.agent)


def tools_of(agent: Agent) -> tuple[Tool, ...]:
    """The tools that an agent is built with, and those that its handlers may add."""
    return (*agent.tools, *agent.additional_tools, *(tool for legacy in agent.legacy for tool in legacy.tools))


def doubles_of(agent: Agent) -> tuple[Scripted | Plugin | Legacy, ...]:
    """The scripted handlers, middlewares and legacy middlewares of an agent."""
    handlers = [one for one in agent.handlers if isinstance(one, Scripted | Plugin)]
    return (*handlers, *agent.legacy, *agent.tool_middlewares)


def scripts_of(agent: Agent) -> tuple[Script, ...]:
    """The scripts of all doubles of an agent."""
    return tuple(script for double in doubles_of(agent) for script in double.scripts)


def models_of(agent: Agent) -> tuple[Model, ...]:
    """The models of an agent: its own, its backup models, and those that its wrappers may call."""
    backups = agent.failover.models if agent.failover else ()
    return (*([agent.model] if agent.model else ()), *backups, *agent.additional_models)


def with_agents(agent: Agent, change: Callable[[Agent], Agent]) -> Agent:
    """The agent with a change made to it and to all of its sub-agents, from the inside out."""

    def changed(tools: tuple[Tool, ...]) -> tuple[Tool, ...]:
        return tuple(replace(tool, agent=with_agents(tool.agent, change)) if tool.agent else tool for tool in tools)

    return change(replace(agent, tools=changed(agent.tools), additional_tools=changed(agent.additional_tools)))


def found(value: object, kinds: tuple[type, ...]) -> Iterator[object]:
    """All values of some types inside a value, in order."""
    todo = [value]
    while todo:  # no recursion: a generator for each of many small values takes most of the time
        each = todo.pop()
        if isinstance(each, tuple | list):
            todo.extend(reversed(each))
        elif isinstance(each, dict):
            todo.extend(reversed(each.values()))
        elif isinstance(each, Struct):
            if isinstance(each, kinds):
                yield each
            inside = [getattr(each, name) for name in reversed(each.__struct_fields__)]
            todo.extend(part for part in inside if type(part) not in _SCALARS)


def mapped(value: object, kind: type[S], change: Callable[[S], S]) -> object:
    """The value with a change made to every value of a type inside it, from the inside out."""
    match value:
        case tuple():
            items = tuple(mapped(each, kind, change) for each in value)
            return value if all(new is old for new, old in zip(items, value, strict=True)) else items
        case dict():
            entries = {key: mapped(each, kind, change) for key, each in value.items()}
            return value if all(entries[key] is value[key] for key in value) else entries
        case Struct():
            changes = {}
            for name in value.__struct_fields__:
                old = getattr(value, name)
                new = mapped(old, kind, change)
                if new is not old:
                    changes[name] = new
            new_value = replace(value, **changes) if changes else value
            return change(new_value) if isinstance(new_value, kind) else new_value
    return value
