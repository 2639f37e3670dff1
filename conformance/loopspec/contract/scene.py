"""A Scene: the world of one scenario and the one act done in it. Plain data, JSON both ways."""

from __future__ import annotations

from typing import Literal

from .values import Error, Gate, Json, Message, MessageType, ToolCall, Value

Act = Literal[
    "load",  # the instructions are loaded once
    "create",  # the middleware is built, and nothing more
    "hook",  # the middleware's hook is called outside any run
    "run",  # the agent runs
    "read",  # the target's own backend is read
    "load through",  # the target's own backend serves a loader
]
Hook = Literal["before agent", "before model", "around model", "after model", "around tool", "after agent"]
FaultKind = Literal["not_exist", "permission", "io", "directory", "not_a_directory", "cancelled"]


class Fault(Value, frozen=True):
    """How reading a file fails. `wrapped` puts the error inside another one, as its cause."""

    kind: FaultKind
    message: str = ""
    wrapped: bool = False


class File(Value, frozen=True):
    """A file of the scene's world. Its content is `text`, or `base64` where that is no UTF-8, `repeat` times over.

    `fault` makes every read of it fail; `nothing` makes a read succeed without any content object; `held` lets
    reads wait.
    """

    text: str | None = None
    base64: bytes | None = None
    repeat: int = 1
    fault: Fault | None = None
    nothing: bool = False
    held: Gate | None = None

    @property
    def content(self) -> bytes:
        """The bytes of the file."""
        once = self.base64 if self.base64 is not None else (self.text or "").encode()
        return once * self.repeat


class Change(Value, frozen=True):
    """Something that changes while the act goes on: a file (absent: deleted), or the language."""

    at: Gate
    path: str | None = None
    file: File | None = None
    language: str | None = None


class Config(Value, frozen=True):
    """What an AgentsMD handler is told. `callback` off: nobody asks for warnings. `backend` off: none is given.

    A limit, or a list of files, that is None is left out of the configuration.
    """

    files: tuple[str, ...] | None = ()
    max_bytes: int | None = None
    callback: bool = True
    backend: bool = True


class AgentsMD(Value, frozen=True, tag="agentsmd", tag_field="handler"):
    """The target's own AgentsMD handler."""

    name: str = "agentsmd"
    config: Config | None = Config()


class Summarise(Value, frozen=True, tag="summarise", tag_field="do"):
    """Once there are more than `over` messages besides the system message, put one user message in their place.

    The last `keep` stay.
    """

    over: int
    keep: int = 1
    text: str = "(summary)"


class DropInstructions(Value, frozen=True, tag="drop instructions", tag_field="do"):
    """Take the instructions out of the conversation."""


class Insert(Value, frozen=True, tag="insert", tag_field="do"):
    """Put a message into the conversation before the message at this index."""

    at: int
    message: Message


class AddContext(Value, frozen=True, tag="add context", tag_field="do"):
    """Add a value to the context that calls further in are made with."""

    key: str
    value: Json


class SetLocal(Value, frozen=True, tag="set local", tag_field="do"):
    """Keep a run-local value."""

    key: str
    value: Json


class GetLocal(Value, frozen=True, tag="get local", tag_field="do"):
    """Read a run-local value; what is found is in the hook's record."""

    key: str


class Raise(Value, frozen=True, tag="raise", tag_field="do"):
    """Fail."""

    code: str


class Hold(Value, frozen=True, tag="hold", tag_field="do"):
    """Wait."""

    until: Gate


class Answer(Value, frozen=True, tag="answer", tag_field="do"):
    """Around a model or tool call: answer oneself instead of calling further in."""

    text: str


class Rewrite(Value, frozen=True, tag="rewrite", tag_field="do"):
    """Around a model or tool call: call further in with this appended to the last message, or as the arguments."""

    text: str


# What a scripted handler does: a closed list, interpreted by the stage and never sent to an adapter.
Action = Summarise | DropInstructions | Insert | AddContext | SetLocal | GetLocal | Raise | Hold | Answer | Rewrite


