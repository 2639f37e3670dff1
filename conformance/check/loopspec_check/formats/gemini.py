"""Contents of the Gemini API, as its requests and the chats of google-genai have them, in camel case or snake case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from ..history import Entry, Format, Kind, Message, call, done_unless, result, said, sessions_of
from ..values import Record

_ROLES = (None, "user", "model", "function")
_MARKS = {"thought", "thoughtSignature", "thought_signature"}


class _Part:
    """A part with its role. `called` and `returned` are the call and the result in it, and else empty."""

    def __init__(self, role: str, record: Record) -> None:
        self.role, self.record = role, record
        self.own: Kind = "answer" if role == "model" else "user"
        self.called = _field(record, "functionCall", "function_call")
        self.returned = _field(record, "functionResponse", "function_response")
        self.is_signed = _field(record, "thoughtSignature", "thought_signature").value is not None


def _field(one: Record, *names: str) -> Record:
    return next((one.inside(name) for name in names if one.get(name)), Record(None))


def _parts(contents: Iterable[Record]) -> Iterator[_Part]:
    for content in contents:
        for part in content.parts("parts") or [Record({}, content.line, content.at)]:
            yield _Part(content.text("role") or "user", part)


def _recognizes(content: Record) -> bool:
    parts = [*_parts([content])]
    is_known = any("text" in part.record.fields or part.called.fields or part.returned.fields for part in parts)
    is_gemini = content.get("role") in _ROLES and "kind" not in content.fields
    return is_known and is_gemini and not any("type" in part.record.fields for part in parts)


def _messages(contents: Iterable[Record]) -> Iterator[Message]:
    """Contents of one role that follow each other are one message: a streamed answer is stored as its chunks.

    Ids are left out if a result has none: google-genai pairs by name. A signature is needed in the calls since the
    last text of the user, by the models that give signatures, and only as long as this turn continues.
    """
    messages = [list(group) for _, group in groupby(_parts(contents), lambda part: part.role)]
    parts = [(number, part) for number, message in enumerate(messages, 1) for part in message]
    has_ids = all(part.returned.get("id") for _, part in parts if part.returned.fields)
    asked = max((number for number, part in parts if part.role == "user" and not part.returned.fields), default=0)
    continues = any(part.called.fields or part.returned.fields for part in messages[-1]) if messages else False
    signs = continues and any(part.called.fields and part.is_signed for _, part in parts)
    for number, message in enumerate(messages, 1):
        yield _message(message, has_ids=has_ids, signs=signs and number > asked)


def _message(message: Sequence[_Part], *, has_ids: bool, signs: bool) -> Message:
    entries = [entry for part in message for entry in _said(part, has_ids=has_ids)]
    calls = [entry for entry in entries if entry.kind == "call"]
    if calls and signs and not any(part.is_signed for part in message):
        calls[0].fault = "CHECK-16"
    return entries or [said(message[0].record, message[0].own)]


def _said(part: _Part, *, has_ids: bool) -> Iterator[Entry]:
    """The entry of a part. A later chunk of a call has none."""
    one, content = part.called if part.called.fields else part.returned, part.record.fields
    key, name = one.get("id") if has_ids else "", one.get("name")
    if _field(one, "willContinue", "will_continue").value or (part.called.fields and not name):
        return
    if part.called.fields:
        yield call(part.record, key, name, one.get("args"))
    elif one.fields:
        failed = "error" in one.inside("response").fields
        yield result(part.record, key, name, one.get("response"), done_unless(failed))
    elif any(value for name, value in content.items() if name not in _MARKS):
        yield said(part.record, "thought" if content.get("thought") else part.own, content)


FORMAT = Format("gemini", _recognizes, sessions_of("contents", _messages))
