"""Messages of the Vercel AI SDK: those of its user interface, which have parts, and those of its models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..history import ROLES, Entry, Format, Message, call, done_unless, result, said, sessions_of
from ..values import Record, decoded

_MARKS = {"step-start", "dynamic-tool", "tool-invocation", "tool-call", "tool-result", "tool-approval-request"}
_THOUGHTS = {"itemId", "signature", "redactedData"}
_ENDS = {  # the states with a result, each with the key of the result
    "output-available": "output",
    "output-error": "errorText",
    "output-denied": "approval",
    "result": "result",  # version 4
}
_FAILED = ("output-error", "output-denied")


def _parts(message: Record) -> list[Record]:
    """The parts of a message. In version 4 its calls may stand apart; the content of a model message may be a text."""
    for key in ("parts", "content"):
        if isinstance(message.get(key), list):
            return message.parts(key)
    text = Record({"type": "text", "text": message.text("content")}, message.line, message.at)
    return [text, *message.parts("toolInvocations")]


def _recognizes(message: Record) -> bool:
    parts = _parts(message) if message.get("role") in (*ROLES, "tool") else []
    is_marked = any(part.text("type") in _MARKS or "toolCallId" in part.fields for part in parts)
    return is_marked or ("parts" in message.fields and any({"text", "type"} <= part.fields.keys() for part in parts))


def _messages(messages: Iterable[Record]) -> Iterator[Message]:
    """Each step of an answer is a message of its own, as it is one in the request."""
    every = [*messages]
    asked = max((count for count, message in enumerate(every) if message.get("role") == "user"), default=0)
    for count, message in enumerate(every):
        for role, parts in _steps(message):
            if role in ("user", "system"):
                yield [said(message, ROLES[role], [part.value for part in parts if part.get("text") != ""])]
            elif role == "assistant" and all(part.get("type") == "text" and not part.get("text") for part in parts):
                yield [said(message, "answer")]
            else:
                yield _step(parts, is_answer=role == "assistant", is_past=count < asked)


def _steps(message: Record) -> Iterator[tuple[str, Sequence[Record]]]:
    """The steps of a message, and the messages of the user between them, each with its role."""
    role = message.text("role")
    step: list[Record] = []
    for part in _parts(message):
        if part.get("type") in ("step-start", "steering-message"):
            yield from [(role, step)] if step else []
            step = []
            yield from [("user", _parts(part))] if "parts" in part.fields else []
        else:
            step.append(part)
    if step or role != "assistant":
        yield role, step


def _step(parts: Sequence[Record], *, is_answer: bool, is_past: bool) -> Iterator[Entry]:
    asked = {part.text("toolCallId") for part in parts if part.get("type") == "tool-approval-request"}
    for whole in parts:
        what, part = whole.text("type"), Record(whole.within("toolInvocation").value, whole.line, whole.at)
        if what.startswith("tool-approval-") or (what == "text" and not part.get("text")):
            continue
        if what == "tool-result" and not is_answer:
            output = part.inside("output")
            failed = part.get("isError") or output.text("type").startswith(("error-", "execution-denied"))
            content = output.fields.get("value", part.get("result"))
            yield result(part, part.get("toolCallId"), part.get("toolName"), content, done_unless(failed))
        elif "toolCallId" in part.fields and not part.get("providerExecuted") and what != "tool-result":
            yield from _called(part, what.removeprefix("tool-"), asked, is_past=is_past)
        elif is_answer and (what != "reasoning" or _is_thought(part)):
            yield said(part, "thought" if what == "reasoning" else "answer", part.value)


def _is_thought(part: Record) -> bool:
    """Whether the next request has the reasoning as a thought."""
    metadata = part.inside("providerMetadata" if part.get("providerMetadata") else "providerOptions")
    return any(_THOUGHTS & metadata.inside(provider).fields.keys() for provider in metadata.fields)


def _called(part: Record, name: str, asked: set[str], *, is_past: bool) -> Iterator[Entry]:
    """A call, and its result if the state of the part says that there is one. What is not sent is no call."""
    state, key, name = part.text("state"), part.text("toolCallId"), part.text("toolName") or name
    if state == "input-streaming" or (state == "approval-requested" and is_past):
        return
    waits = key in asked or state.startswith("approval-")
    if state == "approval-responded" and part.get("approval", "approved") is False:
        state = "output-denied"
    given = decoded(next((part.get(one) for one in ("input", "args", "rawInput") if one in part.fields), None))
    if isinstance(given, str) and state != "output-error":
        given = {"input": given}  # a tool whose input is a text
    yield call(part, key, name, given, "waits" if waits else "")
    if state in _ENDS:
        yield result(part, key, name, part.get(_ENDS[state]), done_unless(state in _FAILED))


FORMAT = Format("ai-sdk", _recognizes, sessions_of("messages", _messages))
