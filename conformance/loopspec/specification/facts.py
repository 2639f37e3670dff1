"""Questions about a scene, which invariants and the sources of further cases ask."""

from __future__ import annotations

from ..contract.agents import Own, Plugin, Summarization, TodoList, agents_in, doubles_of, models_of, tools_of
from ..contract.scene import Scene

_MIDDLEWARES = (Own, Plugin, Summarization, TodoList)


class Facts:
    """A scene, and what is asked about it, of all agents: of the agent and of its sub-agents.

    `doubles` are the scripted handlers, middlewares and legacy middlewares, `actions` those of doubles and tools.
    `is_run`: an agent runs, without a handler under test; `is_plain_run`: likewise, and without the plugin layer.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        agents = self.agents = tuple(agents_in(scene.agent))
        self.handlers = tuple([handler for agent in agents for handler in agent.handlers])
        self.doubles = tuple([double for agent in agents for double in doubles_of(agent)])
        self.models = tuple([model for agent in agents for model in models_of(agent)])
        self.tools = tuple([tool for agent in agents for tool in tools_of(agent)])
        scripted = [action for double in self.doubles for script in double.scripts for action in script.actions]
        self.actions = (*scripted, *[action for tool in self.tools for action in tool.actions])
        runs = scene.act == "run"
        self.is_run = runs and not any(isinstance(handler, Own) for handler in self.handlers)
        plugins = any(isinstance(handler, _MIDDLEWARES) for handler in self.handlers)
        self.is_plain_run = runs and not plugins and scene.workflow is None

    def has_actions(self, kinds: tuple[type, ...]) -> bool:
        """Whether a double does an action of one of these types."""
        return any(isinstance(action, kinds) for action in self.actions)
