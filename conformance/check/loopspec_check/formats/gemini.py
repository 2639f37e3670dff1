"""Contents of the Gemini API, as its requests and the chats of google-genai have them, in camel case or snake case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from ..history import Entry, Format, Keys, Kind, Status, decoded, items, mapping, text
from .lists import Place, messages_of, sessions_of

_ROLES = (None, "user", "model", "function")
_MARKS = {"thought", "thoughtSignature", "thought_signature"}
_Part = tuple[str, Mapping[str, object], int, Keys]  # the role, the part, its line, and the keys that lead to it


def _recognizes(values: Sequence[object]) -> bool:
    contents = [mapping(content) for value in values for content in messages_of(value, "contents")]
    return any(
        content.get("role") in _ROLES and "kind" not in content and _has_known_parts(items(content.get("parts")))
        for content in contents
    )


def _has_known_parts(parts: Sequence[object]) -> bool:
    is_known = any("text" in part or _call(part) or _response(part) for part in map(mapping, parts))
    return is_known and not any("type" in mapping(part) for part in parts)


def _call(part: Mapping[str, object]) -> Mapping[str, object]:
    return mapping(part.get("functionCall") or part.get("function_call"))


def _response(part: Mapping[str, object]) -> Mapping[str, object]:
    return mapping(part.get("functionResponse") or part.get("function_response"))


def _is_signed(part: Mapping[str, object]) -> bool:
    return bool(part.get("thoughtSignature") or part.get("thought_signature"))


def _parts(places: Iterable[Place]) -> Iterator[_Part]:
    for value, line, at in places:
        content = mapping(value)
        parts = [(mapping(part), (*at, "parts", place)) for place, part in enumerate(items(content.get("parts")))]
        for part, keys in parts or [({}, at)]:
            yield text(content.get("role")) or "user", part, line, keys


def _entries(places: Iterable[Place], _: Mapping[str, object]) -> Iterator[Entry]:
    """Contents of one role that follow each other are one message: a streamed answer is stored as its chunks.

    Ids are left out if a result has none: google-genai pairs by name. A signature is needed in the calls since the
    last text of the user, by the models that give signatures, and only as long as this turn continues.
    """
    messages = [list(group) for _, group in groupby(_parts(places), lambda part: part[0])]
    parts = [(number, role, part) for number, message in enumerate(messages, 1) for role, part, *_ in message]
    has_ids = all(_response(part).get("id") for *_, part in parts if _response(part))
    asked = [number for number, role, part in parts if role == "user" and not _response(part)]
    continues = any(_call(part) or _response(part) for _, part, *_ in messages[-1]) if messages else False
    signs = continues and any(_call(part) and _is_signed(part) for *_, part in parts)
    for number, message in enumerate(messages, 1):
        yield from _message(message, number, has_ids=has_ids, signs=signs and number > max(asked, default=0))


def _message(message: Sequence[_Part], number: int, *, has_ids: bool, signs: bool) -> Iterator[Entry]:
    is_unsigned = signs and not any(_is_signed(part) for _, part, *_ in message)
    own: Kind = "answer" if message[0][0] == "model" else "user"
    is_empty = True
    for _, part, line, at in message:
        call = _call(part) or _response(part)
        content: object = part
        status: Status = ""
        kind: Kind = "thought" if part.get("thought") else own
        if _call(part):
            kind, content = "call", decoded(call.get("args"))
        elif call:
            kind, content = "result", call.get("response")
            status = "failed" if "error" in mapping(content) else "done"
        elif not any(value for key, value in part.items() if key not in _MARKS):
            continue
        if call.get("willContinue") or call.get("will_continue") or (kind == "call" and not call.get("name")):
            continue
        if kind == "call" and is_unsigned:
            is_unsigned = False
            yield Entry(kind="thought", message=number, line=line, at=at, status="unsigned")
        is_empty = False
        own_id, name = text(call.get("id")) if has_ids else "", text(call.get("name"))
        yield Entry(kind=kind, message=number, line=line, at=at, id=own_id, name=name, content=content, status=status)
    if is_empty:
        yield Entry(kind=own, message=number, line=message[0][2], at=message[0][3])


GEMINI = Format(
    name="gemini",
    title="Gemini contents",
    recognizes=_recognizes,
    sessions=lambda records: sessions_of(records, "contents", _entries),
    providers=("gemini",),
    document="https://ai.google.dev/api/caching#Content",
)
