"""The error of a run that no Then expects: it explains what a Then misses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from ..contract.mismatch import Mismatch, shown
from ..contract.observation import Observation
from ..contract.values import Error

Check = Callable[[Observation], object]  # raises `Mismatch`


def explained(no: Mismatch, checks: Sequence[Check], seen: Observation) -> None:
    """Add to a mismatch the first error of the observation that no check expects, unless it is named there."""
    for what, error, without in errors_of(seen):
        if not any(_expects(check, seen, without) for check in checks):
            if (error.message or error.code or error.kind) not in no.seen:
                no.add(f"{what} failed with {shown(error)}")
            return


def errors_of(seen: Observation) -> Iterator[tuple[str, Error, Observation]]:
    """What failed, the error, and the observation without the error. A cancelled run has no error of its own."""
    if seen.created:
        yield "building the agent", seen.created, replace(seen, created=None)
    for end in seen.runs:
        if end.error and end.cancelled is None:
            ends = tuple(replace(end, error=None) if one is end else one for one in seen.runs)
            yield f"run {end.run}", end.error, replace(seen, runs=ends)


def _expects(check: Check, seen: Observation, without: Observation) -> bool:
    """Whether a check passes only because of an error."""
    return _passes(check, seen) and not _passes(check, without)


def _passes(check: Check, seen: Observation) -> bool:
    try:
        check(seen)
    except Exception:  # the observation without the error is one that no target has made
        return False
    return True
