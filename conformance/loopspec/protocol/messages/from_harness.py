"""What the harness asks and tells, and what it is answered."""

from __future__ import annotations

from typing import Literal

from ...contract.agents import Config
from ...contract.observation import Interrupted, Registered, Section
from ...contract.values import Error, Json, Message, MessageType, Value
from ..specs import AgentSpec, ModuleSpec, Plan
from .shared import FileData

Waited = Literal["cancelled", "ended", "timed out"]


class Suite(Value, frozen=True, kw_only=True):
    """Who judges: its version, and a hash of the features."""

    version: str
    features: str
    name: str = "loopspec"


class Limits(Value, frozen=True, kw_only=True):
    """What the harness puts up with: the longest line, in bytes."""

    max_line_bytes: int


class Initialize(Value, frozen=True, kw_only=True):
    """The first message. `protocolVersions` are those that the harness speaks, the best first."""

    protocol_versions: tuple[int, ...]
    suite: Suite
    limits: Limits


class Implementation(Value, frozen=True, kw_only=True):
    """Which implementation this is. It must not change while the run goes on."""

    name: str
    version: str = ""
    language: str = ""


class Initialized(Value, frozen=True, kw_only=True):
    """What an adapter is. `protocolVersion` is one of those offered; `idle`: it answers the method of this name."""

    protocol_version: int
    implementation: Implementation
    roles: tuple[str, ...]
    capabilities: tuple[str, ...] = ()
    idle: bool = False


class OfCase(Value, frozen=True, kw_only=True):
    """What every message about a case says: which case it is."""

    case: int


class Outcome(Value, frozen=True, kw_only=True):
    """What every answer of an adapter may be instead: the `error` that the implementation failed with."""

    error: Error | None = None


class SetLanguage(OfCase, frozen=True, kw_only=True):
    """Chooses the language of all texts; null: the default again."""

    language: str | None = None


class Load(OfCase, frozen=True, kw_only=True):
    """Loads instructions once: these files and what they import. `maxBytes` 0: there is no limit."""

    files: tuple[str, ...]
    max_bytes: int = 0


class Loaded(Outcome, frozen=True, kw_only=True):
    """The files, in the order in which they are put before the model; or, as `text`, the text that they stand in."""

    sections: tuple[Section, ...] = ()
    text: str | None = None


class CreateMiddleware(OfCase, frozen=True, kw_only=True):
    """Builds the AgentsMD middleware; without `config`, with no configuration at all."""

    message_type: MessageType
    config: Config | None = None


class Created(Outcome, frozen=True, kw_only=True):
    """The handle of what was built: any text, by which it is named until the case ends."""

    handle: str = ""


class HookOf(OfCase, frozen=True, kw_only=True):
    """Calls the middleware's hook before a model call; without `run`, outside any. `ctx` is the bag to carry along."""

    handle: str
    messages: tuple[Message, ...] = ()
    run: str | None = None
    ctx: dict[str, Json] = {}


class Hooked(Outcome, frozen=True, kw_only=True):
    """The conversation that the model shall see and the run go on with."""

    messages: tuple[Message, ...] = ()


class CreateAgent(OfCase, frozen=True, kw_only=True):
    """Builds an agent for this role. `plan`: what surrounds it in the plugin layer."""

    role: Literal["agent", "plugins", "handler"]
    agent: AgentSpec
    message_type: MessageType
    plan: Plan = Plan()


class RunAgent(OfCase, frozen=True, kw_only=True):
    """Runs the agent. It is answered when the run is over, after the last event.

    `run` is the name of the run, `messages` is what the caller says, `session` are values the run is given.
    `streaming`: the run is asked to stream. `cancellable`: `run/cancel` may come. `batch` are the runs that are asked
    for at the same time, this one among them. Runs with the same `shared` number, other than 0, are given the same list
    object; runs of one `thread` share what is persistent. `context` is the runtime context; absent: none.
    """

    handle: str
    run: str
    messages: tuple[Message, ...] = ()
    shared: int = 0
    session: dict[str, Json] = {}
    streaming: bool = False
    cancellable: bool = False
    context: dict[str, Json] | None = None
    thread: str = ""
    batch: tuple[str, ...] = ()


