"""Mutants about the loop itself: when it goes on, and what a model call receives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import AgenticMessage, AnyMessage, Message, State, ToolCall, UnknownToolError
from loopspec_reference.loop.agents import Agent, _Start
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs.run import Run

from ..registry import mutant

_has_tools: ContextVar[bool] = ContextVar("has_tools", default=True)
_begin = Agent._begin


async def _begins(self: Agent[AnyMessage], run: Run) -> _Start:
    """Begin, and remember whether there are tools."""
    start = await _begin(self, run)
    _has_tools.set(bool(start.box.tools))
    return start


@mutant("LOOP-01")
def takes_a_text_for_a_call() -> AbstractContextManager[object]:
    """Calls a tool when the text of an answer speaks of calling it."""
    call = ModelCalls.call

    async def parses(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        state = await call(self, run, state)
        answer = state.messages[-1]
        name = answer.text.removeprefix("Action: ")
        if answer.tool_calls or name == answer.text:
            return state
        asked = type(answer).assistant(answer.text, [ToolCall("parsed", name, "{}")])
        return replace(state, messages=(*state.messages[:-1], asked))

    return patch.object(ModelCalls, "call", parses)


@mutant("LOOP-02", neighbors={"EVENT-02": "its stream, too, has a text first and a call last"})
def looks_for_calls_in_the_first_chunk() -> AbstractContextManager[object]:
    """Believes that a stream that begins with a text holds no call."""
    concat = Message.concat

    def joins(chunks: list[Message]) -> Message:
        whole = concat(chunks)
        return replace(whole, tool_calls=chunks[0].tool_calls)

    return patch.object(Message, "concat", joins)


@mutant(
    "LOOP-03",
    neighbors={
        "HOOK-AM-04": "the result is that of the call which the handler has added",
        "HOOK-WT-07": "the answer of the handler is the result of the call",
    },
)
def binds_results_to_the_names_of_tools() -> AbstractContextManager[object]:
    """Appends a result to the conversation under the name of its tool, not under the id of its call."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], run: Run, *rest: Any) -> tuple[State[AnyMessage], bool]:  # Any: handed on
        state, ended = await act(self, run, *rest)
        messages = [
            replace(message, call_id=message.tool_name)
            if isinstance(message, Message) and message.role == "tool"
            else message
            for message in state.messages
        ]
        return replace(state, messages=tuple(messages)), ended

    return patch.object(Agent, "_act", acts)


