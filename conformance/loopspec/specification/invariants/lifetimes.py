"""Invariants about when things happen: within a run, and until the end of every call."""

from __future__ import annotations

from collections import Counter, defaultdict

from ...contract.mismatch import Mismatch
from ...contract.observation import Observation, Span
from .invariant import Invariant
from .scenes import Story

# The hint for a tool that was called without an id, although the model's call has one.
NO_CALL_ID = (
    "the tool was called without `call_id`: pass the id of the model's call, or None (`null` in the protocol) if the "
    "framework passes no id to its tools"
)


def _nothing_after_the_end(story: Story, seen: Observation) -> None:
    cut_off = story.cut_off & story.cancelled_immediately
    ends = {end.run: end.n for end in seen.runs if end.run not in cut_off}
    first = min(ends.values(), default=0)
    for source in ("model_calls", "tool_runs", "hooks", "events", "reads", "questions", "warnings", "spans"):
        for entry in getattr(seen, source):
            if entry.n > first and entry.run in ends and entry.n > ends[entry.run] and not _is_callback(entry):
                raise Mismatch(f"what happens in run {entry.run} after its end", "nothing", entry)


def _is_callback(entry: object) -> bool:
    """Whether an entry is a callback, which may read a copy of a stream at its own speed."""
    return isinstance(entry, Span) and entry.name.startswith("callback ")


def _calls_end(story: Story, seen: Observation) -> None:
    ends, cut_off = {end.run: end.n for end in seen.runs}, story.cut_off
    for span in seen.spans:
        if span.name.startswith("callback ") or span.run in cut_off:
            continue
        if span.ended is None:
            raise Mismatch(f"the end of a call in run {span.run}", "a return, a failure or a cancellation", span)
        if span.run in ends and span.ended > ends[span.run]:
            raise Mismatch(f"the end of a call in run {span.run}", "before the end of the run", span)


def _finished_calls_stay_finished(story: Story, seen: Observation) -> None:
    """Count the calls in each run together with the runs that it continues: a checkpoint may be resumed twice.

    The calls of a framework that passes no id to its tools are counted together.
    """
    if not seen.tool_runs:
        return
    asked: dict[str | None, Counter[str | None]] = defaultdict(Counter)  # None: all calls
    for call in seen.model_calls:
        for tool_call in call.answer.tool_calls if call.answer else ():
            asked[call.run].update((tool_call.id, None))
    spans = {span.n: span for span in seen.spans}
    done: dict[str | None, Counter[str | None]] = defaultdict(Counter)
    for run in seen.tool_runs:
        span = spans.get(run.n - 1)  # the entry follows the beginning of its call
        if span is not None and span.name == f"tool {run.tool}" and span.ended is not None and span.error is None:
            call_id = None if run.has_no_id else run.call.id
            done[run.run][call_id] += 1
            ids = list(story.lineage(run.run))
            requested = sum(asked[each][call_id] for each in ids)
            if sum(done[each][call_id] for each in ids) > requested:
                what = (
                    "the completed tool calls" if call_id is None else f"the completed calls {call_id!r} of {run.tool}"
                )
                raise Mismatch(what, "one for each request", run, NO_CALL_ID if call_id == "" and not requested else "")


INVARIANTS = (
    Invariant(
        name="nothing-after-the-end",
        rule="INVARIANT-04",
        applies=lambda story: True,
        look=_nothing_after_the_end,
    ),
    Invariant(
        name="calls-end",
        rule="INVARIANT-05",
        applies=lambda story: story.reads_streams,
        look=_calls_end,
        postures={"failed-sibling": "waits"},
    ),
    Invariant(
        name="finished-calls-stay-finished",
        rule="INVARIANT-07",
        applies=lambda story: story.keeps_calls,
        look=_finished_calls_stay_finished,
    ),
)
