"""Invariants about the hooks of handlers: how often each is called, and in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import inf

from ...contract.acting import Hook
from ...contract.agents import tools_of
from ...contract.mismatch import Mismatch, expect
from ...contract.observation import Observation
from .invariant import invariant
from .scenes import Story

_ORDERED: tuple[Hook, ...] = ("before agent", "before model", "around model")


@invariant("INVARIANT-24", Story.calls_models_once, chain="all")
def hooks_once_a_round(story: Story, seen: Observation) -> None:
    """Between two model calls, each hook after the first and before the second is called once."""
    for agent, run, begin, end in story.rounds:
        before: tuple[Hook, ...] = ("before model", "around model") if end < inf else ()
        after: tuple[Hook, ...] = ("after model",) if begin >= 0 else ()
        for hook in (*after, *before):
            for handler in story.hooked(agent, hook):
                found = [one for one in _called(seen, hook, run, begin, end) if one == handler]
                expect(f"the calls of {hook} {handler} between two model calls of run {run}", [handler], found)


@invariant("INVARIANT-25", lambda story: story.is_run and not story.jumps)
def agent_hooks_once(story: Story, seen: Observation) -> None:
    """A run calls a before-agent hook before its first model call, and an after-agent hook if it does not fail."""
    agent = story.scene.agent
    called = {call.run for call in seen.model_calls if call.model in story.own_models}
    fresh = {run.id for run in story.scene.runs if run.resume is None}
    scripts = [script for double in story.doubles for script in double.scripts if script.hook == "after agent"]
    may_fail = any(script.actions for script in scripts)  # at its end, after some of these hooks
    for end in seen.runs:
        stopped = end.stopped or end.run in story.cut_off or (end.error and may_fail)
        expected: dict[Hook, int] = {"before agent": 1} if end.run in fresh & called else {}
        expected |= {} if stopped else {"after agent": 0 if end.error else 1}
        for hook, times in expected.items():
            for handler in story.hooked(agent, hook):
                found = [*_called(seen, hook, end.run)].count(handler)
                expect(f"the calls of {hook} {handler} in run {end.run}", times, found)


@invariant("INVARIANT-26", lambda story: story.keeps_calls)
def tool_wrappers_once(story: Story, seen: Observation) -> None:
    """Each call that reaches a tool has entered each tool wrapper of the agent once."""
    asked = Counter(one.id for call in seen.model_calls if call.answer for one in call.answer.tool_calls)
    for agent in story.agents:
        own = {tool.name for tool in tools_of(agent)}
        wrapping = story.hooked(agent, "around tool")
        made = Counter((call.run, call.call.id) for call in seen.tool_runs if call.tool in own and not call.has_no_id)
        for (run, call_id), times in made.items() if wrapping else ():
            if asked[call_id] > 1:  # a wrapper may answer one of the calls, and the tool another one
                continue
            of_call = (one for one in seen.hooks if (one.run, one.call_id) == (run, call_id))
            found = Counter(one.handler for one in of_call if one.hook == "around tool" and one.handler in wrapping)
            expect(f"the tool wrappers around call {call_id!r} of run {run}", Counter(wrapping * times), found)


@invariant("INVARIANT-27", lambda story: story.is_plain_run and story.calls_models_once())
def hooks_in_order(story: Story, seen: Observation) -> None:
    """Between two model calls, hooks of one kind are called in the order of the handlers."""
    for agent, run, begin, end in story.rounds:
        for hook in _ORDERED:
            order = story.hooked(agent, hook)
            found = [one for one in _called(seen, hook, run, begin, end) if one in order]
            expect(f"the order of {hook} between two model calls of run {run}", sorted(found, key=order.index), found)


@invariant("INVARIANT-28", Story.calls_models_once, limit_ends="error")
def limit_is_kept(story: Story, seen: Observation) -> None:
    """No run calls the models of its agent more often than the limit of the agent permits."""
    limit = story.scene.agent.max_iterations
    calls = Counter(call.run for call in seen.model_calls if call.model in story.own_models)
    for run, count in calls.items():
        if limit is not None and 0 < limit < count:
            raise Mismatch(f"the model calls of run {run}", f"at most {limit}", count)


def _called(seen: Observation, hook: Hook, run: str | None, begin: float = -1, end: float = inf) -> Iterator[str]:
    """The handlers whose hook is called in a part of a run, in order."""
    return (one.handler for one in seen.hooks if one.hook == hook and one.run == run and begin < one.n < end)