class ResumeAgent(OfCase, frozen=True, kw_only=True):
    """Goes on with a run that stopped, under a new name, from nothing but its checkpoint.

    `answers` are by the ids of the interrupts. The rest is as in `agent/run`.
    """

    handle: str
    run: str
    checkpoint: bytes
    answers: dict[str, Json] = {}
    session: dict[str, Json] = {}
    cancellable: bool = False
    context: dict[str, Json] | None = None
    thread: str = ""
    batch: tuple[str, ...] = ()


class Stopped(Value, frozen=True, kw_only=True):
    """A run has stopped to be resumed: its checkpoint, if it has one, and the calls that asked for it."""

    checkpoint: bytes | None = None
    interrupts: tuple[Interrupted, ...] = ()


class RunCancelled(Value, frozen=True, kw_only=True):
    """A run was cancelled: its checkpoint, if it has one, and what its error or result says of that.

    `modes` are the safe points it names. `escalated`: a wait for one was cut short; `timedOut`: by its timeout.
    """

    checkpoint: bytes | None = None
    modes: tuple[str, ...] = ()
    escalated: bool = False
    timed_out: bool = False


class RunOver(Outcome, frozen=True, kw_only=True):
    """How a run ended. `error`: that of a run which failed outside its events, before the first or after the last.

    `session` is as the run has left it, `state` what is left in the middlewares' own states, by field.
    """

    session: dict[str, Json] = {}
    state: dict[str, Json] = {}
    stopped: Stopped | None = None
    cancelled: RunCancelled | None = None


class CancelRun(OfCase, frozen=True, kw_only=True):
    """Cancels a run, at the first safe point among `modes` or, without any, at once. May come before the run does.

    `timeout` is how many seconds to wait for a safe point; `recursive`: those of sub-agents count, too.
    """

    run: str
    modes: tuple[Literal["after model", "after tools"], ...] = ()
    timeout: float | None = None
    recursive: bool = False


class CancelMade(Value, frozen=True, kw_only=True):
    """The handle of the request to cancel. `contributed`: the run had not ended when it was made. Answered at once."""

    handle: str
    contributed: bool


class WaitForCancel(OfCase, frozen=True, kw_only=True):
    """Waits until the run that a request wants cancelled is over."""

    handle: str


class CancelOver(Value, frozen=True, kw_only=True):
    """What became of the run that was to be cancelled: it was, it ended by itself, or it did not end in time."""

    outcome: Waited


class ListStrategies(OfCase, frozen=True, kw_only=True):
    """Registers strategies, or with `builtIn` looks at the implementation's own; lists them, and looks some up.

    `lookups` are the providers to ask the registry for.
    """

    modules: tuple[ModuleSpec, ...] = ()
    built_in: bool = False
    lookups: tuple[str, ...] = ()


class Strategies(Outcome, frozen=True, kw_only=True):
    """What the registry lists, in its order, and what it answered about each provider that was asked for."""

    listed: tuple[Registered, ...] = ()
    lookups: tuple[Registered, ...] = ()


class OpenBackend(OfCase, frozen=True, kw_only=True):
    """Opens the implementation's own backend, with these files in it, by path."""

    files: dict[str, FileData] = {}


class ReadBackend(OfCase, frozen=True, kw_only=True):
    """Reads a file of the backend: so many lines from `offset` on, counted from 1; `limit` 0 means all.

    Several requests may be unanswered at once.
    """

    handle: str
    path: str
    offset: int = 1
    limit: int = 0


class WriteBackend(FileData, frozen=True, kw_only=True):
    """Changes a file in the backend, or adds it."""

    case: int
    handle: str
    path: str


class BreakBackend(OfCase, frozen=True, kw_only=True):
    """Makes a file in the backend refuse to be read: forbidden, or unreadable."""

    handle: str
    path: str
    kind: Literal["permission", "io"]


class CloseBackend(OfCase, frozen=True, kw_only=True):
    """Lets the backend go."""

    handle: str
