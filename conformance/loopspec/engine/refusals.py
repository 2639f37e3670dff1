"""Names that a backend refuses to store: a case about such a name passes, and a run counts these cases."""

from __future__ import annotations

from collections.abc import Iterable

from ..contract.observation import Observation
from .result import CaseLine, Result


def refusal_in(seen: Observation) -> str:
    """The message of the backend that refused the name of a case; empty without a refusal."""
    return next(
        (call.error.message for call in seen.store_calls if call.error and call.error.kind == "cannot_store"), ""
    )


def refused_names(results: Iterable[Result | CaseLine]) -> dict[str, str]:
    """The passed cases whose name the backend refused, each with the message of the refusal."""
    return {result.case: result.refused for result in results if result.verdict == "passed" and result.refused}
