"""The messages that no signature states: the lifecycle, the runs, what is nested in a call, and what comes back.

The messages of all other methods are made from the signatures of the contract: see `methods`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import field

from ..contract.axes import Posture
from ..contract.calls import ModelRequest, ToolAnswer, ToolRequest
from ..contract.observation import Interrupted
from ..contract.scene import Run
from ..contract.values import Error, FileData, Json, Message, Value

# -- both sides ------------------------------------------------------------------------------------------------------


class Empty(Value, frozen=True, kw_only=True):
    """An empty object: `{}`."""


class FileReply(FileData, frozen=True, kw_only=True):
    """The outcome of reading a file.

    The harness returns content of an odd number of bytes, and content that is not UTF-8, as `base64`; other content as
    `text`. `nothing`: the read succeeded without any content object. `wrapped`: the error is inside another error, as
    its cause. An error may come with content: such a backend fails and returns content at once. `cancelled`:
    `$/cancel` has cancelled the call; raise a cancellation.
    """

    nothing: bool = False
    error: Error | None = None
    wrapped: bool = False
    cancelled: bool = False


class CancelCall(Value, frozen=True, kw_only=True):
    """The sender no longer needs the answer to its request `id`.

    From an adapter: the implementation has cancelled the call. The harness still answers: with `cancelled`, or with the
    outcome of a call that cannot be cancelled. From the harness: the deadline has passed; a later answer is ignored.
    """

    id: str


# -- the lifecycle ---------------------------------------------------------------------------------------------------


class Suite(Value, frozen=True, kw_only=True):
    """The suite that judges: its version, and a hash of its features."""

    version: str
    features: str
    name: str = "loopspec"


class Limits(Value, frozen=True, kw_only=True):
    """The limits of the harness: the longest line that it accepts, in bytes."""

    max_line_bytes: int


class Initialize(Value, frozen=True, kw_only=True):
    """The first message. `protocolVersions` are the versions that the harness speaks, the best one first."""

    protocol_versions: tuple[int, ...]
    suite: Suite
    limits: Limits


class Implementation(Value, frozen=True, kw_only=True):
    """The identity of the implementation. It must not change during the run."""

    name: str
    version: str = ""
    language: str = ""


class Initialized(Value, frozen=True, kw_only=True):
    """The declarations of an adapter. `protocolVersion` is one of the versions offered.

    `postures` are by axis: `loopspec capabilities` lists axes and values. `dialect` is required for the role
    `workspace`. `idle`, `restart`: the adapter answers the methods of these names.
    """

    protocol_version: int
    implementation: Implementation
    roles: tuple[str, ...]
    capabilities: tuple[str, ...] = ()
    postures: dict[str, Posture] = {}
    dialect: str = ""
    idle: bool = False
    restart: bool = False


class CaseMessage(Value, frozen=True, kw_only=True):
    """A message about a case. `case` is its number."""

    case: int


class Outcome(Value, frozen=True, kw_only=True):
    """An answer of an adapter. Instead of anything else it may hold the `error` that the implementation failed with."""

    error: Error | None = None


class AdapterMessage(Value, frozen=True, kw_only=True):
    """A message of an adapter about a case, and about a run where there is one. `ctx` are the context values."""

    case: int
    run: str | None = None
    ctx: dict[str, Json] = {}


class AdapterFault(Value, frozen=True, kw_only=True):
    """Reports a fault of the adapter itself, which is not behavior of the implementation."""

    message: str


# -- answers to an adapter -------------------------------------------------------------------------------------------


class Interrupt(Value, frozen=True, kw_only=True):
    """An interrupt of a tool or a hook: `info` is shown to the caller, `state` is returned to it on resume."""

    info: Json = None
    state: Json = None


class Reply(Value, frozen=True, kw_only=True):
    """An answer to an adapter: a `value`, where the method has one, or an `error` to raise.

    Without a value, return your language's null where a value is needed. `invalid`: return a value of a type that is
    not allowed there. `interrupt`: raise the framework's own. `ctx` are values to add to the context. `cancelled`:
    `$/cancel` has cancelled the call; raise a cancellation.
    """

    error: Error | None = None
    invalid: bool = False
    interrupt: Interrupt | None = None
    cancelled: bool = False
    ctx: dict[str, Json] = {}


class StreamReply(Reply, frozen=True, kw_only=True):
    """The next chunk of a stream: a `message` of a model or an `answer` of a tool; or the `end`.

    The reply with the first chunk names the `stream`.
    """

    stream: str = ""
    message: Message | None = None
    answer: ToolAnswer | None = None
    end: bool = False


class AroundReply(Reply, frozen=True, kw_only=True):
    """The result of an around-hook. `return`: return the outcome of the `next` with this number, unchanged.

    `raise`: raise the very error that this outcome failed with, at once or while it was read to its end. Otherwise
    return the `value`.
    """

    returned: int | None = field(default=None, name="return")
    raised: int | None = field(default=None, name="raise")


class StreamRequest(AdapterMessage, frozen=True, kw_only=True):
    """Requests the next chunk of the stream of this name, or closes the stream."""

    stream: str


# -- requests within a call ------------------------------------------------------------------------------------------


class NestedRequest(CaseMessage, frozen=True, kw_only=True):
    """A nested request. `in` is the scope to act in: the id of the adapter's own request that is unanswered.

    Without `in`, an action that belongs inside runs is tried outside any run.
    """

    scope: str | None = field(default=None, name="in")


class RunValue(Value, frozen=True, kw_only=True):
    """A run-local or session value: a JSON `value`, or a value of a type of the adapter's own.

    `registered`: a value that holds this number, of a type that the adapter has registered with the implementation.
    `unregistered`: a value of a type that the adapter has not registered.
    """

    value: Json = None
    registered: int | None = None
    unregistered: bool = False


class Found(Outcome, frozen=True, kw_only=True):
    """Whether a value was found, and the value."""

    found: bool = False
    value: RunValue = RunValue()


class Next(NestedRequest, frozen=True, kw_only=True):
    """Calls the inner endpoint from the around-hook `in`, with this request. Add the values of `ctx` to the context.

    The request is `model` or `tool`, whichever the hook wraps. `invalid`: pass on a value of a type that no hook may
    pass on.
    """

    model: ModelRequest | None = None
    tool: ToolRequest | None = None
    invalid: bool = False
    ctx: dict[str, Json] = {}


class NextReply(Outcome, frozen=True, kw_only=True):
    """The inner endpoint has begun to answer, or has failed before. A scope numbers its outcomes from 0."""


class ReadOutcome(NestedRequest, frozen=True, kw_only=True):
    """Reads the outcome of this number to its end."""

    outcome: int


class OutcomeReply(Outcome, frozen=True, kw_only=True):
    """The whole outcome: a `message` of a model or an `answer` of a tool; or the `error` that broke it."""

    message: Message | None = None
    answer: ToolAnswer | None = None


# -- runs ------------------------------------------------------------------------------------------------------------


class RunAgent(CaseMessage, frozen=True, kw_only=True):
    """Runs the agent, or resumes an interrupted run under a new name. Answer after the last event of the run.

    `run` is the name of the run, `messages` are the caller's, `session` are the session values that the run starts
    with. `streaming`: request a streaming run; of a resumption, the mode of the interrupted run. `cancellable`:
    `run/cancel` may come. `batch` are the runs requested at the same time, this one included. Pass the same list object
    to all runs with the same `sharedList` number, unless it is 0. Runs of one `thread` share their persistent state.
    Runs of one `conversation` continue it, as the adapter has stored it.
    `context` is the runtime context; absent: none. A resumed run has nothing but its `checkpoint` and the `answers`, by
    the ids of the interrupts. `saves`: send each checkpoint that the run saves as `run/saved`.
    """

    handle: str
    run: str
    messages: tuple[Message, ...] = ()
    shared_list: int = 0
    checkpoint: bytes | None = None
    answers: dict[str, Json] = {}
    session: dict[str, Json] = {}
    streaming: bool = False
    cancellable: bool = False
    context: dict[str, Json] | None = None
    thread: str = ""
    conversation: str = ""
    batch: tuple[str, ...] = ()
    saves: bool = False


# The fields of a run that are sent under their names.
OF_RUNS = tuple(name for name in Run.__struct_fields__ if name in RunAgent.__struct_fields__)


class RunInterrupted(Value, frozen=True, kw_only=True):
    """An interrupted run: its checkpoint, if it has one, and its interrupts."""

    checkpoint: bytes | None = None
    interrupts: tuple[Interrupted, ...] = ()


class RunCancelled(Value, frozen=True, kw_only=True):
    """A cancelled run: its checkpoint, if it has one, and what its error or result says about the cancellation.

    `modes` are the safe points that it names. `escalated`: the wait for a safe point was cut short; `timedOut`: by its
    timeout.
    """

    checkpoint: bytes | None = None
    modes: tuple[str, ...] = ()
    escalated: bool = False
    timed_out: bool = False


class RunEnded(Outcome, frozen=True, kw_only=True):
    """The end of a run. `error`: the run failed outside its events, before the first one or after the last one.

    `session` are the session values at the end of the run, `state` the fields of the middlewares' own states.
    """

    session: dict[str, Json] = {}
    state: dict[str, Json] = {}
    interrupted: RunInterrupted | None = None
    cancelled: RunCancelled | None = None


class RunEvent(AdapterMessage, frozen=True, kw_only=True):
    """An event of a run: a `message`, a `custom` payload or an `error`, of the agent of this name.

    `path` are the names of the agents from the outermost one to this one, where the implementation reports them.
    `exits`: the event says that a tool ends the run. `stream`: the event is itself a stream, whose chunks follow as
    `run/chunk` with this number; the run has not used the number before.
    """

    agent: str
    path: tuple[str, ...] = ()
    message: Message | None = None
    custom: Json = None
    error: Error | None = None
    exits: bool = False
    stream: int | None = None


class RunChunk(AdapterMessage, frozen=True, kw_only=True):
    """A chunk of the event with this number, its `end`, or the `error` that ended it. Both are final."""

    stream: int
    message: Message | None = None
    error: Error | None = None
    end: bool = False


class RunFinal(AdapterMessage, frozen=True, kw_only=True):
    """The final answer of a run as a text, as the implementation returns it to its caller.

    Send it before the end of the run. Without it, the last message of the run's events is judged as the final answer.
    """

    text: str


class RunSaved(AdapterMessage, frozen=True, kw_only=True):
    """The checkpoint that a run with `saves` has saved. Send it before the run continues."""

    checkpoint: bytes


class CancelRun(CaseMessage, frozen=True, kw_only=True):
    """Cancels a run at the first safe point among `modes` or, without `modes`, at once. May come before the run.

    `timeout` is how many seconds to wait for a safe point; `recursive`: safe points of sub-agents count, too.
    """

    run: str
    modes: tuple[Literal["after model", "after tools"], ...] = ()
    timeout: float | None = None
    recursive: bool = False


class CancelReply(Value, frozen=True, kw_only=True):
    """The handle of a request to cancel. `contributed`: the run had not ended. Answer immediately."""

    handle: str
    contributed: bool
