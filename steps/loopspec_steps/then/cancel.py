"""Then: requests to cancel a run."""

from __future__ import annotations

from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Cancelled, Observation, Waited

from ..cells import YES_NO
from ..declarations import ClosedList, SeenColumn, SeenColumns, Table, Word
from ..holes import CancelMode
from ..phrasebook import then
from .failures import how_it_ended
from .observed import end_of, line_of

SAID: ClosedList[str] = ClosedList(
    "results of waiting",
    "What waiting for a cancellation returns.",
    Word("cancelled", "The run was cancelled.", "cancelled"),
    Word("ended before", "The run ended before the cancellation took effect.", "ended"),
    Word("timed out", "The timeout of the request passed, and the run was cancelled at once.", "timed out"),
)
CANCELLED_AT: ClosedList[tuple[CancelMode, ...]] = ClosedList(
    "points in the error",
    "The points of the cancellation that the error of the run names.",
    Word("none", "The error names no point.", ()),
    Word("the model call", "The error names the model call.", ("after model",)),
    Word("the tool calls", "The error names the tool calls.", ("after tools",)),
    Word("either", "The error names both points.", ("after model", "after tools")),
)
REQUESTS: SeenColumns[Waited] = SeenColumns(
    "requests to cancel",
    "The requests to cancel the run in order, one per row.",
    SeenColumn(
        "contributed",
        "Whether the request came before the end of the run.",
        YES_NO,
        lambda one: one.contributed,
        required=True,
    ),
    SeenColumn(
        "waiting returns", "What waiting for the cancellation returns.", SAID, lambda one: one.outcome, required=True
    ),
    named=True,
)
CANCELLATION: SeenColumns[Cancelled] = SeenColumns(
    "cancellation of a run",
    "What the error of the cancelled run says, in one row.",
    SeenColumn(
        "safe points",
        "The safe points that the caller requested.",
        CANCELLED_AT,
        lambda said: said.modes,
        required=True,
    ),
    SeenColumn(
        "escalated",
        "Whether the cancellation took effect at once instead of at its point.",
        YES_NO,
        lambda said: said.escalated,
    ),
    SeenColumn("timeout", "Whether the timeout of the request had passed.", YES_NO, lambda said: said.timed_out),
    named=True,
)


@then("the cancel requests return", REQUESTS)
def requests_come_to(seen: Observation, table: Table) -> None:
    """The result of each request to cancel, in order."""
    REQUESTS.compare("the requests to cancel", table, seen.waits)


@then("waiting for the cancellation ends after every call has returned")
def waiting_ends_last(seen: Observation) -> None:
    """Waiting for the cancellation ends after every call has returned."""
    everything_returned(seen)
    last = max(span.ended for span in seen.spans if span.ended is not None)
    if not seen.waits:
        raise Mismatch("the requests to cancel", "at least one is waited for", "none is")
    first = min(one.n for one in seen.waits)
    if first < last:
        late = [line_of(span) for span in seen.spans if span.ended is not None and span.ended > first]
        raise Mismatch("the calls that returned after the waiting ended", "none", late)


@then("every call has returned")
def everything_returned(seen: Observation) -> None:
    """Every call of a model, tool or handler has returned, and there was at least one call."""
    if not seen.spans:
        raise Mismatch("the trace", "at least one call", "nothing")
    expect("what never returned", [], [line_of(span) for span in seen.spans if span.ended is None])


@then("the cancellation error reports", CANCELLATION)
def run_says(seen: Observation, table: Table) -> None:
    """What the error of the cancelled run says, in one row."""
    said = end_of(seen, 1).cancelled
    if said is None:
        raise Mismatch("how run 1 ends", "cancelled", how_it_ended(end_of(seen, 1)))
    CANCELLATION.compare("what the error says", table, [said])
