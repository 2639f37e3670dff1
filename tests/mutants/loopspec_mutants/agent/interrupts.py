"""Mutants about interrupted runs, and about how they are resumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    """Find something else in checkpoints than they hold."""
    read = Checkpoint.read

    def reads(checkpoint: bytes, message_type: type[AnyMessage]) -> Any:  # Any: of whatever message type
        saved = read(checkpoint, message_type)
        return replace(saved, checkpoint=replace(saved.checkpoint, **change))

    return patch.object(Checkpoint, "read", reads)


@mutant(
    "INTERRUPT-01",
    neighbors={
        "INTERRUPT-02": "it looks at the second call of the tool",
        "RETRY-25": "it looks at the whole trace until the run stops",
    },
)
def asks_once_more_before_it_stops() -> AbstractContextManager[object]:
    """Makes a call that interrupts a streaming run a second time before it believes it, sub-agents apart."""
    make = ToolCalls.call

    async def call(self: ToolCalls[AnyMessage], run: Run, *rest: Any) -> AnyMessage:  # Any: handed on
        try:
            return await make(self, run, *rest)
        except InterruptRun as interrupt:
            if not run.streaming or run.nested or isinstance(interrupt, SubInterrupt):
                raise
            return await make(self, run, *rest)

    return patch.object(ToolCalls, "call", call)


@mutant("INTERRUPT-02")
def forgets_what_the_call_left() -> AbstractContextManager[object]:
    """Makes an interrupted call again without the state that it left; sub-agents find theirs."""
    return patch.object(agents, "Resumed", lambda state, data: Resumed(state if "phase" in state else None, data))


@mutant("INTERRUPT-03", neighbors={"INTERRUPT-04": "the tool of the sub-agent is answered, too"})
def keeps_the_answer_to_itself() -> AbstractContextManager[object]:
    """Makes an interrupted call again, and does not tell it what the caller has answered."""
    answer = agents._answer

    def none(call: ToolCall, data: Mapping[str, Json]) -> Json:
        found = answer(call, data)
        return found if isinstance(found, Mapping) else None

    return patch.object(agents, "_answer", none)


@mutant("INTERRUPT-04")
def begins_the_sub_agent_anew() -> AbstractContextManager[object]:
    """Lets an interrupted sub-agent begin from its first message when the run outside is resumed."""

    async def anew(self: Agent[AnyMessage], parent: Run, checkpoint: bytes, data: Mapping[str, Json]) -> AnyMessage:
        saved = Checkpoint.read(checkpoint, self.message_type)
        return await self.run_within(parent, [one for one in saved.state.messages if one.role == "user"][:1])

    return patch.object(Agent, "resume_within", anew)


@mutant("INTERRUPT-05", neighbors={"CANCEL-13": "it, too, resumes between the calls of one answer"})
def makes_all_calls_again() -> AbstractContextManager[object]:
    """Makes all calls of the answer again, those that were done, too."""
    return patch.object(Checkpoint, "finished", lambda self, message_type: {})


@mutant("INTERRUPT-05")
def repeats_the_calls_of_earlier_answers() -> AbstractContextManager[object]:
    """Repeats the finished calls of earlier answers when a run is resumed."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any
    ) -> tuple[State[AnyMessage], bool]:  # Any: handed on
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
        "INTERRUPT-03": "what nobody knows of cannot be answered",
        "INTERRUPT-04": "what nobody knows of cannot be answered",
        "INTERRUPT-05": "it asks who has interrupted, too",
    },
)
def stops_without_a_word() -> AbstractContextManager[object]:
    """Says that the run was interrupted, and not by which calls."""

    def event(agent: str, path: tuple[str, ...], stopped: Sequence[Interrupt], checkpoint: bytes) -> InterruptEvent:
        return InterruptEvent(agent, path, (), checkpoint)

    return patch.object(lifecycle, "InterruptEvent", event)


@mutant("INTERRUPT-07")
def goes_on_without_streaming() -> AbstractContextManager[object]:
    """Goes on synchronously, whatever the mode was."""
    return _reading({"streaming": False})


@mutant("INTERRUPT-09")
def puts_the_instruction_in_again() -> AbstractContextManager[object]:
    """Begins the conversation of a resumed run with the instruction if the system message is missing."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any
    ) -> tuple[State[AnyMessage], bool]:  # Any: handed on
        resumed = rest[-1]
        if resumed and start.instruction and state.messages[0].role != "system":
            state = replace(state, messages=(self.message_type.system(start.instruction), *state.messages))
        return await act(self, run, start, state, *rest)

    return patch.object(Agent, "_act", acts)


@mutant("INTERRUPT-10")
def counts_from_the_start_again() -> AbstractContextManager[object]:
    """Gives a resumed run as many model calls as a new one."""
    return _reading({"iteration": 0})


@mutant("INTERRUPT-11")
def offers_everything_again() -> AbstractContextManager[object]:
    """Offers the model all tools of the agent when a run is resumed."""
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
    """Leaves the deferred tools out of the checkpoint."""
    of = Checkpoint.of

    def without(run: Run, state: State[AnyMessage], *rest: Any) -> Any:  # Any: handed on
        return of(run, replace(state, deferred_tools=()), *rest)

    return patch.object(Checkpoint, "of", without)


@mutant("RETRY-25")
def retries_an_interrupted_step() -> AbstractContextManager[object]:
    """Calls the model again, where retry is configured, when a tool has interrupted the run."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any
    ) -> tuple[State[AnyMessage], bool]:  # Any: handed on
        try:
            return await act(self, run, start, state, *rest)
        except Stop as stop:
            if stop.interrupts and self._models._retry is not None:
                await self._models.call(run, replace(state, messages=state.messages[:-1]))
            raise

    return patch.object(Agent, "_act", acts)
