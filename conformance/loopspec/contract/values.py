"""The words of the contract that scenes and observations share: messages, errors, gates."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

# Any value JSON can hold. Python's type system has no such type that msgspec can also decode.
Json: TypeAlias = Any

MessageRole = Literal["system", "user", "assistant", "tool"]
MessageType = Literal["message", "agentic"]

ErrorKind = Literal[
    "scripted",  # the harness's own, handed through: see `code`
    "not_exist",
    "permission",
    "directory",
    "not_a_directory",
    "io",
    "cancelled",
    "invalid_config",
    "max_iterations",
    "outside_run",
    "other",
]

# The key in a message's extra data by which an injected message is known (AMD-INJECT-05).
MARKER = "__agentsmd_content__"


class Value(Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """The base of every plain value: frozen, compared by content, written as camel-case JSON without defaults."""


class ToolCall(Value, frozen=True):
    """A model's asking for a tool. `args` is text that need not be JSON."""

    id: str
    name: str
    args: str = "{}"


class Message(Value, frozen=True):
    """A message of either type as it crosses the seam; adapters translate."""

    role: MessageRole
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    tool_name: str | None = None
    extra: dict[str, Json] = {}


class Error(Value, frozen=True):
    """A failure as it crosses the seam. `message` is evidence and never judged."""

    kind: ErrorKind
    code: str | None = None
    message: str = ""

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


class Began(Value, frozen=True, tag="began", tag_field="gate"):
    """Opens when a run begins."""

    run: str

    def __str__(self) -> str:
        return f"run {self.run} begins"


class Appeared(Value, frozen=True, tag="appeared", tag_field="gate"):
    """Opens when a run's event stream has shown so many events; with `tool_call_id`, that call's result."""

    run: str
    events: int = 1
    tool_call_id: str | None = None

    def __str__(self) -> str:
        what = f"the result of {self.tool_call_id}" if self.tool_call_id else f"event {self.events}"
        return f"{what} appears in run {self.run}"


class Failed(Value, frozen=True, tag="failed", tag_field="gate"):
    """Opens when a run has reported an error."""

    run: str

    def __str__(self) -> str:
        return f"run {self.run} fails"


# When something is let go or changed: a closed vocabulary over the harness's own record. Nothing sleeps.
Gate = Called | Began | Appeared | Failed
