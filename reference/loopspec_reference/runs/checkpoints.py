"""Checkpoints: the bytes from which a stopped run can be resumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, Literal

import msgspec
from msgspec import Raw, Struct

from ..calls.replays import Replay
from ..handlers.handler import State
from ..tools.kinds import InterruptRun, ToolInfo
from ..values.errors import CheckpointError
from ..values.events import Interrupt
from ..values.messages import Json, M, ToolCall
from .run import Run
from .run_values import packed, unpacked

HookName = Literal["before_model", "wrap_model", "after_model"]


class InterruptedHook(Struct, frozen=True):
    """The hook of a model call that interrupted a run, by its place among the hooks of its kind.

    `answers` are those of a `Replay`, for a wrapper.
    """

    hook: HookName
    place: int
    state: Json
    answers: tuple[Mapping[int, Json], ...] = ()


class Checkpoint(Struct, frozen=True):
    """A run that stopped before a model call, or between an answer with tool calls and their results.

    `messages` is the encoded conversation. In phase "tools" its last message is the answer, `results` are the encoded
    results of the completed calls, and `states` the states that the interrupted calls left. Both have the position of
    the call as key, because two calls can have the same id. `local` and `session` hold values encoded by `packed`.
    `hook` stopped the model call under way. `replays` are those of the interrupted calls with wrappers.
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
    hook: InterruptedHook | None = None
    replays: Mapping[int, Replay] = {}

    @classmethod
    def of(
        cls,
        run: Run,
        state: State[M],
        iteration: int,
        results: Mapping[int, M] | None = None,
        states: Mapping[int, Json] | None = None,
        hook: InterruptedHook | None = None,
    ) -> bytes:
        """Return the bytes for a run in this state: in phase "tools" with `results`, before a model call without."""
        states = states or {}
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
            states=states,
            hook=hook,
            replays={at: replay for at, replay in run.replays.items() if at in states},
        )
        return msgspec.json.encode(saved)

    @classmethod
    def read(cls, checkpoint: bytes, message_type: type[M]) -> Saved[M]:
        """Decode and check all that the bytes hold. Raises `CheckpointError`."""
        try:
            saved = msgspec.json.decode(checkpoint, type=cls)
            messages: tuple[M, ...] = msgspec.json.decode(saved.messages, type=tuple[message_type, ...])  # type: ignore[valid-type]  # a runtime type
            results = {at: msgspec.json.decode(result, type=message_type) for at, result in saved.results.items()}
            interrupted = {at: (messages[-1].tool_calls[at], left) for at, left in saved.states.items()}
            local = {key: unpacked(value) for key, value in saved.local.items()}
            session = {key: unpacked(value) for key, value in saved.session.items()}
        except Exception as error:
            raise CheckpointError(f"these bytes are not a checkpoint of an agent like this one: {error}") from error
        state = State(messages, saved.tools, saved.deferred_tools)
        return Saved(saved, state, results, interrupted, local, session)


class Saved(Struct, Generic[M], frozen=True):
    """A decoded checkpoint. `state` has the tools that the run offered (INTERRUPT-11)."""

    checkpoint: Checkpoint
    state: State[M]
    results: dict[int, M]
    interrupted: dict[int, tuple[ToolCall, Json]]
    local: dict[str, Json]
    session: dict[str, Json]


class SubInterrupt(InterruptRun):
    """A sub-agent stopped at these calls of its own. `state` is the sub-agent's checkpoint."""

    def __init__(self, interrupts: Sequence[Interrupt], state: Json) -> None:
        super().__init__(None, state)
        self.interrupts = interrupts


class Stop(Exception):
    """The run stops: it was interrupted or cancelled. `stopped` are the interrupted calls, by id."""

    def __init__(self, checkpoint: bytes, stopped: Sequence[tuple[str, InterruptRun]] = ()) -> None:
        super().__init__()
        self.checkpoint = checkpoint
        self.interrupts = tuple(one for call, error in stopped for one in _interrupts(call, error))


def hook_call_id(iteration: int) -> str:
    """Return the id of an interrupt of a hook around the model call after so many others."""
    return f"model call {iteration + 1}"


def _interrupts(call: str, error: InterruptRun) -> list[Interrupt]:
    if isinstance(error, SubInterrupt):
        return [Interrupt(f"{call}/{inner.call_id}", inner.info) for inner in error.interrupts]
    return [Interrupt(call, error.info)]
