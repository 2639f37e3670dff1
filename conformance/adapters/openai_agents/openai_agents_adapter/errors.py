"""The exceptions of the SDK by their kinds."""

from __future__ import annotations

from collections.abc import Mapping

from agents.exceptions import MaxTurnsExceeded, ModelBehaviorError, UserError

from loopspec.contract.values import ErrorKind

ERROR_KINDS: Mapping[type[BaseException], ErrorKind] = {
    MaxTurnsExceeded: "max_iterations",
    ModelBehaviorError: "unknown_tool",
    UserError: "invalid_config",
}
