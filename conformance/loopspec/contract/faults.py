"""Whose fault it is when a scene cannot be performed.

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
    """The command is wrong: it names an unknown target, rule or option (exit 2)."""


class TargetUnusable(KitError):
    """The target cannot be built or has no role (exit 4). `evidence` has texts by kind, such as standard error."""

    def __init__(self, message: str, evidence: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.evidence = evidence or {}


class SuiteError(KitError):
    """The features are wrong, which is no fault of an implementation (exit 5)."""


class AdapterError(KitError):
    """The adapter failed while performing a scene: the case is `errored`."""


class CannotStore(Exception):
    """A backend cannot store a file under this path. `open` and `write` of a backend raise it; see `Backend`."""

    def __init__(self, path: str) -> None:
        super().__init__(f"the backend cannot store a file with the path {short_name(path)}")
        self.path = path


class TargetCrashed(KitError):
    """The implementation ended the process, or tried to: the case is `crashed`."""


class TargetTimedOut(KitError):
    """The implementation did not return before the deadline: the case is `timed-out`."""
