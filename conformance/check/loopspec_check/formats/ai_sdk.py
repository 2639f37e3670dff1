"""Messages of the Vercel AI SDK: those of its user interface, which have parts, and those of its models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..history import Entry, Format, Kind, Record
from ..values import Keys, Object, decoded, inside, mapping, parts_of, text
from .entries import call, done_unless, result, said
from .lists import placed, recognized_by, sessions_of

_KINDS: dict[str, Kind] = {"system": "system", "user": "user", "assistant": "answer"}
_MARKS = {"step-start", "dynamic-tool", "tool-invocation", "tool-call", "tool-result", "tool-approval-request"}
_THOUGHTS = {"itemId", "signature", "redactedData"}
_ENDS = {  # the states with a result, each with the key of the result
    "output-available": "output",
    "output-error": "errorText",
    "output-denied": "approval",
    "result": "result",  # version 4
}
_FAILED = ("output-error", "output-denied")
_Part = tuple[Keys, Object]


def _parts(message: Object) -> Sequence[_Part]:
    """The parts of a message. In version 4 its calls may stand apart; the content of a model message may be a text."""
    for key in ("parts", "content"):
        if isinstance(message.get(key), list):
            return parts_of(message, key)
    apart = parts_of(message, "toolInvocations")
    calls = [(at, {"type": "tool-invocation", "toolInvocation": one}) for at, one in apart]
    return [((), {"type": "text", "text": text(message.get("content"))}), *calls]


def _is_message(message: Object) -> bool:
    parts = [part for _, part in _parts(message)] if message.get("role") in (*_KINDS, "tool") else []
    is_marked = any(text(part.get("type")) in _MARKS or "toolCallId" in part for part in parts)
    return is_marked or ("parts" in message and any({"text", "type"} <= part.keys() for part in parts))


def _entries(records: Iterable[Record], _: Object) -> Iterator[Entry]:
    """Each step of an answer is a message of its own, as it is one in the request."""
    every = [(mapping(record.value), record) for record in records]
    asked = max((count for count, (message, _) in enumerate(every) if message.get("role") == "user"), default=0)
    number = 0
    for count, (message, record) in enumerate(every):
        for role, parts in _steps(message):
            number += 1
            if role in ("user", "system"):
                entries = iter([said(_KINDS[role], [part for _, part in parts if part.get("text") != ""])])
            else:
                entries = _step(parts, is_answer=role == "assistant", is_past=count < asked)
            yield from placed(entries, record, number)


def _steps(message: Object) -> Iterator[tuple[str, Sequence[_Part]]]:
    """The steps of a message, and the messages of the user between them, each with its role."""
    role = text(message.get("role"))
    step: list[_Part] = []
    for at, part in _parts(message):
        if part.get("type") in ("step-start", "steering-message"):
            yield from [(role, step)] if step else []
            step = []
            yield from [("user", _parts(part))] if "parts" in part else []
        else:
            step.append((at, part))
    if step or role != "assistant":
        yield role, step


def _step(parts: Sequence[_Part], *, is_answer: bool, is_past: bool) -> Iterator[Entry]:
    asked = {text(part.get("toolCallId")) for _, part in parts if part.get("type") == "tool-approval-request"}
    if is_answer and all(part.get("type") == "text" and not part.get("text") for _, part in parts):
        yield said("answer")
    for at, whole in parts:
        what, part = text(whole.get("type")), mapping(whole.get("toolInvocation")) or whole
        if what.startswith("tool-approval-") or (what == "text" and not part.get("text")):
            continue
        if what == "tool-result" and not is_answer:
            output = mapping(part.get("output"))
            failed = part.get("isError") or text(output.get("type")).startswith(("error-", "execution-denied"))
            content = output.get("value", part.get("result"))
            yield result(part.get("toolCallId"), part.get("toolName"), content, at, done_unless(failed))
        elif "toolCallId" in part and not part.get("providerExecuted") and what != "tool-result":
            yield from _called(part, what.removeprefix("tool-"), at, asked, is_past=is_past)
        elif is_answer and (what != "reasoning" or _is_thought(part)):
            yield said("thought" if what == "reasoning" else "answer", part, at)


def _is_thought(part: Object) -> bool:
    """Whether the next request has the reasoning as a thought."""
    metadata = mapping(part.get("providerMetadata") or part.get("providerOptions"))
    return any(_THOUGHTS & mapping(one).keys() for one in metadata.values())


def _called(part: Object, name: str, at: Keys, asked: set[str], *, is_past: bool) -> Iterator[Entry]:
    """A call, and its result if the state of the part says that there is one. What is not sent is no call."""
    state, key, name = text(part.get("state")), text(part.get("toolCallId")), text(part.get("toolName")) or name
    if state == "input-streaming" or (state == "approval-requested" and is_past):
        return
    waits = key in asked or state.startswith("approval-")
    if state == "approval-responded" and inside(part, "approval", "approved") is False:
        state = "output-denied"
    given = decoded(part.get("input", part.get("args", part.get("rawInput"))))
    if isinstance(given, str) and state != "output-error":
        given = {"input": given}  # a tool whose input is a text
    yield call(key, name, given, at, "waits" if waits else "")
    if state in _ENDS:
        yield result(key, name, part.get(_ENDS[state]), at, done_unless(state in _FAILED))


AI_SDK = Format(
    name="ai-sdk",
    recognizes=recognized_by("messages", _is_message),
    sessions=sessions_of("messages", _entries),
    document="https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message",
)
