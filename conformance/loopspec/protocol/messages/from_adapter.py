"""The requests and notifications of an adapter, and the harness's answers."""

from __future__ import annotations

from msgspec import field

from ...contract.calls import (
    AgentStart,
    ChosenModel,
    Edited,
    ModelContext,
    ModelRequest,
    State,
    ToolAnswer,
    ToolRequest,
    View,
)
from ...contract.doubles import CallbackPoint
from ...contract.middlewares import StateHook
from ...contract.values import Error, Json, Message, Value
from ..specs import PluginSpec


class AdapterMessage(Value, frozen=True, kw_only=True):
    """A message of an adapter about a case, and about a run where there is one. `ctx` are the context values."""

    case: int
    run: str | None = None
    ctx: dict[str, Json] = {}


class Reply(Value, frozen=True, kw_only=True):
    """An answer to an adapter. Instead of anything else it may hold an `error` to raise.

    `nothing`: return your language's null, where a value is needed. `ctx` are values to add to the context.
    `cancelled`: `$/cancel` has cancelled the call; raise a cancellation.
    """

    error: Error | None = None
    nothing: bool = False
    cancelled: bool = False
    ctx: dict[str, Json] = {}


class ReadFile(AdapterMessage, frozen=True, kw_only=True):
    """Reads a file of the scene: `limit` lines from line `offset` on, counted from 1; `limit` 0 means all."""

    path: str
    offset: int = 1
    limit: int = 0


class Warn(AdapterMessage, frozen=True, kw_only=True):
    """A warning of the implementation, and the path that it is about. `message` is not judged."""

    path: str
    message: str = ""


class LogLine(AdapterMessage, frozen=True, kw_only=True):
    """A warning that the implementation has written to its default log. Lines of a lower level are not sent."""

    line: str


class CallModel(AdapterMessage, frozen=True, kw_only=True):
    """Calls a model of the harness, by its name."""

    model: str
    request: ModelRequest


class ModelReply(Reply, frozen=True, kw_only=True):
    """The model's answer: a `message` of the assistant."""

    message: Message | None = None


class Interrupt(Value, frozen=True, kw_only=True):
    """An interrupt of a tool: `info` is shown to the caller, `state` is returned to the tool on resume."""

    info: Json = None
    state: Json = None


class CallTool(AdapterMessage, frozen=True, kw_only=True):
    """Calls the tool of the harness that the request names."""

    request: ToolRequest


class ToolReply(Reply, frozen=True, kw_only=True):
    """The tool's `answer`; or an `interrupt`: raise the framework's own."""

    answer: ToolAnswer | None = None
    interrupt: Interrupt | None = None


class StreamItem(Reply, frozen=True, kw_only=True):
    """The next chunk of a stream: a `message` of a model, an `answer` of a tool, an `interrupt`, or the `end`.

    The reply with the first chunk names the `stream`; later replies need not.
    """

    stream: str = ""
    message: Message | None = None
    answer: ToolAnswer | None = None
    interrupt: Interrupt | None = None
    end: bool = False


class StreamRequest(AdapterMessage, frozen=True, kw_only=True):
    """Requests the next chunk of the stream of this name, or closes the stream."""

    stream: str


class BeforeAgent(AdapterMessage, frozen=True, kw_only=True):
    """Calls a handler's hook before the agent. `start` is what the run would start with."""

    handler: str
    start: AgentStart


class StartReply(Reply, frozen=True, kw_only=True):
    """The start that the hook returned. A tool that was not in the request is one of the agent's `additionalTools`."""

    start: AgentStart | None = None


class HandlerStateHook(AdapterMessage, frozen=True, kw_only=True):
    """Calls a handler's hook that receives the state: before the model, after the model, or after the agent.

    `modelContext`: before and after the model, the framework's information about the call.
    """

    handler: str
    state: State
    model_context: ModelContext | None = None


class EditReply(Reply, frozen=True, kw_only=True):
    """The state that the hook returned: see `Edited`. `nothing`: the hook returned no state; return none.

    `invalid`: return a value of a type that no hook may return.
    """

    edited: Edited | None = None
    invalid: bool = False


class AroundModel(AdapterMessage, frozen=True, kw_only=True):
    """Calls a handler's hook around a model call. `next` may come before the answer."""

    handler: str
    request: ModelRequest
    model_context: ModelContext | None = None


class AroundReply(Reply, frozen=True, kw_only=True):
    """The result of an around-hook. `return`: return the outcome of the `next` with this number, unchanged.

    `raise`: raise the very error that this outcome failed with, at once or while it was read to its end. Otherwise
    return the `message`, around a model call, or the `answer`, around a tool call. `invalid`: return a value of a type
    that no hook may return.
    """

    returned: int | None = field(default=None, name="return")
    raised: int | None = field(default=None, name="raise")
    message: Message | None = None
    answer: ToolAnswer | None = None
    invalid: bool = False


class AroundTool(AdapterMessage, frozen=True, kw_only=True):
    """Calls a handler's hook around a tool call. `next` may come before the answer."""

    handler: str
    request: ToolRequest


