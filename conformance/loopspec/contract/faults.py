"""Whose fault it is when a scene cannot be performed.

    KitError
    ├── UsageError          the command: an unknown target, rule, option (exit 2)
    ├── TargetUnusable      the target cannot be built or has no role (exit 4)
    ├── SuiteError          the features are wrong, which is no fault of an implementation (exit 5)
    ├── AdapterError        the adapter failed while performing: the case is `errored`
    ├── TargetCrashed       the implementation ended the process, or tried to: `crashed`
    └── TargetTimedOut      the implementation did not return before the deadline: `timed-out`

A failure that a rule is about is no such error, but an outcome in the Observation.
"""

from __future__ import annotations

from collections.abc import Mapping

from .names import short_name, shortened

_LONG = 400  # characters of an exception's message that are shown completely: some contain a whole file


def in_one_line(error: BaseException) -> str:
    """An exception as a part of a sentence; the middle of a long message is left out."""
    return f"{type(error).__name__}: {shortened(' '.join(str(error).split()), _LONG)}"


class KitError(Exception):
    """The base class. The message is one sentence with the subject, the place and the cure."""


class UsageError(KitError):
    """The command is wrong."""


class TargetUnusable(KitError):
    """The target cannot be built or has no role. `evidence` has texts by kind, such as standard error."""

    def __init__(self, message: str, evidence: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.evidence = evidence or {}


class SuiteError(KitError):
    """The features are wrong, which is no fault of an implementation."""


class AdapterError(KitError):
    """The adapter failed while performing a scene."""


class CannotStore(Exception):
    """A backend cannot store a file under this path. `open` and `write` of a backend raise it; see `Backend`."""

    def __init__(self, path: str) -> None:
        super().__init__(f"the backend cannot store a file with the path {short_name(path)}")
        self.path = path


class TargetCrashed(KitError):
    """The implementation tried to end the process."""


class TargetTimedOut(KitError):
    """The implementation did not return before the deadline."""
