"""The steps that restore an observation of a transformed scene. A step removes only what the transformation added."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import get_args, get_type_hints

from msgspec.structs import replace

from loopspec.contract.calls import ModelRequest
from loopspec.contract.observation import Event, HookCall, ModelCall, Observation
from loopspec.contract.values import ToolCall, joined
from loopspec.specification.cases import Restore

# The sources whose entries name the run that they belong to.
SOURCES_BY_RUN = tuple(
    name
    for name, kind in get_type_hints(Observation).items()
    if any("run" in getattr(entry, "__struct_fields__", ()) for entry in get_args(kind))
)


def without_handlers(names: Collection[str]) -> Restore:
    """Remove the calls of added handlers. A span inside one of them is then inside what that one was inside."""

    def restore(seen: Observation) -> Observation:
        inside = {span.n: span.inside for span in seen.spans if span.name.rpartition(" ")[2] in names}

        def outer(n: int | None) -> int | None:
            while n is not None and n in inside:
                n = inside[n]
            return n

        spans = tuple(
            span if span.inside not in inside else replace(span, inside=outer(span.inside))
            for span in seen.spans
            if span.n not in inside
        )
        return replace(seen, spans=spans, hooks=tuple(call for call in seen.hooks if call.handler not in names))

    return restore


def without_tools(names: Collection[str]) -> Restore:
    """Remove added tools from what models and hooks receive."""

    def others(tools: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return None if tools is None else tuple(name for name in tools if name not in names)

    def in_request(request: ModelRequest) -> ModelRequest:
        return replace(request, tools=tuple(tool for tool in request.tools if tool.name not in names))

    def in_hook(call: HookCall) -> HookCall:
        context = call.model_context and replace(call.model_context, tools=others(call.model_context.tools))
        return replace(call, tools=others(call.tools), model_context=context)

    def restore(seen: Observation) -> Observation:
        calls = tuple(replace(call, request=in_request(call.request)) for call in seen.model_calls)
        return replace(seen, model_calls=calls, hooks=tuple(map(in_hook, seen.hooks)))

    return restore


def without_run(id_: str) -> Restore:
    """Remove everything that belongs to an added run."""

    def restore(seen: Observation) -> Observation:
        kept: dict[str, tuple[object, ...]] = {}
        for source in SOURCES_BY_RUN:
            entries = getattr(seen, source)
            left = tuple(entry for entry in entries if entry.run != id_)
            if len(left) < len(entries):
                kept[source] = left
        return replace(seen, **kept)

    return restore


def with_whole_messages(seen: Observation) -> Observation:
    """Join the chunks of each complete stream to one message, as a synchronous run has it."""

    def whole(event: Event) -> Event:
        if not event.chunks or event.error is not None:
            return event
        return replace(event, chunks=None, message=joined(event.chunks))

    return replace(seen, events=tuple(map(whole, seen.events)))


def with_events_in_call_order(direct: Collection[str], resumes: Mapping[str, str | None]) -> Restore:
    """Bring the events about the tool calls of one answer into the order of the calls; none is added or removed.

    `direct` are the tools whose event has a place of its own, which no other event takes. `resumes` has the run that
    each run resumes, if there is one: the run repeats calls of an answer in the run before.
    """

    def restore(seen: Observation) -> Observation:
        events = list(seen.events)
        for run, part, calls in _answers(seen.model_calls, resumes):
            if len(calls) < 2:
                continue
            places = {call.id: at for at, call in enumerate(calls) if call.name not in direct}
            places |= {call.name: at for at, call in enumerate(calls)}  # a sub-agent has the name of its tool
            found = {at: _place(event, run, part, places) for at, event in enumerate(events)}
            about = [at for at, place in found.items() if place is not None]
            ordered = [events[at] for at in sorted(about, key=lambda at: found[at] or 0)]
            for at, event in zip(about, ordered, strict=True):
                events[at] = event
        return replace(seen, events=tuple(events))

    return restore


def _answers(
    calls: Sequence[ModelCall], resumes: Mapping[str, str | None]
) -> Iterator[tuple[str, range, tuple[ToolCall, ...]]]:
    """The calls of each answer: the run, the part of the record until the next model call, and the calls."""
    last: dict[tuple[str, str], tuple[ToolCall, ...]] = {}
    for run, resumed in resumes.items():
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
