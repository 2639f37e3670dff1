"""What can go wrong, by whose hand.

    LoopError
    ├── ConfigError (ValueError)            the agent or a handler cannot be built as configured
    ├── OutsideRunError (RuntimeError)      a run-local function was called while no run was going on
    ├── UnregisteredTypeError (TypeError)   a value that a checkpoint could not hold was to be kept for a run
    ├── InstructionError (ValueError)       the instruction cannot be rendered with the session's values
    ├── NothingReturnedError (TypeError)    where something is needed, there is nothing
    ├── UnknownToolError (LookupError)      the model asked for a tool the agent does not have
    ├── IterationLimitError                 the run would need more model calls than it is allowed
    ├── RetriesExhaustedError               every permitted attempt of a model call failed
    ├── WillRetryError                      ends a stream whose model call is made again
    ├── StreamCancelledError                ends a stream whose run was cancelled
    ├── CheckpointError (ValueError)        what was to be resumed from is no checkpoint of such an agent
    └── CancelError                         the run was cancelled

A file that cannot be read is reported by the built-in exception its backend raised, with a note that says which
file was being loaded and who asked for it. What a model, a tool or a hook raises comes out as it was raised.
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
    """A run-local function was called while no run was going on."""


class UnregisteredTypeError(LoopError, TypeError):
    """A value that a checkpoint could not hold was to be kept for a run (RUNLOCAL-13)."""


class InstructionError(LoopError, ValueError):
    """The instruction cannot be rendered with the session's values (INSTR-05)."""


class NothingReturnedError(LoopError, TypeError):
    """A model, a tool or a hook returned nothing of use (LOOP-17), or no backup was given, or no message is left."""


def checked(value: object, wanted: type[T], by: object) -> T:
    """The value that somebody has returned, if it is what is wanted. Raises `NothingReturnedError`, naming both.

    `by` is the name of who returned it, or the object itself.
    """
    if isinstance(value, wanted):
        return value
    who = by if isinstance(by, str) else type(by).__name__
    raise NothingReturnedError(f"{who} has returned {value!r:.80} where a {wanted.__name__} is needed")


class UnknownToolError(LoopError, LookupError):
    """The model asked for a tool the agent does not have."""


class IterationLimitError(LoopError):
    """The run would need more model calls than it is allowed."""


class RetriesExhaustedError(LoopError):
    """Every permitted attempt of a model call failed; `last` is the last one's error (RETRY-03)."""

    def __init__(self, last: Exception) -> None:
        super().__init__(f"every attempt to call the model failed, at last with {last!r}")
        self.last = last


class WillRetryError(LoopError):
    """Ends a stream whose model call is made again. `attempt` 0 is the first one (RETRY-12, RETRY-13)."""

    def __init__(self, attempt: int) -> None:
        super().__init__(f"attempt {attempt} is repeated")
        self.attempt = attempt


class StreamCancelledError(LoopError):
    """Ends a stream whose run was cancelled (CANCEL-08)."""


class CheckpointError(LoopError, ValueError):
    """What was to be resumed from is no checkpoint, or one of another kind of agent."""


class CancelMode(Flag):
    """Where a cancelled run stops. Modes combine: the first safe point reached stops the run (CANCEL-05)."""

    IMMEDIATE = 0
    AFTER_MODEL = 1
    AFTER_TOOLS = 2


class CancelError(LoopError):
    """The run was cancelled and can be resumed from `checkpoint` (CANCEL-19).

    `escalated` says that a wait for a safe point was cut short, `timed_out` that it was its timeout that did.
    """

    def __init__(self, mode: CancelMode, escalated: bool, timed_out: bool, checkpoint: bytes) -> None:
        super().__init__("the run was cancelled")
        self.mode = mode
        self.escalated = escalated
        self.timed_out = timed_out
        self.checkpoint = checkpoint
