"""The scripted models, tools and handlers of a scene, by name, and the agents that they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from ..contract.agents import Agent, Legacy, Model, Plugin, Script, Scripted, Summarization, Tool, Turn
from ..contract.doubles import ScriptedCrash, ScriptedError
from ..contract.scene import Scene
from ..contract.values import Error


class SceneIndex:
    """Looks up what the scene says of a double, and the agent that owns it."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.agents: dict[str, Agent] = {}
        self.models: dict[str, Model] = {}
        self.tools: dict[str, Tool] = {}
        self.scripts: dict[str, Sequence[Script]] = {}
        self._owners: dict[str, str] = {}
        self._runs = {run.id: run for run in scene.runs}
        self._add_agent(scene.agent)

    def _add_agent(self, agent: Agent) -> None:
        self.agents[agent.name] = agent
        for model in self._models(agent):
            self.models[model.name] = model
            self._owners.setdefault(model.name, agent.name)
        for handler in self._handlers(agent):
            self._add_handler(handler, handler.name, agent.name)
        for tool in (*agent.tools, *agent.additional_tools):
            if tool.agent:
                self._add_agent(tool.agent)
            else:
                self._add_tool(tool, agent.name)

    def _add_handler(self, handler: Scripted | Legacy | Plugin, name: str, agent: str) -> None:
        self.scripts[name] = handler.scripts
        self._owners.setdefault(name, agent)
        for tool in () if isinstance(handler, Scripted) else handler.tools:
            self._add_tool(tool, agent)

    def _add_tool(self, tool: Tool, agent: str) -> None:
        self.tools.setdefault(tool.name, tool)
        self._owners.setdefault(tool.name, agent)

    @staticmethod
    def _models(agent: Agent) -> Iterator[Model]:
        if agent.model:
            yield agent.model
        yield from agent.failover.models if agent.failover else ()
        yield from agent.additional_models
        yield from (one.model for one in agent.handlers if isinstance(one, Summarization) and one.model)

    @staticmethod
    def _handlers(agent: Agent) -> Iterator[Scripted | Legacy | Plugin]:
        yield from (handler for handler in agent.handlers if isinstance(handler, Scripted | Plugin))
        yield from agent.tool_middlewares
        yield from agent.legacy

    def add_made(self, made: Plugin, node: str, agent: str) -> Plugin:
        """Add the middleware that a strategy has made for a node of an agent; return it with its name as a double.

        The name is the node's key; for an agent other than the scene's own one, with that agent's name.
        """
        plugin = replace(made, name=node if agent == self.scene.agent.name else f"{agent}'s {node}")
        self._add_handler(plugin, plugin.name, agent)
        return plugin

    def owner(self, name: str) -> str:
        """Return the agent that a double belongs to; the first one, of a handler that several agents share."""
        return self._owners.get(name, "")

    def turns(self, model: Model, run: str | None) -> Sequence[Turn]:
        """Return the answers of a model in a run."""
        spec = self._runs.get(run) if run is not None else None
        return spec.turns.get(model.name, model.turns) if spec is not None else model.turns

    def lineage(self, run: str | None) -> set[str | None]:
        """Return the run, and the runs that it resumes, one after the other."""
        line = {run}
        while run is not None and (spec := self._runs.get(run)) and spec.resume:
            run = spec.resume
            line.add(run)
        return line


def scripted_failure(error: Error | None, crash: bool) -> Exception:
    """The exception that a double fails with."""
    code = (error.code or error.kind) if error else "scripted"
    return ScriptedCrash(code) if crash else ScriptedError(code)
