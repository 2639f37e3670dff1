"""Invariants about the conversation of an agent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...contract.actions import (
    Answer,
    AppendAnswer,
    CallInner,
    DeferTools,
    DropInstructions,
    GiveCommand,
    Insert,
    Jump,
    OfferTools,
    Redact,
    ReplaceAll,
    ReplaceLast,
    Rewrite,
    SetCalls,
    SetSystem,
    Summarize,
    UseCache,
    UseInvalidValue,
    UseModel,
)
from ...contract.agents import Agent, AgentsMD, Summarization
from ...contract.mismatch import Mismatch
from ...contract.observation import ModelCall, Observation
from ...contract.values import Message
from ..variants.facts import Facts
from ..variants.restoring import joined
from .invariant import Invariant

# The actions that change the conversation or an answer.
_EDITS = (
    Answer,
    AppendAnswer,
    DropInstructions,
    GiveCommand,
    Insert,
    Jump,
    Redact,
    ReplaceAll,
    ReplaceLast,
    Rewrite,
    SetCalls,
    SetSystem,
    Summarize,
    UseCache,
    UseInvalidValue,
)
_TOOL_EDITS = (OfferTools, DeferTools, UseModel, UseInvalidValue)


def _edits_nothing(facts: Facts) -> bool:
    return (
        facts.is_run
        and not facts.has_actions(_EDITS)
        and not any(isinstance(one, Summarization) for one in facts.handlers)
        and not any(agent.failover and agent.failover.messages is not None for agent in facts.agents)
    )


def _calls_have_results(facts: Facts, seen: Observation) -> None:
    for call in seen.model_calls:
        _must_be_answered(call.messages, f"model call {call.model} in run {call.run}")


def _must_be_answered(messages: Sequence[Message], where: str) -> None:
    """Raise `Mismatch` unless the results of each answer's calls follow the answer, in the order of the calls."""
    at = 0
    while at < len(messages):
        ids = [call.id for call in messages[at].tool_calls]
        results = [message.tool_call_id for message in messages[at + 1 : at + 1 + len(ids)] if message.role == "tool"]
        if results != ids:
            raise Mismatch(f"the results after message {at + 1} of {where}", ids, results)
        at += 1 + len(ids)
        if at < len(messages) and messages[at].role == "tool":
            raise Mismatch(f"message {at + 1} of {where}", "a message other than a result", messages[at])


def _conversation_grows(facts: Facts, seen: Observation) -> None:
    for before, after in _consecutive(facts, seen):
        old, new = before.messages, after.messages
        if _plain(new) == _plain(old):  # another attempt
            continue
        if _plain(new[: len(old)]) != _plain(old):
            raise Mismatch(f"the first {len(old)} messages of a request in run {after.run}", _plain(old), _plain(new))
        answer, results = new[len(old) : len(old) + 1], new[len(old) + 1 :]
        given = before.answer
        if given is None or not answer or _plain(answer) != _plain([given]):
            raise Mismatch(f"the message after the previous request in run {after.run}", given, answer)
        ids = [call.id for call in given.tool_calls]
        if [message.tool_call_id for message in results] != ids:
            raise Mismatch(f"the results after the previous answer in run {after.run}", ids, _plain(results))


def _answers_are_emitted(facts: Facts, seen: Observation) -> None:
    """Each answer is an event, and each event of an assistant is an answer."""
    models = _models_of(facts.scene.agent)
    cancelled = {end.run for end in seen.runs if end.cancelled is not None}
    for run in facts.scene.runs:
        if run.id in cancelled:
            continue
        answers = [call.answer for call in seen.model_calls if call.run == run.id and call.model in models]
        events = [
            joined(event.chunks) if event.chunks else event.message
            for event in seen.events
            if event.run == run.id and event.agent == facts.scene.agent.name and event.error is None
        ]
        emitted = _plain([message for message in events if message and message.role == "assistant"])
        if emitted != _plain([answer for answer in answers if answer]):
            raise Mismatch(f"the answers that run {run.id} emits", _plain([a for a in answers if a]), emitted)


def _plain(messages: Sequence[Message]) -> list[tuple[object, ...]]:
    """The parts of messages that are compared."""
    return [
        (
            message.role,
            message.content,
            message.parts,
            tuple((call.id, call.name) for call in message.tool_calls),
            message.tool_call_id,
        )
        for message in messages
    ]


def _consecutive(facts: Facts, seen: Observation) -> Iterator[tuple[ModelCall, ModelCall]]:
    """Each model call of the agent and the next one of the run, or of the run that continues the run."""
    models = _models_of(facts.scene.agent)
    last: dict[str, ModelCall] = {}
    previous = {run.id: run.resume for run in facts.scene.runs}
    for call in seen.model_calls:
        if call.run is None or call.model not in models:
            continue
        earlier: str | None = call.run
        while earlier is not None and earlier not in last:
            earlier = previous.get(earlier)
        if earlier is not None:
            yield last[earlier], call
        last[call.run] = call


def _models_of(agent: Agent) -> frozenset[str]:
    models = [agent.model, *agent.additional_models, *(agent.failover.models if agent.failover else ())]
    return frozenset(model.name for model in models if model)


def _tools_stay(facts: Facts, seen: Observation) -> None:
    first: dict[str, ModelCall] = {}
    for call in seen.model_calls:
        if call.run is not None and call.model in _models_of(facts.scene.agent):
            before = first.setdefault(call.run, call)
            if call.tools != before.tools:
                raise Mismatch(f"the tools of a model call in run {call.run}", before.tools, call.tools)


INVARIANTS = (
    Invariant(
        name="calls-have-results",
        rule="INVARIANT-01",
        applies=lambda facts: _edits_nothing(facts) and facts.caller_calls_nothing,
        look=_calls_have_results,
    ),
    Invariant(
        name="conversation-grows",
        rule="INVARIANT-02",
        applies=lambda facts: (
            _edits_nothing(facts)
            and not facts.has_actions((CallInner,))
            and not any(isinstance(one, AgentsMD) for one in facts.handlers)
        ),
        look=_conversation_grows,
    ),
    Invariant(
        name="answers-are-emitted",
        rule="INVARIANT-08",
        applies=lambda facts: (
            _edits_nothing(facts)
            and not facts.has_actions((CallInner,))
            and not any(agent.retry or agent.failover for agent in facts.agents)
        ),
        look=_answers_are_emitted,
    ),
    Invariant(
        name="tools-stay",
        rule="INVARIANT-03",
        applies=lambda facts: facts.is_run and not facts.has_actions(_TOOL_EDITS),
        look=_tools_stay,
    ),
)
