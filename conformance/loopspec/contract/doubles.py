"""The doubles as an adapter sees them: the scripted models, tools, handlers and factories of a scene, by name.

The methods are coroutines and may be held; they raise the errors of the scene. What a signature says is also what an
adapter in another language sends and receives: see `loopspec.protocol.methods`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from typing import Any, Literal, NoReturn, Protocol, TypeVar

from .agents import Plugin, Tool
from .calls import (
    AgentStart,
    ChosenModel,
    Edited,
    InvalidValue,
    ModelContext,
    ModelRequest,
    Resumed,
    State,
    ToolAnswer,
    ToolRequest,
    View,
)
from .plugins import Strategy
from .values import NO_PARAMETERS, Json, Message, ToolInfo, Value

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

CallbackPoint = Literal["model start", "model end", "tool start", "tool end"]
StateHook = Literal["before agent", "before model", "after model", "after agent"]


class ScriptedError(LookupError):  # as `options[name]` raises it, which is no failed lookup of an implementation
    """The scripted failure of a double. `code` must be preserved by the implementation."""

    def __init__(self, code: str) -> None:
        super().__init__(f"scripted error {code}")
        self.code = code


class ScriptedCrash(Exception):
    """A scripted crash of a double: an undeclared exception; a panic, in other languages."""

    def __init__(self, code: str) -> None:
        super().__init__(f"scripted crash {code}")
        self.code = code


def tool_info(tool: Tool) -> ToolInfo:
    """Return the information about a tool that models receive. Raises `ScriptedError` where the scene has none."""
    if tool.nameless:
        raise ScriptedError("no information")
    name = tool.known_as or tool.name
    return ToolInfo(name=name, description=tool.description, parameters=dict(NO_PARAMETERS))


class Interruption(Exception):
    """Raised by a scripted tool or hook that interrupts the run. The adapter raises its framework's own interrupt.

    `info` is shown to the caller; the tool or hook receives `state` again when it is called a second time.
    """

    def __init__(self, info: Json, state: Json) -> None:
        super().__init__("scripted interrupt")
        self.info = info
        self.state = state


_BETWEEN = " at "


def info_of(tool: str, call: str) -> str:
    """Return the information of an interrupt of a scripted tool or hook: two calls of one tool differ in it."""
    return f"{tool}{_BETWEEN}{call}"


def tool_and_call(info: Json) -> tuple[str, str]:
    """Return the tool or the handler, and the id of the call; another value than that of a double has no call."""
    tool, between, call = str(info).rpartition(_BETWEEN)
    return (tool, call) if between else (str(info), "")


def at_once(coroutine: Coroutine[Any, Any, T]) -> T:  # Any: what a coroutine yields to its driver is their own business
    """Run a coroutine of doubles that nothing holds to its end. Raises `RuntimeError` where the scene holds it.

    For adapters whose implementation does not await.
    """
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]  # StopIteration is not generic
    coroutine.close()
    raise RuntimeError("the scene holds this call, and an implementation that does not await cannot be held")


class RegisteredValue(Value, frozen=True):
    """A run-local value of a type that an adapter with the capability `custom-types` registers beforehand."""

    number: int


class UnregisteredValue:
    """A run-local value of a type that no adapter registers."""


class Inner(Protocol):
    """The inside of a run, as an adapter provides it to a double during a call. Every method may raise."""

    def set_local(self, key: str, value: object) -> None:
        """Set a run-local value: JSON, a `RegisteredValue` or an `UnregisteredValue`."""

    def get_local(self, key: str) -> tuple[object, bool]:
        """Return a run-local value, and whether it is set."""

    def delete_local(self, key: str) -> None:
        """Delete a run-local value."""

    def set_session(self, key: str, value: Json) -> None:
        """Set a session value."""

    def get_session(self, key: str) -> tuple[Json, bool]:
        """Return a session value, and whether it is set."""

    def send_event(self, payload: Json) -> None:
        """Emit a custom event into the run's stream."""

    def send_message(self, text: str) -> None:
        """Send the run under way a user message."""

    def assign(self, key: str, value: Json) -> None:
        """Change a value of the runtime context in place: a middleware of the plugin layer tries to."""


class NoInside:
    """An `Inner` that rejects everything with the reason `why`. Override the methods that work."""

    why = "this is not available here"

    def _reject(self, *_: object) -> NoReturn:
        raise RuntimeError(self.why)

    # Any: what each method of an `Inner` receives and returns
    set_local: Callable[..., Any] = _reject
    get_local: Callable[..., Any] = _reject
    delete_local: Callable[..., Any] = _reject
    set_session: Callable[..., Any] = _reject
    get_session: Callable[..., Any] = _reject
    send_event: Callable[..., Any] = _reject
    send_message: Callable[..., Any] = _reject
    assign: Callable[..., Any] = _reject


class BegunAnswer(Protocol[T_co]):
    """An answer that has begun: the first chunk of a stream has arrived, or the answer is complete already."""

    async def complete(self) -> T_co:
        """Wait for the end of the answer and return it. May be called again. Raises the error of a broken stream."""


class InnerModel(Inner, Protocol):
    """Around a model call."""

    async def model(self, request: ModelRequest) -> BegunAnswer[Message]:
        """Call the inner endpoint. Raises what the call raises before its answer has begun.

        A middleware of the plugin layer may pass on an `InvalidValue`, which is its mistake.
        """


