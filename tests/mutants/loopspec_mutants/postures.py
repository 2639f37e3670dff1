"""Postures of the reference: a patch for each value of an axis that is not the default value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from copy import copy
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import Agent, AnyMessage, State
from loopspec_reference.calls.attempts import Attempt
from loopspec_reference.calls.models import ModelRequest
from loopspec_reference.loop import agents
from loopspec_reference.loop.agents import _Start
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs.run import Run
from loopspec_reference.values.instructions import render

from .registry import Mutant, MutantTarget, Patch, Store

AnyAgent = Agent[AnyMessage]
AnyState = State[AnyMessage]
Calls = ModelCalls[AnyMessage]


@dataclass(frozen=True)
class PatchedPosture:
    """A value of an axis, and the patch that gives the value to the reference.

    `implied` are the values of other axes that follow from the value. `backend` names the backend that has the value.
    """

    axis: str
    value: str
    patch: Patch
    implied: Mapping[str, str]
    backend: Store | None = None

    def target(self, *, patched: bool = True, declared: bool = True) -> PostureTarget:
        """Return the reference as a target that has the value, declares the value, or both."""
        return PostureTarget(self, patched=patched, declared=declared)


class PostureTarget(MutantTarget):
    """The reference with a posture: one of its backends, or all of its other roles."""

    def __init__(self, posture: PatchedPosture, *, patched: bool, declared: bool) -> None:
        self._posture, self._patched, self._declared = posture, patched, declared
        name = f"{posture.axis}-{posture.value}"
        values = {posture.axis: posture.value, **posture.implied} if declared else {}
        patch = posture.patch if patched else nothing
        super().__init__(Mutant(name, "", patch, backend=posture.backend, postures=values))

    def rebuilt(self) -> PostureTarget:
        """Return a new target of the same posture, without any state."""
        return PostureTarget(self._posture, patched=self._patched, declared=self._declared)


POSTURES: dict[tuple[str, str], PatchedPosture] = {}


def posture(
    axis: str, value: str, *, implied: Mapping[str, str] | None = None, backend: Store | None = None
) -> Callable[[Patch], Patch]:
    """Register the patch of a value of an axis, and what the value implies for other axes.

    `backend` names the backend that the patch changes.
    """

    def register(patched: Patch) -> Patch:
        if (axis, value) in POSTURES:
            raise ValueError(f"two patches have the posture {axis}: {value}")
        POSTURES[axis, value] = PatchedPosture(axis, value, patched, implied or {}, backend)
        return patched

    return register


@contextmanager
def nothing() -> Iterator[None]:
    """Patch nothing."""
    yield


@posture("after-order", "reversed")
@contextmanager
def reverses_after_hooks() -> Iterator[None]:
    """Call after-model hooks and after-agent hooks from the last handler to the first."""
    finished = ModelCalls._finished

    async def finishes(self: Calls, state: AnyState) -> AnyState:
        other = copy(self)
        other._after = self._after[::-1]
        return await finished(other, state)

    with patch.object(ModelCalls, "_finished", finishes), reverses_after_agent_hooks():
        yield


def reverses_after_agent_hooks() -> AbstractContextManager[object]:
    """Call after-agent hooks from the last handler to the first."""
    end = Agent._end

    async def ends(self: AnyAgent, run: Run, state: AnyState) -> AnyMessage:
        other = copy(self)
        other._after = self._after[::-1]
        return await end(other, run, state)

    return patch.object(Agent, "_end", ends)


@posture("edits-last", "request")
@contextmanager
def forgets_edits_after_the_request() -> Iterator[None]:
    """Continue the run without the changes of the before-model hooks."""
    call, finished = ModelCalls.call, ModelCalls._finished

    async def calls(self: Calls, run: Run, state: AnyState) -> AnyState:
        other = copy(self)

        async def finishes(prepared: AnyState) -> AnyState:
            return await finished(self, replace(state, messages=(*state.messages, prepared.messages[-1])))

        with patch.object(other, "_finished", finishes):
            return await call(other, run, state)

    with patch.object(ModelCalls, "call", calls):
        yield


@posture("empty-answer", "asked-again")
def calls_the_model_again_after_an_empty_answer() -> AbstractContextManager[object]:
    """Jump to the model after an answer with neither text nor tool calls."""
    call = ModelCalls.call

    async def calls(self: Calls, run: Run, state: AnyState) -> AnyState:
        after = await call(self, run, state)
        last = after.messages[-1] if after.messages else None
        if last is not None and last.role == "assistant" and not last.tool_calls and not last.outcome:
            run.local.setdefault("__jump__", "model")
        return after

    return patch.object(ModelCalls, "call", calls)


@posture("instruction-template", "literal")
def sends_the_instruction_as_written() -> AbstractContextManager[object]:
    """Send the instruction to the model as the caller wrote it."""

    def renders(instruction: str, session: Mapping[str, Any]) -> str:  # Any: JSON
        return instruction

    return patch.object(agents, "render", renders)


@posture("chain", "first-answer")
def ends_the_chain_with_the_first_change() -> AbstractContextManager[object]:
    """Call no after-model hook after one that changes the state."""
    finished = ModelCalls._finished

    async def finishes(self: Calls, state: AnyState) -> AnyState:
        others = copy(self)
        others._after = ()
        for handler in self._after:
            one = copy(self)
            one._after, one._legacy_after = (handler,), []
            changed = await finished(one, state)
            if changed != state:
                return await finished(others, changed)
        return await finished(others, state)

    return patch.object(ModelCalls, "_finished", finishes)


_instruction: ContextVar[str] = ContextVar("instruction", default="")


@posture("instruction-place", "request")
@contextmanager
def adds_the_instruction_to_each_request() -> Iterator[None]:
    """Add the instruction to each request to the model, and not to the state."""
    begin, answered = Agent._begin, ModelCalls._answered

    async def begins(self: AnyAgent, run: Run) -> _Start:
        start = await begin(self, run)
        if self._make_input is not None:
            _instruction.set("")
            return start
        _instruction.set(render(start.instruction, run.session))
        return replace(start, instruction="")

    async def answers(self: Calls, run: Run, request: ModelRequest[AnyMessage]) -> Attempt[AnyMessage]:
        if text := _instruction.get():
            request = replace(request, messages=(self._message_type.system(text), *request.messages))
        return await answered(self, run, request)

    with patch.object(Agent, "_begin", begins), patch.object(ModelCalls, "_answered", answers):
        yield
