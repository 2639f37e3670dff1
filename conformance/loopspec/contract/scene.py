"""A Scene: the world of one scenario and its one act. Plain data, JSON both ways."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Literal, TypeAlias

from msgspec.structs import replace

from .agents import Agent, Config, Turn
from .calls import Decision
from .capabilities import Capability
from .plugins import Module, Workflow
from .values import FileData, Gate, Json, Message, MessageType, Needs, Value
from .workspaces import Workspace

# What is performed: an act of the kit, or one of a role that a product adds (`RoleKind.acts`).
#
# "load": the instructions are loaded once
# "create": the middleware is built, and nothing more
# "hook": the middleware's hook is called outside any run
# "run": the agent runs
# "outside": what a handler may do during a run is done outside any
# "read": the target's own backend is read
# "load through": the actions that belong inside a run are tried outside
# "look up": strategies are registered and looked up
# "catalog": the target lists its own strategies
# "read workspace": a tool reads the instruction files of a workspace
Act: TypeAlias = str

# The kinds of planned parts of a scene, each of which has to happen unless a Then states that the part is missing.
Planned = Literal[
    "runs",  # a run takes place
    "resumptions",  # the run to resume has stopped
    "requests",  # the gate of a change or of a cancel request opens
    "holds",  # a call that is to be held begins
    "results",  # a load, a read, a hook, a lookup or an action outside any run has a result
]
BAIT = "A file outside the root."  # the content of a file that no confined backend reads
_SHORT = 50  # reads of a repetition in its short form
OutsideAction = Literal["set", "get", "delete", "send event"]
Stopped = Literal["cancelled", "interrupted"]
StoreFault = Literal["permission", "io", "outside"]
# What happens to a whole store: unreachable, silent, its credentials rejected, the container of the files gone.
StoreFailure = Literal["gone", "timeout", "refused", "container"]
ReadForm = Literal["text", "bytes"]
FaultKind = Literal["not_exist", "permission", "io", "directory", "not_a_directory", "cancelled"]


class Fault(Value, frozen=True):
    """The failure of a read. `wrapped` makes the error the cause of the cause of another error."""

    kind: FaultKind
    message: str = ""
    wrapped: bool = False


class File(FileData, frozen=True):
    """A file of the scene's world. Its content is `text`, or `base64` where that is no UTF-8, `repeat` times over.

    `fault` makes every read of it fail; `nothing` makes a read succeed without any content object; `held` lets
    reads wait.
    """

    repeat: int = 1
    fault: Fault | None = None
    nothing: Annotated[bool, Needs("nil-values")] = False
    held: Gate | None = None

    @property
    def content(self) -> bytes:
        """The bytes of the file."""
        return self.data * self.repeat


def _of_languages(languages: str | tuple[str, ...]) -> Collection[Capability]:
    return ["language-zh"] if "zh" in languages else []


class Change(Value, frozen=True):
    """A change during the act: of a file (absent: deleted), or of the language."""

    at: Gate
    path: str | None = None
    file: File | None = None
    language: Annotated[str | None, Needs(_of_languages)] = None


class History(Value, frozen=True):
    """The conversation of an earlier run, as its caller stored it; `keep_extra` off: without extra data."""

    run: str
    keep_extra: bool = True


class Cancel(Value, frozen=True):
    """A cancel request, sent when a gate opens: for the named safe points, or immediate without one.

    `timeout` is the time to wait for a safe point in seconds, `recursive`: those of sub-agents count, too.
    """

    at: Gate
    modes: tuple[Literal["after model", "after tools"], ...] = ()
    timeout: Annotated[float | None, Needs("clock")] = None
    recursive: bool = False


class Run(Value, frozen=True):
    """One run. It starts after the previous run, or concurrently with it if `together` is set.

    `resume` names the interrupted run that it continues, from its checkpoint alone; `answers` are given with it,
    by the name of the tool that had interrupted, `call_answers` by the id of the call, which take precedence, and
    `decisions` by the id of the call that needs approval.
    `cancellable`: the caller has asked for a way to cancel it.
    `context` is the runtime context it is given, None: none. Runs of one `thread` share what is persistent. Runs of one
    `conversation` continue it, as the target has stored it: `messages` are only those that the caller adds.

    `part`: the run is a part of a run that stops and is resumed. Calls are counted over all parts. A part takes place
    only if the part that it resumes was stopped in this way. A cancel request whose gate stays closed is not sent.
    `saves`: the run saves each of its steps. What it had saved when the gate `dies` opened is the checkpoint that it is
    resumed from, and nothing is recorded of it from then on, as if its process had died.
    `turns` are the answers of models in this run, by name, instead of the models' own ones.
    """

    id: str
    messages: tuple[Message, ...] = ()
    history: History | None = None
    session: Annotated[dict[str, Json], Needs("session-values")] = {}
    together: Annotated[bool, Needs("concurrent-runs")] = False
    resume: str | None = None
    answers: dict[str, Json] = {}
    call_answers: dict[str, Json] = {}
    decisions: dict[str, Decision] = {}
    streaming: Annotated[bool, Needs("streaming")] = False
    cancellable: Annotated[bool, Needs("cancel")] = False
    cancels: Annotated[tuple[Cancel, ...], Needs("cancel")] = ()
    context: dict[str, Json] | None = None
    thread: Annotated[str, Needs("threads")] = ""
    conversation: Annotated[str, Needs("conversations")] = ""
    part: Stopped | None = None
    turns: dict[str, tuple[Turn, ...]] = {}
    saves: Annotated[bool, Needs("saved-runs")] = False
    dies: Gate | None = None

    def continues(self, cancelled: bool, interrupted: bool) -> bool:
        """Whether the run takes place after a run that ended so; only a later part of a run asks how."""
        if self.part is None or self.resume is None:
            return True
        return cancelled if self.part == "cancelled" else interrupted


def first_parts(runs: tuple[Run, ...]) -> dict[str, str]:
    """The first part of each later part of a run."""
    first: dict[str, str] = {}
    for run in runs:
        if run.part and run.resume:
            first[run.id] = first.get(run.resume, run.resume)
    return first


class HeldCall(Value, frozen=True):
    """One call of a double that waits: the call with this `number` in a run, counted from 1, until the gate opens.

    `double` names it as in a `Called`: `model m`, `tool t`, `before model H`.
    """

    double: str
    run: str
    number: int
    until: Gate


class ReadRequest(Value, frozen=True):
    """A request to a backend. `offset` is a line number from 1; `limit` counts lines, 0 means all.

    In the path of a scene, `{outside}` stands for the absolute path of a file outside every root; `{up}` leads there.
    """

    file_path: Annotated[str, Needs(lambda path: ["confined"] if "{outside}" in path else [])]
    offset: Annotated[int, Needs("line-ranges")] = 1
    limit: Annotated[int, Needs("line-ranges")] = 0


class Ask(Value, frozen=True, tag="ask", tag_field="backend"):
    """Read the target's backend with concurrent requests."""

    requests: tuple[ReadRequest, ...]


