"""An Observation: everything the harness saw, and what came out. Plain data, JSON both ways.

Entries keep the order of their source: one double, one hook of one handler, one run's events. `n` is the place in
the whole record; two sources may be compared by it only where one caused the other or a gate was between them.
"""

from __future__ import annotations

from .scene import Hook
from .values import Error, Json, Message, ToolCall, Value


class Content(Value, frozen=True):
    """Bytes that came back: as text where they are UTF-8 and not many."""

    text: str | None = None
    base64: bytes | None = None

    @property
    def data(self) -> bytes:
        """The content itself."""
        return self.base64 if self.base64 is not None else (self.text or "").encode()


class Read(Value, frozen=True):
    """A read that reached the backend, and how it was answered."""

    n: int
    path: str
    offset: int
    limit: int
    run: str | None = None
    context: dict[str, Json] = {}
    content: Content | None = None
    error: Error | None = None


class Warned(Value, frozen=True):
    """A warning that was reported. `message` is evidence and never judged."""

    n: int
    path: str
    message: str = ""
    run: str | None = None


class ModelCall(Value, frozen=True):
    """What a model was sent, and what it answers; nothing, when it fails."""

    n: int
    model: str
    run: str | None
    messages: tuple[Message, ...]
    tools: tuple[str, ...] = ()
    answer: Message | None = None


class ToolRun(Value, frozen=True):
    """A call that reached a tool."""

    n: int
    tool: str
    call: ToolCall
    run: str | None
    resumed: bool = False


class HookCall(Value, frozen=True):
    """A call of a scripted handler's hook: what it was given, and what it found under the keys it asked for."""

    n: int
    handler: str
    hook: Hook
    run: str | None
    messages: tuple[Message, ...] = ()
    tools: tuple[str, ...] = ()
    instruction: str | None = None
    args: str | None = None
    result: str | None = None
    context: dict[str, Json] = {}
    found: dict[str, Json] = {}


class Event(Value, frozen=True):
    """One event of a run's stream."""

    n: int
    run: str
    agent: str
    message: Message | None = None
    custom: Json = None
    error: Error | None = None
    interrupt: bool = False


class RunEnd(Value, frozen=True):
    """How a run ended: in an answer, in an error, or interrupted."""

    n: int
    run: str
    error: Error | None = None
    interrupted: bool = False


class Section(Value, frozen=True):
    """One file as it was put before the model."""

    path: str
    text: str


class Load(Value, frozen=True):
    """What one load came to: sections, the text they stand in where there is one, or an error."""

    n: int
    sections: tuple[Section, ...] = ()
    text: str | None = None
    error: Error | None = None


class HookResult(Value, frozen=True):
    """What one call of the middleware's own hook came to, outside any run."""

    n: int
    messages: tuple[Message, ...] = ()
    error: Error | None = None


class Answered(Value, frozen=True):
    """What the target's backend answered to one request."""

    n: int
    path: str
    content: Content | None = None
    error: Error | None = None


class Observation(Value, frozen=True):
    """The stage's record, by source, and the outcomes.

    `created` is the error of a construction that was refused, `languages` those that were. `stuck` are the gates
    that could no longer open.
    """

    created: Error | None = None
    languages: tuple[str, ...] = ()
    reads: tuple[Read, ...] = ()
    warnings: tuple[Warned, ...] = ()
    log: tuple[str, ...] = ()
    model_calls: tuple[ModelCall, ...] = ()
    tool_runs: tuple[ToolRun, ...] = ()
    hooks: tuple[HookCall, ...] = ()
    events: tuple[Event, ...] = ()
    runs: tuple[RunEnd, ...] = ()
    loads: tuple[Load, ...] = ()
    hook_results: tuple[HookResult, ...] = ()
    answers: tuple[Answered, ...] = ()
    stuck: tuple[str, ...] = ()
