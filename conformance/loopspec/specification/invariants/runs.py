"""Invariants about the runs of an agent and their callers: what belongs to one run, what to its caller, and when."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from ...contract.actions import SetSession
from ...contract.mismatch import Mismatch
from ...contract.observation import Observation, Span
from ...contract.scene import Run
from ...contract.values import Json
from .invariant import invariant
from .scenes import Story

# The hint for a tool that was called without an id, although the model's call has one.
NO_CALL_ID = (
    "the tool was called without `call_id`: pass the id of the model's call, or None (`null` in the protocol) if the "
    "framework passes no id to its tools"
)


@invariant("INVARIANT-06")
def runs_are_apart(story: Story, seen: Observation) -> None:
    """Each entry is of a run of the scene."""
    runs = {run.id for run in story.scene.runs}
    for source in ("model_calls", "tool_runs", "hooks", "events", "runs"):
        for entry in getattr(seen, source):
            if entry.run not in runs:
                raise Mismatch("the run of an entry", f"one of {sorted(runs)}", entry)


@invariant("INVARIANT-09")
def callers_list_stays(story: Story, seen: Observation) -> None:
    """No run changes what its caller has passed."""
    for end in seen.runs:
        if end.changed:
            raise Mismatch(f"what run {end.run} changed of what its caller passed", (), end.changed)


@invariant("INVARIANT-10", lambda story: story.is_run)
def session_is_the_callers(story: Story, seen: Observation) -> None:
    """A session has the values that callers passed and those that were set, and no others."""
    if not any(end.session for end in seen.runs) and not any(run.session for run in story.scene.runs):
        return
    runs = {run.id: run for run in story.scene.runs}
    by_action = {action.key for action in story.actions if isinstance(action, SetSession)}
    written = by_action | {agent.output_key for agent in story.agents if agent.output_key}
    called = {call.run for call in seen.model_calls} | {hook.run for hook in seen.hooks}
    for end in seen.runs:
        if end.died:
            continue
        passed = _session_of(story, runs.get(end.run))
        may_add = end.session if story.is_plain_run else passed  # the plugin layer may keep states in the session
        kept = {key: value for key, value in end.session.items() if key in may_add and key not in written}
        # Some targets know the session only from the context of a call.
        known = passed if end.run in called else passed.keys() & kept.keys()
        expected = {key: passed[key] for key in known if key not in written}
        if kept != expected:
            raise Mismatch(f"the session after run {end.run}, apart from values that were set", expected, kept)


def _session_of(story: Story, run: Run | None) -> dict[str, Json]:
    """The values that the caller passed to a run, to the runs that it resumes, and to earlier runs of its thread."""
    session: dict[str, Any] = {}
    if run is None:
        return session
    line = set(story.lineage(run.id))
    for each in story.scene.runs:
        if each.id in line or (run.thread and each.thread == run.thread):
            session.update(each.session)
        if each.id == run.id:
            break
    return session


def _has_equal_runs(story: Story) -> bool:
    """Whether there are several runs, and no handler does an action in some of them only."""
    several = len(story.scene.runs) > 1
    return several and not any(script.runs for double in story.doubles for script in double.scripts)


@invariant("INVARIANT-17", _has_equal_runs)
def runs_start_alike(story: Story, seen: Observation) -> None:
    """The first before-agent hook receives the same in each run, and so does the first request of the agent."""
    agent = story.scene.agent
    first: dict[str, object] = {}
    hooked, requested = set[str | None](), set[str | None]()
    fresh = {run.id for run in story.scene.runs if run.resume is None}
    handlers = {handler.name for handler in agent.handlers}
    for hook in seen.hooks:
        if hook.hook == "before agent" and hook.handler in handlers and hook.run not in hooked:
            hooked.add(hook.run)
            received = hook.handler, hook.instruction, hook.tools, hook.return_directly
            if first.setdefault("hook", received) != received:
                raise Mismatch(f"what run {hook.run} begins with", first["hook"], received)
    for call in seen.model_calls:
        if call.model in story.own_models and call.run in fresh - requested:
            requested.add(call.run)
            tools = call.request.tools
            if first.setdefault("tools", tools) != tools:
                raise Mismatch(f"the tools of the first request in run {call.run}", first["tools"], tools)


@invariant("INVARIANT-04")
def nothing_after_the_end(story: Story, seen: Observation) -> None:
    """Nothing happens in a run after its end, apart from callbacks and from calls that were cut off."""
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


@invariant("INVARIANT-05", Story.reads_streams, failed_sibling="waits")
def calls_end(story: Story, seen: Observation) -> None:
    """Each call ends before the end of its run, unless it was cut off."""
    ends, cut_off = {end.run: end.n for end in seen.runs}, story.cut_off
    for span in seen.spans:
        if span.run in cut_off or _is_callback(span):
            continue
        if span.ended is None:
            raise Mismatch(f"the end of a call in run {span.run}", "a return, a failure or a cancellation", span)
        if span.run in ends and span.ended > ends[span.run]:
            raise Mismatch(f"the end of a call in run {span.run}", "before the end of the run", span)


@invariant("INVARIANT-07", lambda story: story.keeps_calls)
def calls_are_made_once(story: Story, seen: Observation) -> None:
    """Count the completed calls of each run alone."""
    _are_requested(story, seen, across=False)


@invariant("INVARIANT-19", lambda story: story.keeps_calls)
def finished_calls_stay_finished(story: Story, seen: Observation) -> None:
    """Count the calls of a resumed run together with those of the runs before: a checkpoint may be resumed twice."""
    _are_requested(story, seen, across=True)


def _are_requested(story: Story, seen: Observation, across: bool) -> None:
    """Compare the completed calls of each run, or of each resumed run and the runs before, with those of the answers.

    The calls of a framework that passes no id to its tools are counted together.
    """
    if not seen.tool_runs or (across and not any(run.resume for run in story.scene.runs)):
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
            if across and story.may_repeat(run.run):  # STOP-38 judges it: a result can be lost before it is saved
                continue
            call_id = None if run.has_no_id else run.call.id
            done[run.run][call_id] += 1
            runs = story.lineage(run.run)
            counted = runs[: None if across else 1] if len(runs) > across else []
            requested = sum([asked[each][call_id] for each in runs])
            if sum([done[each][call_id] for each in counted]) > requested:
                what = (
                    "the completed tool calls" if call_id is None else f"the completed calls {call_id!r} of {run.tool}"
                )
                raise Mismatch(what, "one for each request", run, NO_CALL_ID if call_id == "" and not requested else "")
