"""Invariants about the events that the caller of a run receives."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise
from typing import NamedTuple

from ...contract.mismatch import Mismatch
from ...contract.observation import Event, Observation
from ...contract.values import Message
from .invariant import invariant
from .scenes import Story


class _Compared(NamedTuple):
    """The parts of a message that are compared; `calls` are the ids and names of tool calls."""

    text: str
    pictures: tuple[str, ...]
    calls: tuple[tuple[str, str], ...]
    call_id: str | None


def _what(message: Message) -> _Compared:
    """The parts of a message that are compared. A target may divide a text into parts, or show it as the content."""
    text, parts, calls = message.content, message.parts, message.tool_calls
    if not parts and not calls:  # as most messages
        return _Compared(text, (), (), message.tool_call_id)
    text += "".join([part.text for part in parts])
    pictures = tuple([part.url for part in parts if part.url])
    return _Compared(text, pictures, tuple([(call.id, call.name) for call in calls]), message.tool_call_id)


def _emits_answers(story: Story) -> bool:
    return story.keeps_answers and story.emits_each_attempt_once()


@invariant("INVARIANT-08", _emits_answers, answer_event="before-hooks", message_events="as-they-happen")
def answers_are_emitted(story: Story, seen: Observation) -> None:
    """Where a hook can change an answer, count the events."""
    _are_emitted(story, seen, unchanged=not story.rewrites_answers)


@invariant("INVARIANT-20", _emits_answers, answer_event="before-hooks", message_events="as-they-happen")
def hooks_do_not_change_events(story: Story, seen: Observation) -> None:
    """Where a hook can change an answer, compare the events."""
    if story.rewrites_answers:
        _are_emitted(story, seen, unchanged=True)


def _are_emitted(story: Story, seen: Observation, unchanged: bool) -> None:
    """Each answer is an event, and each event of an assistant is an answer; of sub-agents, in any order."""
    heard = story.heard
    owners = story.owners
    answers: dict[tuple[str | None, str], list[_Compared]] = defaultdict(list)
    emitted: dict[tuple[str | None, str], list[_Compared]] = defaultdict(list)
    for call in seen.model_calls:
        if call.answer is not None and call.run is not None and owners.get(call.model) in heard:
            answers[call.run, owners[call.model]].append(_what(call.answer))
    for event, message in story.emitted:
        if message.role == "assistant":
            emitted[event.run, event.agent].append(_what(message))
    own = story.scene.agent.name
    for key in {**answers, **emitted}:
        run, agent = key
        expected, found = answers[key], emitted[key]
        if story.may_repeat(run):
            continue
        if run in story.cut_off:
            expected = expected[: len(found)]
        if agent != own and Counter(expected) == Counter(found):
            continue
        if expected != found if unchanged else len(expected) != len(found):
            raise Mismatch(f"the answers of {agent} that run {run} emits", expected, found)


@invariant("INVARIANT-11", lambda story: story.keeps_conversation, message_events="as-they-happen")
def results_are_emitted(story: Story, seen: Observation) -> None:
    """Each result in a request has been emitted with the same content, in this run or in the run that it resumes.

    In another posture, a failed run emits no result.
    """
    emitted: dict[str | None, set[_Compared]] = defaultdict(set)
    for event, message in story.emitted:
        if message.role == "tool" and event.agent == story.scene.agent.name:
            emitted[event.run].add(_what(message))
    passed = {_what(message) for run in story.scene.runs for message in run.messages if message.role == "tool"}
    history = {run.id: run.history.run for run in story.scene.runs if run.history}
    stored = {run.id for run in story.scene.runs if run.conversation}  # may have results that the target made up
    for call in seen.model_calls:
        results = [message for message in call.messages if message.role == "tool"]
        if not results or call.model not in story.own_models or call.run in stored:
            continue
        runs = [*story.lineage(call.run), *story.lineage(history.get(call.run or ""))]
        if not (story.cut_off & story.cancelled_immediately).isdisjoint(runs):
            continue
        known = passed.union(*[emitted[run] for run in runs])
        for message in results:
            if not (message.content or message.parts) and any(event.chunks == () for event in seen.events):
                continue  # a stream without a chunk says of no call that it is its result
            if _what(message) not in known:
                raise Mismatch(f"a result in a request of run {call.run}", "a result that was emitted", message)


@invariant("INVARIANT-12", lambda story: story.keeps_calls)
def results_follow_calls(story: Story, seen: Observation) -> None:
    """Each emitted result belongs to one call of an answer that was emitted before, also in the run that it resumes."""
    open_calls: dict[tuple[str | None, str], Counter[str | None]] = defaultdict(Counter)
    for event, message in story.emitted:
        if not message.tool_calls and message.role != "tool":
            continue
        if story.may_repeat(event.run):
            continue
        key = event.run, event.agent
        if key not in open_calls:  # a checkpoint may be resumed twice, so each run has its copy of the open calls
            earlier = ((run, event.agent) for run in story.lineage(event.run))
            open_calls[key] = Counter(next((open_calls[each] for each in earlier if each in open_calls), ()))
        for call in message.tool_calls:
            open_calls[key][call.id] += 1
        if message.role == "tool":
            open_calls[key][message.tool_call_id] -= 1
            if open_calls[key][message.tool_call_id] < 0:
                raise Mismatch(f"a result that run {event.run} emits", "one result for each emitted call", message)


@invariant("INVARIANT-13", lambda story: story.keeps_calls)
def answer_is_last(story: Story, seen: Observation) -> None:
    """The last message of a run that succeeds is an answer, or the result of a tool that ends the run."""
    own = story.scene.agent.name
    last: dict[str, tuple[Event, Message]] = {}
    for event, message in story.emitted:
        last[event.run] = event, message
    for end in seen.runs:
        if end.error or end.stopped or end.run not in last:
            continue
        event, message = last[end.run]
        if event.agent != own or message.role not in ("assistant", "tool"):
            raise Mismatch(f"the last message that run {end.run} emits", f"the final answer of {own}", event)


@invariant("INVARIANT-14")
def error_is_last(story: Story, seen: Observation) -> None:
    """An error event is the last event of its run, and the run fails with this error."""
    ends = {end.run: end for end in seen.runs}
    own = story.scene.agent.name
    by_run: dict[str, list[Event]] = defaultdict(list)
    for event in seen.events:
        by_run[event.run].append(event)
    for run, events in by_run.items():
        for event, following in pairwise(events):
            if _is_error(event, own):
                raise Mismatch(f"what run {run} emits after its error", "nothing", following)
        end = ends.get(run)
        if _is_error(events[-1], own) and end is not None and end.error is None:
            raise Mismatch(f"the end of run {run}, which has emitted an error", events[-1].error, end)


def _is_error(event: Event, own: str) -> bool:
    return event.error is not None and event.chunks is None and event.agent in (own, "")


@invariant("INVARIANT-15")
def agents_are_known(story: Story, seen: Observation) -> None:
    """The agent of each event is one whose events the caller receives. If one names its agent, all messages do."""
    heard, names = story.heard, any(event.agent for event in seen.events)
    for event in seen.events:
        must_name = event.agent or (names and (event.message is not None or event.chunks is not None))
        if must_name and event.agent not in heard:
            raise Mismatch(f"the agent of an event in run {event.run}", f"one of {sorted(heard)}", event)
