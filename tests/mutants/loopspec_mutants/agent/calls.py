"""Mutants about the tool calls of one answer, and about failures in a run."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec.contract.doubles import ScriptedCrash
from loopspec_reference import (
    AnyMessage,
    MessageEvent,
    ModelRequest,
    NothingReturnedError,
    Output,
    State,
    ToolCall,
)
from loopspec_reference.loop.agents import Agent
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.run import Run
from loopspec_reference.tools.toolboxes import Toolbox

from ..registry import mutant

Make = Callable[[int], Coroutine[Any, Any, None]]  # Any: as the reference has it


@mutant(
    "LOOP-06",
    neighbors={
        "TOOLS-01": "an answer of an example calls one tool twice",
        "LOOP-28": "an answer of an example calls one tool twice",
        "LOOP-02": "an example calls one tool twenty times",
        "AGENTTOOL-02": "one of the examples calls a sub-agent twice in one answer",
        "AGENTTOOL-17": "the rule is about a sub-agent that one answer calls twice",
    },
)
def keeps_one_call_of_each_tool() -> AbstractContextManager[object]:
    """Keeps the tool calls of an answer by the names of their tools, so that only the last call of a tool is made."""
    call = ModelCalls.call

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        state = await call(self, run, state)
        answer = state.messages[-1]
        kept = {one.name: one for one in answer.tool_calls}
        if len(kept) == len(answer.tool_calls):
            return state
        reduced = type(answer).assistant(answer.text, kept.values())
        return replace(state, messages=(*state.messages[:-1], reduced))

    return patch.object(ModelCalls, "call", calls)


@mutant("LOOP-07")
@contextmanager
def emits_results_together() -> Iterator[None]:
    """Emits the events of several tool results only after all calls of the answer have ended."""
    make_all, call = Agent._make_all, ToolCalls.call
    waiting: ContextVar[list[Callable[[], None]] | None] = ContextVar("waiting", default=None)

    async def calls(self: ToolCalls[AnyMessage], *rest: Any) -> AnyMessage:  # Any: passed on
        *most, emit, exits = rest
        held = waiting.get()
        later = emit if held is None else lambda event: held.append(partial(emit, event))
        given = (*most, later, exits)
        return await call(self, *given)

    async def makes(self: Agent[AnyMessage], make: Make, opened: Sequence[int]) -> None:
        held: list[Callable[[], None]] = []
        waiting.set(held if len(opened) > 1 else None)
        await make_all(self, make, opened)
        for emit in held:
            emit()

    with patch.object(Agent, "_make_all", makes), patch.object(ToolCalls, "call", calls):
        yield


@mutant("LOOP-29")
@contextmanager
def appends_results_in_completion_order() -> Iterator[None]:
    """Appends tool results in the order in which the calls end."""
    act, call = Agent._act, ToolCalls.call
    ended: ContextVar[list[AnyMessage]] = ContextVar("ended")

    async def calls(self: ToolCalls[AnyMessage], *rest: Any) -> AnyMessage:  # Any: passed on
        result = await call(self, *rest)
        ended.get().append(result)
        return result

    async def acts(self: Agent[AnyMessage], *rest: Any) -> tuple[State[AnyMessage], bool]:  # Any: passed on
        ended.set([])
        state, direct = await act(self, *rest)
        order = {id(message): at for at, message in enumerate(ended.get())}
        known = len(state.messages) - len(order)
        if direct or any(id(message) not in order for message in state.messages[known:]):
            return state, direct
        results = sorted(state.messages[known:], key=lambda message: order[id(message)])
        return replace(state, messages=(*state.messages[:known], *results)), direct

    with patch.object(Agent, "_act", acts), patch.object(ToolCalls, "call", calls):
        yield


@mutant("LOOP-08")
def makes_sequential_calls_concurrently() -> AbstractContextManager[object]:
    """Makes the tool calls of an answer concurrently even if they are configured to be sequential."""

    async def makes(self: Agent[AnyMessage], make: Make, opened: Sequence[int]) -> None:
        await asyncio.gather(*(make(at) for at in opened))

    return patch.object(Agent, "_make_all", makes)


def _with_calls(changed: Callable[[ToolCall], ToolCall]) -> AbstractContextManager[object]:
    """Patch the tool calls that are made."""
    call = ToolCalls.call

    async def calls(
        self: ToolCalls[AnyMessage],
        run: Run,
        box: Toolbox,
        requested: ToolCall,
        *rest: Any,  # Any: passed on
    ) -> AnyMessage:
        return await call(self, run, box, changed(requested), *rest)

    return patch.object(ToolCalls, "call", calls)


@mutant("LOOP-15")
def drops_null_arguments() -> AbstractContextManager[object]:
    """Drops the fields that are null from the arguments of a tool call, at any depth."""

    def filled(value: Any) -> Any:  # Any: JSON
        if isinstance(value, dict):
            return {key: filled(one) for key, one in value.items() if one is not None}
        return [filled(one) for one in value] if isinstance(value, list) else value

    def change(requested: ToolCall) -> ToolCall:
        if "null" not in requested.arguments:
            return requested
        return replace(requested, arguments=json.dumps(filled(json.loads(requested.arguments))))

    return _with_calls(change)


@mutant("LOOP-28")
def reformats_arguments() -> AbstractContextManager[object]:
    """Parses the arguments of a tool call, and passes the reformatted JSON to the tool."""

    def tidy(requested: ToolCall) -> ToolCall:
        try:
            return replace(requested, arguments=json.dumps(json.loads(requested.arguments)))
        except ValueError:
            return requested

    return _with_calls(tidy)


@mutant("LOOP-21")
def rejects_arguments_that_are_not_json() -> AbstractContextManager[object]:
    """Rejects arguments that are not JSON before the tool receives them."""

    def check(requested: ToolCall) -> ToolCall:
        json.loads(requested.arguments)
        return requested

    return _with_calls(check)


@mutant("LOOP-13")
@contextmanager
def drops_results_after_an_error() -> Iterator[None]:
    """Emits no event for the result of a call that ends after another call of the answer has failed."""
    make_all, call = Agent._make_all, ToolCalls.call
    failed: ContextVar[list[Exception]] = ContextVar("failed")

    async def calls(self: ToolCalls[AnyMessage], *rest: Any) -> AnyMessage:  # Any: passed on
        *most, emit, exits = rest
        errors = failed.get()
        given = (*most, lambda event: None if errors else emit(event), exits)
        try:
            return await call(self, *given)
        except Exception as error:
            errors.append(error)
            raise

    async def makes(self: Agent[AnyMessage], make: Make, opened: Sequence[int]) -> None:
        failed.set([])
        await make_all(self, make, opened)

    with patch.object(Agent, "_make_all", makes), patch.object(ToolCalls, "call", calls):
        yield


@mutant("LOOP-30")
@contextmanager
def reports_the_earliest_error() -> Iterator[None]:
    """Ends the run with the error that happened first, not with the error of the first failed call in the answer."""
    act, call = Agent._act, ToolCalls.call
    errors: ContextVar[list[Exception]] = ContextVar("errors")

    async def calls(self: ToolCalls[AnyMessage], *rest: Any) -> AnyMessage:  # Any: passed on
        try:
            return await call(self, *rest)
        except Exception as error:
            errors.get().append(error)
            raise

    async def acts(self: Agent[AnyMessage], *rest: Any) -> tuple[State[AnyMessage], bool]:  # Any: passed on
        errors.set([])
        try:
            return await act(self, *rest)
        except Exception as error:
            raise errors.get()[0] if error in errors.get() else error from None

    with patch.object(Agent, "_act", acts), patch.object(ToolCalls, "call", calls):
        yield


@mutant("LOOP-14")
def makes_a_result_of_a_crashed_tool() -> AbstractContextManager[object]:
    """Makes a tool result of a crash in a tool, and continues."""
    call = ToolCalls.call

    async def calls(
        self: ToolCalls[AnyMessage],
        run: Run,
        box: Toolbox,
        requested: ToolCall,
        *rest: Any,  # Any: passed on
    ) -> AnyMessage:
        try:
            return await call(self, run, box, requested, *rest)
        except ScriptedCrash as error:
            return self._message_type.tool_result(requested, str(error))

    return patch.object(ToolCalls, "call", calls)


def _answering_for(failure: type[Exception]) -> AbstractContextManager[object]:
    """Answer with an empty text when the model raises this error."""
    call = ModelCalls._call

    async def calls(self: ModelCalls[AnyMessage], model: Any, request: ModelRequest[AnyMessage]) -> Output[AnyMessage]:
        try:
            return await call(self, model, request)
        except failure:
            return Output.of(self._message_type.assistant(""))

    return patch.object(ModelCalls, "_call", calls)


@mutant("LOOP-17")
def takes_no_answer_for_an_empty_one() -> AbstractContextManager[object]:
    """Takes an empty answer when the model returns nothing."""
    return _answering_for(NothingReturnedError)


@mutant("LOOP-18", neighbors={"RETRY-04": "an error that is hidden is not retried"})
def takes_a_crash_for_an_empty_answer() -> AbstractContextManager[object]:
    """Takes an empty answer when the model crashes."""
    return _answering_for(ScriptedCrash)


@mutant("LOOP-16")
def emits_a_retraction_before_the_error() -> AbstractContextManager[object]:
    """Emits a message that voids the earlier events before the error when the model fails after a tool call."""
    call = ModelCalls.call

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        try:
            return await call(self, run, state)
        except Exception:
            if state.messages[-1].role == "tool":
                run.emit(MessageEvent(run.agent, run.path, self._message_type.assistant("(void)")))
            raise

    return patch.object(ModelCalls, "call", calls)
