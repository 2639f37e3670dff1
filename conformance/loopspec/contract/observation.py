"""An Observation: the harness's record of a scene, and the outcomes. Plain data, JSON both ways.

Entries keep the order of their source: one double, one hook of one handler, one run's events. `n` is the number in the
whole record; two sources may be compared by it only if one caused the other, or a gate was between them.
"""

from __future__ import annotations

from typing import Literal

from .acting import Hook
from .calls import ModelContext, ModelRequest, Resumed, View
from .names import short_name
from .plugins import StrategyMeta
from .values import Error, FileData, Json, Message, ToolCall, ToolKind, Value


class Entry(Value, frozen=True):
    """An entry of the record, with its number."""

    n: int


class Read(Entry, frozen=True):
    """A read that reached the backend, and its result."""

    path: str
    offset: int
    limit: int
    run: str | None = None
    context: dict[str, Json] = {}
    content: FileData | None = None
    error: Error | None = None


class Warned(Entry, frozen=True):
    """A reported warning. `message` is evidence and never judged."""

    path: str
    message: str = ""
    run: str | None = None


class ModelCall(Entry, frozen=True):
    """The request to a model and its answer; a failed call has none."""

    model: str
    run: str | None
    request: ModelRequest = ModelRequest()
    answer: Message | None = None
    context: dict[str, Json] = {}

    @property
    def messages(self) -> tuple[Message, ...]:
        """The conversation in the request."""
        return self.request.messages

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools in the request."""
        return tuple(tool.name for tool in self.request.tools)


class ToolRun(Entry, frozen=True):
    """A call that reached a tool. `has_no_id`: the framework passes no id to its tools, and `call` has none."""

    tool: str
    call: ToolCall
    run: str | None
    kind: ToolKind = "invokable"
    resumed: Resumed | None = None
    options: dict[str, Json] = {}
    context: dict[str, Json] = {}
    found: dict[str, Json] = {}
    has_no_id: bool = False


class HookCall(Entry, frozen=True):
    """A call of a scripted handler's hook: its arguments, and the values that it read.

    A missing key is in `missing`; a rejected value is in `refused`. `answer` is the result of the inner call, if the
    hook used it. `view` is the view of a middleware of the plugin layer. `resumed` is set for a hook that interrupted
    the run. `tools`, `instruction` and `return_directly` are None where the adapter does not report them.
    """

    handler: str
    hook: Hook
    run: str | None
    messages: tuple[Message, ...] = ()
    tools: tuple[str, ...] | None = ()
    deferred_tools: tuple[str, ...] = ()
    instruction: str | None = None
    return_directly: tuple[str, ...] | None = ()
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
    resumed: Resumed | None = None


class Span(Entry, frozen=True):
    """One call of a double from its beginning to its end, or a point in time.

    `inside` is the place in the record of the span that it happened in: of one around the same model call of the
    same agent, or around the same tool call. `ended` is None for one that never came back,
    because it was cancelled or its stream was let go.
    """

    name: str
    agent: str
    run: str | None
    inside: int | None = None
    ended: int | None = None
    error: Error | None = None


class Question(Entry, frozen=True):
    """A callback of the implementation's configuration: whether to retry, how long to wait, which model is next.

    `number` is the attempt or the retry. A "sleep" is recorded when the time has passed.
    """

    what: Literal["retryable", "accepted", "delay", "sleep", "failover", "next model", "input"]
    run: str | None
    agent: str = ""
    number: float | None = None
    error: Error | None = None
    messages: tuple[Message, ...] = ()
    answer: str | None = None
    instruction: str | None = None
    context: dict[str, Json] = {}


class Event(Entry, frozen=True):
    """One event of a run's stream. A stream of chunks has `chunks`, possibly none, and the `error` that ended it."""

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
    """The cancellation that a run reports."""

    modes: tuple[str, ...] = ()
    escalated: bool = False
    timed_out: bool = False


class Waited(Entry, frozen=True):
    """The outcome of one cancel request: whether it contributed, and the result of waiting for it."""

    run: str
    contributed: bool
    outcome: str