class Write(Value, frozen=True, tag="write", tag_field="backend"):
    """Change a file of the target's backend. `judged`: an error of the write is an outcome."""

    path: str
    file: File
    judged: bool = False
    needs = ("edits",)


class Delete(Value, frozen=True, tag="delete", tag_field="backend"):
    """Delete a stored file of the target's backend."""

    path: str
    needs = ("deletes",)


class Break(Value, frozen=True, tag="break", tag_field="backend"):
    """Make reads of a file of the target's backend fail; "outside": make the file a link that leaves the root.

    The link leads to a file in a folder next to the root, and the folder's name begins with the root's.
    """

    path: str
    kind: Annotated[StoreFault, Needs(lambda kind: [f"fault-{kind}"])]


class Link(Value, frozen=True, tag="link", tag_field="backend"):
    """Make a file of the target's backend a link to a path inside the root, which need not exist."""

    path: str
    target: str
    needs = ("links",)


class FailStore(Value, frozen=True, tag="fail", tag_field="backend"):
    """Make the whole store of the target's backend fail."""

    kind: Annotated[StoreFailure, Needs(lambda kind: [f"fault-{kind}"])]


class Meanwhile(Value, frozen=True, tag="meanwhile", tag_field="backend"):
    """Perform the steps in order; before, between and after them, start each request without waiting for it."""

    requests: tuple[ReadRequest, ...]
    steps: tuple[Write | Break, ...]


