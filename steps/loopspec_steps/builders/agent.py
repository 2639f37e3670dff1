"""An agent being written, by Given steps: what the features of the loop are about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import get_args

from msgspec.structs import replace

from loopspec.contract.actions import ReturnNothing
from loopspec.contract.agents import (
    Agent,
    Failover,
    Handler,
    Hook,
    Legacy,
    MakeInput,
    Model,
    Plugin,
    Retry,
    Script,
    Scripted,
    Tool,
    Turn,
)

from ..declarations import PhraseError

EVERY_HOOK: tuple[Hook, ...] = get_args(Hook)


@dataclass
class AgentBuilder:
    """One agent, as given so far, and the sub-agents it has as tools."""

    name: str = "agent"
    parent: AgentBuilder | None = None
    description: str = ""
    instruction: str = ""
    model: Model | None = None
    without_model: bool = False
    models: dict[str, Model] = field(default_factory=dict)
    tools: dict[str, Tool | AgentBuilder] = field(default_factory=dict)
    twins: list[Tool] = field(default_factory=list)
    additional_tools: list[Tool] = field(default_factory=list)
    handlers: dict[str, Handler] = field(default_factory=dict)
    legacy: dict[str, Legacy] = field(default_factory=dict)
    tool_middlewares: dict[str, Scripted] = field(default_factory=dict)
    max_iterations: int | None = None
    make_input: MakeInput | None = None
    exit_tool: bool = False
    return_directly: dict[str, bool] = field(default_factory=dict)
    output_key: str | None = None
    sequential: bool = False
    retry: Retry | None = None
    failover: Failover | None = None
    callbacks: bool = False
    internal_events: bool = False
    full_history: bool = False
    schema: dict[str, object] | None = None

    def script(self, name: str, *scripts: Script) -> None:
        """Let a handler do more; a new one is registered after the present ones."""
        known = self.handlers.get(name, Scripted(name=name))
        assert isinstance(known, Scripted)
        self.handlers[name] = replace(known, scripts=(*known.scripts, *scripts))

    def plugin(self, name: str, *scripts: Script, **details: object) -> None:
        """Say more of a middleware of the plugin layer; a new one is attached after the present ones."""
        known = self.plugin_or_new(name)
        if any(script.hook.startswith("around") and ReturnNothing() in script.actions for script in scripts):
            raise PhraseError(f"{name!r} returns nothing around a call, which no adapter can pass on")
        self.handlers[name] = replace(known, scripts=(*known.scripts, *scripts), **details)

    def plugin_or_new(self, name: str) -> Plugin:
        """What was said of a middleware of the plugin layer."""
        known = self.handlers.get(name, Plugin(name=name))
        if not isinstance(known, Plugin):
            raise PhraseError(f"{name!r} is no middleware of the plugin layer whose hooks are scripted")
        return known

    def retrying(self, **details: object) -> Retry:
        """Add to the configuration of retries; return all of it."""
        self.retry = replace(self.retry or Retry(), **details)
        return self.retry

    def failing_over(self, **details: object) -> None:
        """Say more of how another model is asked."""
        self.failover = replace(self.failover or Failover(), **details)

    def agent(self) -> Agent:
        """The agent."""
        model = self.model or Model(turns=(Turn(text="done"),), name="model" if not self.parent else f"{self.name}'s")
        return Agent(
            name=self.name,
            description=self.description,
            instruction=self.instruction,
            model=None if self.without_model else model,
            tools=(*(self._tool(tool) for tool in self.tools.values()), *self.twins),
            handlers=tuple(self.handlers.values()),
            max_iterations=self.max_iterations,
            additional_tools=tuple(self.additional_tools),
            additional_models=() if self.failover else tuple(self.models.values()),
            make_input=self.make_input,
            exit_tool=self.exit_tool,
            return_directly=self.return_directly,
            output_key=self.output_key,
            sequential=self.sequential,
            retry=self.retry,
            failover=self._failover(),
            legacy=tuple(self.legacy.values()),
            tool_middlewares=tuple(self.tool_middlewares.values()),
            callbacks=self.callbacks,
            internal_events=self.internal_events,
        )

    def _failover(self) -> Failover | None:
        if self.failover is None:
            return None
        return replace(self.failover, models=tuple(self.models.get(m.name, m) for m in self.failover.models))

    @staticmethod
    def _tool(tool: Tool | AgentBuilder) -> Tool:
        if isinstance(tool, Tool):
            return tool
        return Tool(name=tool.name, agent=tool.agent(), full_history=tool.full_history, schema=tool.schema)
