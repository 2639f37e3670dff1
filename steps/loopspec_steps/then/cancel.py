"""Then: what came of the requests to cancel a run."""

from __future__ import annotations

from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Observation

from ..cells import one_of
from ..phrasebook import Table, then
from .failures import how_it_ended
from .observed import end_of, errors_of, line_of

_SAID = {"cancelled": "cancelled", "had ended by itself": "ended", "cut short by its timeout": "timed out"}
_POINTS = {
    "none": (),
    "the model call": ("after model",),
    "the tool calls": ("after tools",),
    "either": ("after model", "after tools"),
}
_YES = {True: "yes", False: "no"}


@then("the requests to cancel come to")
def requests_come_to(seen: Observation, table: Table) -> None:
    """Each request, in order. `counted`: whether it came before the end.

    `waiting says`: that the run was `cancelled`, `had ended by itself`, or was `cut short by its timeout`.
    """
    wanted = [_request(row["counted"], one_of(row["waiting says"], _SAID)) for row in table]
    expect("the requests to cancel", wanted, [_request(_YES[one.contributed], one.outcome) for one in seen.waits])


def _request(counted: str, said: str) -> str:
    return f"counted: {counted}, waiting says: {said}"


@then("waiting for the cancellation ends after all that was called has returned")
def waiting_ends_last(seen: Observation) -> None:
    """Whoever waits hears of it when nothing goes on any more; and all that began has come to its own end."""
    everything_returned(seen)
    last = max(span.ended for span in seen.spans if span.ended is not None)
    if not seen.waits:
        raise Mismatch("the requests to cancel", "at least one is waited for", "none is")
    first = min(one.n for one in seen.waits)
    if first < last:
        late = [line_of(span) for span in seen.spans if span.ended is not None and span.ended > first]
        raise Mismatch("the calls that returned after the waiting ended", "none", late)


@then("everything that was called has returned")
def everything_returned(seen: Observation) -> None:
    """No call was broken off: of models, tools, or handlers; and there were some."""
    if not seen.spans:
        raise Mismatch("the trace", "at least one call", errors_of(seen) or "nothing")
    expect("what never returned", [], [line_of(span) for span in seen.spans if span.ended is None])


@then("the run says of its cancellation")
def run_says(seen: Observation, table: Table) -> None:
    """What its error tells, in one row: the `points` asked for, whether it was `cut short`, and by a `timeout`.

    The points are `the model call`, `the tool calls`, `either` or `none`.
    """
    said = end_of(seen, 1).cancelled
    if said is None:
        raise Mismatch("how run 1 ends", "cancelled", how_it_ended(end_of(seen, 1)))
    (row,) = table
    known = {"cut short": _YES[said.escalated], "timeout": _YES[said.timed_out]}
    expect("the points", one_of(row["points"], _POINTS), said.modes)
    for column, cell in row.items():
        if column != "points":
            expect(f"{column!r} of the cancellation", cell, known[column])