class RunEnd(Entry, frozen=True):
    """The end of a run: an answer, an error, or an interrupt; and the session after the run.

    `state` is what is left of it in the plugin layer: the fields of all middlewares' states. `checkpoint` holds the
    bytes from which a stopped run is resumed, if there are any. `changed` names the caller's own objects that the run
    has changed: "messages" is the list that the caller passed. `final` is the text of the final answer, as the
    framework returned it; None: the adapter does not report it. `died`: the process of the run died before its end.
    """

    run: str
    error: Error | None = None
    interrupted: bool = False
    interrupts: tuple[Interrupted, ...] = ()
    cancelled: Cancelled | None = None
    session: dict[str, Json] = {}
    state: dict[str, Json] = {}
    checkpoint: bytes | None = None
    changed: tuple[str, ...] = ()
    final: str | None = None
    died: bool = False

    @property
    def stopped(self) -> bool:
        """Whether the run has stopped, and may continue: by an interrupt, by a cancellation, or with its process."""
        return self.interrupted or self.cancelled is not None or self.died


class Handled(Entry, frozen=True):
    """One call of a hook of the handler under test.

    `kept`: what it was given is afterwards as it was. `returned`: it returned what the hook is to return. `changes`
    says whether it changes more when it is called again on what it returned; None where that was not tried.
    """

    hook: str
    run: str | None
    kept: bool
    returned: bool
    changes: bool | None = None


class Outside(Value, frozen=True):
    """The outcome of an action outside any run that belongs inside runs."""

    what: str
    error: Error | None = None


class Creation(Entry, frozen=True):
    """A call of a strategy's factory with its options, its node and its agent."""

    provider: str
    node: str
    agent: str
    options: dict[str, Json] = {}


class Registered(Value, frozen=True):
    """An entry of a registry: the metadata of a provider, or the error of looking it up."""

    provider: str
    meta: StrategyMeta | None = None
    error: Error | None = None


class Executed(Entry, frozen=True):
    """An entry of the execution trace: an execution of a middleware, with its outcome."""

    node: str
    run: str | None
    inputs: tuple[Message, ...] = ()
    output: str | None = None
    error: str | None = None


class Section(Value, frozen=True):
    """One loaded file, as a model sees it."""

    path: str
    text: str


class Load(Entry, frozen=True):
    """The result of one load: sections, the text that contains them, or an error.

    `empty_files` are the files without text that a tool names.
    """

    sections: tuple[Section, ...] = ()
    text: str | None = None
    empty_files: tuple[str, ...] = ()
    error: Error | None = None


class HookResult(Entry, frozen=True):
    """The result of one call of the middleware's own hook outside any run."""

    messages: tuple[Message, ...] = ()
    error: Error | None = None


class Answered(Entry, frozen=True):
    """The answer of the target's backend to one request.

    `asked` is the path that the backend received, if placeholders in the path of the scene stand for another.
    """

    path: str
    content: FileData | None = None
    error: Error | None = None
    asked: str = ""

    @property
    def name(self) -> str:
        """The path that the backend received, as a message names it."""
        return short_name(self.asked or self.path)


class StoreCall(Entry, frozen=True):
    """A call of `open`, `write` or `close` of the target's backend whose error is an outcome.

    `open` and `write` of a name that the store cannot store have the error "cannot_store".
    """

    method: Literal["open", "write", "close"]
    path: str = ""
    error: Error | None = None


class Resources(Entry, frozen=True):
    """What the target's process has more after many reads than before. A growth of up to 50 is that of a pool: zero."""

    descriptors: int = 0
    threads: int = 0
    tasks: int = 0


class Recorded(Entry, frozen=True):
    """What a role of a product has recorded."""

    value: Json


class Observation(Value, frozen=True):
    """The stage's record by source, and the outcomes.

    `created` is the error of a rejected construction, `languages` are the errors of rejected languages. `stuck` are the
    gates that could no longer open, `missed` the planned changes and cancel requests whose gate did not open, each as a
    sentence. `unreached` are the gates of held calls that could not open because the call that they are about is not
    made while another call is held. `strategies` are those that a registry lists, in order; `lookups` are its answers.
    `own` is what a role of a product has recorded.
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
    store_calls: tuple[StoreCall, ...] = ()
    resources: tuple[Resources, ...] = ()
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
    missed: tuple[str, ...] = ()
    unreached: tuple[str, ...] = ()
    own: tuple[Recorded, ...] = ()
