"""The agent of a scene: its scripted model, tools and handlers, and its configuration. Plain data."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Literal, Self, get_args

from msgspec import field
from msgspec.structs import replace

from .acting import Hook
from .actions import Action, Script, one_of_each_hook
from .calls import Command
from .capabilities import Capability
from .values import Error, Gate, Json, Message, Needs, Part, ToolCall, ToolKind, Value

FieldType = Literal["text", "number", "list", "any"]
SchemaForm = Literal["object", "optional object", "object with defaults"]
# What a handler may change on purpose. A handler declares its changes, and is judged by the rest.
HandlerChange = Literal["requests", "answers", "tool-calls", "results", "model-errors", "tool-errors"]
# The capability of a handler that does not declare a change.
KEEPS: Mapping[HandlerChange, Capability] = {change: f"keeps-{change}" for change in get_args(HandlerChange)}


class Config(Value, frozen=True):
    """The configuration of the AgentsMD middleware. `callback` off: without a callback for warnings.

    `backend` off: without a backend. `files` and `maxBytes` are omitted from the configuration if they are None.
    """

    files: tuple[str, ...] | None = ()
    max_bytes: int | None = None
    callback: bool = True
    backend: bool = True


class AgentsMD(Value, frozen=True, tag="agentsmd", tag_field="handler"):
    """The target's own AgentsMD middleware."""

    name: str = "agentsmd"
    config: Config | None = Config()


def _of_unchanged(unchanged: tuple[HandlerChange, ...]) -> Collection[Capability]:
    return [KEEPS[change] for change in unchanged]


class Own(Value, frozen=True, tag="own", tag_field="handler"):
    """The handler under test, of the role `handler`. With a `claim`, the scene judges handlers with this claim.

    `again`: call its hooks before and after the model a second time, with their own result. `unchanged` is what the
    scene looks at: a handler that declares to change one of these parts is not judged. `shared`: each run has an agent
    of its own, and all agents have the same handler object.
    """

    name: str = "the handler"
    claim: Annotated[Literal["idempotent", "no-op"] | None, Needs(lambda claim: [claim])] = None
    again: bool = False
    unchanged: Annotated[tuple[HandlerChange, ...], Needs(_of_unchanged)] = ()
    shared: bool = False


class Hooked(Value, frozen=True):
    """What has hooks: a handler or a middleware of the harness. It has exactly the hooks with an entry."""

    name: str
    scripts: tuple[Script, ...] = field(default=(), name="hooks")

    @property
    def hooks(self) -> frozenset[Hook]:
        """The hooks with a script."""
        return frozenset(script.hook for script in self.scripts)

    def seen(self) -> Self:
        """The handler as an adapter sees it: its hooks."""
        return replace(super().seen(), scripts=one_of_each_hook(self.hooks))


class Scripted(Hooked, frozen=True, tag="scripted", tag_field="handler"):
    """A handler of the harness. It has exactly the hooks with an entry: call the harness for each.

    Without hooks, it is the implementation's own no-op handler, if there is one.
    """


class Field(Value, frozen=True):
    """A field of a schema, with its `default`; in a context schema, `required` or not."""

    name: str
    type: FieldType = "any"
    default: Json = None
    required: bool = False


