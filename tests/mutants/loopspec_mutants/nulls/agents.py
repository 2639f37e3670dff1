"""Null targets that run agents, with and without the plugin layer, and null handlers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from loopspec import Message, Stage
from loopspec.contract.capabilities import Capability
from loopspec.contract.doubles import NoInside
from loopspec.contract.plugins import StrategyMeta
from loopspec.contract.roles import Role
from loopspec.contract.scene import Run
from loopspec_reference import AgentContext, AnyMessage, Handler, ModelContext, State

from .registry import Everything, Null, Refusal, enter, null

At = Literal["build", "run"]
AGENTS: tuple[Role, Role] = ("agent", "plugins")


class _Inside(NoInside):
    """Accepts every action outside any run, and does nothing."""

    def set_local(self, key: str, value: object) -> None:
        """Do nothing."""

    def get_local(self, key: str) -> tuple[object, bool]:
        """Find nothing."""
        return None, False

    def delete_local(self, key: str) -> None:
        """Do nothing."""

    def send_event(self, payload: object) -> None:
        """Do nothing."""


@null("nothing", *AGENTS)
class NothingAgent(Everything):
    """Performs nothing: no run begins, and no lookup is answered."""

    async def perform(self, stage: Stage) -> None:
        """Perform the scene."""

    async def perform_plugins(self, stage: Stage) -> None:
        """Perform the scene."""
        await self.perform(stage)


@null("empty", *AGENTS)
class EmptyAgent(NothingAgent):
    """Ends every run without an event and without a call of a model, and answers every lookup with empty metadata."""

    async def perform(self, stage: Stage) -> None:
        """Perform the scene."""
        if stage.scene.act == "outside":
            stage.doubles.outside(_Inside())
        for provider in stage.scene.lookups:
            self.look_up(stage, provider)
        async for batch in stage.runs.concurrent_runs():
            for run in batch:
                with stage.runs.running(run):
                    self.run(stage, run)

    def look_up(self, stage: Stage, provider: str) -> None:
        """Answer a lookup."""
        stage.outcomes.looked_up(provider, StrategyMeta(name=""))

    def run(self, stage: Stage, run: Run) -> None:
        """Perform a run."""


@null("input", *AGENTS)
class InputAgent(EmptyAgent):
    """Answers every run with the last message of its caller, keeps the session, and every lookup with the provider."""

    def look_up(self, stage: Stage, provider: str) -> None:
        """Answer a lookup. Metadata as they were given would be a whole registry."""
        stage.outcomes.looked_up(provider, StrategyMeta(name=provider, label={"en_US": provider}))

    def run(self, stage: Stage, run: Run) -> None:
        """Perform a run."""
        given = stage.runs.messages(run)
        text = given[-1].content if given else ""
        stage.runs.event(stage.scene.agent.name, Message(role="assistant", content=text))
        stage.runs.ended_with(run.session)


class RefusingAgent(EmptyAgent):
    """Fails when the agent is built, or in every run and every lookup. `error` makes the error with this text."""

    def __init__(self, at: At, error: Callable[[str], Exception]) -> None:
        self._at = at
        self._error = error

    async def perform(self, stage: Stage) -> None:
        """Perform the scene."""
        if self._at == "run":
            await super().perform(stage)
        elif stage.scene.act == "outside":
            stage.doubles.outside(NoInside())
        else:
            stage.outcomes.build_failed(self._error("no agent is built"))

    def look_up(self, stage: Stage, provider: str) -> None:
        """Answer a lookup with the error."""
        stage.outcomes.look_up_failed(provider, self._error(provider))

    def run(self, stage: Stage, run: Run) -> None:
        """Fail a run with the error."""
        error = self._error("no run succeeds")
        stage.runs.event(stage.scene.agent.name, error=error)
        raise error


for _role in AGENTS:
    enter(Null(_role, "refusal", "Cannot be built, and loads no module.", partial(RefusingAgent, "build", Refusal)))
    enter(Null(_role, "report", "Fails every run and every lookup.", partial(RefusingAgent, "run", Refusal)))


class _AnyHandler(Handler[AnyMessage]):
    capabilities: tuple[Capability, ...] = ("agentic-messages", "idempotent", "no-op")


@null("nothing", "handler")
class NothingHandler(_AnyHandler):
    """Returns nothing from every hook."""

    async def before_agent(self, context: AgentContext) -> Any:  # Any: a wrong value, on purpose, here and below
        """Return nothing."""

    async def before_model(self, state: State[AnyMessage], context: ModelContext[AnyMessage]) -> Any:
        """Return nothing."""

    async def after_model(self, state: State[AnyMessage], context: ModelContext[AnyMessage]) -> Any:
        """Return nothing."""


@null("empty", "handler")
class EmptyHandler(_AnyHandler):
    """Returns an empty conversation from every hook."""

    async def before_model(self, state: State[AnyMessage], context: ModelContext[AnyMessage]) -> State[AnyMessage]:
        """Return an empty conversation."""
        return State((), (), ())

    async def after_model(self, state: State[AnyMessage], context: ModelContext[AnyMessage]) -> State[AnyMessage]:
        """Return an empty conversation."""
        return State((), (), ())


@null("refusal", "handler")
class RefusingHandler(_AnyHandler):
    """Fails in every hook."""

    async def before_agent(self, context: AgentContext) -> AgentContext:
        """Fail."""
        raise Refusal("no agent runs")
