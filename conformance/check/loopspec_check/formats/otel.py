"""Spans of OpenTelemetry about generative AI: OTLP JSON, or lines of the console exporter of Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from msgspec.structs import replace

from ..history import Entry, Format, Kind, Message, Session, call, joined, result, said
from ..values import Record, decoded, text

_CHATS = ("chat", "generate_content", "text_completion")
_FAILED = ("ERROR", "STATUS_CODE_ERROR", "2")
_DETAILS = "gen_ai.client.inference.operation.details"
_PROVIDERS = {"openai": ("openai-chat", "openai-responses"), "anthropic": ("anthropic",), "gcp.gemini": ("gemini",)}


class _Span:
    """A span with its attributes, the messages that it sent to a model, and the span `invoke_agent` that it is in."""

    run: _Span | None = None

    def __init__(self, record: Record) -> None:
        self.record = record
        self.trace = record.text("traceId") or record.text("context", "trace_id")
        self.id = record.text("spanId") or record.text("context", "span_id")
        self.parent = record.text("parentSpanId") or record.text("parent_id")
        self.start = str(record.get("startTimeUnixNano") or record.get("start_time") or "").zfill(20)
        self.end = str(record.get("endTimeUnixNano") or record.get("end_time") or "~" * 20).zfill(20)
        self.has_failed = str(record.get("status", "status_code") or record.get("status", "code")) in _FAILED
        self.attributes, sent = dict(_attributes(record.inside("attributes"))), list[object]()
        for event in record.parts("events"):
            name, more = event.text("name"), _attributes(event.inside("attributes"))
            self.attributes |= more if name == _DETAILS else {}
            if name.startswith("gen_ai.") and name.endswith(".message"):
                sent.append({"role": name.split(".")[1], "parts": decoded(more.get("content"))})
        self.messages = self.attributes.get("gen_ai.input.messages") or sent

    @property
    def sent(self) -> list[Record]:
        """The messages, which are most often a text. Each has the place of the span."""
        messages = Record(decoded(self.messages)).items()
        return [Record(message.value, self.record.line, self.record.at) for message in messages]

    def __getitem__(self, name: str) -> str:
        return text(self.attributes.get(f"gen_ai.{name}"))


def _recognizes(record: Record) -> bool:
    marks = ({"traceId", "spanId"}, {"context", "parent_id", "attributes"})
    return any(mark <= span.fields.keys() for span in _records(record) for mark in marks)


def _records(record: Record) -> list[Record]:
    scopes = [scope for resource in record.parts("resourceSpans") for scope in resource.parts("scopeSpans")]
    return [span for scope in scopes for span in scope.parts("spans")] or [record]


def _attributes(record: Record) -> Mapping[str, object]:
    """The attributes of a span, or the value in a value of OTLP."""
    return record.fields or {one.text("key"): _plain(one.inside("value")) for one in record.items()}


def _plain(value: Record) -> object:
    kind = next(iter(value.fields), "")
    if kind == "arrayValue":
        return [_plain(one) for one in value.inside(kind, "values").items()]
    return _attributes(value.inside(kind, "values")) if kind == "kvlistValue" else value.get(kind)


def _sessions(records: Iterator[Record]) -> Iterator[Session]:
    """A session is what one agent did in a conversation, or in a trace if the conversation has no id."""
    every = [_Span(span) for record in records for span in _records(record)]
    spans = {(span.trace, span.id): span for span in every}
    agents: dict[tuple[str, str], list[_Span]] = {}
    for span in sorted(spans.values(), key=lambda one: one.start):
        if span["operation.name"] in (*_CHATS, "execute_tool"):
            span.run = _run(span, spans)
            of = span.run or span
            conversation = of["conversation.id"] or span["conversation.id"] or span.trace
            agents.setdefault((conversation, of["agent.name"]), []).append(span)
    for (conversation, agent), done in agents.items():
        names = {span["provider.name"] or span["system"] for span in done}
        providers = [provider for name in sorted(names) for provider in _PROVIDERS.get(name, ())]
        yield Session(_messages(done), f"{conversation} {agent}".strip(), tuple(providers))


def _run(span: _Span, spans: Mapping[tuple[str, str], _Span]) -> _Span | None:
    """The span `invoke_agent` that the span is in."""
    above = spans.get((span.trace, span.parent))
    for _ in spans:  # not for ever: a hostile trace has cycles
        if above is None or above["operation.name"] == "invoke_agent":
            return above
        above = spans.get((above.trace, above.parent))
    return None


def _messages(done: Sequence[_Span]) -> Iterator[Message]:
    """The history that was sent last. Then what only spans show: a tool that was run again for a completed call, a span
    that began after the end of its run, and the requests of several traces that continue one history.
    """
    chats = [span for span in done if span.messages]
    history = _history(chats[-1]) if chats else []
    yield from history or [[_shown("user", done[0])]]
    calls = {entry.id: entry for entry in chain(*history) if entry.kind == "call"}
    without_result = calls.keys() - {entry.id for entry in chain(*history) if entry.kind == "result"}
    completed: dict[tuple[str, str, str], _Span] = {}
    ended = set[str]()
    for span in done:
        call, tool, run = span["tool.call.id"], span["tool.name"], span.run
        same_call = (call, tool, repr(span.attributes.get("gen_ai.tool.call.arguments")))
        before = completed.get(same_call) if call not in ("", tool, *without_result) else None
        if before is not None and before.end <= span.start:
            if call not in calls:
                calls[call] = _shown("call", before)
                yield from ([calls[call]], [_shown("result", before)])
            again = replace(calls[call], line=span.record.line, at=span.record.at)
            yield from ([again], [_shown("result", span)])
        if not span.has_failed:
            completed[same_call] = span
        if run is not None and run.end < span.start and run.id not in ended:
            ended.add(run.id)
            yield from ([_shown("end", run)], [_shown("answer", span)])
    if len({span.trace for span in chats}) > 1:
        firsts = [[message.value for message in span.sent[:1]] for span in chats]
        same = (span for span, first in zip(chats, firsts, strict=True) if first == firsts[-1])
        yield (_shown("user", span, run=span.trace) for span in same)


def _shown(kind: Kind, span: _Span, run: str = "") -> Entry:
    """What a span shows without its content."""
    shown = said(span.record, kind, {} if kind == "call" else span["operation.name"])
    return replace(shown, id=span["tool.call.id"], name=span["tool.name"], run=run)


def _history(span: _Span) -> list[list[Entry]]:
    """The messages that were sent, and that an answer was asked for. Empty if the span has a part of the messages only:
    results without calls, where the provider keeps the history, or results that cannot be assigned.
    """
    messages = [[*message] for message in _said_in(span.sent)]
    entries = [*chain(*messages)]
    kinds = {entry.kind for entry in entries}
    is_part = "result" in kinds and "call" not in kinds
    if not entries or is_part or any(one.kind == "result" and not one.id + one.name for one in entries):
        return []
    names = {entry.name for entry in entries if entry.kind == "call" and entry.id == entry.name}
    for one in entries:
        if one.id in names:
            one.id, one.name = "", one.id
    return [*messages, [_shown("answer", span)]]


def _role(message: Record) -> str:
    return message.text("role").replace("model", "assistant")


def _said(message: Record) -> Iterator[Entry]:
    role = _role(message)
    own: Kind = "answer" if role == "assistant" else "user"
    for part in message.parts("parts"):
        at, what, name = message, part.text("type"), part.get("name")
        called, returned = part.inside("toolUse"), part.inside("toolResult")  # as Strands has them
        key = part.get("id") or called.get("toolUseId") or returned.get("toolUseId")
        if called.fields or what == "tool_call":
            given = decoded(decoded(part.fields.get("arguments", called.get("input"))))
            yield call(at, key, name or called.get("name"), given if isinstance(given, dict) else {"": given})
        elif returned.fields or what == "tool_call_response":
            yield result(at, key, name, what or "text")
        elif role in ("assistant", "user") and what not in ("reasoning", "thinking") and "approval" not in what:
            yield said(at, own, what or "text")


_said_in = joined(_said, lambda message: _role(message) == "assistant")


FORMAT = Format("otel", _recognizes, _sessions)
