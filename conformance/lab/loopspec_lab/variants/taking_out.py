"""The steps that take the calls of an added tool, or a failed attempt, out of an observation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from loopspec.contract.mismatch import expect
from loopspec.contract.observation import Entry, Event, HookCall, ModelCall, Observation, Question, Span
from loopspec.contract.values import Message, joined

from .restoring import SOURCES_BY_RUN, without_tools

AROUND_MODEL = ("before model", "around model", "after model")
_AROUND_CALLS = (*AROUND_MODEL, "model ", "around tool ", "callback ")


@dataclass(frozen=True)
class WithoutCalls:
    """Removes the calls of added tools and agents, with their results and all that is about them. Their ids begin with the first
    name of a tool. An added agent and its model have the name of a tool.

    An answer that has no other calls is removed, too: such answers are the first ones in a run of an agent with these
    `handlers` and this `model`, and the first calls of each hook around its model calls are removed. Every later
    conversation in the run must begin with added messages of the roles `added`. Raises `Mismatch` for one that is lost.
    """

    tools: tuple[str, ...]
    handlers: Collection[str] = ()
    model: str = ""
    added: tuple[str, ...] = ()

    def __call__(self, seen: Observation) -> Observation:
        """The observation without the calls."""
        rounds = [(call.run, call.n) for call in seen.model_calls if self._is_nothing_else(call.answer)]
        removed = {one.n for one in self._own(seen)}
        removed |= first_calls(seen, self.handlers, AROUND_MODEL, Counter(run for run, _ in rounds))
        removed |= _around(seen, removed)
        last = dict(rounds)
        for one in (*seen.model_calls, *seen.hooks) if rounds else ():
            if self.added and one.n not in removed and one.n > last.get(one.run, one.n) and self._receives(one):
                roles = [message.role for message in one.messages if self._left(message) is None]
                expect("the added answers and results", self.added, tuple(roles[: len(self.added)]))
        kept: dict[str, tuple[object, ...]] = {}
        for source in SOURCES_BY_RUN:
            if entries := getattr(seen, source):
                kept[source] = tuple([self._restored(one) for one in entries if one.n not in removed])
        return without_tools(self.tools)(replace(seen, **kept))

    def may_remove(self, entry: object) -> bool:
        """Whether the entry may be about an added call."""
        match entry:
            case HookCall(hook=hook, handler=handler, tool=tool):
                return tool in self.tools or (hook in AROUND_MODEL and handler in self.handlers)
            case ModelCall():
                return self._is_added(entry)
            case Event():
                return self._is_about_calls(entry)
            case Span(name=name):
                return name.startswith(_AROUND_CALLS)
        return isinstance(entry, Question) and entry.answer == asking(self.tools[0])

    def _own(self, seen: Observation) -> Iterator[Entry]:
        """The calls themselves, and the events about nothing else."""
        yield from (run for run in seen.tool_runs if run.tool in self.tools)
        yield from (call for call in seen.hooks if call.tool in self.tools)
        yield from (call for call in seen.model_calls if self._is_added(call))
        yield from (event for event in seen.events if self._is_about_calls(event))
        yield from (one for one in seen.questions if one.answer == asking(self.tools[0]))

    def _receives(self, call: ModelCall | HookCall) -> bool:
        if isinstance(call, ModelCall):
            return call.model == self.model
        return call.handler in self.handlers and call.hook not in ("before agent", "around tool")

    def _is_added(self, call: ModelCall) -> bool:
        return call.model in self.tools or self._is_nothing_else(call.answer)

    def _is_about_calls(self, event: Event) -> bool:
        return event.agent in self.tools or self._is_nothing_else(joined(event.chunks) if event.chunks else event.message)

    def _is_nothing_else(self, message: Message | None) -> bool:
        return message is not None and self._left(message) is None

    def _left(self, message: Message) -> Message | None:
        """What is left of a message; None if nothing is."""
        if message.tool_call_id is not None and message.tool_call_id.startswith(self.tools[0]):
            return None
        if all(call.name not in self.tools for call in message.tool_calls):
            return message
        calls = tuple([call for call in message.tool_calls if call.name not in self.tools])
        return replace(message, tool_calls=calls) if calls else None

    def _messages(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        return tuple([left for one in messages if (left := self._left(one)) is not None])

    def _restored(self, entry: object) -> object:
        match entry:
            case ModelCall(request=request, answer=answer):
                request = replace(request, messages=self._messages(request.messages))
                return replace(entry, request=request, answer=answer and self._left(answer))
            case HookCall(messages=messages) | Question(messages=messages) if messages:
                return replace(entry, messages=self._messages(messages))
            case Event(message=message, chunks=chunks):
                whole = chunks and tuple([self._left(one) or replace(one, tool_calls=()) for one in chunks])
                return replace(entry, message=message and self._left(message), chunks=whole)
        inputs = getattr(entry, "inputs", None)
        return replace(entry, inputs=self._messages(inputs)) if inputs else entry


@dataclass(frozen=True)
class WithoutFailedAttempt:
    """Removes the first attempt at the first call of a model, and the retry that an agent with these handlers got."""

    model: str
    agent: str
    handlers: Collection[str]
    runs: Collection[str]

    def __call__(self, seen: Observation) -> Observation:
        """The observation without the attempt."""
        failed = {call.run: call.n for call in reversed(seen.model_calls) if self._is_attempt(call)}
        removed = {*failed.values(), *first_calls(seen, self.handlers, ("around model",), dict.fromkeys(failed, 1))}
        slept = {one.run: one.n for one in reversed(seen.questions) if one.what == "sleep" and one.run in failed}
        removed |= _around(seen, removed) | {*slept.values()}
        shown = {
            "hooks": tuple([self._without_retry(call) for call in seen.hooks if call.n not in removed]),
            "model_calls": tuple([call for call in seen.model_calls if call.n not in removed]),
            "spans": tuple([span for span in seen.spans if span.n not in removed]),
            "events": tuple([event for event in seen.events if not self.may_remove(event)]),
            "questions": tuple([one for one in seen.questions if one.n not in removed and not self._asks(one)]),
        }
        return replace(seen, **shown)

    def may_remove(self, entry: object) -> bool:
        """Whether the entry may be about the attempt, or about retries."""
        match entry:
            case HookCall(hook=hook, handler=handler):
                return hook == "around model" and handler in self.handlers
            case ModelCall():
                return self._is_attempt(entry)
            case Event(error=error, agent=agent):
                return error is not None and error.kind == "will_retry" and agent == self.agent
            case Question():
                return entry.what == "sleep" or self._asks(entry)
            case Span(name=name):
                return name.startswith(("around model ", "model ", "callback "))
        return False

    def _asks(self, question: Question) -> bool:
        return question.what in ("retryable", "delay") and question.agent == self.agent

    def _is_attempt(self, call: ModelCall) -> bool:
        return call.model == self.model and call.answer is None and call.run in self.runs

    def _without_retry(self, call: HookCall) -> HookCall:
        if call.handler not in self.handlers or not call.model_context or call.model_context.retry is None:
            return call
        return replace(call, model_context=replace(call.model_context, retry=False))


def asking(tool: str) -> str:
    """The text of an answer that calls only an added tool."""
    return f"I call {tool}."


def first_calls(
    seen: Observation, handlers: Collection[str], hooks: Collection[str], numbers: Mapping[str | None, int]
) -> set[int]:
    """The places of the first calls of each of these hooks: as many as each run has of them."""
    left: dict[tuple[str | None, str, str], int] = {}
    first: set[int] = set()
    for call in seen.hooks if numbers else ():
        if call.hook in hooks and call.handler in handlers:
            key = (call.run, call.handler, call.hook)
            left[key] = left.get(key, numbers.get(call.run, 0)) - 1
            if left[key] >= 0:
                first.add(call.n)
    return first


def _around(seen: Observation, removed: Collection[int]) -> set[int]:
    """The places of the spans of removed calls, and of the callbacks that report these calls, the first ones."""
    spans = {span.n: span for span in seen.spans}
    own = {call.n - 1 for call in (*seen.hooks, *seen.tool_runs) if call.n in removed}
    for call in seen.model_calls:
        if call.n in removed:  # a model that reports its calls does so before the entry of the call
            name = f"model {call.model}"
            own.add(max(n for n, span in spans.items() if n < call.n and (span.name, span.run) == (name, call.run)))
    reports: Counter[tuple[str | None, str, str]] = Counter()
    for n in own:
        span, kind = spans[n], spans[n].name.partition(" ")[0]
        if kind in ("model", "tool"):
            reports[span.run, span.agent, f"callback {kind} start"] += 1
            reports[span.run, span.agent, f"callback {kind} end"] += span.error is None
    for n, span in spans.items():
        if span.name.startswith("callback ") and reports[key := (span.run, span.agent, span.name)] > 0:
            reports[key] -= 1
            own.add(n)
    return own
