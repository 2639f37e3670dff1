"""Null targets that run agents, with and without the plugin layer, and null handlers."""

from __future__ import annotations

from typing import Any

from loopspec import Message, Stage
from loopspec.contract.capabilities import Capability
from loopspec.contract.doubles import NoInside
from loopspec.contract.plugins import StrategyMeta
from loopspec.contract.scene import Run
from loopspec_reference import AgentContext, AnyMessage, Handler, ModelContext, State

from .registry import Everything, Refusal, null


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


@null("nothing", "agent", "plugins")
class NothingAgent(Everything):
    """Performs nothing: no run begins, and no lookup is answered."""

    async def perform(self, stage: Stage) -> None:
        """Perform the scene."""

    async def perform_plugins(self, stage: Stage) -> None:
        """Perform the scene."""
        await self.perform(stage)


@null("empty", "agent", "plugins")
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


@null("input", "agent", "plugins")
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


@null("refusal", "agent", "plugins")
class RefusingAgent(NothingAgent):
    """Cannot be built, and loads no module."""

    async def perform(self, stage: Stage) -> None:
        """Perform the scene."""
        if stage.scene.act == "outside":
            stage.doubles.outside(NoInside())
        else:
            stage.outcomes.build_failed(Refusal("no agent is built"))


@null("report", "agent", "plugins")
class ReportingAgent(EmptyAgent):
    """Fails every run and every lookup, and reports the error."""

    def look_up(self, stage: Stage, provider: str) -> None:
        """Answer a lookup with an error."""
        stage.outcomes.look_up_failed(provider, Refusal(provider))

    def run(self, stage: Stage, run: Run) -> None:
        """Perform a run."""
        error = Refusal("no run succeeds")
        stage.runs.event(stage.scene.agent.name, error=error)
        raise error


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
