"""Mutants about the loop itself: when it continues, and what a model call receives."""

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
    """Begin a run, and record whether it has tools."""
    start = await _begin(self, run)
    _has_tools.set(bool(start.box.tools))
    return start


@mutant("LOOP-01")
def parses_calls_from_the_text() -> AbstractContextManager[object]:
    """Makes a tool call when the text of an answer describes one."""
    call = ModelCalls.call

    async def parses(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        state = await call(self, run, state)
        answer = state.messages[-1]
        name = answer.text.removeprefix("Action: ")
        if answer.tool_calls or name == answer.text:
            return state
        requested = type(answer).assistant(answer.text, [ToolCall("parsed", name, "{}")])
        return replace(state, messages=(*state.messages[:-1], requested))

    return patch.object(ModelCalls, "call", parses)


@mutant(
    "LOOP-02",
    neighbors={
        "RETRY-02": "an answer of an example has a text and a tool call in chunks",
        "FAILOVER-12": "an answer of an example has a text and a tool call in chunks",
        "EVENT-02": "the stream of the example begins with text and ends with a tool call",
    },
)
def reads_calls_from_the_first_chunk_only() -> AbstractContextManager[object]:
    """Ignores the tool calls of a stream unless they are in the first chunk."""
    concat = Message.concat

    def joins(chunks: list[Message]) -> Message:
        whole = concat(chunks)
        return replace(whole, tool_calls=chunks[0].tool_calls)

    return patch.object(Message, "concat", joins)


@mutant(
    "LOOP-03",
    neighbors={
        "LOOP-28": "an example compares the results of two calls",
        "LOOP-29": "an example compares the ids of the results",
        "HOOK-AM-04": "the result belongs to the call that the handler has added",
        "HOOK-WT-07": "the handler short-circuits with the result of the call",
    },
)
def labels_results_with_the_tool_name() -> AbstractContextManager[object]:
    """Appends a tool result with the name of the tool in place of the id of the call."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], run: Run, *rest: Any) -> tuple[State[AnyMessage], bool]:  # Any: passed on
        state, ended = await act(self, run, *rest)
        messages = [
            replace(message, call_id=message.tool_name)
            if isinstance(message, Message) and message.role == "tool"
            else message
            for message in state.messages
        ]
        return replace(state, messages=tuple(messages)), ended

    return patch.object(Agent, "_act", acts)


@mutant(
    "LOOP-04",
    neighbors={
        "OUTKEY-01": "the answer of an example is empty",
        "FAILOVER-01": "the backup model of an example answers with an empty text",
    },
)
def repeats_the_call_after_an_empty_answer() -> AbstractContextManager[object]:
    """Calls the model again when its first answer is empty."""
    call = ModelCalls.call

    async def repeats(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        after = await call(self, run, state)
        answer = after.messages[-1]
        first = all(message.role in ("system", "user") for message in state.messages)
        return await call(self, run, state) if first and not (answer.outcome or answer.tool_calls) else after

    return patch.object(ModelCalls, "call", repeats)


@mutant("LOOP-05")
def puts_system_messages_first() -> AbstractContextManager[object]:
    """Moves the caller's system messages to the front of the conversation."""
    loop = Agent._loop

    async def loops(
        self: Agent[AnyMessage], run: Run, start: _Start, state: State[AnyMessage], iteration: int
    ) -> AnyMessage:
        messages = sorted(state.messages, key=lambda message: message.role != "system")
        return await loop(self, run, start, replace(state, messages=tuple(messages)), iteration)

    return patch.object(Agent, "_loop", loops)


@mutant("LOOP-09")
@contextmanager
def continues_at_calls_of_earlier_messages() -> Iterator[None]:
    """Calls a model without tools once more when an earlier message of the conversation has tool calls."""
    call = ModelCalls.call

    async def repeats(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        called = any(message.tool_calls for message in state.messages)
        state = await call(self, run, state)
        return await call(self, run, state) if called and not _has_tools.get() else state

    with patch.object(Agent, "_begin", _begins), patch.object(ModelCalls, "call", repeats):
        yield


@mutant(
    "LOOP-10",
    neighbors={
        "HOOK-BA-08": "a handler has removed the last tool, and the model calls it",
        "MAXITER-01": "one of the examples has such an answer at the smallest limit",
    },
)
@contextmanager
def rejects_calls_without_tools() -> Iterator[None]:
    """Fails the run when an answer has tool calls although the agent has no tools."""
    call = ModelCalls.call

    async def checks(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        state = await call(self, run, state)
        if state.messages[-1].tool_calls and not _has_tools.get():
            raise UnknownToolError("the model called a tool, but the agent has no tools")
        return state

    with patch.object(Agent, "_begin", _begins), patch.object(ModelCalls, "call", checks):
        yield


@mutant("LOOP-19")
def skips_the_after_agent_hook_for_agentic_messages() -> AbstractContextManager[object]:
    """Calls no after-agent hooks if the messages are agentic."""
    end = Agent._end

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        if self.message_type is AgenticMessage:
            self._after = ()
        return await end(self, run, state)

    return patch.object(Agent, "_end", ends)


def _agentic_calls(change: Callable[[ModelCalls[AnyMessage]], None]) -> AbstractContextManager[object]:
    """Change how an agent with agentic messages calls its model."""
    build = ModelCalls.__init__

    def builds(self: ModelCalls[AnyMessage], *parts: Any) -> None:  # Any: passed on
        build(self, *parts)
        if self._message_type is AgenticMessage:
            change(self)

    return patch.object(ModelCalls, "__init__", builds)


@mutant(
    "LOOP-22",
    neighbors={
        "LOOP-25": "the chunks of an example are agentic",
        "AGENTTOOL-21": "the chunks of an example are agentic",
    },
)
def joins_no_agentic_chunks() -> AbstractContextManager[object]:
    """Takes the last chunk of an agentic message for the whole message."""
    return patch.object(AgenticMessage, "concat", staticmethod(lambda chunks: chunks[-1]))


@mutant("LOOP-23", neighbors={"AGENTTOOL-21": "an example has a return-directly tool and agentic messages"})
def ignores_return_directly_for_agentic_messages() -> AbstractContextManager[object]:
    """Ignores return-directly tools, except the exit tool, if the messages are agentic."""
    begin = Agent._begin

    async def begins(self: Agent[AnyMessage], run: Run) -> Any:  # Any: what a run starts with is the agent's own
        start = await begin(self, run)
        if self.message_type is AgenticMessage:
            start = replace(start, return_directly=frozenset({start.exits} if start.exits else ()))
        return start

    return patch.object(Agent, "_begin", begins)


@mutant("LOOP-24")
def never_limits_agentic_runs() -> AbstractContextManager[object]:
    """Ignores the configured iteration limit if the messages are agentic."""
    loop = Agent._loop

    async def loops(self: Agent[AnyMessage], *rest: Any) -> AnyMessage:  # Any: passed on
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
    """Deletes the run-local values before each model call if the messages are agentic."""
    answered = ModelCalls._answered

    async def answers(self: ModelCalls[AnyMessage], run: Run, request: Any) -> Any:  # Any: passed on
        if self._message_type is AgenticMessage:
            run.local.clear()
        return await answered(self, run, request)

    return patch.object(ModelCalls, "_answered", answers)


@mutant(
    "LOOP-20",
    neighbors={
        "HOOK-BM-02": "the example also has three calls of a streaming run",
        "HOOK-WM-02": "the handler has the hook before each of three calls of a streaming run",
    },
)
def skips_the_before_model_hooks_of_later_streaming_calls() -> AbstractContextManager[object]:
    """Calls the before-model hooks only for the first two model calls of a streaming run."""
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