class MakeInput(AdapterMessage, frozen=True, kw_only=True):
    """Makes the first conversation of a run from the instruction and the caller's messages.

    For an agent that `makesInput`.
    """

    agent: str
    instruction: str
    messages: tuple[Message, ...] = ()


class MessagesReply(Reply, frozen=True, kw_only=True):
    """The conversation that the run begins with."""

    messages: tuple[Message, ...] = ()


class FailedCall(AdapterMessage, frozen=True, kw_only=True):
    """Asks about a failed model call: whether to retry it, or whether to call another model."""

    agent: str
    error: Error


class Attempt(AdapterMessage, frozen=True, kw_only=True):
    """Asks whether to accept an attempt, counted from 1: its answer, or the error that it failed with."""

    agent: str
    attempt: int
    messages: tuple[Message, ...] = ()
    answer: Message | None = None
    error: Error | None = None


class DecisionReply(Reply, frozen=True, kw_only=True):
    """Yes or no; absent: the implementation's default decides."""

    yes: bool | None = None


class RetryDelay(AdapterMessage, frozen=True, kw_only=True):
    """Asks how long to wait before a retry, counted from 1."""

    agent: str
    retry: int


class DelayReply(Reply, frozen=True, kw_only=True):
    """The time to wait, in seconds."""

    seconds: float = 0.0


class Sleep(AdapterMessage, frozen=True, kw_only=True):
    """Waits on the harness's clock, the only one. The answer comes when so many seconds have passed there."""

    seconds: float


class ChooseModel(AdapterMessage, frozen=True, kw_only=True):
    """Asks which model to call next.

    `attempt` is the number of the failover, counted from 1, and `messages` what the failed model was sent, as far as
    the implementation reports them.
    """

    agent: str
    error: Error
    attempt: int | None = None
    messages: tuple[Message, ...] | None = None


class ChosenReply(Reply, frozen=True, kw_only=True):
    """The model to call, and the messages to send. `chosen` absent: the implementation's default decides."""

    chosen: ChosenModel | None = None


class Callback(AdapterMessage, frozen=True, kw_only=True):
    """A callback of the framework. `what` says what has happened to the model or tool of this name."""

    what: CallbackPoint
    name: str
    call_id: str | None = None


class HandlerReport(AdapterMessage, frozen=True, kw_only=True):
    """Reports a call of a hook of the handler under test.

    `inputKept`: the hook left its input unchanged. `outputValid`: the hook returned a value of the right type.
    `changesAgain`: a second call, on what the first one returned, changed more; absent where this was not tried.
    """

    hook: str
    input_kept: bool
    output_valid: bool
    changes_again: bool | None = None


class CreatePlugin(AdapterMessage, frozen=True, kw_only=True):
    """Calls a strategy's factory. `strategy` is its `key`, `node` the key of the workflow's node, `agent` a name.

    `options` are the node's options, as the implementation passes them.
    """

    strategy: str
    node: str
    agent: str
    options: dict[str, Json] = {}


class PluginReply(Reply, frozen=True, kw_only=True):
    """The middleware that the factory makes. `invalid`: return a value of a type that no factory may return."""

    plugin: PluginSpec | None = None
    invalid: bool = False


class PluginStateHook(AdapterMessage, frozen=True, kw_only=True):
    """Calls a hook of a middleware of the plugin layer that receives the state.

    `context/assign` may come before the answer. `plugin` is the name of the middleware: its node's key.
    """

    plugin: str
    hook: StateHook
    state: State
    view: View


class PluginAroundModel(AdapterMessage, frozen=True, kw_only=True):
    """Calls a middleware's hook around a model call. `next` may come before the answer."""

    plugin: str
    request: ModelRequest
    view: View


class PluginAroundTool(AdapterMessage, frozen=True, kw_only=True):
    """Calls a middleware's hook around a tool call. `next` may come before the answer."""

    plugin: str
    request: ToolRequest
    view: View


class CountTokens(AdapterMessage, frozen=True, kw_only=True):
    """Counts the tokens of a conversation."""

    messages: tuple[Message, ...] = ()


class TokensReply(Reply, frozen=True, kw_only=True):
    """The number of tokens."""

    tokens: int = 0


class Execution(AdapterMessage, frozen=True, kw_only=True):
    """An entry of the execution trace: the inputs of a node's middleware, and its output or error."""

    node: str
    inputs: tuple[Message, ...] = ()
    output: str | None = None
    error: str | None = None


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


class RunFinal(AdapterMessage, frozen=True, kw_only=True):
    """The final answer of a run as a text, as the implementation returns it to its caller.

    Send it before the end of the run. Without it, the last message of the run's events is judged as the final answer.
    """

    text: str


class RunChunk(AdapterMessage, frozen=True, kw_only=True):
    """A chunk of the event with this number, its `end`, or the `error` that ended it. Both are final."""

    stream: int
    message: Message | None = None
    error: Error | None = None
    end: bool = False


class AdapterFault(Value, frozen=True, kw_only=True):
    """Reports a fault of the adapter itself, which is not behavior of the implementation."""

    message: str
