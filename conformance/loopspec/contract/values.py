"""The words of the contract that scenes and observations share: messages, errors, gates."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, Self, TypeAlias

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields, replace

# Any value JSON can hold. Python's type system has no such type that msgspec can also decode.
Json: TypeAlias = Any

MessageRole = Literal["system", "user", "assistant", "tool"]
MessageType = Literal["message", "agentic"]
ToolKind = Literal["invokable", "streamable", "enhanced invokable", "enhanced streamable"]

ErrorKind = Literal[
    "scripted",  # the harness's own, handed through: see `code`
    "crash",  # a double raised an exception that it had not declared: see `code`
    "not_exist",
    "permission",
    "directory",
    "not_a_directory",
    "io",
    "cannot_store",  # a backend cannot store a file under a name
    "cancelled",
    "invalid_config",
    "max_iterations",
    "outside_run",
    "unknown_tool",
    "instruction",  # it cannot be rendered
    "nothing_returned",  # by a model, a tool or a hook, where something is needed
    "unregistered_type",
    "checkpoint",  # it cannot be resumed from
    "cancel",  # the run was cancelled
    "retries_exhausted",  # see `cause`
    "will_retry",  # ends a stream whose model call is retried: see `attempt`
    "stream_cancelled",
    "strategy",  # of the plugin layer, that cannot be used
    "unknown_provider",
    "options",  # of a middleware, that do not fit its schema
    "graph",  # a workflow that cannot be
    "context",  # a runtime context that does not fit a schema
    "hook",  # it returned what no hook may return
    "jump",  # to where no run can go on
    "other",
]

# The key in a message's extra data by which an injected message is known (AMD-INJECT-05).
MARKER = "__agentsmd_content__"


class Value(Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel", gc=False):
    """The base of every plain value: frozen, compared by content, written as camel-case JSON without defaults.

    `scripted` are the fields that only the harness's doubles know: an adapter does not see them.
    """

    scripted = frozenset[str]()  # without an annotation: frameworks take annotated names for fields

    def seen(self) -> Self:
        """The value as an adapter sees it."""
        shown = dict(_defaults(type(self)))
        for name in self.__struct_fields__:
            if name not in shown and (now := _seen(given := getattr(self, name))) is not given:
                shown[name] = now
        return replace(self, **shown) if shown else self


@cache
def _defaults(kind: type[Value]) -> dict[str, object]:
    """The defaults of the fields that an adapter does not see."""
    return {one.name: default_of(one) for one in fields(kind) if one.name in kind.scripted}


def default_of(field: FieldInfo) -> object:
    """The default of a field; `NODEFAULT` without one."""
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def _seen(value: object) -> object:
    match value:
        case Value():
            return value.seen()
        case tuple():
            shown = tuple(map(_seen, value))
            return value if all(one is other for one, other in zip(shown, value, strict=True)) else shown
    return value


@dataclass(frozen=True)
class Needs:
    """A part of the type of a field: the capabilities that a target needs for a value other than the default.

    `what` is a capability, or a function from the value to the capabilities; a lambda in an annotation sees no names of
    its module. A class whose values need capabilities together with others, or whatever they hold, has an attribute
    `needs`.
    """

    what: str | Callable[[Any], Collection[str]]  # Any: the value of the field

    def of(self, value: object) -> Collection[str]:
        """The capabilities that this value of the field needs."""
        return (self.what,) if isinstance(self.what, str) else self.what(value)


def is_raw(args: str) -> bool:
    """Whether arguments are lost if they are parsed and written again: anything but a JSON object in its usual form."""
    try:
        parsed = json.loads(args)
    except ValueError:
        return True
    again = json.dumps(parsed, ensure_ascii=False)
    return not isinstance(parsed, dict) or "".join(again.split()) != "".join(args.split())


def _of_arguments(args: str) -> Collection[str]:
    return ["raw-arguments"] if is_raw(args) else []


class ToolCall(Value, frozen=True):
    """A tool call that a model requests. `args` is text that need not be JSON."""

    id: str
    name: str
    args: Annotated[str, Needs(_of_arguments)] = "{}"


class Part(Value, frozen=True):
    """A piece of a tool's result: a text, or a picture by its address."""

    text: str = ""
    url: str = ""


# The schema of a tool without parameters.
NO_PARAMETERS: Mapping[str, Json] = {"type": "object", "properties": {}}


class ToolInfo(Value, frozen=True):
    """The information about a tool that models receive. `parameters` is the JSON Schema of an object.

    A tool double without parameters has the schema `NO_PARAMETERS`, which frameworks accept as it is.
    """

    name: str
    description: str = ""
    parameters: dict[str, Json] = {}


