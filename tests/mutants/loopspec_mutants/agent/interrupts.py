"""Mutants about interrupted runs, and about how they are resumed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference.handlers.handler import State
from loopspec_reference.loop import agents
from loopspec_reference.loop.agents import Agent
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs import lifecycle
from loopspec_reference.runs.checkpoints import Checkpoint, Stop, SubInterrupt
from loopspec_reference.runs.run import Run, discard
from loopspec_reference.tools.kinds import InterruptRun, Resumed, ToolContext
from loopspec_reference.values.events import Interrupt, InterruptEvent
from loopspec_reference.values.messages import AnyMessage, Json, ToolCall

from ..registry import mutant


def _reading(change: Mapping[str, Json]) -> AbstractContextManager[object]:
    """Patch the content of checkpoints when they are read."""
    read = Checkpoint.read

    def reads(checkpoint: bytes, message_type: type[AnyMessage]) -> Any:  # Any: of whatever message type
        saved = read(checkpoint, message_type)
        return replace(saved, checkpoint=replace(saved.checkpoint, **change))

    return patch.object(Checkpoint, "read", reads)


def _reporting(
    change: Callable[[Sequence[Interrupt]], Sequence[Interrupt]],
) -> AbstractContextManager[object]:
    """Patch the reported interrupts."""

    def event(agent: str, path: tuple[str, ...], interrupts: Sequence[Interrupt], checkpoint: bytes) -> InterruptEvent:
        return InterruptEvent(agent, path, tuple(change(interrupts)), checkpoint)

    return patch.object(lifecycle, "InterruptEvent", event)


@mutant(
    "INTERRUPT-01",
    neighbors={
        "INTERRUPT-02": "the example compares the second call of the tool",
        "RETRY-25": "the example compares the whole trace until the run stops",
    },
)
def makes_an_interrupting_call_twice() -> AbstractContextManager[object]:
    """Makes a call that interrupts a streaming run a second time before the run stops, except in sub-agents."""
    make = ToolCalls.call

    async def call(self: ToolCalls[AnyMessage], run: Run, *rest: Any) -> AnyMessage:  # Any: passed on
        try:
            return await make(self, run, *rest)
        except InterruptRun as interrupt:
            if not run.streaming or run.nested or isinstance(interrupt, SubInterrupt):
                raise
            return await make(self, run, *rest)

    return patch.object(ToolCalls, "call", call)


@mutant("INTERRUPT-15", neighbors={"INTERRUPT-09": "one of the examples resumes a run twice"})
def loses_earlier_results_on_resumption() -> AbstractContextManager[object]:
    """Resumes a run without the tool results of earlier answers."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any
    ) -> tuple[State[AnyMessage], bool]:  # Any: passed on
        resumed = rest[-1]
        if resumed:
            state = replace(state, messages=tuple(one for one in state.messages if one.role != "tool"))
        return await act(self, run, start, state, *rest)

    return patch.object(Agent, "_act", acts)


@mutant("INTERRUPT-02")
def loses_the_state_of_an_interrupted_call() -> AbstractContextManager[object]:
    """Repeats an interrupted tool call without the state that the call saved; sub-agents keep their state."""
    return patch.object(agents, "Resumed", lambda state, data: Resumed(state if "phase" in state else None, data))


@mutant(
    "INTERRUPT-03",
    neighbors={
        "INTERRUPT-04": "the caller also answers the tool of the sub-agent",
        "INTERRUPT-18": "the two resumptions have different answers",
    },
)
def hides_the_callers_answer_from_the_call() -> AbstractContextManager[object]:
    """Repeats an interrupted tool call without the data that the caller has passed to the call."""
    answer = agents._answer

    def none(call: ToolCall, data: Mapping[str, Json]) -> Json:
        found = answer(call, data)
        return found if isinstance(found, Mapping) else None

    return patch.object(agents, "_answer", none)


@mutant("INTERRUPT-04", neighbors={"CANCEL-13": "the cancelled run of an example stops inside a sub-agent"})
def restarts_an_interrupted_sub_agent() -> AbstractContextManager[object]:
    """Restarts an interrupted sub-agent with its first message when the outer run is resumed."""

    async def restarts(self: Agent[AnyMessage], parent: Run, checkpoint: bytes, data: Mapping[str, Json]) -> AnyMessage:
        saved = Checkpoint.read(checkpoint, self.message_type)
        return await self.run_within(parent, [one for one in saved.state.messages if one.role == "user"][:1])

    return patch.object(Agent, "resume_within", restarts)


@mutant("INTERRUPT-05", neighbors={"CANCEL-13": "the rule is about resuming between the calls of one answer, too"})
def repeats_finished_calls_of_the_answer() -> AbstractContextManager[object]:
    """Repeats all tool calls of the interrupted answer, also those that were finished."""
    return patch.object(Checkpoint, "finished", lambda self, message_type: {})


