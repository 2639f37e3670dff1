"""Then: what came of the requests to cancel a run."""

from __future__ import annotations

from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Observation

from ..cells import one_of
from ..phrasebook import Table, then
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
    wanted = [(row["counted"], one_of(row["waiting says"], _SAID)) for row in table]
    expect("the requests to cancel", wanted, [(_YES[one.contributed], one.outcome) for one in seen.waits])


@then("waiting for the cancellation ends after all that was called has returned")
def waiting_ends_last(seen: Observation) -> None:
    """Whoever waits hears of it when nothing goes on any more; and all that began has come to its own end."""
    everything_returned(seen)
    last = max(span.ended for span in seen.spans if span.ended is not None)
    expect("whether each request has been waited for", True, bool(seen.waits))
    expect("what returned later", [], [one for one in seen.waits if one.n < last])


@then("everything that was called has returned")
def everything_returned(seen: Observation) -> None:
    """No call was broken off: of models, tools, or handlers; and there were some."""
    if not seen.spans:
        raise Mismatch("the trace", "something happens", errors_of(seen) or "nothing")
    expect("what never returned", [], [line_of(span) for span in seen.spans if span.ended is None])


@then("the run says of its cancellation")
def run_says(seen: Observation, table: Table) -> None:
    """What its error tells, in one row: the `points` asked for, whether it was `cut short`, and by a `timeout`.

    The points are `the model call`, `the tool calls`, `either` or `none`.
    """
    said = end_of(seen, 1).cancelled
    if said is None:
        raise Mismatch("how run 1 ends", "cancelled", errors_of(seen) or "otherwise")
    (row,) = table
    known = {"cut short": _YES[said.escalated], "timeout": _YES[said.timed_out]}
    expect("the points", one_of(row["points"], _POINTS), said.modes)
    told = {column: cell for column, cell in row.items() if column != "points"}
    expect("what the run says", told, {column: known[column] for column in told})
