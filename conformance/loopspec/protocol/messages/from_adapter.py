"""What an adapter asks and tells, and what it is answered."""

from __future__ import annotations

from msgspec import field

from ...contract.calls import Chosen, Edited, ModelContext, ModelRequest, Start, State, ToolAnswer, ToolRequest, View
from ...contract.doubles import CallbackPoint
from ...contract.middlewares import StateHook
from ...contract.values import Error, Json, Message, Value
from ..specs import PluginSpec


class FromAdapter(Value, frozen=True, kw_only=True):
    """What every message of an adapter says: the case, the run, and the bag of context values that is carried in it."""

    case: int
    run: str | None = None
    ctx: dict[str, Json] = {}


class Reply(Value, frozen=True, kw_only=True):
    """What every answer to an adapter may be instead: an `error` to raise, or `nothing` where something is needed.

    `nothing`: hand on what is no value in the adapter's language. `ctx` are values to add to the bag. `cancelled`: the
    call was taken back by `$/cancel`; raise a cancellation.
    """

    error: Error | None = None
    nothing: bool = False
    cancelled: bool = False
    ctx: dict[str, Json] = {}


class ReadFile(FromAdapter, frozen=True, kw_only=True):
    """Reads a file of the scene: so many lines from `offset` on, counted from 1; `limit` 0 means all."""

    path: str
    offset: int = 1
    limit: int = 0


class Warn(FromAdapter, frozen=True, kw_only=True):
    """A warning that the implementation has reported, and the path it is about. `message` is not judged."""

    path: str
    message: str = ""


class LogLine(FromAdapter, frozen=True, kw_only=True):
    """A line that the implementation has written to its log by default."""

    line: str


class AskModel(FromAdapter, frozen=True, kw_only=True):
    """Asks a model of the harness, by its name."""

    model: str
    request: ModelRequest


class ModelReply(Reply, frozen=True, kw_only=True):
    """What the model answers: a `message` of the assistant."""

    message: Message | None = None


class Interrupt(Value, frozen=True, kw_only=True):
    """A tool wants to be resumed: `info` is for the caller to see, `state` is given back to the tool."""

    info: Json = None
    state: Json = None


class CallTool(FromAdapter, frozen=True, kw_only=True):
    """Calls a tool of the harness; which one, the request says."""

    request: ToolRequest


class ToolReply(Reply, frozen=True, kw_only=True):
    """What the tool returns: an `answer`; or an `interrupt`: raise the framework's own."""

    answer: ToolAnswer | None = None
    interrupt: Interrupt | None = None


class StreamItem(Reply, frozen=True, kw_only=True):
    """The next piece of a stream: a `message` of a model's, an `answer` of a tool's, the `end`, or what broke it.

    The first piece comes with the answer that names the `stream`; later ones need not name it.
    """

    stream: str = ""
    message: Message | None = None
    answer: ToolAnswer | None = None
    interrupt: Interrupt | None = None
    end: bool = False


class OfStream(FromAdapter, frozen=True, kw_only=True):
    """Asks for the next piece of the stream of this name, or lets it go."""

    stream: str


class BeforeAgent(FromAdapter, frozen=True, kw_only=True):
    """A handler's hook before the agent: what the run would start with."""

    handler: str
    start: Start


class StartReply(Reply, frozen=True, kw_only=True):
    """What the handler wants the run to start with. A tool it did not get is one of the agent's spare ones."""

    start: Start | None = None


class OnState(FromAdapter, frozen=True, kw_only=True):
    """A handler's hook that gets the state: before or after the model, after the agent.

    `modelContext`: before and after the model, what the framework tells about the call.
    """

    handler: str
    state: State
    model_context: ModelContext | None = None


class EditReply(Reply, frozen=True, kw_only=True):
    """The state that is wanted: see `Edited`. `nothing`: no state is returned; hand that on.

    `junk`: return something of a type that no hook may return.
    """

    edited: Edited | None = None
    invalid: bool = False


class AroundModel(FromAdapter, frozen=True, kw_only=True):
    """A handler's hook around a model call. `next` may come while it is unanswered."""

    handler: str
    request: ModelRequest
    model_context: ModelContext | None = None


class AroundReply(Reply, frozen=True, kw_only=True):
    """What comes out of an around-hook. With `return`, the outcome of the call further in of this number, untouched.

    With `raise`, the error that this outcome failed with, or that reading it to its end came to: the same one. Else a
    `message`, around a model call, or an `answer`, around a tool call. `junk`: return something of a type that no
    hook may return.
    """

    returned: int | None = field(default=None, name="return")
    raised: int | None = field(default=None, name="raise")
    message: Message | None = None
    answer: ToolAnswer | None = None
    invalid: bool = False


class AroundTool(FromAdapter, frozen=True, kw_only=True):
    """A handler's hook around a tool call. `next` may come while it is unanswered."""

    handler: str
    request: ToolRequest


class MakeInput(FromAdapter, frozen=True, kw_only=True):
    """Makes the first conversation of a run, out of the instruction and the caller's messages.

    For an agent that `makesInput`.
    """

    agent: str
    instruction: str
    messages: tuple[Message, ...] = ()


