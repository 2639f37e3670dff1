"""Mutants about the tool calls of one answer, and about what goes wrong in a run."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec.contract.doubles import ScriptedCrash
from loopspec_reference import AnyMessage, MessageEvent, ModelRequest, NothingReturnedError, Output, State, ToolCall
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
        "AGENTTOOL-02": "one of its examples calls a sub-agent twice in one answer",
        "AGENTTOOL-17": "it is about a sub-agent that one answer calls twice",
    },
)
def keeps_one_call_of_each_tool() -> AbstractContextManager[object]:
    """Keeps the calls of an answer by the names of their tools, so that one tool is called once."""
    call = ModelCalls.call

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        state = await call(self, run, state)
        answer = state.messages[-1]
        kept = {one.name: one for one in answer.tool_calls}
        if len(kept) == len(answer.tool_calls):
            return state
        poorer = type(answer).assistant(answer.text, kept.values())
        return replace(state, messages=(*state.messages[:-1], poorer))

    return patch.object(ModelCalls, "call", calls)


@mutant("LOOP-07")
@contextmanager
def appends_results_as_they_come() -> Iterator[None]:
    """Appends the results of calls in the order in which the calls end."""
    act, call = Agent._act, ToolCalls.call
    ended: ContextVar[list[AnyMessage]] = ContextVar("ended")

    async def calls(self: ToolCalls[AnyMessage], *rest: Any) -> AnyMessage:  # Any: handed on
        result = await call(self, *rest)
        ended.get().append(result)
        return result

    async def acts(self: Agent[AnyMessage], *rest: Any) -> tuple[State[AnyMessage], bool]:  # Any: handed on
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
def makes_calls_at_once_all_the_same() -> AbstractContextManager[object]:
    """Makes the calls of an answer at the same time, even if told otherwise."""

    async def makes(self: Agent[AnyMessage], make: Make, opened: Sequence[int]) -> None:
        await asyncio.gather(*(make(at) for at in opened))

    return patch.object(Agent, "_make_all", makes)


def _with_calls(changed: Callable[[ToolCall], ToolCall]) -> AbstractContextManager[object]:
    """Make other tool calls than those that were asked for."""
    call = ToolCalls.call

    async def calls(
        self: ToolCalls[AnyMessage],
        run: Run,
        box: Toolbox,
        asked: ToolCall,
        *rest: Any,  # Any: handed on
    ) -> AnyMessage:
        return await call(self, run, box, changed(asked), *rest)

    return patch.object(ToolCalls, "call", calls)


@mutant("LOOP-15")
def leaves_out_what_is_null() -> AbstractContextManager[object]:
    """Leaves the fields that are null out of the arguments of a call, at any depth."""

    def filled(value: Any) -> Any:  # Any: JSON
        if isinstance(value, dict):
            return {key: filled(one) for key, one in value.items() if one is not None}
        return [filled(one) for one in value] if isinstance(value, list) else value

    def change(asked: ToolCall) -> ToolCall:
        if "null" not in asked.arguments:
            return asked
        return replace(asked, arguments=json.dumps(filled(json.loads(asked.arguments))))

    return _with_calls(change)


@mutant("LOOP-28")
def tidies_arguments_up() -> AbstractContextManager[object]:
    """Parses the arguments of a call and gives the tool what it makes of them."""

    def tidy(asked: ToolCall) -> ToolCall:
        try:
            return replace(asked, arguments=json.dumps(json.loads(asked.arguments)))
        except ValueError:
            return asked

    return _with_calls(tidy)


@mutant("LOOP-21")
def wants_json() -> AbstractContextManager[object]:
    """Refuses arguments that are no JSON before the tool has seen them."""

    def check(asked: ToolCall) -> ToolCall:
        json.loads(asked.arguments)
        return asked

    return _with_calls(check)


@mutant("LOOP-13")
@contextmanager
def reports_the_first_error_that_happens() -> Iterator[None]:
    """Ends the run with the error of the call that failed first, not of the first call that failed."""
    act, call = Agent._act, ToolCalls.call
    errors: ContextVar[list[Exception]] = ContextVar("errors")

    async def calls(self: ToolCalls[AnyMessage], *rest: Any) -> AnyMessage:  # Any: handed on
        try:
            return await call(self, *rest)
        except Exception as error:
            errors.get().append(error)
            raise

    async def acts(self: Agent[AnyMessage], *rest: Any) -> tuple[State[AnyMessage], bool]:  # Any: handed on
        errors.set([])
        try:
            return await act(self, *rest)
        except Exception as error:
            raise errors.get()[0] if error in errors.get() else error from None

    with patch.object(Agent, "_act", acts), patch.object(ToolCalls, "call", calls):
        yield


@mutant("LOOP-14")
def tells_the_model_of_broken_tools() -> AbstractContextManager[object]:
    """Makes a result of the failure of a tool that nobody foresaw, and goes on."""
    call = ToolCalls.call

    async def calls(
        self: ToolCalls[AnyMessage],
        run: Run,
        box: Toolbox,
        asked: ToolCall,
        *rest: Any,  # Any: handed on
    ) -> AnyMessage:
        try:
            return await call(self, run, box, asked, *rest)
        except ScriptedCrash as error:
            return self._message_type.tool_result(asked, str(error))

    return patch.object(ToolCalls, "call", calls)


def _answering_for(failure: type[Exception]) -> AbstractContextManager[object]:
    """Answer with an empty text where the model fails in this way."""
    call = ModelCalls._call

    async def calls(self: ModelCalls[AnyMessage], model: Any, request: ModelRequest[AnyMessage]) -> Output[AnyMessage]:
        try:
            return await call(self, model, request)
        except failure:
            return Output.of(self._message_type.assistant(""))

    return patch.object(ModelCalls, "_call", calls)


@mutant("LOOP-17")
def takes_nothing_for_an_empty_answer() -> AbstractContextManager[object]:
    """Makes an empty answer of it when the model returns nothing at all."""
    return _answering_for(NothingReturnedError)


@mutant("LOOP-18", neighbors={"RETRY-04": "an error that nobody sees is not retried"})
def takes_a_breakdown_for_an_empty_answer() -> AbstractContextManager[object]:
    """Makes an empty answer of it when the model fails in a way that nobody foresaw."""
    return _answering_for(ScriptedCrash)


@mutant("LOOP-16")
def takes_back_what_it_has_told() -> AbstractContextManager[object]:
    """Says that all is void when the model fails after a tool call, before it tells the error."""
    call = ModelCalls.call

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        try:
            return await call(self, run, state)
        except Exception:
            if state.messages[-1].role == "tool":
                run.emit(MessageEvent(run.agent, run.path, self._message_type.assistant("(void)")))
            raise

    return patch.object(ModelCalls, "call", calls)
