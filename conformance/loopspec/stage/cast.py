"""Who is who among the doubles of a scene, by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from ..contract.agents import Agent, Legacy, Model, Plugin, Script, Scripted, Summarization, Tool
from ..contract.doubles import ScriptedCrash, ScriptedError
from ..contract.scene import Scene
from ..contract.values import Error


class Cast:
    """The scripted models, tools and handlers of the scene's agents, and whose they are."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.agents: dict[str, Agent] = {}
        self.models: dict[str, Model] = {}
        self.tools: dict[str, Tool] = {}
        self.scripts: dict[str, Sequence[Script]] = {}
        self._owners: dict[str, str] = {}
        self._runs = {run.id: run for run in scene.runs}
        self._enlist(scene.agent)

    def _enlist(self, agent: Agent) -> None:
        self.agents[agent.name] = agent
        for model in self._models(agent):
            self.models[model.name] = model
            self._owners.setdefault(model.name, agent.name)
        for actor in self._actors(agent):
            self._enlist_actor(actor, actor.name, agent.name)
        for tool in (*agent.tools, *agent.additional_tools):
            if tool.agent:
                self._enlist(tool.agent)
            else:
                self._enlist_tool(tool, agent.name)

    def _enlist_actor(self, actor: Scripted | Legacy | Plugin, name: str, agent: str) -> None:
        self.scripts[name] = actor.scripts
        self._owners.setdefault(name, agent)
        for tool in () if isinstance(actor, Scripted) else actor.tools:
            self._enlist_tool(tool, agent)

    def _enlist_tool(self, tool: Tool, agent: str) -> None:
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
    def _actors(agent: Agent) -> Iterator[Scripted | Legacy | Plugin]:
        yield from (handler for handler in agent.handlers if isinstance(handler, Scripted | Plugin))
        yield from agent.tool_middlewares
        yield from agent.legacy

    def attach(self, made: Plugin, node: str, agent: str) -> Plugin:
        """Enlist what a strategy has made for a node of an agent; return it with the name it has as a double.

        That is the node's key, for the agent of the scene; for another one there is that agent's name, too.
        """
        plugin = replace(made, name=node if agent == self.scene.agent.name else f"{agent}'s {node}")
        self._enlist_actor(plugin, plugin.name, agent)
        return plugin

    def owner(self, name: str) -> str:
        """The agent that a double belongs to; the first one, of a handler that several share."""
        return self._owners.get(name, "")

    def lineage(self, run: str | None) -> set[str | None]:
        """The run and those it goes on with."""
        line = {run}
        while run is not None and (spec := self._runs.get(run)) and spec.resume:
            run = spec.resume
            line.add(run)
        return line


def raised(error: Error | None, crash: bool) -> Exception:
    """The exception that a double fails with."""
    code = (error.code or error.kind) if error else "scripted"
    return ScriptedCrash(code) if crash else ScriptedError(code)