class MessagesReply(Reply, frozen=True, kw_only=True):
    """The conversation that the run begins with."""

    messages: tuple[Message, ...] = ()


class AboutError(FromAdapter, frozen=True, kw_only=True):
    """Asks what is to become of a failed model call: whether to make it again, or to ask another model."""

    agent: str
    error: Error


class Attempt(FromAdapter, frozen=True, kw_only=True):
    """Asks whether an attempt stands, counted from 1: its answer, or the error it failed with."""

    agent: str
    attempt: int
    messages: tuple[Message, ...] = ()
    answer: Message | None = None
    error: Error | None = None


class Decided(Reply, frozen=True, kw_only=True):
    """Yes or no; absent: no opinion."""

    yes: bool | None = None


class RetryNumber(FromAdapter, frozen=True, kw_only=True):
    """Asks how long to wait before a retry, counted from 1."""

    agent: str
    retry: int


class Seconds(Reply, frozen=True, kw_only=True):
    """A time to wait, in seconds."""

    seconds: float = 0.0


class Sleep(FromAdapter, frozen=True, kw_only=True):
    """Waits: the only clock there is. It is answered when so many seconds have passed, which takes no time."""

    seconds: float


class ChooseModel(FromAdapter, frozen=True, kw_only=True):
    """Asks which model is asked next.

    `attempt` is the number of the failover, counted from 1, and `messages` what the failed model was sent: what the
    implementation tells of them.
    """

    agent: str
    error: Error
    attempt: int | None = None
    messages: tuple[Message, ...] | None = None


class ChosenReply(Reply, frozen=True, kw_only=True):
    """The model, and what it is sent. `chosen` absent: there is no opinion."""

    chosen: Chosen | None = None


class CalledBack(FromAdapter, frozen=True, kw_only=True):
    """A callback around a real model or a real tool: `what` has happened to the one of this name."""

    what: CallbackPoint
    name: str
    call_id: str | None = None


class HookHandled(FromAdapter, frozen=True, kw_only=True):
    """A call of a hook of the handler under test.

    `kept`: what it was given is afterwards as it was. `returned`: it returned what the hook is to return. `changes`
    says whether it changes more when it is called again on what it returned; absent where that was not tried.
    """

    hook: str
    kept: bool
    returned: bool
    changes: bool | None = None


class CreatePlugin(FromAdapter, frozen=True, kw_only=True):
    """A strategy's factory is called. `strategy` is its `key`, `node` the key of the workflow's node, `agent` a name.

    `options` are those of the node, as the implementation hands them over.
    """

    strategy: str
    node: str
    agent: str
    options: dict[str, Json] = {}


class PluginReply(Reply, frozen=True, kw_only=True):
    """What the factory makes. `junk`: return something of a type that no factory may return."""

    plugin: PluginSpec | None = None
    invalid: bool = False


class ChangeState(FromAdapter, frozen=True, kw_only=True):
    """A hook of a middleware of the plugin layer that gets the state. `context/assign` may come meanwhile.

    `plugin` is the name of the middleware: its node's key.
    """

    plugin: str
    hook: StateHook
    state: State
    view: View


class PluginAroundModel(FromAdapter, frozen=True, kw_only=True):
    """A middleware's wrapper around a model call. `next` may come while it is unanswered."""

    plugin: str
    request: ModelRequest
    view: View


class PluginAroundTool(FromAdapter, frozen=True, kw_only=True):
    """A middleware's wrapper around a tool call. `next` may come while it is unanswered."""

    plugin: str
    request: ToolRequest
    view: View


class CountTokens(FromAdapter, frozen=True, kw_only=True):
    """Counts the tokens of a conversation."""

    messages: tuple[Message, ...] = ()


class Counted(Reply, frozen=True, kw_only=True):
    """So many tokens."""

    tokens: int = 0


class Execution(FromAdapter, frozen=True, kw_only=True):
    """An entry of the execution trace: what the middleware of a node has done, and with what outcome or error."""

    node: str
    inputs: tuple[Message, ...] = ()
    output: str | None = None
    error: str | None = None


class RunEvent(FromAdapter, frozen=True, kw_only=True):
    """An event of a run's stream: a `message`, a `custom` payload or an `error`, of the agent of this name.

    `path` is the way to that agent, names from the outermost one to itself, where the implementation tells it. `exits`:
    the event says that the run ends by a tool. With `stream`, a number that the run has not used, the event is itself
    a stream: `run/chunk` has its chunks.
    """

    agent: str
    path: tuple[str, ...] = ()
    message: Message | None = None
    custom: Json = None
    error: Error | None = None
    exits: bool = False
    stream: int | None = None


class RunChunk(FromAdapter, frozen=True, kw_only=True):
    """A chunk of the event of this number, its `end`, or the `error` it ended with. After either nothing more comes."""

    stream: int
    message: Message | None = None
    error: Error | None = None
    end: bool = False


class AdapterFault(Value, frozen=True, kw_only=True):
    """Something in the adapter itself is broken, which must not be taken for the implementation's own behaviour."""

    message: str