class Repeat(Value, frozen=True, tag="repeat", tag_field="backend"):
    """Read one path this many times, one read after the other; only the first and the last read are answers.

    The resources that the target's process has afterward are compared with those before.
    """

    request: ReadRequest
    times: int
    needs = ("resources",)

    def shortened(self) -> Repeat:
        """The step in its short form: it shows a leak of every read, and none of a few reads in a thousand."""
        return replace(self, times=min(self.times, _SHORT))


class CancelRead(Value, frozen=True, tag="cancel", tag_field="backend"):
    """Cancel reads of one path: each is started, and cancelled as soon as it waits."""

    request: ReadRequest
    times: int
    needs = ("cancel-read",)


class Close(Value, frozen=True, tag="close", tag_field="backend"):
    """Close the target's backend. An error is an outcome."""

    needs = ("closes",)


BackendStep = Ask | Write | Delete | Break | Link | FailStore | Meanwhile | Repeat | CancelRead | Close


class Scene(Value, frozen=True):
    """The world of one scenario and its one act.

    `files` are what the harness's own backend serves, or, for the acts on the target's backend, what that is opened
    with. `instructions` is the configuration for the acts that need no agent. `languages` are chosen one after the
    other before anything is built. `one_list`: the caller passes the same list object to runs with equal messages,
    `shared_lists`: the same list objects to agents with equal handlers or tools. `falsy`: the objects of tools and
    handlers have the length zero and are false. `listens`: a listener reads the
    runs' events; `reads_log`: the default log is captured. `tried` is what is done outside any run, in the act of
    that name. `modules` are the plugin modules that are loaded, in this order, `lookups` the providers that are
    asked for; a `workflow` says which middlewares its agents get. `traces`: the execution trace is recorded.
    `tokens_per_word`: the tokens that the harness counts for a word.
    `held` are single calls of models and tools that wait. A call with several entries waits for all of their gates.
    `workspace` is the tree that a tool reads, in the act of that name. `own` is the world of a scene of a role that a
    product adds.

    `read_as`: every read returns bytes, or text where the content is UTF-8; None: see `Environment.read`. A load or a
    hook takes place so many `times`; loads that are `together` take place at the same time.
    """

    act: Act
    files: dict[str, File] = {}
    read_as: ReadForm | None = None
    changes: tuple[Change, ...] = ()
    languages: Annotated[tuple[str, ...], Needs(_of_languages)] = ()
    message_type: Annotated[MessageType, Needs("agentic-messages")] = "message"
    instructions: Config | None = None
    messages: tuple[Message, ...] = ()
    times: int = 1
    together: Annotated[bool, Needs("concurrent-runs")] = False
    agent: Agent = Agent()
    runs: tuple[Run, ...] = ()
    one_list: bool = False
    shared_lists: Annotated[bool, Needs("shared-lists")] = False
    falsy: Annotated[bool, Needs("falsy-objects")] = False
    listens: bool = False
    reads_log: Annotated[bool, Needs("default-warning-sink")] = False
    tried: tuple[OutsideAction, ...] = ("set", "get", "delete", "send event")
    backend: tuple[BackendStep, ...] = ()
    modules: tuple[Module, ...] = ()
    lookups: Annotated[tuple[str, ...], Needs("registry")] = ()
    traces: Annotated[bool, Needs("execution-trace")] = False
    tokens_per_word: int = 1
    workflow: Annotated[Workflow | None, Needs("graph")] = None
    held: tuple[HeldCall, ...] = ()
    workspace: Workspace | None = None
    own: dict[str, Json] = {}

    def shortened(self) -> Scene:
        """The scene without what only takes long: a short form for daily runs, see `Repeat`."""
        steps = tuple(step.shortened() if isinstance(step, Repeat) else step for step in self.backend)
        return replace(self, backend=steps)
