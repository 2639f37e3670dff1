"""Postures of the reference: a patch for each value of an axis that is not the default value."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from copy import copy
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec import Posture
from loopspec.contract.axes import Postures
from loopspec_reference import Agent, AnyMessage, ConfigError, InterruptRun, State, ToolCall
from loopspec_reference.loop import agents
from loopspec_reference.loop.agents import _Start
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.run import Run
from loopspec_reference.tools import toolboxes
from loopspec_reference.tools.kinds import AnyTool, ToolContext
from loopspec_reference.tools.toolboxes import Toolbox
from loopspec_reference.values.events import Event, MessageEvent

from .registry import Mutant, MutantTarget, Patch

AnyAgent = Agent[AnyMessage]
AnyState = State[AnyMessage]
Calls = ModelCalls[AnyMessage]
Make = Callable[[int], Coroutine[Any, Any, None]]  # Any: what a coroutine yields to its loop


@dataclass(frozen=True)
class PatchedPosture:
    """A value of an axis, and the patch that gives the value to the reference."""

    axis: str
    value: str
    patch: Patch

    def target(self, *, patched: bool = True, declared: bool = True) -> PostureTarget:
        """Return the reference as a target that has the value, declares the value, or both."""
        return PostureTarget(self, patched=patched, declared=declared)


class PostureTarget(MutantTarget):
    """The reference with a posture, in all of its roles except for backends."""

    def __init__(self, posture: PatchedPosture, *, patched: bool, declared: bool) -> None:
        self._posture, self._patched, self._declared = posture, patched, declared
        name = f"{posture.axis}-{posture.value}"
        super().__init__(Mutant(name, "", posture.patch if patched else nothing))
        measured = Posture(posture.value, measured=True)
        self.postures: Postures = {posture.axis: measured} if declared else {}

    def rebuilt(self) -> PostureTarget:
        """Return a new target of the same posture, without any state."""
        return PostureTarget(self._posture, patched=self._patched, declared=self._declared)


POSTURES: dict[tuple[str, str], PatchedPosture] = {}


def posture(axis: str, value: str) -> Callable[[Patch], Patch]:
    """Register the patch of a value of an axis."""

    def register(patched: Patch) -> Patch:
        if (axis, value) in POSTURES:
            raise ValueError(f"two patches have the posture {axis}: {value}")
        POSTURES[axis, value] = PatchedPosture(axis, value, patched)
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
    finished, end = ModelCalls._finished, Agent._end

    async def finishes(self: Calls, state: AnyState) -> AnyState:
        other = copy(self)
        other._after = self._after[::-1]
        return await finished(other, state)

    async def ends(self: AnyAgent, run: Run, state: AnyState) -> AnyMessage:
        other = copy(self)
        other._after = self._after[::-1]
        return await end(other, run, state)

    with patch.object(ModelCalls, "_finished", finishes), patch.object(Agent, "_end", ends):
        yield


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


@posture("tool-failure", "reported")
def reports_tool_failures() -> AbstractContextManager[object]:
    """Return the error of a failed tool call as its result."""
    call = ToolCalls.call

    async def calls(
        self: ToolCalls[AnyMessage],
        run: Run,
        box: Toolbox,
        call_: ToolCall,
        context: ToolContext,
        emit: Callable[[Event], None],
        exits: bool,
    ) -> AnyMessage:
        try:
            return await call(self, run, box, call_, context, emit, exits)
        except InterruptRun:
            raise
        except Exception as error:
            message = self._message_type.tool_result(call_, f"failed: {error}")
            emit(MessageEvent(run.agent, run.path, message, exits))
            return message

    return patch.object(ToolCalls, "call", calls)


def _reporting_unknown(call: Any) -> Any:  # Any: the method of `ToolCalls`, without its self
    """Return a call that returns an error as the result of a call of an unknown tool."""

    async def calls(
        self: ToolCalls[AnyMessage],
        run: Run,
        box: Toolbox,
        call_: ToolCall,
        context: ToolContext,
        emit: Callable[[Event], None],
        exits: bool,
    ) -> AnyMessage:
        if call_.name in box.tools:
            known: AnyMessage = await call(self, run, box, call_, context, emit, exits)
            return known
        message = self._message_type.tool_result(call_, f"there is no tool {call_.name!r}")
        emit(MessageEvent(run.agent, run.path, message, exits))
        return message

    return calls


@posture("unknown-tool", "reported")
@contextmanager
def reports_unknown_tools() -> Iterator[None]:
    """Return an error as the result of a call of an unknown tool."""

    def knows_all(self: AnyAgent, start: _Start, calls: Sequence[ToolCall]) -> None:
        """Accept every name."""

    with (
        patch.object(ToolCalls, "call", _reporting_unknown(ToolCalls.call)),
        patch.object(Agent, "_check_known", knows_all),
    ):
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


@posture("same-name", "accepted")
@contextmanager
def accepts_two_tools_of_one_name() -> Iterator[None]:
    """Build agents with two tools of one name; the last one is called."""

    def checks(tools: Sequence[AnyTool]) -> None:
        for tool in tools:
            try:
                name = tool.info.name
            except Exception:
                continue
            if not name:
                raise ConfigError(f"a tool has no name: {tool!r:.80}")

    with patch.object(agents, "check_names", checks), patch.object(toolboxes, "check_names", checks):
        yield


class _Tools(dict[str, AnyTool]):
    """The tools of an agent that acts as if it had some."""

    def __bool__(self) -> bool:
        return True


@posture("calls-without-tools", "reported")
@contextmanager
def reports_calls_of_an_agent_without_tools() -> Iterator[None]:
    """Return an error as the result of a call if the agent has no tools."""
    begin, call, check = Agent._begin, ToolCalls.call, Agent._check_known

    async def begins(self: AnyAgent, run: Run) -> _Start:
        start = await begin(self, run)
        if start.box.tools:
            return start
        box = copy(start.box)
        box.tools = _Tools()
        return replace(start, box=box)

    def knows_all(self: AnyAgent, start: _Start, calls: Sequence[ToolCall]) -> None:
        if len(start.box.tools):
            check(self, start, calls)

    with (
        patch.object(Agent, "_begin", begins),
        patch.object(ToolCalls, "call", _reporting_unknown(call)),
        patch.object(Agent, "_check_known", knows_all),
    ):
        yield


_limit: ContextVar[int] = ContextVar("limit")


@posture("limit-ends", "last-answer")
@contextmanager
def ends_with_a_last_answer() -> Iterator[None]:
    """Call the model once more at the limit, without tools, and end the run."""
    loop, call = Agent._loop, ModelCalls.call

    async def loops(self: AnyAgent, run: Run, start: _Start, state: AnyState, iteration: int) -> AnyMessage:
        other = copy(self)
        other._max_iterations += 1
        token = _limit.set(self._max_iterations)
        try:
            return await loop(other, run, start, state, iteration)
        finally:
            _limit.reset(token)

    async def calls(self: Calls, run: Run, state: AnyState) -> AnyState:
        if run.iteration < _limit.get():
            return await call(self, run, state)
        run.local["__jump__"] = "model"  # which a call of the model deletes
        after = await call(self, run, replace(state, tools=(), deferred_tools=()))
        run.local["__jump__"] = "end"
        return after

    with patch.object(Agent, "_loop", loops), patch.object(ModelCalls, "call", calls):
        yield


def _limiting(change: Callable[[AnyAgent], None]) -> AbstractContextManager[object]:
    """Change the agents that are built with an iteration limit that is not positive."""
    build = Agent.__init__

    def builds(self: AnyAgent, **parts: Any) -> None:  # Any: the parts of an agent
        build(self, **parts)
        if parts.get("max_iterations", 1) <= 0:
            change(self)

    return patch.object(Agent, "__init__", builds)


@posture("limit-zero", "refused")
def refuses_a_limit_of_zero() -> AbstractContextManager[object]:
    """Build no agent with a limit of zero."""

    def refuses(agent: AnyAgent) -> None:
        raise ConfigError("the iteration limit must be positive")

    return _limiting(refuses)


@posture("limit-zero", "unlimited")
def takes_zero_for_no_limit() -> AbstractContextManager[object]:
    """Call the model as often as a run needs."""

    def frees(agent: AnyAgent) -> None:
        agent._max_iterations = sys.maxsize

    return _limiting(frees)


@posture("limit-zero", "no-call")
def calls_no_model_at_a_limit_of_zero() -> AbstractContextManager[object]:
    """Fail before the first model call."""

    def limits(agent: AnyAgent) -> None:
        agent._max_iterations = 0

    return _limiting(limits)


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


_siblings: ContextVar[list[asyncio.Task[None]]] = ContextVar("siblings")


@posture("failed-sibling", "cancelled")
@contextmanager
def cancels_the_siblings_of_a_failed_call() -> Iterator[None]:
    """Cancel the other calls of an answer when one fails."""
    make_all, call = Agent._make_all, ToolCalls.call

    async def makes(self: AnyAgent, make: Make, opened: Sequence[int]) -> None:
        if len(opened) < 2 or not self._parallel:
            _siblings.set([])
            return await make_all(self, make, opened)
        tasks: list[asyncio.Task[None]] = []
        _siblings.set(tasks)
        tasks += [asyncio.ensure_future(make(at)) for at in opened]
        try:
            await asyncio.wait(tasks)
        except asyncio.CancelledError:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            raise

    async def calls(self: ToolCalls[AnyMessage], *parts: Any) -> AnyMessage:  # Any: the parts of a call
        try:
            return await call(self, *parts)
        except InterruptRun:
            raise
        except Exception:
            for task in _siblings.get():
                if task is not asyncio.current_task():
                    task.cancel()
            raise

    with patch.object(Agent, "_make_all", makes), patch.object(ToolCalls, "call", calls):
        yield


@posture("tool-information", "at-build")
def reads_the_information_of_tools_at_the_build() -> AbstractContextManager[object]:
    """Build no agent with a tool whose information cannot be read."""
    check = toolboxes.check_names

    def checks(tools: Sequence[AnyTool]) -> None:
        for tool in tools:
            try:
                _ = tool.info
            except Exception as error:
                raise ConfigError("a tool provides no information about itself") from error
        check(tools)

    return patch.object(agents, "check_names", checks)
