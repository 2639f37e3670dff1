"""An Observation: everything the harness saw, and what came out. Plain data, JSON both ways.

Entries keep the order of their source: one double, one hook of one handler, one run's events. `n` is the place in
the whole record; two sources may be compared by it only where one caused the other or a gate was between them.
"""

from __future__ import annotations

from typing import Literal

from .agents import Hook
from .calls import ModelContext, ModelRequest, Resumed, View
from .plugins import StrategyMeta
from .values import Error, Json, Message, ToolCall, ToolKind, Value


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
    request: ModelRequest = ModelRequest()
    answer: Message | None = None
    context: dict[str, Json] = {}

    @property
    def messages(self) -> tuple[Message, ...]:
        """The conversation it was sent."""
        return self.request.messages

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools it was offered."""
        return tuple(tool.name for tool in self.request.tools)


class ToolRun(Value, frozen=True):
    """A call that reached a tool."""

    n: int
    tool: str
    call: ToolCall
    run: str | None
    kind: ToolKind = "invokable"
    resumed: Resumed | None = None
    options: dict[str, Json] = {}
    context: dict[str, Json] = {}
    found: dict[str, Json] = {}


class HookCall(Value, frozen=True):
    """A call of a scripted handler's hook: what it was given, and what it found under the keys it asked for.

    A key that was not there is in `missing`; a value that was not taken is in `refused`. `answer` is what the
    inner call returned, where the hook looked at it. `view` is what a middleware of the plugin layer saw.
    """

    n: int
    handler: str
    hook: Hook
    run: str | None
    messages: tuple[Message, ...] = ()
    tools: tuple[str, ...] = ()
    deferred_tools: tuple[str, ...] = ()
    instruction: str | None = None
    return_directly: tuple[str, ...] = ()
    tool: str | None = None
    call_id: str | None = None
    kind: ToolKind | None = None
    args: str | None = None
    options: dict[str, Json] = {}
    model_context: ModelContext | None = None
    context: dict[str, Json] = {}
    found: dict[str, Json] = {}
    missing: tuple[str, ...] = ()
    refused: dict[str, Error] = {}
    answer: str | None = None
    view: View | None = None


class Span(Value, frozen=True):
    """One call of a double from its beginning to its end, or a point in time that has a place among them.

    `inside` is the place in the record of the span that it happened in: of one around the same model call of the
    same agent, or around the same tool call. `ended` is None for one that never came back,
    because it was cancelled or its stream was let go.
    """

    n: int
    name: str
    agent: str
    run: str | None
    inside: int | None = None
    ended: int | None = None
    error: Error | None = None


class Question(Value, frozen=True):
    """Something the implementation asked its configuration: whether to try again, how long to wait, whom to ask next.

    `number` is the attempt, or the retry, it is about. A "sleep" is taken down when the time has passed.
    """

    n: int
    what: Literal["retryable", "accepted", "delay", "sleep", "failover", "next model", "input"]
    run: str | None
    agent: str = ""
    number: float | None = None
    error: Error | None = None
    messages: tuple[Message, ...] = ()
    answer: str | None = None
    instruction: str | None = None
    context: dict[str, Json] = {}


class Event(Value, frozen=True):
    """One event of a run's stream. A stream of chunks has `chunks`, maybe none, and the `error` it ended with."""

    n: int
    run: str
    agent: str
    message: Message | None = None
    custom: Json = None
    error: Error | None = None
    interrupt: bool = False
    path: tuple[str, ...] = ()
    chunks: tuple[Message, ...] | None = None
    exits: bool = False


class Interrupted(Value, frozen=True):
    """One interrupt, with the id that its answer needs."""

    id: str
    info: Json = None


class Cancelled(Value, frozen=True):
    """What a run says of its cancellation."""

    modes: tuple[str, ...] = ()
    escalated: bool = False
    timed_out: bool = False


class Waited(Value, frozen=True):
    """What one request to cancel came to: whether it counted, and what waiting for it said."""

    n: int
    run: str
    contributed: bool
    outcome: str


class RunEnd(Value, frozen=True):
    """How a run ended: in an answer, in an error, or interrupted; and the session after it.

    `state` is what is left of it in the plugin layer: the fields of all middlewares' states. `checkpoint` holds the
    bytes from which a stopped run is resumed, if there are any.
    """

    n: int
    run: str
    error: Error | None = None
    interrupted: bool = False
    interrupts: tuple[Interrupted, ...] = ()
    cancelled: Cancelled | None = None
    session: dict[str, Json] = {}
    state: dict[str, Json] = {}
    checkpoint: bytes | None = None


class Handled(Value, frozen=True):
    """One call of a hook of the handler under test.

    `kept`: what it was given is afterwards as it was. `returned`: it returned what the hook is to return. `changes`
    says whether it changes more when it is called again on what it returned; None where that was not tried.
    """

    n: int
    hook: str
    run: str | None
    kept: bool
    returned: bool
    changes: bool | None = None


class Outside(Value, frozen=True):
    """What came of something that is for the inside of runs, done outside any."""

    what: str
    error: Error | None = None


class Creation(Value, frozen=True):
    """A call of a strategy's factory: with which options, for which node of which agent."""

    n: int
    provider: str
    node: str
    agent: str
    options: dict[str, Json] = {}


class Registered(Value, frozen=True):
    """An entry of a registry: the metadata of a provider, or the error of looking it up."""

    provider: str
    meta: StrategyMeta | None = None
    error: Error | None = None


class Executed(Value, frozen=True):
    """An entry of the execution trace: what a middleware has done, with what outcome."""

    n: int
    node: str
    run: str | None
    inputs: tuple[Message, ...] = ()
    output: str | None = None
    error: str | None = None


class Section(Value, frozen=True):
    """One loaded file, as a model sees it."""

    path: str
    text: str


class Load(Value, frozen=True):
    """What one load returned: sections, the text that has them if there is one, or an error."""

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
    that could no longer open. `strategies` are those that a registry lists, in its order; `lookups` what it answered.
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
    spans: tuple[Span, ...] = ()
    questions: tuple[Question, ...] = ()
    waits: tuple[Waited, ...] = ()
    outside: tuple[Outside, ...] = ()
    handled: tuple[Handled, ...] = ()
    strategies: tuple[Registered, ...] = ()
    lookups: tuple[Registered, ...] = ()
    creations: tuple[Creation, ...] = ()
    executions: tuple[Executed, ...] = ()
    stuck: tuple[str, ...] = ()