@mutant("INTERRUPT-05")
def repeats_the_calls_of_earlier_answers() -> AbstractContextManager[object]:
    """Repeats the finished tool calls of earlier answers when a run is resumed."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any
    ) -> tuple[State[AnyMessage], bool]:  # Any: passed on
        resumed = rest[-1]
        for message in state.messages[:-1] if resumed and not run.nested else ():
            for call in message.tool_calls:
                context = ToolContext(call.name, call.id, Resumed(None, None))
                await self._tool_calls.call(run, start.box, call, context, discard, False)
        return await act(self, run, start, state, *rest)

    return patch.object(Agent, "_act", acts)


@mutant(
    "INTERRUPT-06",
    neighbors={
        "INTERRUPT-03": "an interrupt that is not reported cannot be answered",
        "INTERRUPT-04": "an interrupt that is not reported cannot be answered",
        "INTERRUPT-16": "the example also compares the reported calls",
        "INTERRUPT-17": "the example also compares the reported calls",
        "INTERRUPT-18": "an interrupt that is not reported cannot be answered",
    },
)
def reports_no_interrupting_calls() -> AbstractContextManager[object]:
    """Reports that the run was interrupted, but not by which calls."""
    return _reporting(lambda interrupts: ())


@mutant(
    "INTERRUPT-16",
    neighbors={
        "INTERRUPT-03": "the second of the interrupts cannot be answered",
        "INTERRUPT-04": "the interrupt of the second sub-agent cannot be answered",
    },
)
def reports_one_interrupt_at_a_time() -> AbstractContextManager[object]:
    """Reports only the first of several interrupts of one answer."""
    return _reporting(lambda interrupts: interrupts[:1])


@mutant("INTERRUPT-17", neighbors={"INTERRUPT-04": "an interrupt that is not reported cannot be answered"})
def hides_the_interrupts_of_sub_agents() -> AbstractContextManager[object]:
    """Reports an interrupt inside a sub-agent without the call that interrupted."""
    return _reporting(lambda interrupts: [one for one in interrupts if "/" not in one.call_id])


@mutant("INTERRUPT-07")
def resumes_without_streaming() -> AbstractContextManager[object]:
    """Resumes every run synchronously, also one that was streaming."""
    return _reading({"streaming": False})


@mutant("INTERRUPT-09")
def inserts_the_instruction_on_resumption() -> AbstractContextManager[object]:
    """Inserts the instruction into the conversation of a resumed run if the system message is missing."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any
    ) -> tuple[State[AnyMessage], bool]:  # Any: passed on
        resumed = rest[-1]
        if resumed and start.instruction and state.messages[0].role != "system":
            state = replace(state, messages=(self.message_type.system(start.instruction), *state.messages))
        return await act(self, run, start, state, *rest)

    return patch.object(Agent, "_act", acts)


@mutant("INTERRUPT-10")
def resets_the_iterations_on_resumption() -> AbstractContextManager[object]:
    """Counts the model calls of a resumed run from zero."""
    return _reading({"iteration": 0})


@mutant("INTERRUPT-11")
def restores_hidden_tools_on_resumption() -> AbstractContextManager[object]:
    """Passes all tools of the agent to the model when a run is resumed, also those that a hook has hidden."""
    loop = Agent._loop

    async def loops(
        self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], iteration: int
    ) -> AnyMessage:  # Any: what a run starts with is the agent's own
        if iteration > 0:
            state = replace(state, tools=start.box.infos)
        return await loop(self, run, start, state, iteration)

    return patch.object(Agent, "_loop", loops)


@mutant("INTERRUPT-11")
def loses_deferred_tools() -> AbstractContextManager[object]:
    """Omits the deferred tools from the checkpoint."""
    of = Checkpoint.of

    def without(run: Run, state: State[AnyMessage], *rest: Any) -> Any:  # Any: passed on
        return of(run, replace(state, deferred_tools=()), *rest)

    return patch.object(Checkpoint, "of", without)


@mutant("RETRY-25", neighbors={"RETRY-01": "an example interrupts an agent with retries"})
def repeats_the_model_call_after_an_interrupt() -> AbstractContextManager[object]:
    """Repeats the model call after an interrupt of a tool if retry is configured."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any
    ) -> tuple[State[AnyMessage], bool]:  # Any: passed on
        try:
            return await act(self, run, start, state, *rest)
        except Stop as stop:
            if stop.interrupts and self._models._retry is not None:
                await self._models.call(run, replace(state, messages=state.messages[:-1]))
            raise

    return patch.object(Agent, "_act", acts)
