"""The requests and notifications of the harness, and the adapter's answers."""

from __future__ import annotations

from typing import Literal

from ...contract.agents import Config
from ...contract.axes import Posture
from ...contract.observation import Interrupted, Registered, Section
from ...contract.roles import Role
from ...contract.scene import StoreFailure, StoreFault
from ...contract.values import Error, Json, Message, MessageType, Value
from ..specs import AgentSpec, ModuleSpec, Plan
from .shared import FileData, Waited


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
    `workspace`. `idle`: the adapter answers the method of
    this name.
    """

    protocol_version: int
    implementation: Implementation
    roles: tuple[str, ...]
    capabilities: tuple[str, ...] = ()
    postures: dict[str, Posture] = {}
    dialect: str = ""
    idle: bool = False


class CaseMessage(Value, frozen=True, kw_only=True):
    """A message about a case. `case` is its number."""

    case: int


class Outcome(Value, frozen=True, kw_only=True):
    """An answer of an adapter. Instead of anything else it may hold the `error` that the implementation failed with."""

    error: Error | None = None


class SetLanguage(CaseMessage, frozen=True, kw_only=True):
    """Chooses the language of all texts; null: the default."""

    language: str | None = None


class Load(CaseMessage, frozen=True, kw_only=True):
    """Loads instructions once: these files and their imports. `maxBytes` 0: no limit."""

    files: tuple[str, ...]
    max_bytes: int = 0


class Loaded(Outcome, frozen=True, kw_only=True):
    """The loaded files, in the order in which a model sees them; or `text`, the text that holds them."""

    sections: tuple[Section, ...] = ()
    text: str | None = None


class ReadWorkspace(CaseMessage, frozen=True, kw_only=True):
    """Reads the instruction files of a workspace, as the tool does that is started in `cwd` with this home folder.

    `configured` are the files of the configuration of a tool that does not search for files.
    """

    cwd: str
    home: str
    configured: tuple[str, ...] = ()


class WorkspaceText(Value, frozen=True):
    """One text that a model receives. Without a `path`, the tool does not name the file."""

    text: str
    path: str | None = None


class WorkspaceRead(Outcome, frozen=True, kw_only=True):
    """The texts in the order in which a model receives them, and the warnings; or `error`, the failure of the tool."""

    files: tuple[WorkspaceText, ...] = ()
    warnings: tuple[str, ...] = ()


class CreateMiddleware(CaseMessage, frozen=True, kw_only=True):
    """Builds the AgentsMD middleware; without `config`, with no configuration at all."""

    message_type: MessageType
    config: Config | None = None


class Created(Outcome, frozen=True, kw_only=True):
    """The handle of the object that was built: any text, which names the object until the case ends."""

    handle: str = ""


class CallHook(CaseMessage, frozen=True, kw_only=True):
    """Calls the middleware's hook before a model call; without `run`, outside any run. `ctx` are the context values."""

    handle: str
    messages: tuple[Message, ...] = ()
    run: str | None = None
    ctx: dict[str, Json] = {}


class HookReply(Outcome, frozen=True, kw_only=True):
    """The conversation that the hook returned."""

    messages: tuple[Message, ...] = ()


class CreateAgent(CaseMessage, frozen=True, kw_only=True):
    """Builds an agent for this role. `plan`: its modules and workflow in the plugin layer.

    `sharedLists`: pass one list object to all agents with equal handlers, and one to all agents with equal tools.
    """

    role: Role
    agent: AgentSpec
    message_type: MessageType
    plan: Plan = Plan()
    shared_lists: bool = False


