"""The doubles of an agent as an adapter sees them: scripted models, tools and handlers, by name.

They are coroutines and may be held; they raise what the scene says they raise.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Literal, Protocol, TypeVar

from .calls import Chosen, Edited, ModelContext, ModelRequest, Start, State, ToolAnswer, ToolRequest
from .values import Json, Message, ToolInfo, Value

T_co = TypeVar("T_co", covariant=True)

CallbackPoint = Literal["model start", "model end", "tool start", "tool end"]


class ScriptedError(Exception):
    """The failure of a double, as its scene says. `code` must survive the trip through the implementation."""

    def __init__(self, code: str) -> None:
        super().__init__(f"scripted error {code}")
        self.code = code


class ScriptedCrash(Exception):
    """A failure of a double that is none of the declared ones: what another language would call a panic."""

    def __init__(self, code: str) -> None:
        super().__init__(f"scripted crash {code}")
        self.code = code


class Interruption(Exception):
    """Raised by a scripted tool that wants to be resumed. The adapter raises its framework's own interrupt.

    `info` is for the caller to see, `state` is given back to the tool with its second call.
    """

    def __init__(self, info: Json, state: Json) -> None:
        super().__init__("scripted interrupt")
        self.info = info
        self.state = state


class Ticket(Value, frozen=True):
    """A value that is no JSON. A target that has the capability `custom-types` is told to know its type."""

    number: int


class Stranger:
    """A value of a type that no target is told of."""


class Inner(Protocol):
    """What an adapter offers a double during a call: the run it is part of, seen from inside. Everything may raise."""

    def set_local(self, key: str, value: object) -> None:
        """Keep a run-local value: JSON, a `Ticket` or a `Stranger`."""
        ...

    def get_local(self, key: str) -> tuple[object, bool]:
        """Return a run-local value, and whether it is there."""
        ...

    def delete_local(self, key: str) -> None:
        """Forget a run-local value."""
        ...

    def set_session(self, key: str, value: Json) -> None:
        """Set a session value."""
        ...

    def get_session(self, key: str) -> tuple[Json, bool]:
        """Return a session value, and whether it is there."""
        ...

    def send_event(self, payload: Json) -> None:
        """Put a custom event into the run's stream."""
        ...


class NoInside:
    """An `Inner` that refuses everything, and says why. What there is, override."""

    why = "there is nothing of the kind here"

    def set_local(self, key: str, value: object) -> None:
        """Refuse, as everything here does."""
        raise RuntimeError(self.why)

    def get_local(self, key: str) -> tuple[object, bool]:
        """Refuse."""
        raise RuntimeError(self.why)

    def delete_local(self, key: str) -> None:
        """Refuse."""
        raise RuntimeError(self.why)

    def set_session(self, key: str, value: Json) -> None:
        """Refuse."""
        raise RuntimeError(self.why)

    def get_session(self, key: str) -> tuple[Json, bool]:
        """Refuse."""
        raise RuntimeError(self.why)

    def send_event(self, payload: Json) -> None:
        """Refuse."""
        raise RuntimeError(self.why)


class Begun(Protocol[T_co]):
    """An answer that has begun to come: in a stream its first chunk is there, else all of it is."""

    async def whole(self) -> T_co:
        """Wait for the end and return all of it. May be called again. Raises what broke it."""
        ...


class InnerModel(Inner, Protocol):
    """Around a model call."""

    async def model(self, request: ModelRequest) -> Begun[Message]:
        """Call further in. Raises what the call raises before its answer has begun."""
        ...


class InnerTool(Inner, Protocol):
    """Around a tool call."""

    async def tool(self, request: ToolRequest) -> Begun[ToolAnswer]:
        """Call further in. Raises what the call raises before its answer has begun."""
        ...


class Doubles(Protocol):
    """The scripted models, tools and handlers of the scene's agents, by name.

    Where a hook may return None, it wants its framework to be given nothing at all: a mistake.
    """

    async def generate(self, model: str, request: ModelRequest) -> Message | None:
        """Answer as the model does. Raises `ScriptedError` and `ScriptedSurprise`, as everything here does."""
        ...

    def stream(self, model: str, request: ModelRequest) -> AsyncIterator[Message]:
        """Answer likewise, in chunks."""
        ...

    def info(self, tool: str) -> ToolInfo:
        """What a model is told about a tool."""
        ...

    async def invoke(self, request: ToolRequest, inner: Inner) -> ToolAnswer | None:
        """Return what the tool returns. Raises `Interruption`, too."""
        ...

    def invoke_streaming(self, request: ToolRequest, inner: Inner) -> AsyncIterator[ToolAnswer]:
        """Return it likewise, in chunks."""
        ...

    async def before_agent(self, handler: str, start: Start, inner: Inner) -> Start | None:
        """Return what a handler wants the run to start with."""
        ...

    async def before_model(
        self, handler: str, state: State, context: ModelContext | None, inner: Inner
    ) -> Edited | None:
        """Return the state a handler wants. `context` is None where the framework has nothing of the kind."""
        ...

    async def around_model(
        self, handler: str, request: ModelRequest, context: ModelContext | None, inner: InnerModel
    ) -> Begun[Message] | Message | None:
        """Let a handler answer in the model's place: with what `inner` returned, handed on, or by itself."""
        ...

    async def after_model(
        self, handler: str, state: State, context: ModelContext | None, inner: Inner
    ) -> Edited | None:
        """Like `before_model`, after the call; the last message is the answer."""
        ...

    async def around_tool(
        self, handler: str, request: ToolRequest, inner: InnerTool
    ) -> Begun[ToolAnswer] | ToolAnswer | None:
        """Let a handler answer in a tool's place: with what `inner` returned, handed on, or by itself."""
        ...

    async def after_agent(self, handler: str, state: State, inner: Inner) -> Edited | None:
        """Tell a handler that a run has succeeded. What it returns is for frameworks that would take something."""
        ...

    async def make_input(self, agent: str, instruction: str, messages: Sequence[Message]) -> list[Message]:
        """Make the first conversation of a run, as a custom input generation does."""
        ...

    def called_back(self, what: CallbackPoint, name: str, call_id: str | None = None) -> None:
        """Take a callback around a real model, or around a real tool."""
        ...

    def handled(self, hook: str, kept: bool, returned: bool, changes: bool | None = None) -> None:
        """Take down a call of a hook of the handler under test: see `Handled`."""
        ...

    def outside(self, inner: Inner) -> None:
        """Try what `inner` offers while no run goes on: see `Scene.tried`."""
        ...


class Recovery(Protocol):
    """What decides about failed model calls, by the agent whose they are. Errors are the implementation's own."""

    def retryable(self, agent: str, error: BaseException) -> bool:
        """Whether to try again after this error."""
        ...

    def accepted(
        self, agent: str, attempt: int, messages: Sequence[Message], answer: Message | None, error: BaseException | None
    ) -> bool | None:
        """Whether an attempt, counted from 1, stands; None: no opinion."""
        ...

    def delay(self, agent: str, retry: int) -> float:
        """How many seconds to wait before a retry, counted from 1."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait so long: the only clock there is. Its time passes as soon as nothing else can move."""
        ...

    def should_failover(self, agent: str, error: BaseException) -> bool:
        """Whether another model shall be asked after this error."""
        ...

    def next_model(
        self, agent: str, attempt: int | None, messages: Sequence[Message] | None, error: BaseException
    ) -> Chosen:
        """The model to ask next. Raises `ScriptedError`."""
        ...
