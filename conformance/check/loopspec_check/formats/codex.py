"""Rollouts of the Codex CLI, one for each session: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`."""

from __future__ import annotations

from collections.abc import Iterator

from ..history import Entry, Format, Message, Session, grouped, in_run, said
from ..values import Record
from .openai_responses import entries_of

_MARKS = {"session_meta", "response_item", "event_msg", "turn_context", "compacted"}
_BEGINNINGS = {"turn_context", "task_started", "turn_started"}
_ENDS = {"task_complete", "turn_complete", "turn_aborted"}


def _recognizes(record: Record) -> bool:
    return record.text("type") in _MARKS and "payload" in record.fields


def _messages(records: Iterator[Record]) -> Iterator[Message]:
    """What the next request contains. A compaction replaces what precedes it, and turns can be rolled back."""
    kept: list[Entry] = []
    run = ""
    for record in records:
        payload, what = record.inside("payload"), record.text("type")
        what = payload.text("type") if what == "event_msg" else what
        if what in _BEGINNINGS:
            run = payload.text("turn_id")
        elif what == "response_item":
            own = payload.text("internal_chat_message_metadata_passthrough", "turn_id")
            kept += in_run(own or run, entries_of(payload))
        elif what == "compacted":
            history = payload.parts("replacement_history")
            summary = said(record, "summary", payload.text("message"))
            kept = [] if history else [*filter(_is_of_person, kept), summary]
            kept += (entry for item in history for entry in entries_of(item))
        elif what in _ENDS:
            kept += in_run(run, [said(payload, "end")])
        elif what == "thread_rolled_back":
            turns = payload.get("num_turns")
            begins = [place for place, entry in enumerate(kept) if _is_of_person(entry)]
            if isinstance(turns, int) and turns > 0 and begins:
                del kept[begins[-turns:][0] :]
    return grouped(kept)


def _is_of_person(entry: Entry) -> bool:
    """Whether it is a user message that Codex has not added by itself."""
    return entry.kind == "user" and not str(entry.content).startswith(("<", "# AGENTS.md"))


FORMAT = Format("codex", _recognizes, lambda records: iter([Session(_messages(records))]))
