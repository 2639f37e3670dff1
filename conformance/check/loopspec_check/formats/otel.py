"""Spans of OpenTelemetry about generative AI: OTLP JSON, or lines of the console exporter of Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from ..history import Entry, Format, Kind, Record, Session
from ..values import Keys, Object, decoded, items, mapping, parts_of, text
from .entries import call, result, said
from .lists import each

_CHATS = ("chat", "generate_content", "text_completion")
_FAILED = ("ERROR", "STATUS_CODE_ERROR", "2")
_DETAILS = "gen_ai.client.inference.operation.details"
_PROVIDERS = {"openai": ("openai-chat", "openai-responses"), "anthropic": ("anthropic",), "gcp.gemini": ("gemini",)}


class _Span(Struct, frozen=True):
    """A span with its attributes, and the messages that it sent to a model, most often as a text."""

    line: int
    at: Keys
    trace: str
    id: str
    parent: str
    start: str
    end: str
    has_failed: bool
    attributes: Mapping[str, object]
    messages: object

    @property
    def sent(self) -> Sequence[object]:
        return items(decoded(self.messages))

    def __getitem__(self, name: str) -> str:
        return text(self.attributes.get(f"gen_ai.{name}"))


def _recognizes(values: Sequence[object]) -> bool:
    spans = [mapping(span) for value in values for _, span in _places(value)]
    return any(
        {"traceId", "spanId"} <= span.keys() or {"context", "parent_id", "attributes"} <= span.keys() for span in spans
    )


def _places(value: object) -> Iterator[tuple[Keys, object]]:
    """The spans of a JSON value, each with the keys that lead to it."""
    if "resourceSpans" not in mapping(value):
        yield (), value
    for first, resource in enumerate(items(mapping(value).get("resourceSpans"))):
        for second, scope in enumerate(items(mapping(resource).get("scopeSpans"))):
            for third, span in enumerate(items(mapping(scope).get("spans"))):
                yield ("resourceSpans", first, "scopeSpans", second, "spans", third), span


def _attributes(value: object) -> Mapping[str, object]:
    """The attributes of a span, or the value in a value of OTLP."""
    if isinstance(value, dict):
        return value
    return {text(mapping(one).get("key")): _plain(mapping(one).get("value")) for one in items(value)}


def _plain(value: object) -> object:
    kind, within = next(iter(mapping(value).items()), ("", None))
    if kind == "arrayValue":
        return [_plain(one) for one in items(mapping(within).get("values"))]
    return _attributes(mapping(within).get("values")) if kind == "kvlistValue" else within


def _span(line: int, at: Keys, value: object) -> _Span:
    span = mapping(value)
    context, status = mapping(span.get("context")), mapping(span.get("status"))
    attributes, sent = dict(_attributes(span.get("attributes"))), list[object]()
    for event in map(mapping, items(span.get("events"))):
        name, more = text(event.get("name")), _attributes(event.get("attributes"))
        attributes |= more if name == _DETAILS else {}
        if name.startswith("gen_ai.") and name.endswith(".message"):
            sent.append({"role": name.split(".")[1], "parts": decoded(more.get("content"))})
    return _Span(
        line,
        at,
        text(span.get("traceId") or context.get("trace_id")),
        text(span.get("spanId") or context.get("span_id")),
        text(span.get("parentSpanId") or span.get("parent_id")),
        str(span.get("startTimeUnixNano") or span.get("start_time") or "").zfill(20),
        str(span.get("endTimeUnixNano") or span.get("end_time") or "~" * 20).zfill(20),
        str(status.get("status_code") or status.get("code")) in _FAILED,
        attributes,
        attributes.get("gen_ai.input.messages") or sent,
    )


def _sessions(records: Iterator[Record]) -> Iterator[Session]:
    """A session is what one agent did in a conversation, or in a trace if the conversation has no id."""
    every = [_span(record.line, *place) for record in records for place in _places(record.value)]
    spans = {(span.trace, span.id): span for span in every}
    agents: dict[tuple[str, str], list[tuple[_Span, _Span | None]]] = {}
    for span in sorted(spans.values(), key=lambda one: one.start):
        if span["operation.name"] in (*_CHATS, "execute_tool"):
            run = _run(span, spans)
            of = run or span
            conversation = of["conversation.id"] or span["conversation.id"] or span.trace
            agents.setdefault((conversation, of["agent.name"]), []).append((span, run))
    for (conversation, agent), done in agents.items():
        names = {span["provider.name"] or span["system"] for span, _ in done}
        providers = [provider for name in sorted(names) for provider in _PROVIDERS.get(name, ())]
        yield Session(_entries(done), f"{conversation} {agent}".strip(), tuple(providers))


def _run(span: _Span, spans: Mapping[tuple[str, str], _Span]) -> _Span | None:
    """The span `invoke_agent` that the span is in."""
    seen = set[str]()
    above = spans.get((span.trace, span.parent))
    while above is not None and above["operation.name"] != "invoke_agent" and above.id not in seen:
        seen.add(above.id)
        above = spans.get((above.trace, above.parent))
    return above if above is not None and above["operation.name"] == "invoke_agent" else None


def _entries(done: Sequence[tuple[_Span, _Span | None]]) -> Iterator[Entry]:
    """The history that was sent last. Then what only spans show: a tool that was run again for a completed call, a span
    that began after the end of its run, and the requests of several traces that continue one history.
    """
    chats = [span for span, _ in done if span.messages]
    history = _history(chats[-1]) if chats else []
    yield from history or [_shown("user", done[0][0], 1)]
    number = history[-1].message if history else 1
    calls = {entry.id: entry for entry in history if entry.kind == "call"}
    without_result = calls.keys() - {entry.id for entry in history if entry.kind == "result"}
    completed: dict[tuple[str, str, str], _Span] = {}
    ended = set[str]()
    for span, run in done:
        call, tool = span["tool.call.id"], span["tool.name"]
        same_call = (call, tool, repr(span.attributes.get("gen_ai.tool.call.arguments")))
        before = completed.get(same_call) if call not in ("", tool, *without_result) else None
        if before is not None and before.end <= span.start:
            if call not in calls:
                calls[call] = _shown("call", before, number + 1)
                yield from (calls[call], _shown("result", before, number + 2))
            yield msgspec.structs.replace(calls[call], message=number + 3, line=span.line, at=span.at)
            yield _shown("result", span, number + 4)
            number += 4
        if not span.has_failed:
            completed[same_call] = span
        if run is not None and run.end < span.start and run.id not in ended:
            ended.add(run.id)
            yield from (_shown("end", run, number + 1), _shown("answer", span, number + 2))
            number += 2
    if len({span.trace for span in chats}) > 1:
        first = chats[-1].sent[:1]
        yield from (_shown("user", span, number + 1, run=span.trace) for span in chats if span.sent[:1] == first)


def _shown(kind: Kind, span: _Span, number: int, run: str = "") -> Entry:
    """What a span shows without its content."""
    return Entry(
        kind=kind,
        message=number,
        line=span.line,
        at=span.at,
        id=span["tool.call.id"],
        name=span["tool.name"],
        content={} if kind == "call" else span["operation.name"],
        run=run,
    )


def _history(span: _Span) -> list[Entry]:
    """The messages that were sent, and that an answer was asked for. Empty if the span has a part of the messages only:
    results without calls, where the provider keeps the history, or results that cannot be assigned.
    """
    entries = [*_messages((Record(message, span.line, span.at) for message in span.sent), {})]
    names = {entry.name for entry in entries if entry.kind == "call" and entry.id == entry.name}
    entries = [msgspec.structs.replace(one, id="", name=one.id) if one.id in names else one for one in entries]
    kinds = {entry.kind for entry in entries}
    is_part = "result" in kinds and "call" not in kinds
    if not entries or is_part or any(one.kind == "result" and not one.id + one.name for one in entries):
        return []
    number = len(span.sent) if _role(mapping(span.sent[-1])) != "assistant" else entries[-1].message
    return [*entries, _shown("answer", span, number + 1)]


def _role(message: Object) -> str:
    return text(message.get("role")).replace("model", "assistant")


def _said(message: Object) -> Iterator[Entry]:
    role = _role(message)
    own: Kind = "answer" if role == "assistant" else "user"
    for _, part in parts_of(message, "parts"):
        what, name = text(part.get("type")), part.get("name")
        called, returned = mapping(part.get("toolUse")), mapping(part.get("toolResult"))  # as Strands has them
        key = part.get("id") or called.get("toolUseId") or returned.get("toolUseId")
        if called or what == "tool_call":
            given = decoded(decoded(part.get("arguments", called.get("input"))))
            yield call(key, name or called.get("name"), given if isinstance(given, dict) else {"": given})
        elif returned or what == "tool_call_response":
            yield result(key, name, what or "text")
        elif role in ("assistant", "user") and what not in ("reasoning", "thinking") and "approval" not in what:
            yield said(own, what or "text")


_messages = each(_said, joined=lambda message: _role(message) == "assistant")


OTEL = Format(
    name="otel",
    recognizes=_recognizes,
    sessions=_sessions,
    document="https://opentelemetry.io/docs/specs/semconv/gen-ai/",
)
