"""Messages of LangChain, as `messages_to_dict`, `dumpd` and `model_dump` write them, and states of LangGraph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

from ..history import Entry, Format, Keys, Kind, Record, Session, Status, decoded, items, mapping, text
from .lists import Place, text_of

_KINDS: dict[str, Kind] = {"human": "user", "system": "system", "ai": "answer"}
_THOUGHTS = {"thinking", "redacted_thinking", "reasoning"}
_NO_TEXT = {"tool_use", "tool_call", "function_call", "input_json_delta", *_THOUGHTS}
_STATUS: dict[str, Status] = {"success": "done", "error": "failed"}
_CALLS = ("tool_calls", "invalid_tool_calls")
_Call = tuple[Keys, Mapping[str, object]]
_Message = tuple[str, Mapping[str, object], Keys]  # the type, the fields, and the keys that lead to them


def _message(value: object) -> _Message:
    whole = mapping(value)
    name = text(next(reversed(items(whole.get("id"))), "") if "lc" in whole else whole.get("type"))
    name = name.removesuffix("Chunk").removesuffix("Message").lower()
    key = next((key for key in ("kwargs", "data") if key in whole), "")
    return (name, mapping(whole[key]), (key,)) if key else (name, whole, ())


def _messages(value: object) -> tuple[Keys, Sequence[object], bool]:
    """The messages of a list or of a state, and whether the state waits. The first of several states is the latest."""
    keys: Keys = ()
    if "values" in mapping(next(iter(items(value)), None)):
        keys, value = (0,), items(value)[0]
    state = mapping(value)
    tasks = (mapping(task).get("interrupts") for task in items(state.get("tasks")))
    waits = bool(state.get("interrupts") or state.get("__interrupt__") or any(tasks))
    for key in ("values", "messages"):
        if key in mapping(value):
            keys, value = (*keys, key), mapping(value)[key]
    return keys, items(value), waits


def _recognizes(values: Sequence[object]) -> bool:
    messages = (_message(message) for value in values for message in (value, *_messages(value)[1]))
    return any(name in ("human", "ai") and "content" in fields for name, fields, _ in messages)


def _sessions(records: Iterator[Record]) -> Iterator[Session]:
    """Each list or state is a session, and so are all lines if each is a message."""
    for record in records:
        keys, messages, waits = _messages(record.value)
        places: list[Place] = [(message, record.line, (*keys, place)) for place, message in enumerate(messages)]
        if not keys and _message(record.value)[0]:
            places = [(one.value, one.line, ()) for one in chain([record], records)]
        yield Session(_entries(places, waits=waits), f"line {record.line}" if record.line > 1 else "")


def _entries(places: Iterable[Place], *, waits: bool) -> Iterator[Entry]:
    """What the messages say that no later message removes. The calls of the last answer wait if the state does."""
    kept: list[tuple[_Message, int, Keys]] = []
    for value, line, at in places:
        message = _message(value)
        if message[0] == "remove":
            removed = message[1].get("id")
            kept = [one for one in kept if removed not in ("__remove_all__", one[0][1].get("id"))]
        else:
            kept.append((message, line, at))
    last = max((number for number, one in enumerate(kept, 1) if one[0][0] == "ai"), default=0)
    for number, ((name, fields, keys), line, at) in enumerate(kept, 1):
        entry = partial(Entry, message=number, line=line)
        if name == "tool":
            call, tool, status = (text(fields.get(key)) for key in ("tool_call_id", "name", "status"))
            result = partial(entry, kind="result", at=at, id=call, name=tool)
            yield result(content=text_of(fields.get("content")), status=_STATUS.get(status, ""))
        elif name in _KINDS:
            yield from _said(partial(entry, at=at), _KINDS[name], fields)
            yield from _called(entry, fields, (*at, *keys), "waits" if waits and number == last else "")


def _said(entry: partial[Entry], kind: Kind, fields: Mapping[str, object]) -> Iterator[Entry]:
    content, more = fields.get("content"), mapping(fields.get("additional_kwargs"))
    blocks = [mapping(block) for block in items(content)]
    thoughts = [block for block in blocks if text(block.get("type")) in _THOUGHTS]
    for block in thoughts:
        own = text(block.get("id"))
        if own.startswith("rs_") or block.get("signature") or block.get("data"):  # others are not sent as thoughts
            yield entry(kind="thought", id=own)
    if blocks:
        content = [block for block in blocks if text(block.get("type")) not in _NO_TEXT and block.get("text") != ""]
    content = content or next((more[key] for key in ("refusal", "audio", "function_call") if more.get(key)), "")
    if content or not (thoughts or _calls(fields)):
        yield entry(kind=kind, content=content)


def _calls(fields: Mapping[str, object]) -> Sequence[_Call]:
    """The calls of an answer, also those that could not be parsed. Old versions kept them as the provider gave them."""
    own: list[_Call] = [((key, n), mapping(one)) for key in _CALLS for n, one in enumerate(items(fields.get(key)))]
    provided = items(mapping(fields.get("additional_kwargs")).get("tool_calls"))
    return own or [(("additional_kwargs", "tool_calls", n), mapping(one)) for n, one in enumerate(provided)]


def _called(entry: partial[Entry], fields: Mapping[str, object], at: Keys, status: Status) -> Iterator[Entry]:
    for keys, one in _calls(fields):
        old = mapping(one.get("function"))
        call, tool = text(one.get("id")), text(one.get("name") or old.get("name"))
        arguments = decoded(one.get("args", old.get("arguments")))
        yield entry(kind="call", at=(*at, *keys), id=call, name=tool, content=arguments, status=status)


LANGCHAIN = Format(
    name="langchain",
    title="LangChain messages",
    recognizes=_recognizes,
    sessions=_sessions,
    document="https://reference.langchain.com/python/langchain-core/messages",
)
