"""Messages of the Vercel AI SDK: those of its user interface, which have parts, and those of its models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from ..history import Entry, Format, Keys, Kind, Status, decoded, items, mapping, text
from .lists import Place, messages_of, sessions_of

_KINDS: dict[str, Kind] = {"system": "system", "user": "user", "assistant": "answer"}
_MARKS = {"step-start", "dynamic-tool", "tool-invocation", "tool-call", "tool-result", "tool-approval-request"}
_THOUGHTS = {"itemId", "signature", "redactedData"}
_ENDS: dict[str, tuple[Status, str]] = {  # the states with a result: its status, and its key
    "output-available": ("done", "output"),
    "output-error": ("failed", "errorText"),
    "output-denied": ("failed", "approval"),
    "result": ("done", "result"),  # version 4
}
_Part = tuple[Keys, Mapping[str, object]]


def _parts(message: Mapping[str, object]) -> Sequence[_Part]:
    """The parts of a message. In version 4 its calls may stand apart; the content of a model message may be a text."""
    for key in ("parts", "content"):
        if isinstance(message.get(key), list):
            return [((key, place), mapping(part)) for place, part in enumerate(items(message[key]))]
    calls = enumerate(items(message.get("toolInvocations")))
    apart = [(("toolInvocations", place), {"type": "tool-invocation", "toolInvocation": one}) for place, one in calls]
    return [((), {"type": "text", "text": text(message.get("content"))}), *apart]


def _recognizes(values: Sequence[object]) -> bool:
    for message in (mapping(message) for value in values for message in messages_of(value, "messages")):
        parts = [part for _, part in _parts(message)] if message.get("role") in (*_KINDS, "tool") else []
        if any(text(part.get("type")) in _MARKS or "toolCallId" in part for part in parts):
            return True
        if "parts" in message and any("text" in part and "type" in part for part in parts):
            return True
    return False


def _entries(places: Iterable[Place], _: Mapping[str, object]) -> Iterator[Entry]:
    """Each step of an answer is a message of its own, as it is one in the request."""
    placed = [(mapping(value), line, at) for value, line, at in places]
    asked = max((place for place, (message, _, _) in enumerate(placed) if message.get("role") == "user"), default=0)
    number = 0
    for place, (message, line, at) in enumerate(placed):
        for role, parts in _steps(message):
            number += 1
            entry = partial(Entry, message=number, line=line)
            if role in ("user", "system"):
                yield entry(kind=_KINDS[role], at=at, content=[part for _, part in parts if part.get("text") != ""])
            else:
                yield from _step(entry, at, parts, is_answer=role == "assistant", is_past=place < asked)


def _steps(message: Mapping[str, object]) -> Iterator[tuple[str, Sequence[_Part]]]:
    """The steps of a message, and the messages of the user between them, each with its role."""
    role = text(message.get("role"))
    step: list[_Part] = []
    for keys, part in _parts(message):
        if part.get("type") in ("step-start", "steering-message"):
            yield from [(role, step)] if step else []
            step = []
            yield from [("user", _parts(part))] if "parts" in part else []
        else:
            step.append((keys, part))
    if step or role != "assistant":
        yield role, step


def _step(
    entry: partial[Entry], at: Keys, parts: Sequence[_Part], *, is_answer: bool, is_past: bool
) -> Iterator[Entry]:
    waiting = {text(part.get("toolCallId")) for _, part in parts if part.get("type") == "tool-approval-request"}
    if is_answer and all(part.get("type") == "text" and not part.get("text") for _, part in parts):
        yield entry(kind="answer", at=at)
    for keys, whole in parts:
        what, part = text(whole.get("type")), mapping(whole.get("toolInvocation")) or whole
        keys = (*at, *keys)
        if what.startswith("tool-approval-") or (what == "text" and not part.get("text")):
            continue
        if what == "tool-result" and not is_answer:
            output = mapping(part.get("output"))
            is_error = part.get("isError") or text(output.get("type")).startswith(("error-", "execution-denied"))
            call, tool, content = text(part.get("toolCallId")), text(part.get("toolName")), part.get("result")
            status: Status = "failed" if is_error else "done"
            yield entry(kind="result", at=keys, id=call, name=tool, content=output.get("value", content), status=status)
        elif "toolCallId" in part and not part.get("providerExecuted") and what != "tool-result":
            waits = text(part.get("toolCallId")) in waiting
            yield from _called(partial(entry, at=keys), part, what.removeprefix("tool-"), waits=waits, is_past=is_past)
        elif is_answer and (what != "reasoning" or _is_thought(part)):
            yield entry(kind="thought" if what == "reasoning" else "answer", at=keys, content=part)


def _is_thought(part: Mapping[str, object]) -> bool:
    """Whether the next request has the reasoning as a thought."""
    metadata = mapping(part.get("providerMetadata") or part.get("providerOptions"))
    return any(_THOUGHTS & mapping(one).keys() for one in metadata.values())


def _called(
    entry: partial[Entry], part: Mapping[str, object], name: str, *, waits: bool, is_past: bool
) -> Iterator[Entry]:
    """A call, and its result if the state of the part says that there is one. What is not sent is no call."""
    state, call = text(part.get("state")), text(part.get("toolCallId"))
    if state == "input-streaming" or (state == "approval-requested" and is_past):
        return
    waits = waits or state.startswith("approval-")
    if state == "approval-responded" and mapping(part.get("approval")).get("approved") is False:
        state = "output-denied"
    name = text(part.get("toolName")) or name
    given = decoded(part.get("input", part.get("args", part.get("rawInput"))))
    if isinstance(given, str) and state != "output-error":
        given = {"input": given}  # a tool whose input is a text
    yield entry(kind="call", id=call, name=name, content=given, status="waits" if waits else "")
    if state in _ENDS:
        status, key = _ENDS[state]
        yield entry(kind="result", id=call, name=name, content=part.get(key), status=status)


AI_SDK = Format(
    name="ai-sdk",
    title="AI SDK messages",
    recognizes=_recognizes,
    sessions=lambda records: sessions_of(records, "messages", _entries),
    document="https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message",
)
