"""Questions about a scene that the invariants ask: what its handlers change, and which run continues which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ...contract.actions import (
    Action,
    Answer,
    AppendAnswer,
    CallInner,
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
from ...contract.agents import Agent, AgentsMD, Summarization
from ...contract.mismatch import Mismatch
from ...contract.observation import Observation
from ...contract.values import Message
from ..variants.facts import Facts

# The actions that may separate a call from its result, remove one of them, or jump over the tools.
_SEPARATING = (Insert, ReplaceAll, ReplaceLast, SetCalls, Summarize, UseInvalidValue)
# The actions that change the conversation or one request.
_CHANGING = (*_SEPARATING, DropInstructions, Redact, Rewrite, SetSystem)
# The actions of a wrapper that change the answer of a call, or the number of calls.
_REPLACING = (Answer, AppendAnswer, CallInner, UseCache, UseInvalidValue)


def _acts(facts: Facts, kinds: tuple[type[Action], ...], tools: bool) -> bool:
    """Whether a tool wrapper, or a different hook, does an action of one of these types."""
    return any(
        isinstance(action, kinds)
        for double in facts.doubles
        for script in double.scripts
        if (script.hook == "around tool") is tools
        for action in script.actions
    )


def jumps(facts: Facts) -> bool:
    """Whether a double jumps to a different step of the run."""
    return any(isinstance(one, Jump) or (isinstance(one, GiveCommand) and one.goto) for one in facts.actions) or any(
        tool.command and tool.command.goto for tool in facts.tools
    )


def keeps_calls_with_results(facts: Facts) -> bool:
    """Whether neither a hook nor the caller can separate a tool call from its result."""
    return (
        facts.is_run
        and not _acts(facts, _SEPARATING, tools=False)
        and not jumps(facts)
        and all(is_answered(run.messages) for run in facts.scene.runs)
    )


def keeps_conversation(facts: Facts) -> bool:
    """Whether no hook changes the conversation, a request or an answer."""
    return (
        facts.is_run
        and not _acts(facts, _CHANGING, tools=False)
        and keeps_answers(facts)
        and not any(isinstance(one, Summarization) for one in facts.handlers)
        and not any(agent.failover and agent.failover.messages is not None for agent in facts.agents)
        and not (facts.scene.changes and any(isinstance(one, AgentsMD) for one in facts.handlers))
    )


def keeps_answers(facts: Facts) -> bool:
    """Whether no model wrapper changes an answer or repeats a call, and no hook jumps."""
    return facts.is_run and not _acts(facts, _REPLACING, tools=False) and not jumps(facts)


def emits_each_attempt_once(facts: Facts) -> bool:
    """Whether no attempt of a model call is emitted in part, or not at all: a broken stream, a rejected answer."""
    repeats = any(agent.retry or agent.failover for agent in facts.agents)
    rejects = any(agent.retry and agent.retry.rejects for agent in facts.agents)
    return not rejects and not (repeats and any(run.streaming for run in facts.scene.runs))


def keeps_calls(facts: Facts) -> bool:
    """Whether no hook or cache adds a tool call, no wrapper repeats one, and no jump makes calls of the caller."""
    return (
        facts.is_run
        and not _acts(facts, (ReplaceAll, SetCalls, UseCache), tools=False)
        and not _acts(facts, (CallInner,), tools=True)
        and not jumps(facts)
    )


def reads_streams(facts: Facts) -> bool:
    """Whether no model wrapper can let a stream go: one that calls the model several times, in a streaming run."""
    return not (any(run.streaming for run in facts.scene.runs) and _acts(facts, (CallInner,), tools=False))


def is_answered(messages: Sequence[Message]) -> bool:
    """Whether each call in a conversation has its result."""
    try:
        must_be_answered(messages, "")
    except Mismatch:
        return False
    return True


def must_be_answered(messages: Sequence[Message], where: str, open_end: bool = False) -> None:
    """Raise `Mismatch` unless the results of each answer's calls follow the answer, in the order of the calls.

    With `open_end`, the calls of the last message may have no results yet.
    """
    at, count = 0, len(messages)
    while at < count:
        calls = messages[at].tool_calls
        if calls and not (open_end and at == count - 1):
            ids = [call.id for call in calls]
            results = [message.tool_call_id for message in messages[at + 1 : at + 1 + len(ids)]]
            if results != ids:
                raise Mismatch(f"the results after message {at + 1} of {where}", ids, results)
            at += len(ids)
        elif messages[at].role == "tool":
            raise Mismatch(f"message {at + 1} of {where}", "a message other than a result", messages[at])
        at += 1


def models_of(agent: Agent) -> frozenset[str]:
    """The names of the models that an agent calls."""
    models = [agent.model, *agent.additional_models, *(agent.failover.models if agent.failover else ())]
    return frozenset(model.name for model in models if model)


def lineage(facts: Facts, run: str | None) -> Iterator[str]:
    """The run, the run that it resumes, and so on."""
    resumed = {each.id: each.resume for each in facts.scene.runs}
    while run is not None and run in resumed:
        yield run
        run = resumed[run]


def runs_cut_off(facts: Facts, seen: Observation) -> frozenset[str]:
    """The runs that a cancellation has cut off: calls under way need not return, nor streams be read to their end."""
    requested = {run.id for run in facts.scene.runs if run.cancels}
    return frozenset(
        end.run for end in seen.runs if end.cancelled is not None or (end.error is not None and end.run in requested)
    )


def heard_agents(agent: Agent) -> Mapping[str, int]:
    """The agents whose events a caller receives, and how many agents have each of these names."""
    heard = Counter([agent.name])
    for tool in (*agent.tools, *agent.additional_tools) if agent.internal_events else ():
        if tool.agent:
            heard.update(heard_agents(tool.agent))
    return heard