class InnerTool(Inner, Protocol):
    """Around a tool call."""

    async def tool(self, request: ToolRequest) -> BegunAnswer[ToolAnswer]:
        """Call the inner endpoint. Raises what the call raises before its answer has begun."""


class Doubles(Protocol):
    """The scripted models, tools and handlers of the scene's agents, by name.

    A handler's name is also that of a middleware of the plugin layer; a node's middleware is what `create` returned for
    it. A hook that returns None does so by design of the scene: the adapter returns nothing to its framework. An
    `InvalidValue` is passed on in the same way, unchanged.
    """

    async def generate(self, model: str, request: ModelRequest) -> Message | None:
        """Return the model's answer. Raises `ScriptedError` and `ScriptedCrash`, as everything here does."""

    def stream(self, model: str, request: ModelRequest) -> AsyncIterator[Message]:
        """Return the model's answer in chunks."""

    def info(self, tool: str) -> ToolInfo:
        """Return the information about a tool that models receive."""

    async def invoke(self, request: ToolRequest, inner: Inner) -> ToolAnswer | None:
        """Return the tool's answer. Also raises `Interruption`."""

    def invoke_streaming(self, request: ToolRequest, inner: Inner) -> AsyncIterator[ToolAnswer]:
        """Return the tool's answer in chunks."""

    async def before_agent(self, handler: str, start: AgentStart, inner: Inner) -> AgentStart | None:
        """Return the start of the run after a handler's hook before the agent.

        A tool that was not in `start` is one of the agent's additional tools.
        """

    async def edit(
        self,
        hook: StateHook,
        handler: str,
        state: State,
        inner: Inner,
        model_context: ModelContext | None = None,
        view: View | None = None,
        resumed: Resumed | None = None,
    ) -> Edited | InvalidValue | None:
        """Return the state after a hook that receives the state: before or after the model, or after the agent.

        A middleware of the plugin layer receives the state before the agent, too. After the model, the last message is
        the answer. After the agent, frameworks that accept a state receive the result. `model_context` is what the
        framework says of the model call, `view` what a middleware of the plugin layer sees. The numbers among the
        returned messages are those that the hook keeps: see `Edited`. Also raises `Interruption`; the hook that
        interrupted is `resumed` when it is called again.
        """

    async def around_model(
        self,
        handler: str,
        request: ModelRequest,
        inner: InnerModel,
        model_context: ModelContext | None = None,
        view: View | None = None,
        resumed: Resumed | None = None,
    ) -> BegunAnswer[Message] | Message | InvalidValue | None:
        """Return a handler's answer around a model call: what `inner` returned, unchanged, or its own answer.

        Also raises `Interruption`, as `edit` does.
        """

    async def around_tool(
        self, handler: str, request: ToolRequest, inner: InnerTool, view: View | None = None
    ) -> BegunAnswer[ToolAnswer] | ToolAnswer | InvalidValue | None:
        """Return a handler's answer around a tool call: what `inner` returned, unchanged, or its own answer.

        Also raises `Interruption`; the request of the wrapper that interrupted is resumed when it is called again.
        """

    async def make_input(self, agent: str, instruction: str, messages: Sequence[Message]) -> list[Message]:
        """Return the first conversation of a run, as a custom input function makes it."""

    async def create(
        self, strategy: Strategy, node: str, agent: str, options: Mapping[str, Json]
    ) -> Plugin | InvalidValue:
        """Return the middleware that a strategy's factory makes for a node of an agent.

        Raises `ScriptedError` for options that the factory rejects.
        """

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """Return the number of tokens of a conversation: the words in its contents."""

    def called_back(self, what: CallbackPoint, name: str, call_id: str | None = None) -> None:
        """Record a callback of a model or a tool of this name."""

    def handled(self, hook: str, kept: bool, returned: bool, changes: bool | None = None) -> None:
        """Record a call of a hook of the handler under test: see `Handled`."""

    def executed(
        self, node: str, inputs: Sequence[Message], output: str | None = None, error: str | None = None
    ) -> None:
        """Record an entry of the execution trace: the inputs of a node's middleware, and its output or error."""

    def outside(self, inner: Inner) -> None:
        """Try the actions of `inner` outside any run: see `Scene.tried`."""


class Recovery(Protocol):
    """The decisions about failed model calls, by agent. Errors are the implementation's own."""

    def retryable(self, agent: str, error: BaseException) -> bool:
        """Return whether to retry after this error."""

    def accepted(
        self, agent: str, attempt: int, messages: Sequence[Message], answer: Message | None, error: BaseException | None
    ) -> bool | None:
        """Return whether an attempt, counted from 1, is accepted; None: the default decides."""

    def delay(self, agent: str, retry: int) -> float:
        """Return how many seconds to wait before a retry, counted from 1."""

    async def sleep(self, seconds: float) -> None:
        """Wait on the harness's clock, which advances when no call can continue."""

    def should_failover(self, agent: str, error: BaseException) -> bool:
        """Return whether to call another model after this error."""

    def next_model(
        self, agent: str, attempt: int | None, messages: Sequence[Message] | None, error: BaseException
    ) -> ChosenModel:
        """Return the model to call next. Raises `ScriptedError`."""
