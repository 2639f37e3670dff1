"""Rollouts of the Codex CLI, one for each session: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from ..history import Entry, Format, Keys, Record, Session, items, mapping, text
from .openai_responses import entry_of

_TYPES = {"session_meta", "response_item", "event_msg", "turn_context", "compacted"}
_BEGINNINGS = {"task_started", "turn_started"}
_ENDS = {"task_complete", "turn_complete", "turn_aborted"}


def _recognizes(values: Sequence[object]) -> bool:
    return any(text(mapping(value).get("type")) in _TYPES and "payload" in mapping(value) for value in values)


def _sessions(records: Iterator[Record]) -> Iterator[Session]:
    yield Session(_entries(records))


def _entries(records: Iterator[Record]) -> Iterator[Entry]:
    """What the next request contains. A compaction replaces what precedes it, and turns can be rolled back."""
    kept: list[Entry] = []
    run = ""
    for record in records:
        payload = mapping(mapping(record.value).get("payload"))
        kind, event = text(mapping(record.value).get("type")), text(payload.get("type"))
        if kind == "turn_context" or (kind == "event_msg" and event in _BEGINNINGS):
            run = text(payload.get("turn_id"))
        elif kind == "response_item":
            own = mapping(payload.get("internal_chat_message_metadata_passthrough")).get("turn_id")
            _add(kept, payload, record.line, ("payload",), text(own) or run)
        elif kind == "compacted":
            replacement = items(payload.get("replacement_history"))
            summary = Entry(kind="summary", message=1, line=record.line, content=text(payload.get("message")))
            kept = [] if replacement else [*(entry for entry in kept if _is_of_person(entry)), summary]
            for place, item in enumerate(replacement):
                _add(kept, item, record.line, ("payload", "replacement_history", place), "")
        elif kind == "event_msg" and event in _ENDS:
            number = kept[-1].message if kept else 1
            kept.append(Entry(kind="end", message=number, line=record.line, at=("payload",), run=run))
        elif kind == "event_msg" and event == "thread_rolled_back":
            turns = payload.get("num_turns")
            begins = [place for place, entry in enumerate(kept) if _is_of_person(entry)]
            if isinstance(turns, int) and turns > 0 and begins:
                del kept[begins[-turns:][0] :]
    yield from kept


def _add(kept: list[Entry], item: object, line: int, at: Keys, run: str) -> None:
    """Add the entry of an item. What the model gives in items that follow each other is one answer."""
    entry = entry_of(item, 1, line, at)
    if entry is not None:
        before = kept[-1] if kept else None
        continues = before is not None and _is_of_model(before) and _is_of_model(entry)
        number = before.message + (not continues) if before is not None else 1
        kept.append(msgspec.structs.replace(entry, message=number, run=run))


def _is_of_model(entry: Entry) -> bool:
    return entry.kind in ("answer", "call", "thought")


def _is_of_person(entry: Entry) -> bool:
    """Whether it is a user message that Codex has not added by itself."""
    return entry.kind == "user" and not str(entry.content).startswith(("<", "# AGENTS.md"))


CODEX = Format(
    name="codex",
    title="Codex CLI sessions",
    recognizes=_recognizes,
    sessions=_sessions,
    providers=("openai-responses",),
    document="https://github.com/openai/codex/blob/rust-v0.171.0/codex-rs/protocol/src/protocol.rs",
    repair='Codex CLI 0.171.0 sends the result "aborted" for the call, whether its command has ended or not',
)
