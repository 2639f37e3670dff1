"""Names that a backend refuses to store: a case about such a name passes, and a run counts these cases."""

from __future__ import annotations

from collections.abc import Iterable

from ..contract.observation import Observation
from .result import CaseLine, Result

_LEAD = "refused name: "  # before the message of the refusal, in the message of a passed case


def refusal_in(seen: Observation) -> str:
    """The message of a passed case whose name the backend refused; empty without a refusal."""
    refused = [call.error.message for call in seen.store_calls if call.error and call.error.kind == "cannot_store"]
    return f"{_LEAD}{refused[0]}" if refused else ""


def refused_names(results: Iterable[Result | CaseLine]) -> dict[str, str]:
    """The passed cases whose name the backend refused, each with the message of the refusal."""
    return {
        result.case: result.message.removeprefix(_LEAD)
        for result in results
        if result.verdict == "passed" and result.message.startswith(_LEAD)
    }
