"""Realistic bugs about sub-agents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import AgentTool, AnyMessage, Event, MessageEvent, State
from loopspec_reference.loop.agents import Agent
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs.run import Run, current_run
from loopspec_reference.values.messages import ToolResultBlock

from ..registry import bug


def _nested() -> bool:
    run = current_run.get()
    return run is not None and run.nested


@bug("HOOK-BM-08")
def shows_the_hooks_of_a_sub_agent_its_task_only() -> AbstractContextManager[object]:
    """Calls the before-model hooks of a sub-agent with the messages of its task at every model call."""
    prepared = ModelCalls._prepared

    async def prepares(self: ModelCalls[AnyMessage], state: State[AnyMessage]) -> State[AnyMessage]:
        answers = [at for at, one in enumerate(state.messages) if one.role == "assistant"]
        if not _nested() or not answers:
            return await prepared(self, state)
        cut = answers[0]
        found = await prepared(self, replace(state, messages=state.messages[:cut]))
        return replace(found, messages=(*found.messages, *state.messages[cut:]))

    return patch.object(ModelCalls, "_prepared", prepares)


@contextmanager
def _calling_models_of_sub_agents_without(part: str) -> Iterator[None]:
    """Call the models of sub-agents without a part of their configuration."""
    answered = ModelCalls._answered

    async def answers(self: ModelCalls[AnyMessage], run: Run, *rest: Any) -> Any:  # Any: passed on
        if not run.nested:
            return await answered(self, run, *rest)
        with patch.object(self, part, None):
            return await answered(self, run, *rest)

    with patch.object(ModelCalls, "_answered", answers):
        yield


@bug("RETRY-01")
def retries_no_model_call_of_a_sub_agent() -> AbstractContextManager[object]:
    """Wires the retry configuration only for the model calls of the outermost agent."""
    return _calling_models_of_sub_agents_without("_retry")


@bug("FAILOVER-01")
def fails_over_no_model_call_of_a_sub_agent() -> AbstractContextManager[object]:
    """Wires the failover configuration only for the model calls of the outermost agent."""
    return _calling_models_of_sub_agents_without("_failover")


@bug("MAXITER-09")
def limits_sub_agents_by_the_outer_limit() -> AbstractContextManager[object]:
    """Applies the iteration limit of the outer agent to its sub-agents."""
    loop = Agent._loop
    outer: list[int] = []

    async def loops(self: Agent[AnyMessage], run: Run, *rest: Any) -> AnyMessage:  # Any: passed on
        if not run.nested:
            outer[:] = [self._max_iterations]
            return await loop(self, run, *rest)
        with patch.object(self, "_max_iterations", min(self._max_iterations, *outer)):
            return await loop(self, run, *rest)

    return patch.object(Agent, "_loop", loops)


@bug("LOOP-07")
def calls_the_tools_of_sub_agents_one_by_one() -> AbstractContextManager[object]:
    """Runs the tool calls of a sub-agent one after the other."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], run: Run, *rest: Any) -> Any:  # Any: passed on
        if not run.nested:
            return await act(self, run, *rest)
        with patch.object(self, "_parallel", False):
            return await act(self, run, *rest)

    return patch.object(Agent, "_act", acts)


@bug("AGENTTOOL-04")
def forwards_no_empty_answers() -> AbstractContextManager[object]:
    """Forwards only the events of a sub-agent that have a text: `if message.text`."""
    sub_run = Agent._sub_run

    def starts(self: Agent[AnyMessage], parent: Run) -> Run:
        run = sub_run(self, parent)
        emit = run.emit

        def emits(event: Event) -> None:
            if not isinstance(event, MessageEvent) or event.message.outcome:
                emit(event)

        run.emit = emits
        return run

    return patch.object(Agent, "_sub_run", starts)


def _result_of_sub_agents(outcome: Any) -> AbstractContextManager[object]:  # Any: a function of a message
    """Patch the result of a call of a sub-agent."""
    within = Agent.run_within

    async def runs(self: Agent[AnyMessage], parent: Run, messages: Sequence[AnyMessage]) -> AnyMessage:
        answer = await within(self, parent, messages)
        return self.message_type.assistant(outcome(answer))

    return patch.object(Agent, "run_within", runs)


@bug("AGENTTOOL-21")
def returns_the_first_part_of_a_sub_agent() -> AbstractContextManager[object]:
    """Returns only the first part of the result with which a sub-agent ends."""

    def first(answer: AnyMessage) -> str:
        parts = getattr(answer, "parts", ()) or tuple(
            part
            for block in getattr(answer, "blocks", ())
            if isinstance(block, ToolResultBlock)
            for part in block.parts
        )
        return getattr(parts[0], "text", "") if parts else answer.outcome

    return _result_of_sub_agents(first)


@bug("AGENTTOOL-19")
def says_that_a_sub_agent_has_no_output() -> AbstractContextManager[object]:
    """Returns "(no output)" as the result of a sub-agent whose answer is empty."""
    return _result_of_sub_agents(lambda answer: answer.outcome or "(no output)")


@bug("AGENTTOOL-02")
def drops_an_empty_request() -> AbstractContextManager[object]:
    """Calls a sub-agent with an empty request without a user message."""
    invoke = AgentTool._input

    def asked(self: AgentTool[AnyMessage], parent: Run, arguments: str) -> Sequence[AnyMessage]:
        return [one for one in invoke(self, parent, arguments) if one.text]

    return patch.object(AgentTool, "_input", asked)