class Script(Value, frozen=True):
    """What a scripted handler does in one hook; with `calls`, only at those calls of a run, counted from 1."""

    hook: Hook
    actions: tuple[Action, ...] = ()
    calls: tuple[int, ...] = ()


class Scripted(Value, frozen=True, tag="scripted", tag_field="handler"):
    """A handler whose behaviour is data. It is called in the hooks it has scripts for, and in no other."""

    name: str
    scripts: tuple[Script, ...] = ()

    @property
    def hooks(self) -> frozenset[Hook]:
        """The hooks it wants to be called in."""
        return frozenset(script.hook for script in self.scripts)


Handler = AgentsMD | Scripted


class Turn(Value, frozen=True):
    """One answer of a scripted model: a text, calls, or an error; after a wait, if held."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    error: Error | None = None
    held: Gate | None = None


class Model(Value, frozen=True):
    """A scripted model. Each run begins with its first turn; a resumed run goes on with the next one."""

    name: str = "model"
    turns: tuple[Turn, ...] = (Turn(text="done"),)


class Tool(Value, frozen=True):
    """A scripted tool, or, with `agent`, an agent that another may ask for.

    With `interrupts` its first call in a run asks to be resumed later.
    """

    name: str
    text: str = "ok"
    error: Error | None = None
    interrupts: bool = False
    held: Gate | None = None
    agent: Agent | None = None


class Agent(Value, frozen=True):
    """An agent to build. Names of models, tools and handlers are unique within a scene."""

    name: str = "agent"
    instruction: str = ""
    model: Model = Model()
    tools: tuple[Tool, ...] = ()
    handlers: tuple[Handler, ...] = ()
    max_iterations: int = 20


class History(Value, frozen=True):
    """The conversation of an earlier run, as its caller stored it; a poor store keeps no extra data."""

    run: str
    keep_extra: bool = True


class Run(Value, frozen=True):
    """One run. It starts when the one before it has ended, or with it where `together` is set.

    `resume` names the interrupted run it goes on with, from nothing but its checkpoint.
    """

    id: str
    messages: tuple[Message, ...] = ()
    history: History | None = None
    session: dict[str, Json] = {}
    together: bool = False
    resume: str | None = None


class ReadRequest(Value, frozen=True):
    """What is asked of a backend. `offset` is a line number from 1; `limit` counts lines, 0 means all."""

    file_path: str
    offset: int = 1
    limit: int = 0


class Ask(Value, frozen=True, tag="ask", tag_field="backend"):
    """Read the target's backend, several requests at once."""

    requests: tuple[ReadRequest, ...]


class Write(Value, frozen=True, tag="write", tag_field="backend"):
    """Change a file of the target's backend."""

    path: str
    file: File


class Break(Value, frozen=True, tag="break", tag_field="backend"):
    """Make a file of the target's backend refuse."""

    path: str
    kind: Literal["permission", "io"]


BackendStep = Ask | Write | Break


class Scene(Value, frozen=True):
    """The world of one scenario and the one act done in it.

    `files` are what the harness's own backend serves, or, for the acts on the target's backend, what that is
    opened with. `instructions` is the configuration for the acts that need no agent. `languages` are chosen one after
    the other before anything is built. `one_list`: the caller hands the same list object to runs with
    equal messages. `listens`: somebody looks at the runs' events; `reads_log`: at the implementation's default log.
    """

    act: Act
    files: dict[str, File] = {}
    changes: tuple[Change, ...] = ()
    languages: tuple[str, ...] = ()
    message_type: MessageType = "message"
    instructions: Config | None = None
    messages: tuple[Message, ...] = ()
    times: int = 1
    agent: Agent = Agent()
    runs: tuple[Run, ...] = ()
    one_list: bool = False
    listens: bool = False
    reads_log: bool = False
    backend: tuple[BackendStep, ...] = ()
