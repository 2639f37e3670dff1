"""The doubles of an agent as an adapter sees them: scripted models, tools and handlers, by name.

The methods are coroutines and may be held; they raise the errors of the scene.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Literal, Protocol, TypeVar

from .calls import AgentStart, ChosenModel, Edited, ModelContext, ModelRequest, State, ToolAnswer, ToolRequest
from .values import Json, Message, ToolInfo, Value

T_co = TypeVar("T_co", covariant=True)

CallbackPoint = Literal["model start", "model end", "tool start", "tool end"]


class ScriptedError(Exception):
    """The scripted failure of a double. `code` must be preserved by the implementation."""

    def __init__(self, code: str) -> None:
        super().__init__(f"scripted error {code}")
        self.code = code


class ScriptedCrash(Exception):
    """A scripted crash of a double: an undeclared exception; a panic, in other languages."""

    def __init__(self, code: str) -> None:
        super().__init__(f"scripted crash {code}")
        self.code = code


class Interruption(Exception):
    """Raised by a scripted tool that interrupts the run. The adapter raises its framework's own interrupt.

    `info` is shown to the caller; the tool receives `state` again when it is called a second time.
    """

    def __init__(self, info: Json, state: Json) -> None:
        super().__init__("scripted interrupt")
        self.info = info
        self.state = state


class RegisteredValue(Value, frozen=True):
    """A run-local value of a type that an adapter with the capability `custom-types` registers beforehand."""

    number: int


class UnregisteredValue:
    """A run-local value of a type that no adapter registers."""


class Inner(Protocol):
    """The inside of a run, as an adapter provides it to a double during a call. Every method may raise."""

    def set_local(self, key: str, value: object) -> None:
        """Set a run-local value: JSON, a `RegisteredValue` or an `UnregisteredValue`."""
        ...

    def get_local(self, key: str) -> tuple[object, bool]:
        """Return a run-local value, and whether it is set."""
        ...

    def delete_local(self, key: str) -> None:
        """Delete a run-local value."""
        ...

    def set_session(self, key: str, value: Json) -> None:
        """Set a session value."""
        ...

    def get_session(self, key: str) -> tuple[Json, bool]:
        """Return a session value, and whether it is set."""
        ...

    def send_event(self, payload: Json) -> None:
        """Emit a custom event into the run's stream."""
        ...


class NoInside:
    """An `Inner` that rejects everything with the reason `why`. Override the methods that work."""

    why = "this is not available here"

    def set_local(self, key: str, value: object) -> None:
        """Reject the value."""
        raise RuntimeError(self.why)

    def get_local(self, key: str) -> tuple[object, bool]:
        """Reject the key."""
        raise RuntimeError(self.why)

    def delete_local(self, key: str) -> None:
        """Reject the key."""
        raise RuntimeError(self.why)

    def set_session(self, key: str, value: Json) -> None:
        """Reject the value."""
        raise RuntimeError(self.why)

    def get_session(self, key: str) -> tuple[Json, bool]:
        """Reject the key."""
        raise RuntimeError(self.why)

    def send_event(self, payload: Json) -> None:
        """Reject the event."""
        raise RuntimeError(self.why)


class BegunAnswer(Protocol[T_co]):
    """An answer that has begun: the first chunk of a stream has arrived, or the answer is complete already."""

    async def complete(self) -> T_co:
        """Wait for the end of the answer and return it. May be called again. Raises the error of a broken stream."""
        ...


class InnerModel(Inner, Protocol):
    """Around a model call."""

    async def model(self, request: ModelRequest) -> BegunAnswer[Message]:
        """Call the inner endpoint. Raises what the call raises before its answer has begun."""
        ...


class InnerTool(Inner, Protocol):
    """Around a tool call."""

    async def tool(self, request: ToolRequest) -> BegunAnswer[ToolAnswer]:
        """Call the inner endpoint. Raises what the call raises before its answer has begun."""
        ...


