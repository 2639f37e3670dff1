"""The exceptions of the SDK, and of asyncio, by their kinds."""

from __future__ import annotations

from collections.abc import Mapping

from agents.exceptions import MaxTurnsExceeded, ModelBehaviorError, UserError

from loopspec.contract.values import ErrorKind

from .cancelling import TaskCancelled

ERROR_KINDS: Mapping[type[BaseException], ErrorKind] = {
    MaxTurnsExceeded: "max_iterations",
    ModelBehaviorError: "unknown_tool",
    TaskCancelled: "cancel",
    UserError: "invalid_config",
}
