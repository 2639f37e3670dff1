"""Who is who among the doubles of a scene, by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..contract.agents import Agent, Legacy, Model, Script, Scripted, Tool
from ..contract.doubles import ScriptedError, ScriptedSurprise
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
        for model in (*([agent.model] if agent.model else []), *(agent.failover.models if agent.failover else ())):
            self.models[model.name] = model
            self._owners.setdefault(model.name, agent.name)
        for actor in self._actors(agent):
            self.scripts[actor.name] = actor.scripts
            self._owners.setdefault(actor.name, agent.name)
        for tool in (*agent.tools, *agent.spare_tools, *(tool for legacy in agent.legacy for tool in legacy.tools)):
            if tool.agent:
                self._enlist(tool.agent)
            else:
                self.tools[tool.name] = tool
                self._owners.setdefault(tool.name, agent.name)

    @staticmethod
    def _actors(agent: Agent) -> Iterator[Scripted | Legacy]:
        yield from (handler for handler in agent.handlers if isinstance(handler, Scripted))
        yield from agent.tool_middlewares
        yield from agent.legacy

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


def raised(error: Error | None, unforeseen: bool) -> Exception:
    """The exception that a double fails with."""
    code = (error.code or error.kind) if error else "scripted"
    return ScriptedSurprise(code) if unforeseen else ScriptedError(code)
