"""The Stage as an adapter sees it: the doubles to build the implementation out of, and where results go.

Doubles are coroutines and may be held; they raise what the scene says they raise. Everything that passes them is
recorded by the harness, so an adapter only builds and forwards.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from .capabilities import Role
from .observation import Section
from .scene import ReadRequest, Run, Scene
from .values import ErrorKind, Json, Message


class Parking(Protocol):
    """Where a double waits, in its driver's own kind of future."""

    def __await__(self) -> Generator[Any, None, None]:  # Any: what a driver yields to itself is its own business
        """Wait."""
        ...

    def set_result(self, result: None, /) -> None:
        """Let the double go on."""
        ...

    def set_exception(self, exception: Exception, /) -> None:
        """Make the waiting fail."""
        ...


class ScriptedError(Exception):
    """The failure of a double, as its scene says. `code` must survive the trip through the implementation."""

    def __init__(self, code: str) -> None:
        super().__init__(f"scripted error {code}")
        self.code = code


class Interruption(Exception):
    """Raised by a scripted tool that wants to be resumed. The adapter raises its framework's own interrupt."""

    def __init__(self, state: Json) -> None:
        super().__init__("scripted interrupt")
        self.state = state


class World(Protocol):
    """What surrounds the implementation: files, a language, and somebody who reads its warnings."""

    async def read(self, request: ReadRequest) -> str | bytes | None:
        """Read a file of the scene: text, or bytes where it is no UTF-8. Raises `OSError`s."""
        ...

    def read_now(self, request: ReadRequest) -> str | bytes | None:
        """`read` for implementations that do not await. Raises `RuntimeError` where the scene holds the read."""
        ...

    def warn(self, path: str, message: str = "") -> None:
        """Take a warning."""
        ...

    def log(self, line: str) -> None:
        """Take a line of the implementation's default log."""
        ...

    def speaks(self, set_language: Callable[[str], None]) -> None:
        """Take the function that chooses the language of all texts, and call it as the scene says, now and later."""
        ...


class Inner(Protocol):
    """What an adapter offers a scripted handler during one of its hooks: the implementation, seen from inside."""

    def set_local(self, key: str, value: Json) -> None:
        """Keep a run-local value."""
        ...

    def get_local(self, key: str) -> Json:
        """Return a run-local value, or None."""
        ...


class InnerModel(Inner, Protocol):
    """Around a model call."""

    async def model(self, messages: Sequence[Message]) -> Message:
        """Call further in."""
        ...


class InnerTool(Inner, Protocol):
    """Around a tool call."""

    async def tool(self, args: str) -> str:
        """Call further in."""
        ...


class Doubles(Protocol):
    """The scripted models, tools and handlers of the scene's agents, by name."""

    async def generate(self, model: str, messages: Sequence[Message], tools: Sequence[str]) -> Message:
        """Answer as the model does. Raises `ScriptedError`."""
        ...

    async def invoke(self, tool: str, args: str, call_id: str, resumed: bool = False) -> str:
        """Return what the tool returns. Raises `ScriptedError` and `Interruption`."""
        ...

    async def before_agent(self, handler: str, instruction: str, tools: Sequence[str], inner: Inner) -> None:
        """Tell a handler that a run begins."""
        ...

    async def before_model(
        self, handler: str, messages: Sequence[Message], tools: Sequence[str], inner: Inner
    ) -> Sequence[Message | int]:
        """Return the conversation a handler wants: messages of its own, and the indexes of those it keeps."""
        ...

    async def around_model(self, handler: str, messages: Sequence[Message], inner: InnerModel) -> Message:
        """Let a handler answer in the model's place; it may call further in."""
        ...

    async def after_model(
        self, handler: str, messages: Sequence[Message], tools: Sequence[str], inner: Inner
    ) -> Sequence[Message | int]:
        """Like `before_model`, after the call; the last message is the answer."""
        ...

    async def around_tool(self, handler: str, tool: str, args: str, inner: InnerTool) -> str:
        """Let a handler answer in a tool's place; it may call further in."""
        ...

    async def after_agent(self, handler: str, messages: Sequence[Message], inner: Inner) -> None:
        """Tell a handler that a run has succeeded."""
        ...


class Runs(Protocol):
    """The runs of the scene."""

    def batches(self) -> AsyncIterator[tuple[Run, ...]]:
        """Yield the runs to perform now; those of one batch go on at the same time."""
        ...

    def running(self, run: Run) -> AbstractContextManager[None]:
        """Mark everything done inside as part of this run. An error that leaves it is the run's and stops there."""
        ...

    def messages(self, run: Run) -> list[Message]:
        """The messages the caller hands to a run, in the caller's own list: see `Scene.one_list`."""
        ...

    def event(self, agent: str, message: Message | None = None, custom: Json = None) -> None:
        """Take an event of the current run's stream."""
        ...

    def interrupted(self, checkpoint: bytes) -> None:
        """Take the checkpoint with which the current run stopped."""
        ...

    def checkpoint(self, run: str) -> bytes:
        """Return the checkpoint with which a run stopped."""
        ...


class Outcomes(Protocol):
    """Where the outcomes go of what is no run."""

    def refused(self, error: BaseException) -> None:
        """Take the error of a construction that was refused."""
        ...

    def loaded(self, sections: Iterable[Section] = (), text: str | None = None) -> None:
        """Take the outcome of a load: sections, or the text that holds them."""
        ...

    def load_failed(self, error: BaseException) -> None:
        """Take the error that ended a load."""
        ...

    def hooked(self, messages: Sequence[Message]) -> None:
        """Take the messages that came out of the middleware's hook, called outside any run."""
        ...

    def hook_failed(self, error: BaseException) -> None:
        """Take the error that came out of it."""
        ...

    def answered(self, path: str, content: str | bytes | None) -> None:
        """Take what the target's own backend answered."""
        ...

    def answer_failed(self, path: str, error: BaseException) -> None:
        """Take the error with which the target's own backend answered."""
        ...


class Stage(Protocol):
    """One scene, live."""

    @property
    def scene(self) -> Scene:
        """What is to be performed."""
        ...

    @property
    def role(self) -> Role:
        """As what it is to be performed."""
        ...

    @property
    def world(self) -> World:
        """Files, language, warnings."""
        ...

    @property
    def doubles(self) -> Doubles:
        """Models, tools, handlers."""
        ...

    @property
    def runs(self) -> Runs:
        """The runs."""
        ...

    @property
    def outcomes(self) -> Outcomes:
        """Everything else that comes out."""
        ...

    def attach(
        self, parking: Callable[[], Parking], kinds: Mapping[type[BaseException], ErrorKind]
    ) -> Callable[[], bool]:
        """Take a driver's way of waiting, and the target's own exceptions as the contract's kinds.

        Return what the driver calls when nothing can move any more: it lets all that waits fail, and tells whether
        anything did.
        """
        ...