class Plugin(Hooked, frozen=True, tag="plugin", tag_field="handler"):
    """A middleware of the plugin layer, of the harness. It has exactly the hooks with an entry.

    `state` are the fields of its state schema, `context` those of its context schema; None: it has no such schema.
    `tools` belong to it. `form` is how the state schema is written down, where an implementation knows several ways.
    `sync`: its hooks are plain functions. `declares`: they are given as objects that declare where they may jump to.

    Scripted: the jumps of the scripts, unless `may_jump_to` says otherwise.
    """

    state: tuple[Field, ...] | None = None
    context: tuple[Field, ...] | None = None
    tools: tuple[Tool, ...] = ()
    form: Annotated[SchemaForm, Needs("schema-forms")] = "object"
    sync: bool = False
    declares: bool = False
    may_jump_to: tuple[str, ...] | None = None

    scripted = frozenset({"may_jump_to"})

    def jumps_from(self, hook: Hook) -> tuple[str, ...]:
        """The jump targets of a hook."""
        if self.may_jump_to is not None:
            return self.may_jump_to
        of_hook = [script for script in self.scripts if script.hook == hook]
        actions = [action for script in of_hook for action in script.actions]
        jumps = {target for action in actions if (target := getattr(action, "target", None))}
        return tuple(sorted(jumps.union(*(script.jumps_to for script in of_hook))))

    def seen(self) -> Self:
        """The middleware as an adapter sees it: its hooks, and where they may jump to."""
        shown = super().seen()
        scripts = (replace(one, jumps_to=tuple(sorted(self.jumps_from(one.hook)))) for one in shown.scripts)
        return replace(shown, scripts=tuple(scripts))


class Summarization(Value, frozen=True, tag="summarization", tag_field="handler"):
    """The target's own summarization middleware. Its summaries come from `model`, if one is given, and not
    from the agent's own one.

    `trigger` holds limits by their kind: `messages`, `tokens`, `fraction` of the context size of the model; with a
    fraction, `tokens` is what holds where that is not known. None: nothing is configured. `keep` is the number of
    messages that stay, `prefix` what the summary begins with; None: the default. `counts` off: no token counter
    is configured, so the summarization estimates.
    """

    name: str = "summarization"
    trigger: dict[str, int | float] | None = None
    keep: int | None = None
    prefix: str | None = None
    model: Model | None = None
    counts: bool = True
    needs = ("summarization",)


class TodoList(Value, frozen=True, tag="todo list", tag_field="handler"):
    """The target's own to-do list middleware. `prompt` and `description`, where given, replace its own texts."""

    name: str = "todo list"
    prompt: str | None = None
    description: str | None = None
    needs = ("todo-list",)


Handler = AgentsMD | Scripted | Own | Plugin | Summarization | TodoList


class Legacy(Hooked, frozen=True):
    """A legacy middleware: additions to the agent, and functions around its calls, all optional.

    Of hooks it has those before and after the model call, which change the state in place, and the one around tool
    calls. `plain_only`: it serves messages of the plain type only.
    """

    instruction: str = ""
    tools: tuple[Tool, ...] = ()
    plain_only: bool = False


