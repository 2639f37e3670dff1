"""Invariants about the hooks of handlers: how often each is called, and in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf

from ...contract.acting import Hook
from ...contract.agents import Agent, Plugin, Scripted, Summarization, tools_of
from ...contract.around import CallInner
from ...contract.mismatch import Mismatch, expect
from ...contract.observation import ModelCall, Observation
from .invariant import invariant
from .scenes import Story

_OF_A_ROUND: tuple[Hook, ...] = ("before model", "around model", "after model")
_ORDERED: tuple[Hook, ...] = ("before agent", "before model", "around model")


def _calls_models_once(story: Story) -> bool:
    """Whether each round of calls has one model call: no wrapper answers, repeats or jumps, and nothing is retried."""
    return (
        story.keeps_answers
        and CallInner not in story.model_actions
        and not any(agent.retry or agent.failover for agent in story.agents)
        and not any(isinstance(handler, Summarization) for handler in story.handlers)
    )


@invariant("INVARIANT-24", _calls_models_once, chain="all")
def hooks_once_a_round(story: Story, seen: Observation) -> None:
    """Between two model calls, each hook after the first and before the second is called once."""
    for agent, run, begin, end in _rounds(story, seen):
        before: tuple[Hook, ...] = ("before model", "around model") if end < inf else ()
        after: tuple[Hook, ...] = ("after model",) if begin >= 0 else ()
        for handler, hook in _hooked(story, agent, (*after, *before)):
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
        for handler, hook in _hooked(story, agent, ("before agent", "after agent")):
            found = [*_called(seen, hook, end.run)].count(handler)
            if hook == "before agent":
                if end.run in fresh & called:
                    expect(f"the calls of {hook} {handler} in run {end.run}", 1, found)
            elif not (end.interrupted or end.cancelled or end.run in story.cut_off or (end.error and may_fail)):
                expect(f"the calls of {hook} {handler} in run {end.run}", 0 if end.error else 1, found)


@invariant("INVARIANT-26", lambda story: story.keeps_calls)
def tool_wrappers_once(story: Story, seen: Observation) -> None:
    """Each call that reaches a tool has entered each tool wrapper of the agent once."""
    asked = Counter(one.id for call in seen.model_calls if call.answer for one in call.answer.tool_calls)
    for agent in story.agents:
        own = {tool.name for tool in tools_of(agent)}
        wrapping = [handler for handler, _ in _hooked(story, agent, ("around tool",))]
        made = Counter((call.run, call.call.id) for call in seen.tool_runs if call.tool in own and not call.has_no_id)
        for (run, call_id), times in made.items() if wrapping else ():
            if asked[call_id] > 1:  # a wrapper may answer one of the calls, and the tool another one
                continue
            of_call = (one for one in seen.hooks if (one.run, one.call_id) == (run, call_id))
            found = Counter(one.handler for one in of_call if one.hook == "around tool" and one.handler in wrapping)
            expect(f"the tool wrappers around call {call_id!r} of run {run}", Counter(wrapping * times), found)


@invariant("INVARIANT-27", lambda story: story.is_plain_run and _calls_models_once(story))
def hooks_in_order(story: Story, seen: Observation) -> None:
    """Between two model calls, hooks of one kind are called in the order of the handlers."""
    for agent, run, begin, end in _rounds(story, seen):
        for hook in _ORDERED:
            order = [handler for handler, _ in _hooked(story, agent, (hook,))]
            found = [one for one in _called(seen, hook, run, begin, end) if one in order]
            expect(f"the order of {hook} between two model calls of run {run}", sorted(found, key=order.index), found)


@invariant("INVARIANT-28", _calls_models_once, limit_ends="error")
def limit_is_kept(story: Story, seen: Observation) -> None:
    """No run calls the models of its agent more often than the limit of the agent permits."""
    limit = story.scene.agent.max_iterations
    calls = Counter(call.run for call in seen.model_calls if call.model in story.own_models)
    for run, count in calls.items():
        if limit is not None and 0 < limit < count:
            raise Mismatch(f"the model calls of run {run}", f"at most {limit}", count)


def _rounds(story: Story, seen: Observation) -> Iterator[tuple[Agent, str | None, float, float]]:
    """The places in the record of two model calls of an agent, one after the other in one run.

    The first place of a run is -1, and the last one, after a final answer of the scene's own agent, is infinite. Left
    out are agents that an answer calls several times as a tool, runs that are cut off, and what follows a failed call.
    """
    answers = [call.answer for call in seen.model_calls if call.answer]
    several = {name for one in answers for name, n in Counter(call.name for call in one.tool_calls).items() if n > 1}
    succeeded = {end.run for end in seen.runs if not (end.error or end.interrupted or end.cancelled)}
    calls: dict[tuple[str, str | None], list[ModelCall]] = {}
    for call in seen.model_calls:
        calls.setdefault((story.owners.get(call.model, ""), call.run), []).append(call)
    for agent in story.agents:
        for run in [run.id for run in story.scene.runs if agent.name not in several]:
            of_run = calls.get((agent.name, run), [])
            if not of_run or run in story.cut_off or story.cancelled_immediately.intersection(story.lineage(run)):
                continue
            yield agent, run, -1, of_run[0].n
            yield from ((agent, run, one.n, other.n) for one, other in pairwise(of_run) if one.answer)
            if run in succeeded and agent is story.agents[0]:
                yield agent, run, of_run[-1].n, inf


def _called(seen: Observation, hook: Hook, run: str | None, begin: float = -1, end: float = inf) -> Iterator[str]:
    """The handlers whose hook is called in a part of a run, in order."""
    return (one.handler for one in seen.hooks if one.hook == hook and one.run == run and begin < one.n < end)


def _hooked(story: Story, agent: Agent, hooks: Sequence[Hook]) -> Iterator[tuple[str, Hook]]:
    """The handlers of one agent alone with one of these hooks, and the hook, in the order of the handlers."""
    names = Counter(handler.name for handler in story.handlers)
    for handler in agent.handlers:
        if isinstance(handler, Scripted | Plugin) and names[handler.name] == 1:
            for hook in hooks:
                if any(script.hook == hook for script in handler.scripts):
                    yield handler.name, hook
