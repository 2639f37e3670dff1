"""An agent being written, by Given steps: what the features of the loop are about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, get_args

from msgspec.structs import replace

from loopspec.contract.acting import Hook
from loopspec.contract.actions import Script
from loopspec.contract.agents import Agent, Handler, Legacy, Model, Tool
from loopspec.contract.plugins import Module

EVERY_HOOK: tuple[Hook, ...] = get_args(Hook)
OBSERVERS = tuple(Script(hook=hook) for hook in EVERY_HOOK)  # what only observes, in every hook

_NOT_GIVEN = Model(name="", turns=())  # the model of an agent before a step gives it another

N = TypeVar("N", bound=Handler | Legacy | Module)


def named(values: Sequence[N], name: str, otherwise: N) -> N:
    """The value with a name, or another one."""
    return next((one for one in values if one.name == name), otherwise)


def with_named(values: Sequence[N], value: N) -> tuple[N, ...]:
    """The values, of which one replaces that of its name; a new name comes last."""
    if any(one.name == value.name for one in values):
        return tuple(value if one.name == value.name else one for one in values)
    return (*values, value)


class AgentBuilder:
    """One agent, as given so far, with the sub-agents that it has as tools. Its own tool is what another agent calls.

    `models` are the models with names, which the agent can call instead of its own.
    """

    def __init__(self, name: str = "agent", description: str = "", parent: AgentBuilder | None = None) -> None:
        self.parent = parent
        self.agent = Agent(name=name, description=description, model=_NOT_GIVEN)
        self.tool = Tool(name=name)
        self.tools: dict[str, Tool | AgentBuilder] = {}
        self.twins: list[Tool] = []
        self.models: dict[str, Model] = {}

    @property
    def model_name(self) -> str:
        """The name of the agent's own model."""
        return f"{self.agent.name}'s" if self.parent else "model"

    @property
    def model(self) -> Model:
        """The agent's own model."""
        return Model() if self.agent.model in (None, _NOT_GIVEN) else self.agent.model

    def attach(self, handler: Handler) -> None:
        """Attach a handler, in place of that of its name."""
        self.agent = replace(self.agent, handlers=with_named(self.agent.handlers, handler))

    def built(self) -> Agent:
        """The agent."""
        agent, failover = self.agent, self.agent.failover
        return replace(
            agent,
            model=Model(name=self.model_name) if agent.model is _NOT_GIVEN else agent.model,
            tools=(*(self._tool(tool) for tool in self.tools.values()), *self.twins),
            additional_models=() if failover else tuple(self.models.values()),
            failover=failover
            and replace(failover, models=tuple(self.models.get(model.name, model) for model in failover.models)),
        )

    @staticmethod
    def _tool(tool: Tool | AgentBuilder) -> Tool:
        return tool if isinstance(tool, Tool) else replace(tool.tool, name=tool.agent.name, agent=tool.built())
