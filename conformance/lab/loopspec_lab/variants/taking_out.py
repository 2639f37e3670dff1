"""The step that takes the calls before those of a scene out of an observation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from msgspec.structs import replace

from loopspec.contract.mismatch import expect
from loopspec.contract.observation import Event, HookCall, ModelCall, Observation, Question, Span, ToolRun
from loopspec.contract.values import Message, Value, joined

from .restoring import SOURCES_BY_RUN, without_tools

AROUND_MODEL = ("before model", "around model", "after model")
_AROUND_CALLS = (*AROUND_MODEL, "model ", "around tool ", "tool ")
ASKING = "I call added tools."
_WITH_MESSAGES = ("model_calls", "hooks", "questions", "executions")


@dataclass(frozen=True)
class WithoutEarlierCalls:
    """Removes the rounds in which an agent calls only added tools, and the wait before its first retry if it `retries`.

    The ids of the calls begin with the first name of a tool. An added agent and its model have the name of a tool.
    Every later conversation of the agent, with this `model` and these `handlers`, must begin with added messages of the
    roles `added`. Raises `Mismatch` for one that is lost.
    """

    tools: tuple[str, ...]
    model: str
    handlers: Collection[str]
    added: tuple[str, ...]
    retries: bool = False

    def __call__(self, seen: Observation) -> Observation:
        """The observation without the calls."""
        removed = {one.n for source in SOURCES_BY_RUN for one in getattr(seen, source) if self._is_own(one)}
        if self.retries:
            removed |= {*{one.run: one.n for one in reversed(seen.questions) if one.what == "sleep"}.values()}
        rounds = Counter(call.run for call in seen.model_calls if self._is_added(call.answer))
        numbers: Counter[tuple[str | None, str, str]] = Counter()
        for call in seen.hooks:
            if call.hook in AROUND_MODEL and call.handler in self.handlers:
                numbers[key := (call.run, call.handler, call.hook)] += 1
                if numbers[key] <= rounds[call.run]:
                    removed.add(call.n)
        removed |= _around(seen, removed)
        received: tuple[ModelCall | HookCall, ...] = (*seen.model_calls, *seen.hooks)
        for one in received:
            if one.n not in removed and rounds[one.run] and self._receives(one):
                roles = [message.role for message in one.messages if self._is_added(message)]
                expect("the added answers and results", self.added, tuple(roles[: len(self.added)]))
        left = {name: tuple([one for one in getattr(seen, name) if one.n not in removed]) for name in SOURCES_BY_RUN}
        left |= {name: tuple(map(self._restored, left[name])) for name in _WITH_MESSAGES}
        return without_tools(self.tools)(replace(seen, **left))

    def may_remove(self, entry: object) -> bool:
        """Whether the entry may be about such a call."""
        match entry:
            case HookCall(handler=handler, hook=hook) if handler in self.handlers and hook in AROUND_MODEL:
                return True
            case Question(what="sleep"):
                return self.retries
            case Span(name=name):
                return name.startswith(_AROUND_CALLS)
        return self._is_own(entry)

    def _is_own(self, entry: object) -> bool:
        match entry:
            case ToolRun(tool=tool) | HookCall(tool=tool):
                return tool in self.tools
            case ModelCall(model=model, answer=answer):
                return model in self.tools or self._is_added(answer)
            case Event(agent=agent, message=message, chunks=chunks):
                return agent in self.tools or self._is_added(joined(chunks) if chunks else message)
        return isinstance(entry, Question) and entry.answer == ASKING

    def _is_added(self, message: Message | None) -> bool:
        if message is None or not message.tool_calls:
            return message is not None and (message.tool_call_id or "").startswith(self.tools[0])
        return all(call.name in self.tools for call in message.tool_calls)

    def _receives(self, call: ModelCall | HookCall) -> bool:
        if isinstance(call, ModelCall):
            return call.model == self.model and call.answer is not None
        return call.handler in self.handlers and call.hook not in ("before agent", "around tool")

    def _restored(self, entry: Value) -> Value:
        if isinstance(entry, ModelCall):
            return replace(entry, request=self._restored(entry.request))
        for name in ("messages", "inputs"):
            if given := getattr(entry, name, ()):
                entry = replace(entry, **{name: tuple([one for one in given if not self._is_added(one)])})
        return entry


def _around(seen: Observation, removed: Collection[int]) -> set[int]:
    """The places of the spans of removed calls."""
    own = {call.n - 1 for call in (*seen.hooks, *seen.tool_runs) if call.n in removed}
    for call in seen.model_calls:
        if call.n in removed:  # a model that reports its calls does so before the entry of the call
            name = f"model {call.model}"
            own.add(max(span.n for span in seen.spans if span.n < call.n and (span.name, span.run) == (name, call.run)))
    return own
