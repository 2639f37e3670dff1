"""Invariants about the conversation of an agent."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from ...contract.actions import DeferTools, OfferTools
from ...contract.agents import models_of
from ...contract.mismatch import Mismatch
from ...contract.observation import ModelCall, Observation
from ...contract.values import MARKER, Message, Part
from .invariant import invariant
from .scenes import Story, must_be_answered


@invariant("INVARIANT-01", Story.keeps_calls_with_results)
def calls_have_results(story: Story, seen: Observation) -> None:
    """Look at each request, at the conversation that each hook receives, and at what a completed run leaves."""
    for call in seen.model_calls:
        must_be_answered(call.messages, f"model call {call.model} in run {call.run}")
    ends = {call.n for call in seen.hooks if call.hook == "after agent"}
    for hook in seen.hooks:
        if hook.messages and hook.n not in ends:
            where = f"the conversation that {hook.handler} receives ({hook.hook})"
            must_be_answered(hook.messages, where, open_end=hook.hook == "after model")
    for hook in seen.hooks:
        if hook.n in ends:  # an agent without tools ends with an answer whose calls it cannot make
            open_end = not story.tools or bool(hook.messages and hook.messages[-1].tool_calls)
            must_be_answered(hook.messages, f"the conversation after the agent ({hook.handler})", open_end)
    _leaves_no_open_call(story, seen)


def _leaves_no_open_call(story: Story, seen: Observation) -> None:
    """Each call in the answers of a run that succeeds has a result among the events, also of the runs it resumes."""
    events = [event for event in seen.events if event.agent == story.scene.agent.name]
    called: dict[str | None, set[str]] = defaultdict(set)
    results: dict[str | None, set[str]] = defaultdict(set)
    for event in events:
        for message in event.chunks or ((event.message,) if event.message else ()):
            if message.tool_calls:
                called[event.run].update(call.id for call in message.tool_calls)
            if message.tool_call_id is not None:
                results[event.run].add(message.tool_call_id)
    if not called:
        return
    # the streams without a chunk, and so without the id of a call
    empty = Counter(event.run for event in events if event.chunks == ())
    unmade = {call.run for call in seen.model_calls if call.answer and call.answer.tool_calls and not call.tools}
    cut_off = story.cut_off & story.cancelled_immediately
    for end in seen.runs:
        if end.error is None and not end.interrupted and end.cancelled is None and end.run not in unmade:
            runs = story.lineage(end.run)
            if not cut_off.isdisjoint(runs):
                continue
            left = set[str]().union(*(called[run] for run in runs)).difference(*(results[run] for run in runs))
            if len(left) > sum(empty[run] for run in runs):
                raise Mismatch(f"the calls without a result when run {end.run} succeeds", (), tuple(sorted(left)))


@invariant("INVARIANT-02", lambda story: story.keeps_conversation)
def conversation_grows(story: Story, seen: Observation) -> None:
    """Each request of an agent continues its request before, or is another attempt."""
    for agent in story.agents:
        models, is_outer = {model.name for model in models_of(agent)}, agent is story.scene.agent
        earlier: dict[str, list[ModelCall]] = defaultdict(list)
        for call in seen.model_calls:
            if call.run is None or call.model not in models:
                continue
            before = [earlier[run] for run in story.lineage(call.run) or [call.run] if earlier[run]]
            if is_outer:
                _must_grow(before[0][-1] if before else None, call)
            elif before or agent.name not in story.continuing:
                _must_grow_from_any([each for calls in before for each in calls], call)
            earlier[call.run].append(call)


def _must_grow(before: ModelCall | None, after: ModelCall) -> None:
    if before is None:
        return
    old, new = before.messages, after.messages
    if _is_equal(new, old):  # another attempt
        return
    if not _is_equal(new[: len(old)], old):
        raise Mismatch(f"the first {len(old)} messages of a request in run {after.run}", _plain(old), _plain(new))
    answer, results = new[len(old) : len(old) + 1], new[len(old) + 1 :]
    given = before.answer
    if given is None or not _is_equal(answer, [given]):
        raise Mismatch(f"the message after the previous request in run {after.run}", given, answer)
    ids = [call.id for call in given.tool_calls]
    if [message.tool_call_id for message in results] != ids:
        raise Mismatch(f"the results after the previous answer in run {after.run}", ids, _plain(results))


def _must_grow_from_any(earlier: Sequence[ModelCall], call: ModelCall) -> None:
    """A sub-agent may be called several times in a run: a conversation without an answer is a new one."""
    if not any(message.role in ("assistant", "tool") for message in call.messages):
        return None
    no: Mismatch | None = None
    for before in reversed(earlier):
        try:
            return _must_grow(before, call)
        except Mismatch as each:
            no = no or each
    raise no or Mismatch(f"the first request of {call.model} in run {call.run}", "no answer", _plain(call.messages))


class _Compared(NamedTuple):
    """The parts of a message that are compared; `calls` are the ids and names of tool calls."""

    role: str
    content: str
    parts: tuple[Part, ...]
    calls: tuple[tuple[str, str], ...]
    call_id: str | None


def _is_equal(some: Sequence[Message], others: Sequence[Message]) -> bool:
    """Whether messages are equal in the parts that are compared."""
    return len(some) == len(others) and (some == others or _plain(some) == _plain(others))


def _plain(messages: Sequence[Message]) -> list[_Compared]:
    """The parts of messages that are compared."""
    return [
        _Compared(
            message.role,
            message.content,
            message.parts,
            tuple([(call.id, call.name) for call in message.tool_calls]),
            message.tool_call_id,
        )
        for message in messages
    ]


@invariant(
    "INVARIANT-03", lambda story: story.is_run and not story.has_actions((OfferTools, DeferTools)), limit_ends="error"
)
def tools_stay(story: Story, seen: Observation) -> None:
    """Each request of an agent in a run has the tools of its first one."""
    owners = story.owners
    first: dict[tuple[str | None, str], ModelCall] = {}
    for call in seen.model_calls:
        if call.model in owners:
            before = first.setdefault((call.run, owners[call.model]), call)
            if call.request.tools != before.request.tools:
                raise Mismatch(f"the tools of a model call in run {call.run}", before.tools, call.tools)


@invariant("INVARIANT-16", lambda story: story.keeps_conversation)
def begins_with_the_callers_messages(story: Story, seen: Observation) -> None:
    """The first request of a run ends with the caller's messages, and only the agent's own precede them."""
    agent = story.scene.agent
    begun = set[str]()
    fresh = [run for run in story.scene.runs if not (run.history or run.resume or run.thread)]
    passed = {run.id: run.messages for run in fresh}
    for call in seen.model_calls:
        if call.run not in passed or call.model not in story.own_models or call.run in begun:
            continue
        begun.add(call.run)
        messages = [message for message in passed[call.run] if MARKER not in message.extra]
        before, last = _split(call.messages, messages)
        if not _is_equal(last, messages):
            raise Mismatch(f"the last messages of the first request in run {call.run}", _plain(messages), _plain(last))
        if len(before) > 1 + (len(agent.make_input.messages) if agent.make_input else 0):
            raise Mismatch(f"the messages before those of the caller in run {call.run}", "the instruction", before)


def _split(request: Sequence[Message], passed: Sequence[Message]) -> tuple[list[Message], list[Message]]:
    """The messages that the agent added, and those of the caller. The instructions of files are left out."""
    request = [message for message in request if MARKER not in message.extra]
    cut = max(0, len(request) - len(passed))
    return request[:cut], request[cut:]
