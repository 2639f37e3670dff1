"""Realistic bugs about streams and events."""

from __future__ import annotations

from contextlib import AbstractContextManager
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference.calls.models import Model, ModelRequest
from loopspec_reference.calls.outputs import Output
from loopspec_reference.handlers.handler import State
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs.run import current_run
from loopspec_reference.values.messages import AnyMessage

from ..registry import bug


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
