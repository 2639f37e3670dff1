"""Invariants about the conversation of an agent."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import takewhile

from ...contract.actions import DeferTools, OfferTools
from ...contract.agents import models_of
from ...contract.mismatch import Mismatch, must_be_answered, results_of_answers
from ...contract.observation import ModelCall, Observation
from ...contract.values import MARKER, Message, ToolCall
from .invariant import invariant
from .scenes import Story


@invariant("INVARIANT-01", Story.keeps_calls_with_results)
def calls_have_results(story: Story, seen: Observation) -> None:
    """Look at each request, at the conversation that each hook receives, and at what a completed run leaves."""
    for messages, where, open_end in _conversations(story, seen):
        must_be_answered(messages, where, open_end)
    if not story.returns_directly:
        _leaves_no_open_call(story, seen)


@invariant("INVARIANT-18", Story.keeps_calls_with_results)
def results_have_the_order_of_the_calls(story: Story, seen: Observation) -> None:
    """Look at the same conversations, and at nothing but the order."""
    for messages, where, _ in _conversations(story, seen):
        for at, ids, results in results_of_answers(messages):
            if results != ids and Counter(results) == Counter(ids):
                raise Mismatch(f"the results after message {at + 1} of {where}", ids, results)


def _conversations(story: Story, seen: Observation) -> Iterator[tuple[Sequence[Message], str, bool]]:
    """Each request, and each conversation that a hook receives: where, and whether the last calls may be open."""
    for call in seen.model_calls:
        yield call.messages, f"model call {call.model} in run {call.run}", False
    for hook in seen.hooks:
        if hook.messages:
            # an agent without tools ends with an answer whose calls it cannot make
            unmade = not story.tools or bool(hook.messages[-1].tool_calls) or story.returns_directly
            open_end = hook.hook == "after model" or (hook.hook == "after agent" and unmade)
            yield hook.messages, f"the conversation that {hook.handler} receives ({hook.hook})", open_end


def _leaves_no_open_call(story: Story, seen: Observation) -> None:
    """Each call in the answers of a run that succeeds and resumes no other has a result among the events."""
    events = [event for event in seen.events if event.agent == story.scene.agent.name]
    called: dict[str, set[str]] = defaultdict(set)
    results: dict[str, set[str]] = defaultdict(set)
    for event in events:
        for message in event.chunks or ((event.message,) if event.message else ()):
            if message.tool_calls:
                called[event.run].update(call.id for call in message.tool_calls)
            if message.tool_call_id is not None:
                results[event.run].add(message.tool_call_id)
    # the streams without a chunk, and so without the id of a call
    empty = Counter(event.run for event in events if event.chunks == ())
    unmade = {call.run for call in seen.model_calls if call.answer and call.answer.tool_calls and not call.tools}
    for end in seen.runs:
        succeeds = end.error is None and not end.stopped and end.run not in unmade
        left = called[end.run] - results[end.run]
        if succeeds and not story.resumes(end.run) and len(left) > empty[end.run]:
            raise Mismatch(f"the calls without a result when run {end.run} succeeds", (), tuple(sorted(left)))


@invariant("INVARIANT-02", lambda story: story.keeps_conversation)
def conversation_grows(story: Story, seen: Observation) -> None:
    """Each request of an agent continues its request before, or is another attempt."""
    for before, call, is_outer in _requests(story, seen):
        if is_outer and before and before[-1].run == call.run:
            _must_grow(before[-1], call)
        elif not is_outer and not story.resumes(call.run):
            _must_grow_from_any(before, call)


@invariant("INVARIANT-21", lambda story: story.keeps_conversation)
def conversation_continues(story: Story, seen: Observation) -> None:
    """The first request of a resumed run continues the last request of the run that it resumes."""
    for before, call, is_outer in _requests(story, seen):
        if is_outer and before and before[-1].run != call.run:
            _must_grow(before[-1], call)
        elif not is_outer and story.resumes(call.run):
            _must_grow_from_any(before, call)


def _requests(story: Story, seen: Observation) -> Iterator[tuple[Sequence[ModelCall], ModelCall, bool]]:
    """The earlier requests of the agent, in the run or in the runs that it resumes, the request, and whose it is."""
    ends = {end.run: end.n for end in seen.runs}
    for agent in story.agents:
        models, is_outer = {model.name for model in models_of(agent)}, agent is story.scene.agent
        earlier: dict[str, list[ModelCall]] = defaultdict(list)
        for call in seen.model_calls:
            if call.run is None or call.model not in models or call.n > ends.get(call.run, call.n):
                continue
            before = [earlier[run] for run in story.lineage(call.run) or [call.run] if earlier[run]]
            if is_outer:
                yield (before[0] if before else ()), call, True
            elif before or agent.name not in story.continuing:
                yield [each for calls in before for each in calls], call, False
            earlier[call.run].append(call)


def _must_grow(before: ModelCall, after: ModelCall) -> None:
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
    if Counter(message.tool_call_id for message in results) != Counter(ids):
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


def _is_equal(some: Sequence[Message], others: Sequence[Message]) -> bool:
    """Whether messages are equal in the parts that are compared."""
    return len(some) == len(others) and (some == others or _plain(some) == _plain(others))


def _plain(messages: Sequence[Message]) -> list[Message]:
    """The parts of messages that are compared: of tool calls, the ids and names."""
    return [
        Message(
            role=one.role,
            content=one.content,
            parts=one.parts,
            tool_calls=tuple([ToolCall(id=call.id, name=call.name, args="") for call in one.tool_calls]),
            tool_call_id=one.tool_call_id,
        )
        for one in messages
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
    """The first request of a run ends with the caller's messages, and only the agent's own precede them.

    System messages at the start of the caller's may be part of one that the agent sends.
    """
    agent = story.scene.agent
    own = 1 + (len(agent.make_input.messages) if agent.make_input else 0)
    fresh = [run for run in story.scene.runs if not (run.history or run.resume or run.thread)]
    stored = {run.id for run in story.scene.runs if run.conversation}
    passed = {run.id: _without_files(run.messages) for run in fresh if not any("{" in m.content for m in run.messages)}
    for call in seen.model_calls:
        if call.run not in passed or call.model not in story.own_models:
            continue
        messages, request = passed.pop(call.run), _without_files(call.messages)
        first = list(takewhile(lambda message: message.role == "system", messages))
        last = messages[len(first) :]
        cut = max(0, len(request) - len(last))
        if not _is_equal(request[cut:], last):
            raise Mismatch(f"the last messages of the first request in run {call.run}", _plain(last), _plain(request))
        sent = [message.content for message in request[:cut] if message.role == "system"]
        if call.run in stored:
            continue  # what the target has stored precedes them
        if cut > own + len(first) or not all(any(one.content in text for text in sent) for one in first):
            raise Mismatch(
                f"the messages before those of the caller in run {call.run}", "the instruction", request[:cut]
            )


def _without_files(messages: Sequence[Message]) -> list[Message]:
    """The messages but the one with the content of instruction files."""
    return [message for message in messages if MARKER not in message.extra]
