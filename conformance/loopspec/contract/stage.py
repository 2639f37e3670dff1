"""The Stage as an adapter sees it: the doubles to build the implementation out of, and where results go.

Doubles are coroutines and may be held; they raise what the scene says they raise. Everything that passes them is
recorded by the harness, so an adapter only builds and forwards.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, Protocol

from .capabilities import Role
from .doubles import Doubles, Recovery
from .middlewares import Middlewares
from .observation import Section
from .plugins import StrategyMeta
from .scene import Cancel, ReadRequest, Run, Scene
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


class CancelHandle(Protocol):
    """One request to cancel, as its caller sees it."""

    @property
    def contributed(self) -> bool:
        """Whether the run had not ended when it was made."""
        ...

    async def wait(self) -> Literal["cancelled", "ended", "timed out"]:
        """Wait until the run is over; say whether it was cancelled, had ended by itself, or had to be cut short."""
        ...


class Runs(Protocol):
    """The runs of the scene."""

    def batches(self) -> AsyncIterator[tuple[Run, ...]]:
        """Yield the runs to perform now; those of one batch go on at the same time."""
        ...

    def running(self, run: Run) -> AbstractContextManager[None]:
        """Mark everything done inside as part of this run. An error that leaves it is the run's and stops there."""
        ...

    def carry(self, run: str | None, context: Mapping[str, Json]) -> None:
        """Make all that is done from here on, in this task, part of a run, with these context values.

        For doubles that are not called in the run's own task: of an implementation in another process.
        """
        ...

    def carried(self) -> Mapping[str, Json]:
        """The context values as they are now, in this task."""
        ...

    def messages(self, run: Run) -> list[Message]:
        """The messages the caller hands to a run, in the caller's own list: see `Scene.one_list`."""
        ...

    def event(
        self,
        agent: str,
        message: Message | None = None,
        custom: Json = None,
        path: Sequence[str] = (),
        exits: bool = False,
        error: BaseException | None = None,
    ) -> None:
        """Take an event of the current run's stream. `exits`: it carries the action that ends the run."""
        ...

    async def stream(
        self, agent: str, chunks: AsyncIterable[Message], path: Sequence[str] = (), exits: bool = False
    ) -> None:
        """Take an event that is a stream, and read it to its end."""
        ...

    def interrupted(self, checkpoint: bytes | None, interrupts: Iterable[tuple[str, Json]] = ()) -> None:
        """Take the checkpoint with which the current run stopped, and the ids and infos of the calls that did it."""
        ...

    def checkpoint(self, run: Run) -> bytes:
        """Return the checkpoint that a run goes on with."""
        ...

    def answers(self, run: Run) -> dict[str, Json]:
        """What is given with it, by the ids of the interrupts."""
        ...

    def ended_with(self, session: Mapping[str, Json], state: Mapping[str, Json] | None = None) -> None:
        """Take the session as the current run has left it, and what is left in the states of its middlewares."""
        ...

    def cancels(self, run: Run, cancel: Callable[[Cancel], CancelHandle]) -> None:
        """Take the function that cancels a run, before the run begins. It is called as the scene says."""
        ...

    async def waiting(self, run: Run) -> None:
        """Wait for all requests to cancel this run, as their callers. To be awaited while the run goes on."""
        ...

    def cancelled(
        self, checkpoint: bytes | None, modes: Sequence[str] = (), escalated: bool = False, timed_out: bool = False
    ) -> None:
        """Take the checkpoint of the current run, which was cancelled, and what it says of that."""
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

    def registered(self, provider: str, meta: StrategyMeta) -> None:
        """Take a strategy that the registry lists, one after the other."""
        ...

    def looked_up(self, provider: str, meta: StrategyMeta) -> None:
        """Take what the registry answered when it was asked for a provider."""
        ...

    def look_up_failed(self, provider: str, error: BaseException) -> None:
        """Take the error with which it answered."""
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
    def middlewares(self) -> Middlewares:
        """What the middlewares of the plugin layer do."""
        ...

    @property
    def recovery(self) -> Recovery:
        """What decides about failed model calls."""
        ...

    @property
    def runs(self) -> Runs:
        """The runs."""
        ...

    @property
    def outcomes(self) -> Outcomes:
        """Everything else that comes out."""
        ...

    @property
    def deadline(self) -> float:
        """How many seconds the implementation may take over it."""
        ...

    def attach(
        self, parking: Callable[[], Parking], kinds: Mapping[type[BaseException], ErrorKind]
    ) -> Callable[[], bool]:
        """Take a driver's way of waiting, and the target's own exceptions as the contract's kinds.

        Return what the driver calls when nothing can move any more: it lets all that waits fail, and tells whether
        anything did.
        """
        ...