class Message(Value, frozen=True):
    """A message, of either type. An adapter converts it to its framework's own."""

    role: MessageRole
    content: str = ""
    parts: tuple[Part, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    tool_name: str | None = None
    extra: dict[str, Json] = {}

    @property
    def text(self) -> str:
        """The content, or the texts of the parts together."""
        return self.content or "".join(part.text for part in self.parts)


class FileData(Value, frozen=True):
    """The content of a file: `text`, or bytes as `base64`."""

    text: str | None = None
    base64: bytes | None = None

    @property
    def data(self) -> bytes:
        """The content as bytes."""
        return self.base64 if self.base64 is not None else (self.text or "").encode()


class Place(Value, frozen=True):
    """A line of a source file, and the qualified name of the function around it."""

    file: str
    line: int
    function: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" + (f" in {self.function}" if self.function else "")


class Error(Value, frozen=True):
    """An error. `message` and `place` are evidence and are never judged.

    `attempt` is the number, from 0, of the attempt that `will_retry` is about; `cause` is the last error inside
    `retries_exhausted`. `place` is where an error of the kind `other` was raised.
    """

    kind: ErrorKind
    code: str | None = None
    message: str = ""
    attempt: int | None = None
    cause: Error | None = None
    place: Place | None = None

    def __str__(self) -> str:
        return f"the error {self.kind}: {self.message or self.code}"


class Called(Value, frozen=True, tag="called", tag_field="gate"):
    """Opens when a double has been called at least so many times, in one run or in all together.

    `double` names it: `read /p/a.md`, `model m`, `tool t`, `before model H`.
    """

    double: str
    times: int = 1
    run: str | None = None

    def __str__(self) -> str:
        where = f" in run {self.run}" if self.run else ""
        return f"{self.double!r} is called {self.times} times{where}"


class Returned(Value, frozen=True, tag="returned", tag_field="gate"):
    """Opens when a call of a double has come back at least so many times, with an answer or with an error."""

    double: str
    times: int = 1
    run: str | None = None

    def __str__(self) -> str:
        return f"{self.double!r} has returned {self.times} times"


class Began(Value, frozen=True, tag="began", tag_field="gate"):
    """Opens when a run begins."""

    run: str

    def __str__(self) -> str:
        return f"run {self.run} begins"


class Appeared(Value, frozen=True, tag="appeared", tag_field="gate"):
    """Opens when a run's event stream has shown so many events; with `tool_call_id`, that call's result.

    With `chunks`, when the streams inside the events have shown so many chunks, all together.
    """

    run: str
    events: int = 1
    tool_call_id: str | None = None
    chunks: int = 0

    def __str__(self) -> str:
        what = f"the result of {self.tool_call_id}" if self.tool_call_id else f"event {self.events}"
        if self.chunks:
            what = f"chunk {self.chunks}"
        return f"{what} appears in run {self.run}"


class Failed(Value, frozen=True, tag="failed", tag_field="gate"):
    """Opens when a run has reported an error."""

    run: str

    def __str__(self) -> str:
        return f"run {self.run} fails"


class Ended(Value, frozen=True, tag="ended", tag_field="gate"):
    """Opens when a run has ended, in whichever way."""

    run: str

    def __str__(self) -> str:
        return f"run {self.run} ends"


class CancelAsked(Value, frozen=True, tag="cancel asked", tag_field="gate"):
    """Opens when so many requests to cancel a run have been made."""

    run: str
    times: int = 1

    def __str__(self) -> str:
        return f"the cancellation of run {self.run} is asked for {self.times} times"


# When something is let go or changed: a closed vocabulary over the harness's own record. Nothing sleeps.
Gate = Called | Returned | Began | Appeared | Failed | Ended | CancelAsked


def json_in(values: Mapping[str, Json]) -> dict[str, Json]:
    """Return the values that JSON gives back as they were; some types can be written as JSON and are read as others."""
    return {key: value for key, value in values.items() if _is_json(value)}


def _is_json(value: object) -> bool:
    try:
        return bool(msgspec.json.decode(msgspec.json.encode(value)) == value)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return False


def joined(chunks: tuple[Message, ...]) -> Message:
    """The message that chunks make together: texts, calls and parts in order, and all extra data."""
    extra: dict[str, object] = {}
    for chunk in chunks:
        extra.update(chunk.extra)
    return replace(
        chunks[0],
        content="".join(chunk.content for chunk in chunks),
        tool_calls=tuple(call for chunk in chunks for call in chunk.tool_calls),
        parts=tuple(part for chunk in chunks for part in chunk.parts),
        extra=extra,
    )
