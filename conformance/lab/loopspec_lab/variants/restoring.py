"""The steps that restore an observation of a transformed scene. A step removes only what the transformation added."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from loopspec.contract.calls import ModelRequest
from loopspec.contract.observation import Event, HookCall, ModelCall, Observation, RunEnd
from loopspec.contract.reasons import Inapplicable
from loopspec.contract.values import ToolCall, joined
from loopspec.specification.cases import NotComparable

# The sources whose entries name the run that they belong to.
SOURCES_BY_RUN = (
    "reads",
    "warnings",
    "model_calls",
    "tool_runs",
    "hooks",
    "events",
    "runs",
    "spans",
    "questions",
    "waits",
    "handled",
    "executions",
)


@dataclass(frozen=True)
class WithoutHandlers:
    """Removes the calls of added handlers. A span inside one of them is then inside what that one was inside."""

    names: Collection[str]

    def __call__(self, seen: Observation) -> Observation:
        """The observation without the handlers."""
        inside = {span.n: span.inside for span in seen.spans if span.name.rpartition(" ")[2] in self.names}

        def outer(n: int | None) -> int | None:
            while n is not None and n in inside:
                n = inside[n]
            return n

        spans = tuple(
            span if span.inside not in inside else replace(span, inside=outer(span.inside))
            for span in seen.spans
            if span.n not in inside
        )
        return replace(seen, spans=spans, hooks=tuple(call for call in seen.hooks if call.handler not in self.names))


@dataclass(frozen=True)
class WithoutTools:
    """Removes added tools from what models and hooks receive."""

    names: Collection[str]

    def __call__(self, seen: Observation) -> Observation:
        """The observation without the tools."""
        return replace(
            seen,
            model_calls=tuple(replace(call, request=self._in_request(call.request)) for call in seen.model_calls),
            hooks=tuple(self._in_hook(call) for call in seen.hooks),
        )

    def _in_request(self, request: ModelRequest) -> ModelRequest:
        return replace(request, tools=tuple(tool for tool in request.tools if tool.name not in self.names))

    def _in_hook(self, call: HookCall) -> HookCall:
        tools, context = self._others(call.tools), call.model_context
        return replace(call, tools=tools, model_context=context and replace(context, tools=self._others(context.tools)))

    def _others(self, tools: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return None if tools is None else tuple(name for name in tools if name not in self.names)


@dataclass(frozen=True)
class WithoutRuns:
    """Removes everything that belongs to added runs."""

    ids: Collection[str]

    def __call__(self, seen: Observation) -> Observation:
        """The observation without the runs."""
        kept: dict[str, tuple[object, ...]] = {}
        for source in SOURCES_BY_RUN:
            entries = getattr(seen, source)
            left = tuple(entry for entry in entries if entry.run not in self.ids)
            if len(left) < len(entries):
                kept[source] = left
        return replace(seen, **kept)


@dataclass(frozen=True)
class EndedBefore:
    """Checks that an added run ended as the variant says, and changes nothing.

    `ends` is "failed", "cancelled", or the kind of an error.
    """

    run: str
    ends: str

    def __call__(self, seen: Observation) -> Observation:
        """The observation. Raises `NotComparable`."""
        for end in seen.runs:
            if end.run == self.run and not self._fits(end):
                raise NotComparable(Inapplicable("earlier-run", (self.ends,)))
        return seen

    def _fits(self, end: RunEnd) -> bool:
        match self.ends:
            case "failed":
                return end.error is not None
            case "cancelled":
                return end.cancelled is not None
            case kind:
                return end.error is not None and end.error.kind == kind


@dataclass(frozen=True)
class WithWholeMessages:
    """Joins the chunks of each complete stream to one message, as a synchronous run has it."""

    def __call__(self, seen: Observation) -> Observation:
        """The observation with whole messages."""
        return replace(seen, events=tuple(_whole(event) for event in seen.events))


def _whole(event: Event) -> Event:
    if not event.chunks or event.error is not None:
        return event
    return replace(event, chunks=None, message=joined(event.chunks))


@dataclass(frozen=True)
class WithEventsInCallOrder:
    """Brings the events about the tool calls of one answer into the order of the calls.

    `direct` are the tools whose event has a place of its own, which no other event takes. `resumes` has the run that
    each run resumes, if there is one: the run repeats calls of an answer in the run before.
    """

    direct: Collection[str]
    resumes: Mapping[str, str | None]

    def __call__(self, seen: Observation) -> Observation:
        """The observation with the events in order. No event is added or removed."""
        events = list(seen.events)
        for run, part, calls in self._answers(seen.model_calls):
            if len(calls) < 2:
                continue
            places = {call.id: at for at, call in enumerate(calls) if call.name not in self.direct}
            places |= {call.name: at for at, call in enumerate(calls)}  # a sub-agent has the name of its tool
            found = {at: _place(event, run, part, places) for at, event in enumerate(events)}
            about = [at for at, place in found.items() if place is not None]
            ordered = [events[at] for at in sorted(about, key=lambda at: found[at] or 0)]
            for at, event in zip(about, ordered, strict=True):
                events[at] = event
        return replace(seen, events=tuple(events))

    def _answers(self, calls: Sequence[ModelCall]) -> Iterator[tuple[str, range, tuple[ToolCall, ...]]]:
        """The calls of each answer: the run, the part of the record until the next model call, and the calls."""
        last: dict[tuple[str, str], tuple[ToolCall, ...]] = {}
        for run, resumed in self.resumes.items():
            for model in dict.fromkeys(call.model for call in calls):
                asked = last.get((resumed or "", model), ())
                began = 0
                for call in calls:
                    if (call.model, call.run) == (model, run):
                        yield run, range(began, call.n), asked
                        began, asked = call.n, call.answer.tool_calls if call.answer else ()
                yield run, range(began, sys.maxsize), asked
                last[run, model] = asked


def _place(event: Event, run: str, part: range, places: Mapping[str, int]) -> int | None:
    """The place of the call that an event is about; None if the event is about none of these calls."""
    if event.run != run or event.n not in part:
        return None
    shown = event.message or next(iter(event.chunks or ()), None)
    call = shown.tool_call_id if shown else None
    return places.get(call if call is not None else event.agent)
