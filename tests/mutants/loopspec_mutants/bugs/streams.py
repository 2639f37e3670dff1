"""Realistic bugs about streamed answers."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference.calls.models import Model, ModelRequest
from loopspec_reference.calls.outputs import Output
from loopspec_reference.calls.retries import retrying
from loopspec_reference.handlers.handler import State
from loopspec_reference.loop import model_calls
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.checkpoints import Stop
from loopspec_reference.runs.run import Run, current_run
from loopspec_reference.tools.kinds import InterruptRun
from loopspec_reference.values.errors import LoopError
from loopspec_reference.values.messages import AnyMessage, Message, ToolCall

from ..registry import bug


@bug("LOOP-07")
def merges_the_calls_of_a_stream() -> AbstractContextManager[object]:
    """Joins all tool calls of a streamed answer into one, with the last name and the arguments of all."""
    concat = Message.concat

    def merged(chunks: Sequence[Message]) -> Message:
        whole = concat(chunks)
        if len(whole.tool_calls) < 2:
            return whole
        first, last = whole.tool_calls[0], whole.tool_calls[-1]
        one = ToolCall(first.id, last.name, "".join(call.arguments for call in whole.tool_calls))
        return replace(whole, tool_calls=(one,))

    return patch.object(Message, "concat", merged)


@bug("LOOP-16")
def swallows_the_error_of_a_later_stream() -> AbstractContextManager[object]:
    """Ends a streaming run without an error when a model call after the first one fails."""
    call = ModelCalls.call

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        try:
            return await call(self, run, state)
        except Exception:
            if not run.streaming or run.nested or not run.iteration:
                raise
            return replace(state, messages=(*state.messages, self._message_type.assistant("")))

    return patch.object(ModelCalls, "call", calls)


@bug("RETRY-02")
def retries_a_stream_without_the_last_message() -> AbstractContextManager[object]:
    """Removes the last message of the conversation before it retries a model call in a streaming run."""

    def retries(call: Any, config: Any, model: Any, request: ModelRequest[AnyMessage]) -> Awaitable[Any]:
        attempts = 0

        async def shorter(model: Model[AnyMessage], sent: ModelRequest[AnyMessage]) -> Any:  # Any: an attempt
            nonlocal attempts
            attempts += 1
            if attempts > 1 and sent.streaming:
                sent = replace(sent, messages=sent.messages[:-1])
            return await call(model, sent)

        return retrying(shorter, config, model, request)

    return patch.object(model_calls, "retrying", retries)


@bug("LOOP-13")
def replaces_the_error_of_a_tool() -> AbstractContextManager[object]:
    """Ends a streaming run with an error about the state of the stream, not with the error of the tool."""
    call = ToolCalls.call

    async def calls(self: ToolCalls[AnyMessage], run: Run, *rest: Any) -> AnyMessage:  # Any: passed on
        try:
            return await call(self, run, *rest)
        except (InterruptRun, Stop):
            raise
        except Exception:
            if not run.streaming:
                raise
        # outside the handler: the tool's error is not even the context of this one
        raise LoopError("the stream has ended without a next step")

    return patch.object(ToolCalls, "call", calls)


@bug("EVENT-20")
def emits_whole_answers_with_failover() -> AbstractContextManager[object]:
    """Emits a streamed answer as one chunk if failover is configured."""
    call = ModelCalls._call

    async def calls(
        self: ModelCalls[AnyMessage], model: Model[AnyMessage], request: ModelRequest[AnyMessage]
    ) -> Output[AnyMessage]:
        output = await call(self, model, request)
        return output if self._failover is None else Output.of(await output.message())

    return patch.object(ModelCalls, "_call", calls)


@bug("STATE-01")
def keeps_one_of_the_messages_that_a_hook_adds() -> AbstractContextManager[object]:
    """Keeps only the last of several messages that the before-model hooks of a streaming run have added."""
    prepared = ModelCalls._prepared

    async def prepares(self: ModelCalls[AnyMessage], state: State[AnyMessage]) -> State[AnyMessage]:
        known, run = state.messages, current_run.get()
        state = await prepared(self, state)
        if run is None or not run.streaming:
            return state
        added = [message for message in state.messages if all(message is not one for one in known)]
        return replace(state, messages=tuple(one for one in state.messages if one not in added[:-1]))

    return patch.object(ModelCalls, "_prepared", prepares)