class Doubles(Protocol):
    """The scripted models, tools and handlers of the scene's agents, by name.

    A hook that returns None does so by design of the scene: the adapter returns nothing to its framework.
    """

    async def generate(self, model: str, request: ModelRequest) -> Message | None:
        """Return the model's answer. Raises `ScriptedError` and `ScriptedCrash`, as everything here does."""
        ...

    def stream(self, model: str, request: ModelRequest) -> AsyncIterator[Message]:
        """Return the model's answer in chunks."""
        ...

    def info(self, tool: str) -> ToolInfo:
        """Return the information about a tool that models receive."""
        ...

    async def invoke(self, request: ToolRequest, inner: Inner) -> ToolAnswer | None:
        """Return the tool's answer. Also raises `Interruption`."""
        ...

    def invoke_streaming(self, request: ToolRequest, inner: Inner) -> AsyncIterator[ToolAnswer]:
        """Return the tool's answer in chunks."""
        ...

    async def before_agent(self, handler: str, start: AgentStart, inner: Inner) -> AgentStart | None:
        """Return the start of the run after a handler's hook before the agent."""
        ...

    async def before_model(
        self, handler: str, state: State, context: ModelContext | None, inner: Inner
    ) -> Edited | None:
        """Return the state after a handler's hook before the model. `context`: None where the framework has none.

        The numbers among the returned messages are those that the hook keeps: see `Edited`, and `Edited.in_groups` for
        a framework whose messages are several of the contract's.
        """
        ...

    async def around_model(
        self, handler: str, request: ModelRequest, context: ModelContext | None, inner: InnerModel
    ) -> BegunAnswer[Message] | Message | None:
        """Return a handler's answer around a model call: what `inner` returned, unchanged, or its own answer."""
        ...

    async def after_model(
        self, handler: str, state: State, context: ModelContext | None, inner: Inner
    ) -> Edited | None:
        """Return the state after a handler's hook after the model. The last message is the answer.

        The returned messages are those of `Edited`, as before the model.
        """
        ...

    async def around_tool(
        self, handler: str, request: ToolRequest, inner: InnerTool
    ) -> BegunAnswer[ToolAnswer] | ToolAnswer | None:
        """Return a handler's answer around a tool call: what `inner` returned, unchanged, or its own answer."""
        ...

    async def after_agent(self, handler: str, state: State, inner: Inner) -> Edited | None:
        """Call a handler's hook after a run that succeeded. Frameworks that accept a state there receive the result.

        The returned messages are those of `Edited`, as before the model.
        """
        ...

    async def make_input(self, agent: str, instruction: str, messages: Sequence[Message]) -> list[Message]:
        """Return the first conversation of a run, as a custom input function makes it."""
        ...

    def called_back(self, what: CallbackPoint, name: str, call_id: str | None = None) -> None:
        """Record a callback of a model or a tool."""
        ...

    def handled(self, hook: str, kept: bool, returned: bool, changes: bool | None = None) -> None:
        """Record a call of a hook of the handler under test: see `Handled`."""
        ...

    def outside(self, inner: Inner) -> None:
        """Try the actions of `inner` outside any run: see `Scene.tried`."""
        ...


class Recovery(Protocol):
    """The decisions about failed model calls, by agent. Errors are the implementation's own."""

    def retryable(self, agent: str, error: BaseException) -> bool:
        """Return whether to retry after this error."""
        ...

    def accepted(
        self, agent: str, attempt: int, messages: Sequence[Message], answer: Message | None, error: BaseException | None
    ) -> bool | None:
        """Return whether an attempt, counted from 1, is accepted; None: the default decides."""
        ...

    def delay(self, agent: str, retry: int) -> float:
        """Return how many seconds to wait before a retry, counted from 1."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait on the harness's clock, which advances when no call can continue."""
        ...

    def should_failover(self, agent: str, error: BaseException) -> bool:
        """Return whether to call another model after this error."""
        ...

    def next_model(
        self, agent: str, attempt: int | None, messages: Sequence[Message] | None, error: BaseException
    ) -> ChosenModel:
        """Return the model to call next. Raises `ScriptedError`."""
        ...
