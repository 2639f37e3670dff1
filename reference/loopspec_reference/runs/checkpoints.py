"""What a stopped run needs to go on, as bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal

import msgspec
from msgspec import Raw, Struct

from ..handlers.handler import State
from ..tools.kinds import InterruptRun, ToolInfo
from ..values.errors import CheckpointError
from ..values.events import Interrupt
from ..values.messages import Json, M, ToolCall
from .run import Run
from .run_values import packed, unpacked


class Checkpoint(Struct, frozen=True):
    """A run that stopped before a model call, or between an answer that asks for tools and their results.

    `messages` is the encoded conversation; in phase "tools" the answer is last, `results` are the encoded results of
    the calls that had finished and `states` what the interrupted ones left behind, both by the call's position:
    ids need not differ. `local` and `session` hold values as `packed` makes them.
    """

    phase: Literal["model", "tools"]
    messages: Raw
    tools: tuple[ToolInfo, ...]
    deferred_tools: tuple[ToolInfo, ...]
    iteration: int
    streaming: bool
    local: Mapping[str, Json]
    session: Mapping[str, Json]
    results: Mapping[int, Raw] = {}
    states: Mapping[int, Json] = {}

    @classmethod
    def of(
        cls,
        run: Run,
        state: State[M],
        iteration: int,
        results: Mapping[int, M] | None = None,
        states: Mapping[int, Json] | None = None,
    ) -> bytes:
        """The bytes of a run in this state: before a model call without `results`, else among tools."""
        known = {} if results is None else {at: Raw(msgspec.json.encode(result)) for at, result in results.items()}
        saved = cls(
            phase="model" if results is None else "tools",
            messages=Raw(msgspec.json.encode(state.messages)),
            tools=tuple(state.tools),
            deferred_tools=tuple(state.deferred_tools),
            iteration=iteration,
            streaming=run.streaming,
            local={key: packed(value) for key, value in run.local.items()},
            session={key: packed(value) for key, value in run.session.items()},
            results=known,
            states={} if states is None else states,
        )
        return msgspec.json.encode(saved)

    @classmethod
    def read(cls, checkpoint: bytes, message_type: type[M]) -> Saved[M]:
        """What the bytes hold, once all of it is known to make sense. Raises `CheckpointError`."""
        try:
            saved = msgspec.json.decode(checkpoint, type=cls)
            state = saved.state(message_type)
            return Saved(saved, state, saved.finished(message_type), saved.interrupted(state), *saved.values())
        except Exception as error:
            raise CheckpointError(f"this is no checkpoint of an agent like this one: {error}") from error

    def state(self, message_type: type[M]) -> State[M]:
        """The state of the run. Tools are offered as they were (INTERRUPT-11)."""
        messages = msgspec.json.decode(self.messages, type=tuple[message_type, ...])  # type: ignore[valid-type]  # a runtime type
        return State(messages, self.tools, self.deferred_tools)

    def finished(self, message_type: type[M]) -> dict[int, M]:
        """The results that were known already."""
        return {at: msgspec.json.decode(result, type=message_type) for at, result in self.results.items()}

    def interrupted(self, state: State[M]) -> dict[int, tuple[ToolCall, Json]]:
        """The interrupted calls, and what they left behind."""
        return {at: (state.messages[-1].tool_calls[at], left) for at, left in self.states.items()}

    def values(self) -> tuple[dict[str, Json], dict[str, Json]]:
        """The run-local values and the session."""
        local = {key: unpacked(value) for key, value in self.local.items()}
        return local, {key: unpacked(value) for key, value in self.session.items()}


@dataclass(frozen=True)
class Saved(Generic[M]):
    """A checkpoint that was read."""

    checkpoint: Checkpoint
    state: State[M]
    results: dict[int, M]
    interrupted: dict[int, tuple[ToolCall, Json]]
    local: dict[str, Json]
    session: dict[str, Json]


class SubInterrupt(InterruptRun):
    """A sub-agent has stopped, at these calls of its own; its checkpoint is the state."""

    def __init__(self, interrupts: Sequence[Interrupt], state: Json) -> None:
        super().__init__(None, state)
        self.interrupts = interrupts


class Stop(Exception):
    """The run cannot go on for now: a tool has interrupted it, or it was cancelled. `stopped` are calls by id."""

    def __init__(self, checkpoint: bytes, stopped: Sequence[tuple[str, InterruptRun]] = ()) -> None:
        super().__init__()
        self.checkpoint = checkpoint
        self.interrupts = tuple(one for call, error in stopped for one in _interrupts(call, error))


def _interrupts(call: str, error: InterruptRun) -> list[Interrupt]:
    if isinstance(error, SubInterrupt):
        return [Interrupt(f"{call}/{inner.call_id}", inner.info) for inner in error.interrupts]
    return [Interrupt(call, error.info)]
