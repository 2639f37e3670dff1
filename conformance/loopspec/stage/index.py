"""The scripted models, tools and handlers of a scene, by name, and the agents that they belong to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from ..contract.actions import Action, DeferTools, OfferTools, Script, SetReturnDirectly, SetTools, SetToolSearch
from ..contract.agents import Agent, Legacy, Model, Plugin, Scripted, Summarization, Tool, Turn, doubles_of, models_of
from ..contract.doubles import ScriptedCrash, ScriptedError
from ..contract.faults import AdapterError
from ..contract.scene import Scene
from ..contract.values import Error

S = TypeVar("S")


class SceneIndex:
    """Looks up what the scene says of a double, and the agent that owns it.

    A name that the scene does not have is the adapter's mistake: `fault` is the first one, and its error is raised. An
    implementation may catch the error, and the verdict is still "errored".
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.fault: AdapterError | None = None
        self.agents: dict[str, Agent] = {}
        self.models: dict[str, Model] = {}
        self.tools: dict[str, Tool] = {}
        self.scripts: dict[str, Sequence[Script]] = {}
        self.synchronous: set[str] = set()  # the middlewares whose hooks are plain functions
        self._named: set[str] = set()  # the tools that actions of handlers name
        self._owners: dict[str, str] = {}
        self._runs = {run.id: run for run in scene.runs}
        self._add_agent(scene.agent)

    def agent(self, name: str) -> Agent:
        """Return the agent of this name. Raises `AdapterError`, as the following methods do."""
        return self._found("agent", name, self.agents)

    def model(self, name: str) -> Model:
        """Return the model of this name."""
        return self._found("model", name, self.models)

    def script(self, handler: str) -> Sequence[Script]:
        """Return the scripts of the handler of this name."""
        return self._found("handler", handler, self.scripts)

    def tool(self, name: str) -> Tool:
        """Return the tool of this name; a tool that a handler only names has no more than the name."""
        if name not in self.tools and name in self._named:
            return Tool(name=name)
        return self._found("tool", name, self.tools)

    def _found(self, kind: str, name: str, known: Mapping[str, S]) -> S:
        if name in known:
            return known[name]
        error = AdapterError(
            f"the adapter asked for the {kind} {name!r}, which the scene does not have: "
            f"the {kind}s of the scene are {', '.join(known) or 'none'}"
        )
        self.fault = self.fault or error
        raise error

    def _add_agent(self, agent: Agent) -> None:
        self.agents[agent.name] = agent
        writers = [one.model for one in agent.handlers if isinstance(one, Summarization) and one.model]
        for model in (*models_of(agent), *writers):
            self.models[model.name] = model
            self._owners.setdefault(model.name, agent.name)
        for handler in doubles_of(agent):
            self.add_handler(handler, agent.name)
        for tool in (*agent.tools, *agent.additional_tools):
            if tool.agent:
                self._add_agent(tool.agent)
            else:
                self._add_tool(tool, agent.name)

    def add_handler(self, handler: Scripted | Legacy | Plugin, agent: str) -> None:
        """Add a handler or a middleware of an agent, with its tools."""
        self.scripts[handler.name] = handler.scripts
        self.name_tools(
            *(tool for script in handler.scripts for action in script.actions for tool in _named_in(action))
        )
        self._owners.setdefault(handler.name, agent)
        if isinstance(handler, Plugin) and handler.sync:
            self.synchronous.add(handler.name)
        for tool in () if isinstance(handler, Scripted) else handler.tools:
            self._add_tool(tool, agent)

    def name_tools(self, *tools: str) -> None:
        """Take the names of tools that a handler uses: such a tool has no more than its name."""
        self._named.update(tools)

    def _add_tool(self, tool: Tool, agent: str) -> None:
        self.tools.setdefault(tool.name, tool)
        self._owners.setdefault(tool.name, agent)

    def add_made(self, made: Plugin, node: str, agent: str) -> Plugin:
        """Add the middleware that a strategy has made for a node of an agent; return it with its name as a double.

        The name is the node's key; for an agent other than the scene's own one, with that agent's name.
        """
        plugin = replace(made, name=node if agent == self.scene.agent.name else f"{agent}'s {node}")
        self.add_handler(plugin, agent)
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


def _named_in(action: Action) -> tuple[str, ...]:
    """The tools that an action names."""
    match action:
        case SetTools() | OfferTools() | DeferTools() | SetReturnDirectly():
            return action.tools
        case SetToolSearch():
            return (action.tool,)
        case _:
            return ()


def fail_if_scripted(error: Error | None, crash: bool = False) -> None:
    """Raise the exception that a double fails with, if the scene lets it fail."""
    if error or crash:
        code = (error.code or error.kind) if error else "scripted"
        raise (ScriptedCrash if crash else ScriptedError)(code)
