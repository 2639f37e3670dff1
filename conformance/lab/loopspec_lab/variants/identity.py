"""The variant whose answers have calls with the same ids."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from loopspec.contract.actions import ReplaceAll, SetCalls, Summarize
from loopspec.contract.agents import Model, Summarization, Turn
from loopspec.contract.around import Jump, UseCache
from loopspec.contract.observation import Event, HookCall, ModelCall, Observation, Question
from loopspec.contract.scene import Scene
from loopspec.contract.values import Appeared, Message

from .facts import Facts, mapped
from .texts import with_texts
from .variant import Variant, Varied

_SAME = re.compile(r"same-(\d+)")


class WithOldIds:
    """Gives each call the id that it has in the scene. Removes no entry.

    A conversation, the record of a run and its events have the answers in their order: an id is one of the last answer.
    """

    def __init__(self, scene: Scene) -> None:
        (model,) = Facts(scene).models
        self._ids = [tuple(call.id for call in turn.tool_calls) for turn in model.turns if turn.tool_calls]
        self._resumes = {run.id: run.resume for run in scene.runs}

    def __call__(self, seen: Observation) -> Observation:
        """The observation with the old ids."""
        made = [(call.n, self._first(call.run)) for call in seen.model_calls if call.answer and call.answer.tool_calls]

        def entry(one: Any) -> Any:  # Any: entries of any source with a run
            answers = sum(at < one.n and run == self._first(one.run) for at, run in made)
            if isinstance(one, ModelCall):
                *sent, answer = self._in_order((*one.messages, one.answer or Message(role="assistant")))
                request = replace(one.request, messages=tuple(sent))
                return replace(one, request=request, answer=one.answer and answer)
            if isinstance(one, HookCall | Question):
                call = isinstance(one, HookCall) and one.call_id and {"call_id": self._id(one.call_id, answers)}
                return replace(one, messages=tuple(self._in_order(one.messages)), **(call or {}))
            return with_texts(one, lambda text: self._id(text, answers))

        sources = ("model_calls", "tool_runs", "hooks", "runs", "questions")
        entries = {source: tuple(map(entry, getattr(seen, source))) for source in sources}
        return replace(seen, events=tuple(self._events(seen.events)), **entries)

    def _first(self, run: str | None) -> str | None:
        while run and self._resumes.get(run):
            run = self._resumes[run]
        return run

    def _id(self, text: str, answers: int) -> str:
        """The text after so many answers with calls."""
        ids = self._ids[(answers - 1) % len(self._ids)]
        return _SAME.sub(lambda same: ids[int(same[1])], text)

    def _old(self, message: Message, answers: int) -> Message:
        calls = tuple(replace(call, id=self._id(call.id, answers)) for call in message.tool_calls)
        call = message.tool_call_id and self._id(message.tool_call_id, answers)
        return replace(message, tool_calls=calls, tool_call_id=call)

    def _in_order(self, messages: Iterable[Message]) -> Iterator[Message]:
        answers = 0
        for message in messages:
            answers += bool(message.tool_calls)
            yield self._old(message, answers)

    def _events(self, events: Iterable[Event]) -> Iterator[Event]:
        made = Counter[str | None]()
        for event in events:
            run, shown = self._first(event.run), (*([event.message] if event.message else ()), *(event.chunks or ()))
            made[run] += any(one.tool_calls for one in shown)
            old = tuple(self._old(one, made[run]) for one in shown)
            yield replace(event, chunks=old) if event.chunks else replace(event, message=old[0] if old else None)


def _same(turn: Turn) -> Turn:
    return replace(turn, tool_calls=tuple(replace(call, id=f"same-{at}") for at, call in enumerate(turn.tool_calls)))


def _with_same_ids(scene: Scene) -> Varied:
    agent = mapped(scene.agent, (Model,), lambda model: replace(model, turns=tuple(map(_same, model.turns))))
    return Varied(replace(scene, agent=agent), (WithOldIds(scene),))


def _has_rounds(facts: Facts) -> bool:
    """Whether an agent's only model calls tools in several answers, which all conversations have in their order."""
    agent, runs = facts.scene.agent, facts.scene.runs
    sizes = [len(turn.tool_calls) for model in facts.models for turn in model.turns if turn.tool_calls]
    return (
        facts.is_run
        and len(facts.models) == 1
        and len(sizes) > 1
        and not (agent.retry or agent.failover or facts.scene.traces)
        and not any(message.tool_calls for run in runs for message in run.messages)
        and not any(run.turns or run.call_answers or run.decisions for run in runs)
        and (len(set(sizes)) == 1 or sum(run.resume is None for run in runs) == 1)  # counts by run
        and not any(isinstance(one, Summarization) for one in facts.handlers)
        and not any(isinstance(gate, Appeared) and gate.tool_call_id for gate in facts.gates)
        and not facts.has_actions((SetCalls, ReplaceAll, Summarize, UseCache, Jump))
    )


VARIANTS = (Variant("same-call-ids", _has_rounds, _with_same_ids),)
