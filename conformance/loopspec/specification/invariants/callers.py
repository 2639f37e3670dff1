"""Invariants about the runs of an agent and their callers: what belongs to one run, and what to its caller."""

from __future__ import annotations

from typing import Any

from ...contract.actions import SetSession
from ...contract.mismatch import Mismatch
from ...contract.observation import Observation
from ...contract.scene import Run
from ...contract.values import Json
from .invariant import Invariant
from .scenes import Story


def _runs_are_apart(story: Story, seen: Observation) -> None:
    runs = {run.id for run in story.scene.runs}
    for source in ("model_calls", "tool_runs", "hooks", "events", "runs"):
        for entry in getattr(seen, source):
            if entry.run not in runs:
                raise Mismatch("the run of an entry", f"one of {sorted(runs)}", entry)


def _callers_list_stays(story: Story, seen: Observation) -> None:
    for end in seen.runs:
        if end.changed:
            raise Mismatch(f"what run {end.run} changed of what its caller passed", (), end.changed)


def _session_is_the_callers(story: Story, seen: Observation) -> None:
    """A session has the values that callers passed and those that were set, and no others."""
    if not any(end.session for end in seen.runs) and not any(run.session for run in story.scene.runs):
        return
    runs = {run.id: run for run in story.scene.runs}
    by_action = {action.key for action in story.actions if isinstance(action, SetSession)}
    written = by_action | {agent.output_key for agent in story.agents if agent.output_key}
    called = {call.run for call in seen.model_calls} | {hook.run for hook in seen.hooks}
    for end in seen.runs:
        if end.run not in called:  # some targets know the session only from the context of a call
            continue
        passed = _session_of(story, runs.get(end.run))
        may_add = end.session if story.is_plain_run else passed  # the plugin layer may keep states in the session
        kept = {key: value for key, value in end.session.items() if key in may_add and key not in written}
        expected = {key: value for key, value in passed.items() if key not in written}
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


def _runs_start_alike(story: Story, seen: Observation) -> None:
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


def _says_which_run(story: Story) -> bool:
    """Whether a handler does an action in some of the runs only."""
    return any(script.runs for double in story.doubles for script in double.scripts)


INVARIANTS = (
    Invariant(name="runs-are-apart", rule="INVARIANT-06", applies=lambda story: True, look=_runs_are_apart),
    Invariant(name="callers-list-stays", rule="INVARIANT-09", applies=lambda story: True, look=_callers_list_stays),
    Invariant(
        name="session-is-the-callers",
        rule="INVARIANT-10",
        applies=lambda story: story.is_run,
        look=_session_is_the_callers,
    ),
    Invariant(
        name="runs-start-alike",
        rule="INVARIANT-17",
        applies=lambda story: len(story.scene.runs) > 1 and not _says_which_run(story),
        look=_runs_start_alike,
    ),
)
