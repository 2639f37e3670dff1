"""Realistic bugs about what a model call receives, and about what the agent does with its answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference.calls.models import ModelRequest
from loopspec_reference.handlers.handler import Handler, State
from loopspec_reference.loop import agents, model_calls
from loopspec_reference.loop.agents import Agent
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.plugins import summarization
from loopspec_reference.plugins.conversations import safe_cut
from loopspec_reference.runs.run import Run
from loopspec_reference.values.errors import InstructionError
from loopspec_reference.values.events import MessageEvent
from loopspec_reference.values.instructions import render
from loopspec_reference.values.messages import AnyMessage, Json

from ..registry import bug


def _sending(change: Any) -> AbstractContextManager[object]:  # Any: a function of messages of one type
    """Patch the messages of each model request."""

    def request(messages: Sequence[AnyMessage], *rest: Any) -> ModelRequest[AnyMessage]:  # Any: passed on
        return ModelRequest(tuple(change(messages)), *rest)

    return patch.object(model_calls, "ModelRequest", request)


@bug("LOOP-05")
def sends_the_instruction_once() -> AbstractContextManager[object]:
    """Sends the instruction with the first model call of a run, and not with the calls after tool results."""

    def later(messages: Sequence[AnyMessage]) -> Sequence[AnyMessage]:
        results = messages[-1:] and (messages[-1].role == "tool" or (messages[-1].outcome and not messages[-1].text))
        return messages[1:] if results and messages[0].role == "system" else messages

    return _sending(later)


@bug("LOOP-05", "INSTR-01")
def counts_all_system_messages_for_the_instruction() -> AbstractContextManager[object]:
    """Inserts the instruction after as many messages as the conversation has system messages, wherever these are."""
    fresh = Agent._fresh

    async def counts(self: Agent[AnyMessage], run: Run, messages: Sequence[AnyMessage]) -> AnyMessage:
        at = sum(1 for message in messages if message.role == "system")
        loop = self._loop

        async def moved(run: Run, start: Any, state: State[AnyMessage], iteration: int) -> AnyMessage:
            if self._make_input is None and len(state.messages) == len(messages) + 1:
                instruction, *rest = state.messages
                state = replace(state, messages=(*rest[:at], instruction, *rest[at:]))
            return await loop(run, start, state, iteration)

        with patch.object(self, "_loop", moved):
            return await fresh(self, run, messages)

    return patch.object(Agent, "_fresh", counts)


@bug("INSTR-04")
def looks_up_keys_in_doubled_braces() -> AbstractContextManager[object]:
    """Takes a name in doubled braces for a placeholder, and fails if the session has no value for it."""

    def looks_up(instruction: str, session: Mapping[str, Json]) -> str:
        for part in instruction.split("{{")[1:]:
            name = part.partition("}}")[0]
            if name.isidentifier() and name not in session:
                raise InstructionError(f"the session has no value {name!r}")
        return render(instruction, session)

    return patch.object(agents, "render", looks_up)


@bug("LOOP-05")
def keeps_the_latest_item_of_a_call_id() -> AbstractContextManager[object]:
    """Sends only the latest of several tool results with the same call id, at the position of the first."""

    def latest(messages: Sequence[AnyMessage]) -> Sequence[AnyMessage]:
        kept: dict[object, AnyMessage] = {}
        for at, message in enumerate(messages):
            kept[getattr(message, "call_id", None) or at] = message
        return list(kept.values())

    return _sending(latest)


@bug("LOOP-05")
def reuses_the_result_of_an_equal_call() -> AbstractContextManager[object]:
    """Returns the first result of a tool for each later call of the tool with the same arguments in a run."""
    call = ToolCalls.call

    async def calls(self: Any, run: Run, box: Any, one: Any, context: Any, emit: Any, exits: bool) -> AnyMessage:
        known = run.named.setdefault("results of calls", {})
        assert isinstance(known, dict)
        key = (one.name, one.arguments)
        if key in known and context.resumed is None:
            emit(MessageEvent(run.agent, run.path, known[key], exits))
            repeated: AnyMessage = known[key]
            return repeated
        message: AnyMessage = await call(self, run, box, one, context, emit, exits)
        known[key] = message
        return message

    return patch.object(ToolCalls, "call", calls)


@bug("HOOK-AM-02", "HOOK-AM-12")
def drops_calls_where_a_hook_follows_the_model() -> AbstractContextManager[object]:
    """Takes an answer with tool calls for the final answer if any handler has an after-model hook."""
    finished = ModelCalls._finished

    async def finishes(self: ModelCalls[AnyMessage], state: State[AnyMessage]) -> State[AnyMessage]:
        answer = state.messages[-1]
        if (self._after or self._legacy_after) and answer.tool_calls:
            state = replace(state, messages=(*state.messages[:-1], type(answer).assistant(answer.text)))
        return await finished(self, state)

    return patch.object(ModelCalls, "_finished", finishes)


@bug("LEGACY-07")
def wraps_no_streaming_calls_with_middlewares() -> AbstractContextManager[object]:
    """Calls the tool wrappers of handlers in a streaming run, but not those of middlewares."""
    call = ToolCalls.call
    kinds = ("_plain", "_streaming", "_enhanced", "_enhanced_streaming")

    async def calls(self: ToolCalls[AnyMessage], run: Run, *rest: Any) -> AnyMessage:  # Any: passed on
        if not run.streaming:
            return await call(self, run, *rest)
        other = ToolCalls.__new__(ToolCalls)
        other.__dict__.update(self.__dict__)
        for kind in kinds:
            setattr(other, kind, [layer for layer in getattr(self, kind) if isinstance(layer, Handler)])
        return await call(other, run, *rest)

    return patch.object(ToolCalls, "call", calls)


@bug("XP-SUM-12")
def cuts_before_user_messages_only() -> AbstractContextManager[object]:
    """Looks for the cut of a summarization before user messages only, and summarizes nothing without one."""

    def cut(history: Sequence[AnyMessage], at: int) -> int:
        at = safe_cut(history, at)
        while 0 < at < len(history) and history[at].role != "user":
            at += 1
        return at if at < len(history) else 0

    return patch.object(summarization, "safe_cut", cut)


@bug("XP-SUM-18")
def never_cuts_after_the_last_message() -> AbstractContextManager[object]:
    """Summarizes nothing if no message should be kept: a cut at the end counts as no cut."""

    def cut(history: Sequence[AnyMessage], at: int) -> int:
        found = safe_cut(history, at)
        return found if found < len(history) else 0

    return patch.object(summarization, "safe_cut", cut)