@mutant("LOOP-04")
def asks_again_after_an_empty_answer() -> AbstractContextManager[object]:
    """Takes a first answer without a text for a slip of the model, and asks again."""
    call = ModelCalls.call

    async def asks(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        after = await call(self, run, state)
        answer = after.messages[-1]
        first = all(message.role in ("system", "user") for message in state.messages)
        return await call(self, run, state) if first and not (answer.outcome or answer.tool_calls) else after

    return patch.object(ModelCalls, "call", asks)


@mutant("LOOP-05")
def puts_system_messages_first() -> AbstractContextManager[object]:
    """Moves the caller's own system messages to the front of the conversation."""
    loop = Agent._loop

    async def loops(
        self: Agent[AnyMessage], run: Run, start: _Start, state: State[AnyMessage], iteration: int
    ) -> AnyMessage:
        messages = sorted(state.messages, key=lambda message: message.role != "system")
        return await loop(self, run, start, replace(state, messages=tuple(messages)), iteration)

    return patch.object(Agent, "_loop", loops)


@mutant("LOOP-09")
@contextmanager
def is_misled_by_old_calls() -> Iterator[None]:
    """Asks a model without tools once more when some message of the conversation calls a tool."""
    call = ModelCalls.call

    async def asks(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        called = any(message.tool_calls for message in state.messages)
        state = await call(self, run, state)
        return await call(self, run, state) if called and not _has_tools.get() else state

    with patch.object(Agent, "_begin", _begins), patch.object(ModelCalls, "call", asks):
        yield


@mutant(
    "LOOP-10",
    neighbors={
        "HOOK-BA-08": "a handler has taken the last tool away, and the model calls it",
        "MAXITER-01": "it has such an answer at the smallest limit",
    },
)
@contextmanager
def refuses_calls_where_there_are_no_tools() -> Iterator[None]:
    """Looks up the tools that an answer calls even if there are none at all."""
    call = ModelCalls.call

    async def checks(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        state = await call(self, run, state)
        if state.messages[-1].tool_calls and not _has_tools.get():
            raise UnknownToolError("the model asked for a tool, and there is none")
        return state

    with patch.object(Agent, "_begin", _begins), patch.object(ModelCalls, "call", checks):
        yield


@mutant("LOOP-19")
def ends_agentic_runs_without_a_word() -> AbstractContextManager[object]:
    """Calls no hook after an agent whose messages are agentic."""
    end = Agent._end

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        if self.message_type is AgenticMessage:
            self._after = ()
        return await end(self, run, state)

    return patch.object(Agent, "_end", ends)


def _agentic_calls(change: Callable[[ModelCalls[AnyMessage]], None]) -> AbstractContextManager[object]:
    """Change how an agent of agentic messages calls its model."""
    build = ModelCalls.__init__

    def builds(self: ModelCalls[AnyMessage], *parts: Any) -> None:  # Any: handed on
        build(self, *parts)
        if self._message_type is AgenticMessage:
            change(self)

    return patch.object(ModelCalls, "__init__", builds)


@mutant("LOOP-22")
def joins_no_agentic_chunks() -> AbstractContextManager[object]:
    """Takes the last chunk of an agentic message for the whole message."""
    return patch.object(AgenticMessage, "concat", staticmethod(lambda chunks: chunks[-1]))


@mutant("LOOP-23")
def never_ends_agentic_runs_early() -> AbstractContextManager[object]:
    """Lets only the exit tool return directly if the messages are agentic."""
    begin = Agent._begin

    async def begins(self: Agent[AnyMessage], run: Run) -> Any:  # Any: what a run starts with is the agent's own
        start = await begin(self, run)
        if self.message_type is AgenticMessage:
            start = replace(start, return_directly=frozenset({start.exits} if start.exits else ()))
        return start

    return patch.object(Agent, "_begin", begins)


@mutant("LOOP-24")
def never_limits_agentic_runs() -> AbstractContextManager[object]:
    """Ignores the configured limit if the messages are agentic."""
    loop = Agent._loop

    async def loops(self: Agent[AnyMessage], *rest: Any) -> AnyMessage:  # Any: handed on
        if self.message_type is AgenticMessage:
            self._max_iterations = 20
        return await loop(self, *rest)

    return patch.object(Agent, "_loop", loops)


@mutant("LOOP-25")
def never_retries_agentic_calls() -> AbstractContextManager[object]:
    """Ignores the retry configuration if the messages are agentic."""
    return _agentic_calls(lambda calls: setattr(calls, "_retry", None))


@mutant("LOOP-26")
def never_fails_over_agentic_calls() -> AbstractContextManager[object]:
    """Ignores the failover configuration if the messages are agentic."""
    return _agentic_calls(lambda calls: setattr(calls, "_failover", None))


@mutant("LOOP-27")
def loses_the_values_of_agentic_runs() -> AbstractContextManager[object]:
    """Forgets the run-local values at each model call if the messages are agentic."""
    answered = ModelCalls._answered

    async def answers(self: ModelCalls[AnyMessage], run: Run, request: Any) -> Any:  # Any: handed on
        if self._message_type is AgenticMessage:
            run.local.clear()
        return await answered(self, run, request)

    return patch.object(ModelCalls, "_answered", answers)


@mutant(
    "LOOP-20",
    neighbors={
        "HOOK-BM-02": "it has three calls of a streaming run, too",
        "HOOK-WM-02": "its handler is in the hook before each of three calls of a streaming run",
    },
)
def prepares_a_streaming_run_twice_at_most() -> AbstractContextManager[object]:
    """Calls the hooks before the model only for the first two model calls of a streaming run."""
    prepare = ModelCalls._prepared
    call = ModelCalls.call
    current: ContextVar[Run] = ContextVar("current")

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        current.set(run)
        return await call(self, run, state)

    async def prepares(self: ModelCalls[AnyMessage], state: State[AnyMessage]) -> State[AnyMessage]:
        rounds = sum(bool(message.tool_calls) for message in state.messages)
        return state if current.get().streaming and rounds > 1 else await prepare(self, state)

    return patch.multiple(ModelCalls, call=calls, _prepared=prepares)
