"""Questions about a scene, which invariants and the sources of further cases ask."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ..contract.actions import Action
from ..contract.agents import Agent, Handler, Legacy, Model, Own, Plugin, Scripted, Summarization, TodoList, Tool
from ..contract.scene import Scene

_MIDDLEWARES = (Own, Plugin, Summarization, TodoList)


class Facts:
    """A scene and what is asked about it, each computed once."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    @cached_property
    def agents(self) -> tuple[Agent, ...]:
        """The agent and all of its sub-agents."""
        return tuple(agents_in(self.scene.agent))

    @cached_property
    def handlers(self) -> tuple[Handler, ...]:
        """The handlers of all agents."""
        return tuple([handler for agent in self.agents for handler in agent.handlers])

    @cached_property
    def doubles(self) -> tuple[Scripted | Plugin | Legacy, ...]:
        """The scripted handlers, middlewares and legacy middlewares of all agents."""
        return tuple([double for agent in self.agents for double in doubles_of(agent)])

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        """The tools of all agents."""
        return tuple([tool for agent in self.agents for tool in tools_of(agent)])

    @cached_property
    def models(self) -> tuple[Model, ...]:
        """The models of all agents."""
        return tuple([model for agent in self.agents for model in models_of(agent)])

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """The actions of all scripted doubles and tools."""
        actions = [action for double in self.doubles for script in double.scripts for action in script.actions]
        return (*actions, *[action for tool in self.tools for action in tool.actions])

    def has_actions(self, kinds: tuple[type, ...]) -> bool:
        """Whether a double does an action of one of these types."""
        return any(isinstance(action, kinds) for action in self.actions)

    @cached_property
    def is_run(self) -> bool:
        """Whether an agent runs, without a handler under test."""
        return self.scene.act == "run" and not any(isinstance(handler, Own) for handler in self.handlers)

    @cached_property
    def is_plain_run(self) -> bool:
        """Whether an agent runs, without middlewares of the plugin layer and without a handler under test."""
        plugins = any(isinstance(handler, _MIDDLEWARES) for handler in self.handlers)
        return self.scene.act == "run" and not plugins and self.scene.workflow is None


def agents_in(agent: Agent) -> Iterator[Agent]:
    """An agent and all of its sub-agents."""
    yield agent
    for tool in tools_of(agent):
        if tool.agent:
            yield from agents_in(tool.agent)


def tools_of(agent: Agent) -> tuple[Tool, ...]:
    """The tools that an agent is built with, and those that its handlers may add."""
    legacy = [tool for one in agent.legacy for tool in one.tools] if agent.legacy else ()
    return (*agent.tools, *agent.additional_tools, *legacy)


def doubles_of(agent: Agent) -> tuple[Scripted | Plugin | Legacy, ...]:
    """The scripted handlers, middlewares and legacy middlewares of an agent."""
    handlers = [one for one in agent.handlers if isinstance(one, Scripted | Plugin)]
    return (*handlers, *agent.legacy, *agent.tool_middlewares)


def models_of(agent: Agent) -> tuple[Model, ...]:
    """The models of an agent: its own, its backup models, and those that its wrappers may call."""
    backups = agent.failover.models if agent.failover else ()
    return (*([agent.model] if agent.model else ()), *backups, *agent.additional_models)
