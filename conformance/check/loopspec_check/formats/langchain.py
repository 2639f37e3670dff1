"""Messages of LangChain, as `messages_to_dict`, `dumpd` and `model_dump` write them, and states of LangGraph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from ..history import Entry, Format, Kind, Record, Session, Status
from ..values import Keys, Object, inside, items, mapping, parts_of, text, text_of
from .entries import call, result, said, status_of
from .lists import listed, placed

_KINDS: dict[str, Kind] = {"human": "user", "system": "system", "ai": "answer"}
_THOUGHTS = {"thinking", "redacted_thinking", "reasoning"}
_NO_TEXT = {"tool_use", "tool_call", "function_call", "input_json_delta", *_THOUGHTS}
_Message = tuple[str, Object, Keys]  # the type, the fields, and the keys that lead to them


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
    tasks = (inside(task, "interrupts") for task in items(state.get("tasks")))
    waits = bool(state.get("interrupts") or state.get("__interrupt__") or any(tasks))
    for key in ("values", "messages"):
        if key in mapping(value):
            keys, value = (*keys, key), inside(value, key)
    return keys, items(value), waits


def _recognizes(values: Sequence[object]) -> bool:
    found = [_message(one) for value in values for one in (value, *_messages(value)[1])]
    return any(name in ("human", "ai") and "content" in fields for name, fields, _ in found)


def _sessions(records: Iterator[Record]) -> Iterator[Session]:
    """Each list or state is a session, and so are all lines if each is a message."""
    for record in records:
        keys, messages, waits = _messages(record.value)
        is_message = not keys and _message(record.value)[0]
        every = chain([record], records) if is_message else listed(messages, record, keys)
        yield Session(_entries(every, waits=waits), f"line {record.line}" if record.line > 1 else "")


def _entries(records: Iterable[Record], *, waits: bool) -> Iterator[Entry]:
    """What the messages say that no later message removes. The calls of the last answer wait if the state does."""
    kept: list[tuple[_Message, Record]] = []
    for record in records:
        message = _message(record.value)
        if message[0] == "remove":
            removed = message[1].get("id")
            kept = [one for one in kept if removed not in ("__remove_all__", one[0][1].get("id"))]
        else:
            kept.append((message, record))
    last = max((number for number, (message, _) in enumerate(kept, 1) if message[0] == "ai"), default=0)
    for number, (message, record) in enumerate(kept, 1):
        yield from placed(_said(message, "waits" if waits and number == last else ""), record, number)


def _said(message: _Message, status: Status) -> Iterator[Entry]:
    """The entries of a message. Thoughts that are not sent as thoughts are none. The calls have the status."""
    name, fields, keys = message
    content, more, calls = fields.get("content"), mapping(fields.get("additional_kwargs")), _calls(fields, keys)
    if name == "tool":
        key, tool, done = fields.get("tool_call_id"), fields.get("name"), status_of(fields.get("status"))
        yield result(key, tool, text_of(content), status=done)
    if name not in _KINDS:
        return
    blocks = [mapping(block) for block in items(content)]
    thoughts = [block for block in blocks if text(block.get("type")) in _THOUGHTS]
    for block in thoughts:
        if text(block.get("id")).startswith("rs_") or block.get("signature") or block.get("data"):
            yield said("thought")
    if blocks:
        content = [block for block in blocks if text(block.get("type")) not in _NO_TEXT and block.get("text") != ""]
    content = content or more.get("refusal") or more.get("audio") or more.get("function_call")
    if content or not (thoughts or calls):
        yield said(_KINDS[name], content or "")
    for at, one in calls:
        old = mapping(one.get("function"))
        tool, arguments = one.get("name") or old.get("name"), one.get("args", old.get("arguments"))
        yield call(one.get("id"), tool, arguments, at, status)


def _calls(fields: Object, at: Keys) -> Sequence[tuple[Keys, Object]]:
    """The calls of an answer, also those that could not be parsed. Old versions kept them as the provider gave them."""
    own = [*parts_of(fields, "tool_calls", at), *parts_of(fields, "invalid_tool_calls", at)]
    return own or parts_of(mapping(fields.get("additional_kwargs")), "tool_calls", (*at, "additional_kwargs"))


LANGCHAIN = Format(
    name="langchain",
    recognizes=_recognizes,
    sessions=_sessions,
    document="https://reference.langchain.com/python/langchain-core/messages",
)
