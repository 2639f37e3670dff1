"""Contents of the Gemini API, as its requests and the chats of google-genai have them, in camel case or snake case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from ..history import Entry, Format, Kind
from ..values import Record
from .entries import call, done_unless, result, said
from .lists import of_message, sessions_of

_ROLES = (None, "user", "model", "function")
_MARKS = {"thought", "thoughtSignature"}
_CAMEL = {
    "function_call": "functionCall",
    "function_response": "functionResponse",
    "thought_signature": "thoughtSignature",
    "will_continue": "willContinue",
}
_Part = tuple[str, Record]  # with its role


def _recognizes(content: Record) -> bool:
    parts = [_in_camel_case(part) for part in content.parts("parts")]
    is_known = any("text" in part.fields or part.get("functionCall") or part.get("functionResponse") for part in parts)
    is_gemini = content.get("role") in _ROLES and "kind" not in content.fields
    return is_known and is_gemini and not any("type" in part.fields for part in parts)


def _in_camel_case(one: Record) -> Record:
    return Record({_CAMEL.get(key, key): value for key, value in one.fields.items()}, one.line, one.at)


def _parts(contents: Iterable[Record]) -> Iterator[_Part]:
    for content in contents:
        for part in content.parts("parts") or [Record({}, content.line, content.at)]:
            yield content.text("role") or "user", part


def _called(part: Record) -> Record:
    return _in_camel_case(_in_camel_case(part).inside("functionCall"))


def _returned(part: Record) -> Record:
    return _in_camel_case(_in_camel_case(part).inside("functionResponse"))


def _is_signed(part: Record) -> bool:
    return bool(_in_camel_case(part).get("thoughtSignature"))


def _entries(contents: Iterable[Record], _: Record) -> Iterator[Entry]:
    """Contents of one role that follow each other are one message: a streamed answer is stored as its chunks.

    Ids are left out if a result has none: google-genai pairs by name. A signature is needed in the calls since the
    last text of the user, by the models that give signatures, and only as long as this turn continues.
    """
    messages = [list(group) for _, group in groupby(_parts(contents), lambda part: part[0])]
    parts = [(number, *part) for number, message in enumerate(messages, 1) for part in message]
    results = [returned for *_, part in parts if (returned := _returned(part)).fields]
    has_ids = all(returned.get("id") for returned in results)
    asked = max((number for number, role, part in parts if role == "user" and not _returned(part).fields), default=0)
    continues = any(_called(part).fields or _returned(part).fields for _, part in messages[-1]) if messages else False
    signs = continues and any(_called(part).fields and _is_signed(part) for *_, part in parts)
    for number, message in enumerate(messages, 1):
        yield from of_message(number, _message(message, has_ids=has_ids, signs=signs and number > asked))


def _message(message: Sequence[_Part], *, has_ids: bool, signs: bool) -> Iterator[Entry]:
    is_unsigned = signs and not any(_is_signed(part) for _, part in message)
    own: Kind = "answer" if message[0][0] == "model" else "user"
    is_empty = True
    for _, part in message:
        for entry in _said(part, own, has_ids=has_ids):
            if entry.kind == "call" and is_unsigned:
                is_unsigned = False
                yield said(part, "thought", status="unsigned")
            is_empty = False
            yield entry
    if is_empty:
        yield said(message[0][1], own)


def _said(part: Record, own: Kind, *, has_ids: bool) -> Iterator[Entry]:
    """The entry of a part. A later chunk of a call has none."""
    called, returned = _called(part), _returned(part)
    if called.get("willContinue") or returned.get("willContinue") or (called.fields and not called.get("name")):
        return
    if called.fields:
        yield call(part, called.get("id") if has_ids else "", called.get("name"), called.get("args"))
    elif returned.fields:
        failed = "error" in returned.inside("response").fields
        key, name = returned.get("id") if has_ids else "", returned.get("name")
        yield result(part, key, name, returned.get("response"), done_unless(failed))
    elif any(value for key, value in _in_camel_case(part).fields.items() if key not in _MARKS):
        yield said(part, "thought" if part.get("thought") else own, part.value)


GEMINI = Format(
    name="gemini",
    recognizes=_recognizes,
    sessions=sessions_of("contents", _entries),
    providers=("gemini",),
    document="https://ai.google.dev/api/caching#Content",
)
