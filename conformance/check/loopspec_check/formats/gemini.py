"""Contents of the Gemini API, as its requests and the chats of google-genai have them, in camel case or snake case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from ..history import Entry, Format, Kind, Record
from ..values import Object, mapping, parts_of, text
from .entries import call, done_unless, result, said
from .lists import placed, recognized_by, sessions_of

_ROLES = (None, "user", "model", "function")
_MARKS = {"thought", "thoughtSignature"}
_CAMEL = {
    "function_call": "functionCall",
    "function_response": "functionResponse",
    "thought_signature": "thoughtSignature",
    "will_continue": "willContinue",
}
_Part = tuple[str, Object, Record]  # the role, and the part with its place


def _is_content(content: Object) -> bool:
    parts = [_in_camel_case(part) for _, part in parts_of(content, "parts")]
    is_known = any("text" in part or _called(part) or _returned(part) for part in parts)
    is_gemini = content.get("role") in _ROLES and "kind" not in content
    return is_known and is_gemini and not any("type" in part for part in parts)


def _in_camel_case(value: Object) -> Object:
    return {_CAMEL.get(key, key): each for key, each in value.items()}


def _called(part: Object) -> Object:
    return mapping(part.get("functionCall"))


def _returned(part: Object) -> Object:
    return mapping(part.get("functionResponse"))


def _parts(records: Iterable[Record]) -> Iterator[_Part]:
    for record in records:
        content = mapping(record.value)
        for at, part in parts_of(content, "parts", record.at) or [(record.at, {})]:
            yield text(content.get("role")) or "user", _in_camel_case(part), Record(part, record.line, at)


def _entries(records: Iterable[Record], _: Object) -> Iterator[Entry]:
    """Contents of one role that follow each other are one message: a streamed answer is stored as its chunks.

    Ids are left out if a result has none: google-genai pairs by name. A signature is needed in the calls since the
    last text of the user, by the models that give signatures, and only as long as this turn continues.
    """
    messages = [list(group) for _, group in groupby(_parts(records), lambda part: part[0])]
    parts = [(number, *part) for number, message in enumerate(messages, 1) for part in message]
    has_ids = all(_returned(part).get("id") for _, _, part, _ in parts if _returned(part))
    asked = max((number for number, role, part, _ in parts if role == "user" and not _returned(part)), default=0)
    continues = any(_called(part) or _returned(part) for _, part, _ in messages[-1]) if messages else False
    signs = continues and any(_called(part) and part.get("thoughtSignature") for _, _, part, _ in parts)
    for number, message in enumerate(messages, 1):
        yield from _message(message, number, has_ids=has_ids, signs=signs and number > asked)


def _message(message: Sequence[_Part], number: int, *, has_ids: bool, signs: bool) -> Iterator[Entry]:
    is_unsigned = signs and not any(part.get("thoughtSignature") for _, part, _ in message)
    own: Kind = "answer" if message[0][0] == "model" else "user"
    is_empty = True
    for _, part, place in message:
        for entry in _said(part, said("thought" if part.get("thought") else own, place.value), has_ids=has_ids):
            if entry.kind == "call" and is_unsigned:
                is_unsigned = False
                yield from placed([said("thought", status="unsigned")], place, number)
            is_empty = False
            yield from placed([entry], place, number)
    if is_empty:
        yield from placed([said(own)], message[0][2], number)


def _said(part: Object, other: Entry, *, has_ids: bool) -> Iterator[Entry]:
    """The entry of a part: the other one if the part is no call and no result. A later chunk of a call has none."""
    one = _in_camel_case(_called(part) or _returned(part))
    key = one.get("id") if has_ids else ""
    if one.get("willContinue") or (_called(part) and not one.get("name")):
        return
    if _called(part):
        yield call(key, one.get("name"), one.get("args"))
    elif one:
        failed = "error" in mapping(one.get("response"))
        yield result(key, one.get("name"), one.get("response"), status=done_unless(failed))
    elif any(value for name, value in part.items() if name not in _MARKS):
        yield other


GEMINI = Format(
    name="gemini",
    recognizes=recognized_by("contents", _is_content),
    sessions=sessions_of("contents", _entries),
    providers=("gemini",),
    document="https://ai.google.dev/api/caching#Content",
)
