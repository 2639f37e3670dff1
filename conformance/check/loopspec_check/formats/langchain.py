"""Messages of LangChain, as `messages_to_dict`, `dumpd` and `model_dump` write them, and states of LangGraph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from ..history import Entry, Format, Kind, Message, Session, Status, call, result, said, status_of
from ..values import Record, text, text_of

_KINDS: dict[str, Kind] = {"human": "user", "system": "system", "ai": "answer"}
_THOUGHTS = {"thinking", "redacted_thinking", "reasoning"}
_NO_TEXT = {"tool_use", "tool_call", "function_call", "input_json_delta", *_THOUGHTS}
_LOOKED_AT = 20  # messages of a state by which the format is recognized


def _message(whole: Record) -> tuple[str, Record]:
    """The type of a message, and its fields."""
    ids = whole.get("id")
    name = text(ids[-1] if isinstance(ids, list) and ids else "") if "lc" in whole.fields else whole.text("type")
    return name.removesuffix("Chunk").removesuffix("Message").lower(), whole.within("kwargs", "data")


def _recognizes(record: Record) -> bool:
    """A message, or a state with messages; those of a list and of a request are looked at one by one."""
    state = record.inside("values").within("messages").items()
    found = map(_message, (record, *state[:_LOOKED_AT]))
    return any(name in ("human", "ai") and "content" in fields.fields for name, fields in found)


def _sessions(records: Iterator[Record]) -> Iterator[Session]:
    """Each list or state is a session, and so are lines with messages. The first of several states is the latest."""
    for record in records:
        [state] = [one for one in record.items()[:1] if "values" in one.fields] or [record]
        tasks = any(task.get("interrupts") for task in state.parts("tasks"))
        waits = bool(state.get("interrupts") or state.get("__interrupt__") or tasks)
        is_message = not record.fields.keys() & {"values", "messages"} and _message(record)[0]
        every = chain([record], records) if is_message else state.within("values").within("messages").items()
        yield Session(_messages(every, waits=waits), f"line {record.line}" if record.line > 1 else "")


def _messages(messages: Iterable[Record], *, waits: bool) -> Iterator[Message]:
    """What the messages say that no later message removes. The calls of the last answer wait if the state does."""
    kept: list[tuple[Record, str, Record]] = []
    for whole in messages:
        name, fields = _message(whole)
        if name == "remove":
            removed = fields.get("id")
            kept = [one for one in kept if removed not in ("__remove_all__", one[2].get("id"))]
        else:
            kept.append((whole, name, fields))
    last = max((number for number, (_, name, _) in enumerate(kept, 1) if name == "ai"), default=0)
    for number, message in enumerate(kept, 1):
        yield _said(*message, "waits" if waits and number == last else "")


def _said(whole: Record, name: str, fields: Record, status: Status) -> Iterator[Entry]:
    """The entries of a message. Thoughts that are not sent as thoughts are none. The calls have the status."""
    content, more = fields.get("content"), fields.inside("additional_kwargs")
    calls = fields.parts("tool_calls") + fields.parts("invalid_tool_calls")  # the latter could not be parsed
    calls = calls or more.parts("tool_calls")  # of old versions, as the provider gave them
    if name == "tool":
        key, tool, done = fields.get("tool_call_id"), fields.get("name"), status_of(fields.text("status"))
        yield result(whole, key, tool, text_of(content), done)
    if name not in _KINDS:
        return
    blocks = fields.parts("content")
    thoughts = [block for block in blocks if block.text("type") in _THOUGHTS]
    for block in thoughts:
        if block.text("id").startswith("rs_") or block.get("signature") or block.get("data"):
            yield said(whole, "thought")
    if blocks:
        content = [one.value for one in blocks if one.text("type") not in _NO_TEXT and one.get("text") != ""]
    content = content or more.get("refusal") or more.get("audio") or more.get("function_call")
    if content or not (thoughts or calls):
        yield said(whole, _KINDS[name], content or "")
    for one in calls:
        made = one.within("function")
        yield call(one, one.get("id"), made.get("name"), made.fields.get("args", made.get("arguments")), status)


FORMAT = Format("langchain", _recognizes, _sessions)
