"""What rules leave open: a difference that is gone where outcomes are compared without it follows from such a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from loopspec.contract.agents import Agent, agents_in, models_of
from loopspec.contract.observation import Observation
from loopspec.contract.scene import Scene
from loopspec.contract.values import Json

from ..comparing.differences import differences
from ..comparing.outcomes import Outcome
from ..variants.facts import scripts_of


class Leeway(NamedTuple):
    """What a clarified rule decides, and the documents leave open.

    `of` are the agents with which it can show. `without` is the outcome without it, in a scene of which the reference's
    observation is known; None: everything can follow from it.
    """

    rule: str
    of: Callable[[Agent], bool]
    without: Callable[[Outcome, Scene, Observation], Outcome] | None


def left_open(scene: Scene, reference: Observation, ours: Outcome, theirs: Outcome) -> tuple[str, ...]:
    """The rules of which one, or all together, leave the differences of two outcomes open; none if they do not."""
    found = [one for one in LEEWAY if any(map(one.of, agents_in(scene.agent)))]
    for some in (*([one] for one in found), found):
        one, other = ours, theirs
        for leeway in some:
            if leeway.without is None:
                return (leeway.rule,)
            one, other = leeway.without(one, scene, reference), leeway.without(other, scene, reference)
        if some and not differences(one, other):
            return tuple(leeway.rule for leeway in some)
    return ()


def _with_messages(value: Json, change: Callable[[list[Json]], list[Json]]) -> Json:
    """The value with a change of each conversation."""
    match value:
        case {"messages": list() as messages, **others}:
            return {**_with_messages(others, change), "messages": change(messages)}
        case dict():
            return {key: _with_messages(one, change) for key, one in value.items()}
        case list():
            return [_with_messages(one, change) for one in value]
    return value


def _call_of(message: Json) -> str:
    return str(message["call id"]) if message["role"] == "tool" else ""


def _call_of_event(event: Json) -> str:
    return next((_call_of(message) for message in (event["message"], *(event["chunks"] or ())) if message), "")


def _sorted(entries: list[Json], call_of: Callable[[Json], str]) -> list[Json]:
    """The entries with neighboring results in the order of the ids of their calls."""
    groups = groupby(entries, lambda entry: bool(call_of(entry)))
    return [one for are_results, group in groups for one in (sorted(group, key=call_of) if are_results else group)]


def _without_order(outcome: Outcome, scene: Scene, reference: Observation) -> Outcome:
    """The results of an answer's calls in one order, in conversations and among events."""
    events = {run: _sorted(found, _call_of_event) for run, found in outcome["events"].items()}
    return {**_with_messages(dict(outcome), lambda messages: _sorted(messages, _call_of)), "events": events}


def _with_one_system_message(outcome: Outcome, scene: Scene, reference: Observation) -> Outcome:
    """Neighboring system messages as one, without the blanks of their texts."""

    def joined(messages: list[Json]) -> list[Json]:
        done: list[Json] = []
        for message in messages:
            is_system = message["role"] == "system"
            text = "".join(message["content"].split()) if is_system else message["content"]
            if is_system and done and done[-1]["role"] == "system":
                text = done.pop()["content"] + text
            done.append({**message, "content": text})
        return done

    changed: Outcome = _with_messages(dict(outcome), joined)
    return changed


def _without_repeated_calls(outcome: Outcome, scene: Scene, reference: Observation) -> Outcome:
    """Without the calls of a resumed run that the reference does not repeat: tools, wrappers and events."""
    resumed = {run.id for run in scene.runs if run.resume}
    made: set[tuple[str | None, str | None]] = {(call.run, call.call.id) for call in reference.tool_runs}
    made |= {(call.run, call.call_id) for call in reference.hooks}

    def without(name: str, call_of: Callable[[Json], str | None]) -> dict[str, list[Json]]:
        runs = ((source, source.split()[1], entries) for source, entries in outcome[name].items())
        kept = {
            source: [one for one in entries if run not in resumed or not call_of(one) or (run, call_of(one)) in made]
            for source, run, entries in runs
        }
        return {source: entries for source, entries in kept.items() if entries}

    calls_of = {
        "tool runs": lambda one: one["call"]["id"],
        "hooks": lambda one: one["call id"],
        "events": _call_of_event,
    }
    trace = {source: spans for source, spans in outcome["trace"].items() if source.split()[1] not in resumed}
    return {**outcome, **{name: without(name, call_of) for name, call_of in calls_of.items()}, "trace": trace}


def _without_answers(outcome: Outcome, scene: Scene, reference: Observation) -> Outcome:
    """Without the contents of the events of answers."""

    def bare(event: Json) -> Json:
        messages = [event["message"], *(event["chunks"] or ())]
        is_answer = any(message and message["role"] == "assistant" for message in messages)
        return {**event, "message": None, "chunks": None} if is_answer else event

    return {**outcome, "events": {run: [bare(event) for event in found] for run, found in outcome["events"].items()}}


def _calls(agent: Agent) -> Iterator[list[str]]:
    return ([call.name for call in turn.tool_calls] for model in models_of(agent) for turn in model.turns)


def _ends_with_several(agent: Agent) -> bool:
    ends = {name for name, is_set in agent.return_directly.items() if is_set} | {"exit"}
    return any(len(names) > 1 and ends & set(names) for names in _calls(agent))


def _nothing_of_resumed(outcome: Outcome, scene: Scene, reference: Observation) -> Outcome:
    """Nothing where a run is resumed: a tool that returns something else at each call shows each repetition later."""
    return {} if any(run.resume for run in scene.runs) else outcome


LEEWAY: Sequence[Leeway] = (
    Leeway("LOOP-29", lambda agent: any(len(names) > 1 for names in _calls(agent)), _without_order),
    Leeway("INSTR-11", lambda agent: bool(agent.instruction), _with_one_system_message),
    Leeway("INTERRUPT-05", lambda agent: True, _without_repeated_calls),
    Leeway("INTERRUPT-05", lambda agent: any(tool.texts for tool in agent.tools), _nothing_of_resumed),
    Leeway("HOOK-AM-10", lambda agent: any(one.hook == "after model" for one in scripts_of(agent)), _without_answers),
    Leeway("INSTR-05", lambda agent: "{" in agent.instruction, None),
    Leeway("RETDIR-04", _ends_with_several, None),
)
