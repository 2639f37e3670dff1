"""Whose fault it is when a scene cannot be performed.

    KitError
    ├── UsageError          the command: an unknown target, rule, option (exit 2)
    ├── TargetUnusable      the target cannot be built or has nothing to offer (exit 4)
    ├── SuiteError          the features are wrong: nothing an implementation could be blamed for (exit 5)
    ├── AdapterError        the adapter broke while performing: the case is `errored`
    ├── TargetCrashed       the implementation took the process down, or tried to: `crashed`
    └── TargetTimedOut      it did not come back before the deadline: `timed-out`

An implementation that fails as a rule says is none of these: that is an outcome in the Observation.
"""

from __future__ import annotations

from collections.abc import Mapping


def in_one_line(error: BaseException) -> str:
    """An exception as a part of a sentence."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


class KitError(Exception):
    """The root. The message is one sentence naming the thing, the place and the cure."""


class UsageError(KitError):
    """The command is wrong."""


class TargetUnusable(KitError):
    """The target cannot be built or has nothing to offer. `evidence` is what it left, texts by what they are."""

    def __init__(self, message: str, evidence: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.evidence = evidence or {}


class SuiteError(KitError):
    """The features are wrong: nothing an implementation could be blamed for."""


class AdapterError(KitError):
    """The adapter broke while performing a scene."""


class TargetCrashed(KitError):
    """The implementation tried to end the process."""


class TargetTimedOut(KitError):
    """The implementation did not come back before the deadline."""