class Turn(Value, frozen=True):
    """One answer of a scripted model: a text, calls, or an error; after a wait, if held.

    In a streaming run the text comes in `chunks`, where given. An `error` comes at once or, with `breaks`, after so
    many of them. `crash`: the error is none of the harness's declared ones. `nothing`: no answer at all.
    `waits` lets the stream wait before the chunk at that index. `extras` is the extra data of each chunk, in order.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    error: Error | None = None
    held: Gate | None = None
    chunks: tuple[str, ...] = ()
    breaks: int = 0
    crash: bool = False
    nothing: Annotated[bool, Needs("missing-results")] = False
    waits: dict[int, Gate] = {}
    extras: Annotated[tuple[dict[str, Json], ...], Needs("extra-data")] = ()

    @property
    def pieces(self) -> tuple[str, ...]:
        """The chunks of the answer."""
        return self.chunks or (self.text,)


class Model(Value, frozen=True):
    """A model of the harness.

    `takes_tools` off: it does not support tools; build it without the way to bind them. `reports`: as far as the
    framework can see, it calls the callbacks for its calls itself; the framework must not call them again.
    `max_input_tokens` is what its profile says it takes; None: it has no profile.

    Scripted: each run begins with its first turn; a resumed run continues with the next one.
    """

    name: str = "model"
    turns: tuple[Turn, ...] = (Turn(text="done"),)
    takes_tools: Annotated[bool, Needs("tool-support")] = True
    reports: bool = False
    max_input_tokens: int | None = None

    scripted = frozenset({"turns"})


def _of_interfaces(kinds: tuple[ToolKind, ...]) -> Collection[Capability]:
    needed = [] if kinds else ["incomplete-tools"]
    needed += ["streaming-tools"] if any("streamable" in kind for kind in kinds) else []
    needed += ["enhanced-tools"] if any("enhanced" in kind for kind in kinds) else []
    return [*needed, "mixed-tools"] if len({"enhanced" in kind for kind in kinds}) > 1 else needed


class Tool(Value, frozen=True):
    """A tool of the harness, or, with `agent`, an agent as a tool. It has exactly the interfaces in `kinds`.

    `known_as` is the name that models receive, if it is not the harness's `name` of the tool; a tool has no parameters.
    `approval`: a person decides about each call before it is made, see `Decision`.
    `nameless`: asking for this information fails, with a scripted error of the code "no information". An agent as a
    tool receives the whole conversation with `full_history`; `schema` is the schema of its input, None: the default.

    Scripted: it returns `text`, or at its n-th call in a run the n-th of `texts`; in `chunks`, where it streams and
    they are given; with `parts`, if it is enhanced. `error` comes at once or, with `breaks`, after so many chunks. With
    `interrupts` its first call in a run asks to be resumed later. `parses`: it refuses arguments that are no JSON.
    `echoes`: it returns its arguments. `stubborn`: while it is held, it does not let itself be cancelled. `waits` is
    that of a `Turn`. `actions` are what its body does. `command`: it returns one together with its text; for tools of
    middlewares of the plugin layer.
    """

    name: str
    text: str = "ok"
    error: Error | None = None
    interrupts: Annotated[bool, Needs("interrupt")] = False
    approval: Annotated[bool, Needs("approvals")] = False
    held: Gate | None = None
    agent: Annotated[Agent | None, Needs("agent-tool")] = None
    description: str = ""
    kinds: Annotated[tuple[ToolKind, ...], Needs(_of_interfaces)] = ("invokable",)
    texts: tuple[str, ...] = ()
    chunks: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    breaks: int = 0
    crash: bool = False
    nothing: Annotated[bool, Needs("missing-results")] = False
    parses: bool = False
    stubborn: bool = False
    echoes: bool = False
    nameless: Annotated[bool, Needs("incomplete-tools")] = False
    actions: tuple[Action, ...] = ()
    full_history: Annotated[bool, Needs("full-history")] = False
    schema: dict[str, Json] | None = None
    command: Annotated[Command | None, Needs("command")] = None
    known_as: str | None = None
    waits: dict[int, Gate] = {}

    scripted = frozenset(
        """
        text error held texts chunks parts breaks crash nothing parses stubborn echoes actions command waits
        """.split()
    )

    @property
    def stops(self) -> bool:
        """Whether a call of the tool can stop the run."""
        return self.interrupts or self.approval


class Retry(Value, frozen=True):
    """The retries of model calls: at most `max_retries`.

    Configure a function that asks whether to retry where `codes` is not None, one that asks whether an answer is
    accepted where there are `rejects`, and one that asks how long to wait with `delays`; leave out the others.

    Scripted: retry only after these errors, reject these texts, accept the errors of `accepts`, and wait as many
    seconds as retries. An adapter does not see which.
    """

    max_retries: int = 1
    codes: tuple[str, ...] | None = None
    rejects: tuple[str, ...] = ()
    accepts: tuple[str, ...] = ()
    delays: Annotated[bool, Needs("clock")] = False

    def seen(self) -> Self:
        """The retries as an adapter sees them: `codes` and `rejects` without their contents, and no `accepts`."""
        return replace(
            self, codes=None if self.codes is None else (), rejects=("",) if self.rejects else (), accepts=()
        )


class Failover(Value, frozen=True):
    """The models to call after one has failed, at most `limit` times; None: leave the limit out.

    Configure a function that asks whether to fail over if `asks` is set, and one that asks for the next model if
    `chooses` is; leave out the other.

    Scripted: each model in turn; `codes`: only after these errors. `error` is what choosing another one fails with.
    `messages` replace those of the call, with `messages_for` only for these models.
    """

    models: tuple[Model, ...] = ()
    codes: tuple[str, ...] | None = None
    limit: int | None = None
    messages: tuple[Message, ...] | None = None
    messages_for: tuple[str, ...] = ()
    error: Error | None = None
    asks: bool = True
    chooses: bool = True

    scripted = frozenset({"codes", "messages", "messages_for", "error"})


class MakeInput(Value, frozen=True):
    """A custom input function, which makes the first conversation of a run.

    Scripted: these messages precede the caller's, or the function fails.
    """

    messages: tuple[Message, ...] = ()
    error: Error | None = None

    scripted = frozenset({"messages", "error"})


class Agent(Value, frozen=True):
    """An agent to build. Leave out of the configuration what is None, empty or off: defaults are judged, too.

    `model` None: configure none. Handlers may add the `additional_tools` to a run, and wrappers may call the
    `additional_models`. `exit_tool`: configure the framework's tool that ends a run. `return_directly`: the tools, by
    name, whose result ends the run; an entry may be false. `output_key` is the key of the session for the final answer.
    `sequential`: tool calls are made one after another. `callbacks`: configure callbacks that report calls.
    `internal_events`: emit the events of agents inside tools, too. `tool_middlewares` and `legacy` are configured next
    to the `handlers`.

    Names of models, tools and handlers are unique within a scene, unless a rule is about it.
    """

    name: str = "agent"
    description: str = ""
    instruction: str = ""
    model: Model | None = Model()
    tools: tuple[Tool, ...] = ()
    handlers: tuple[Handler, ...] = ()
    max_iterations: int | None = None
    additional_tools: tuple[Tool, ...] = ()
    additional_models: tuple[Model, ...] = ()
    make_input: Annotated[MakeInput | None, Needs("custom-input")] = None
    exit_tool: Annotated[bool, Needs("exit-tool")] = False
    return_directly: Annotated[dict[str, bool], Needs("return-directly")] = {}
    output_key: Annotated[str | None, Needs("output-key")] = None
    sequential: Annotated[bool, Needs("sequential-tools")] = False
    retry: Annotated[Retry | None, Needs("retry")] = None
    failover: Annotated[Failover | None, Needs("failover")] = None
    legacy: Annotated[tuple[Legacy, ...], Needs("legacy")] = ()
    tool_middlewares: Annotated[tuple[Scripted, ...], Needs("tool-middlewares")] = ()
    callbacks: Annotated[bool, Needs("callbacks")] = False
    internal_events: bool = False

    @property
    def is_one_per_run(self) -> bool:
        """Whether each run has an agent of its own: see `Own`."""
        return any(isinstance(handler, Own) and handler.shared for handler in self.handlers)


def agents_in(agent: Agent) -> Iterator[Agent]:
    """An agent and all of its sub-agents."""
    yield agent
    for tool in tools_of(agent):
        if tool.agent:
            yield from agents_in(tool.agent)


def tools_of(agent: Agent) -> tuple[Tool, ...]:
    """The tools that an agent is built with, and those that its handlers may add."""
    legacy = [tool for one in agent.legacy for tool in one.tools] if agent.legacy else ()
    return (*agent.tools, *agent.additional_tools, *legacy)


def doubles_of(agent: Agent) -> tuple[Scripted | Plugin | Legacy, ...]:
    """The scripted handlers, middlewares and legacy middlewares of an agent."""
    handlers = [one for one in agent.handlers if isinstance(one, Scripted | Plugin)]
    return (*handlers, *agent.legacy, *agent.tool_middlewares)


def models_of(agent: Agent) -> tuple[Model, ...]:
    """The models of an agent: its own, its backup models, and those that its wrappers may call."""
    backups = agent.failover.models if agent.failover else ()
    return (*([agent.model] if agent.model else ()), *backups, *agent.additional_models)