class RunAgent(CaseMessage, frozen=True, kw_only=True):
    """Runs the agent. Answer when the run is over, after its last event.

    `run` is the name of the run, `messages` are the caller's, `session` are the session values that the run starts
    with. `streaming`: request a streaming run. `cancellable`: `run/cancel` may come. `batch` are the runs requested at
    the same time, this one included. Pass the same list object to all runs with the same `sharedList` number, unless it
    is 0. Runs of one `thread` share their persistent state. `context` is the runtime context; absent: none.
    """

    handle: str
    run: str
    messages: tuple[Message, ...] = ()
    shared_list: int = 0
    session: dict[str, Json] = {}
    streaming: bool = False
    cancellable: bool = False
    context: dict[str, Json] | None = None
    thread: str = ""
    batch: tuple[str, ...] = ()


class ResumeAgent(CaseMessage, frozen=True, kw_only=True):
    """Resumes an interrupted run under a new name, from nothing but its checkpoint.

    `answers` are by the ids of the interrupts. `streaming`: the interrupted run was a streaming run, and a caller who
    chooses the mode of each run requests a streaming one again. All other fields are those of `agent/run`.
    """

    handle: str
    run: str
    checkpoint: bytes
    answers: dict[str, Json] = {}
    session: dict[str, Json] = {}
    streaming: bool = False
    cancellable: bool = False
    context: dict[str, Json] | None = None
    thread: str = ""
    batch: tuple[str, ...] = ()


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


class WaitForCancel(CaseMessage, frozen=True, kw_only=True):
    """Waits for the end of the run that a request to cancel is about."""

    handle: str


class CancelOutcome(Value, frozen=True, kw_only=True):
    """The outcome of a request to cancel: the run was cancelled, ended by itself, or did not end in time."""

    outcome: Waited


class ListStrategies(CaseMessage, frozen=True, kw_only=True):
    """Registers the strategies of `modules`, or with `builtIn` the implementation's own; lists them, and looks some up.

    `lookups` are the providers to look up in the registry.
    """

    modules: tuple[ModuleSpec, ...] = ()
    built_in: bool = False
    lookups: tuple[str, ...] = ()


class Strategies(Outcome, frozen=True, kw_only=True):
    """The strategies that the registry lists, in its order, and the result of each lookup."""

    listed: tuple[Registered, ...] = ()
    lookups: tuple[Registered, ...] = ()


class OpenBackend(CaseMessage, frozen=True, kw_only=True):
    """Opens the implementation's own backend, with these files by path."""

    files: dict[str, FileData] = {}


class ReadBackend(CaseMessage, frozen=True, kw_only=True):
    """Reads a file of the backend: `limit` lines from line `offset` on, counted from 1; `limit` 0 means all.

    Several of these requests may be unanswered at once.
    """

    handle: str
    path: str
    offset: int = 1
    limit: int = 0


class WriteBackend(FileData, frozen=True, kw_only=True):
    """Changes a file of the backend, or adds it."""

    case: int
    handle: str
    path: str


class DeleteBackend(CaseMessage, frozen=True, kw_only=True):
    """Deletes a stored file of the backend."""

    handle: str
    path: str


class FaultBackend(CaseMessage, frozen=True, kw_only=True):
    """Makes reads of a file of the backend fail: with a permission error, or with an I/O error.

    "outside": make the file a link to a file in a folder next to the backend's root. The name of the folder begins with
    the name of the root.
    """

    handle: str
    path: str
    kind: StoreFault


class LinkBackend(CaseMessage, frozen=True, kw_only=True):
    """Makes the file `path` of the backend a link to the path `target` inside the root, which need not exist."""

    handle: str
    path: str
    target: str


class FailBackend(CaseMessage, frozen=True, kw_only=True):
    """Makes the whole store of the backend fail: all later reads fail."""

    handle: str
    kind: StoreFailure


class ProcessResources(Value, frozen=True, kw_only=True):
    """How many open descriptors, threads and tasks the process of the adapter has. A task is a goroutine in Go."""

    descriptors: int = 0
    threads: int = 0
    tasks: int = 0


class CloseBackend(CaseMessage, frozen=True, kw_only=True):
    """Closes the backend."""

    handle: str
