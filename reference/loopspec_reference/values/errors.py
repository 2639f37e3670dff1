"""The errors of an agent and of its runs.

A file that cannot be read raises the backend's own exception, with a note that names the file and the files that
import it. Exceptions of models, tools and hooks are passed on unchanged.
"""

from __future__ import annotations

from enum import Flag
from typing import TypeVar

T = TypeVar("T")


class LoopError(Exception):
    """The root of the errors of this package."""


class ConfigError(LoopError, ValueError):
    """The agent or a handler cannot be built as configured."""


class OutsideRunError(LoopError, RuntimeError):
    """A run-local function was called outside a run."""


class UnregisteredTypeError(LoopError, TypeError):
    """A run-local value has a type that a checkpoint cannot hold (RUNLOCAL-13)."""


class InstructionError(LoopError, ValueError):
    """The instruction cannot be rendered with the session values (INSTR-05)."""


class NothingReturnedError(LoopError, TypeError):
    """A model, a tool or a hook returned nothing usable (LOOP-17), a failover got no model, or no message is left."""


def checked(value: object, wanted: type[T], by: object) -> T:
    """Return a returned value if it has the expected type. Raises `NothingReturnedError` otherwise.

    `by` is what returned the value: its name, or the object itself.
    """
    if isinstance(value, wanted):
        return value
    name = by if isinstance(by, str) else type(by).__name__
    raise NothingReturnedError(f"{name} has returned {value!r:.80} where a {wanted.__name__} is needed")


class UnknownToolError(LoopError, LookupError):
    """The model called a tool that the agent does not have."""


class IterationLimitError(LoopError):
    """The run reached its limit of model calls."""


class RetriesExhaustedError(LoopError):
    """Every permitted attempt of a model call failed; `last` is the error of the last attempt (RETRY-03)."""

    def __init__(self, last: Exception) -> None:
        super().__init__(f"every attempt to call the model failed, the last with {last!r}")
        self.last = last


class WillRetryError(LoopError):
    """Ends a stream whose model call is retried. The first attempt has the number 0 (RETRY-12, RETRY-13)."""

    def __init__(self, attempt: int) -> None:
        super().__init__(f"attempt {attempt} is repeated")
        self.attempt = attempt


class StreamCancelledError(LoopError):
    """Ends a stream whose run was cancelled (CANCEL-08)."""


class CheckpointError(LoopError, ValueError):
    """The bytes are not a checkpoint, or the checkpoint of another kind of agent."""


class ConversationInUseError(LoopError):
    """A run was started while another run of its conversation is under way."""


class CancelMode(Flag):
    """Where a cancelled run stops. Modes combine: the run stops at the first of these safe points (CANCEL-05)."""

    IMMEDIATE = 0
    AFTER_MODEL = 1
    AFTER_TOOLS = 2


class CancelError(LoopError):
    """The run was cancelled and can be resumed from `checkpoint` (CANCEL-19).

    `escalated`: the run was stopped before it reached a safe point that was requested. `timed_out`: the timeout of the
    request stopped it.
    """

    def __init__(self, mode: CancelMode, escalated: bool, timed_out: bool, checkpoint: bytes) -> None:
        super().__init__("the run was cancelled")
        self.mode = mode
        self.escalated = escalated
        self.timed_out = timed_out
        self.checkpoint = checkpoint
