"""The parts of a scene that Givens set field by field."""

from __future__ import annotations

from msgspec.structs import replace

from loopspec.contract.agents import (
    Agent,
    Config,
    Failover,
    Legacy,
    Model,
    Plugin,
    Retry,
    Scripted,
    Summarization,
    Tool,
)
from loopspec.contract.around import ReturnNothing
from loopspec.contract.plugins import Strategy, Workflow
from loopspec.contract.scene import File, Run, Scene
from loopspec.contract.workspaces import Workspace

from ..builders.scene import Neighbors, SceneBuilder, named
from ..declarations import PhraseError
from ..settings import Part

SCENE: Part[Scene] = Part("scene", adds=("changes",))
CONFIG: Part[Config] = Part("scene.instructions", lambda _: Config())
FILE: Part[File] = Part("scene.files", lambda path: File(), "path")
WORKSPACE: Part[Workspace] = Part("scene.workspace", lambda _: Workspace())
WORKFLOW: Part[Workflow] = Part("scene.workflow", lambda _: Workflow())

# The agent around the AgentsMD middleware, and its handlers on one side of it.
AROUND: Part[Agent] = Part("around")
NEIGHBORS: Part[Neighbors] = Part("neighbors", lambda side: Neighbors(), "side")

# The agent that a scenario of the loop describes; and the tool that it is, as a sub-agent.
AGENT: Part[Agent] = Part("described.agent", adds=("tool_middlewares",))
SUB_AGENT: Part[Tool] = Part("described.tool")
RETRY: Part[Retry] = Part("described.agent.retry", lambda _: Retry(), adds=("rejects", "accepts"))
FAILOVER: Part[Failover] = Part("described.agent.failover", lambda _: Failover())
LEGACY: Part[Legacy] = Part("described.agent.legacy", lambda name: Legacy(name=name), "name", ("scripts",))
HANDLER: Part[Scripted] = Part("described.agent.handlers", lambda name: Scripted(name=name), "name")

# What all runs have, and what one has.
RUNS: Part[Run] = Part("run")
RUN: Part[Run] = Part("runs", lambda run: Run(id=run), "run")


class _Plugins(Part[Plugin]):
    """The middlewares of the plugin layer."""

    def put(self, builder: SceneBuilder, value: Plugin, key: str = "") -> None:
        """Put the middleware in its place. Raises `PhraseError` for an action that no adapter can pass on."""
        if any(script.hook.startswith("around") and ReturnNothing() in script.actions for script in value.scripts):
            raise PhraseError(f"{key!r} returns nothing around a call, which no adapter can pass on")
        super().put(builder, value, key)


_SCRIPTED = "middleware of the plugin layer whose hooks are scripted"
PLUGIN = _Plugins("described.agent.handlers", lambda name: Plugin(name=name), "name", what=_SCRIPTED)


class _Summarizations(Part[Summarization]):
    """The summarization, whose model has the context size of the agent's model."""

    def of(self, builder: SceneBuilder, key: str = "") -> Summarization:
        """Return the summarization."""
        new = Summarization(model=Model(name="summarizer"))
        found = named(builder.described.agent.handlers, new.name, new)
        assert isinstance(found, Summarization)
        return found

    def put(self, builder: SceneBuilder, value: Summarization, key: str = "") -> None:
        """Attach the summarization."""
        if value.model is not None:
            size = builder.described.model.max_input_tokens
            value = replace(value, model=replace(value.model, max_input_tokens=size))
        builder.described.attach(value)


SUMMARIZATION = _Summarizations("described.agent.handlers")


class _Strategies(Part[Strategy]):
    """The strategy that was given last under a provider."""

    def of(self, builder: SceneBuilder, key: str = "") -> Strategy:
        """Return the strategy. Raises `PhraseError` without one."""
        found = [one for module in builder.scene.modules for one in module.strategies if one.provider == key]
        if not found:
            raise PhraseError(f"no plugin module has a strategy for the provider {key!r}")
        return found[-1]

    def put(self, builder: SceneBuilder, value: Strategy, key: str = "") -> None:
        """Put it in the place of that of its provider, in the last module that has one."""
        *_, last = (module.name for module in builder.scene.modules for one in module.strategies if one.provider == key)
        modules = tuple(
            replace(module, strategies=tuple(value if one.provider == key else one for one in module.strategies))
            if module.name == last
            else module
            for module in builder.scene.modules
        )
        builder.scene = replace(builder.scene, modules=modules)


STRATEGY = _Strategies("scene.modules", key="provider")
