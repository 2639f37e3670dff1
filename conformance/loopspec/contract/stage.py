"""The stage as an adapter receives it: the doubles to build the implementation from, and the receivers of results.

Doubles are coroutines and may be held; they raise what the scene says they raise. The harness records every call of a
double, so an adapter only builds and forwards.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Literal, Protocol

from .doubles import Doubles, Recovery
from .observation import Section
from .plugins import StrategyMeta
from .roles import Role
from .scene import Cancel, ReadRequest, Run, Scene
from .values import Json, Message


class Environment(Protocol):
    """The surroundings of the implementation: its files, its warnings and its log."""

    async def read(self, request: ReadRequest) -> str | bytes | None:
        """Read a file of the scene. Raises `OSError`s.

        Content of an odd number of bytes, and content that is not UTF-8, is returned as bytes; other content as text.
        A backend may return either, so a suite with one form alone would judge half of an implementation.
        """

    def read_now(self, request: ReadRequest) -> str | bytes | None:
        """Read without awaiting. Raises `RuntimeError` where the scene holds the read."""

    def warn(self, path: str, message: str = "") -> None:
        """Record a warning about a path."""

    def log(self, line: str) -> None:
        """Record a warning of the implementation's default log; lines of a lower level are not recorded."""


class CancelHandle(Protocol):
    """One request to cancel a run, as its caller sees it."""

    @property
    def contributed(self) -> bool:
        """Whether the run had not ended when the request was made."""

    async def wait(self) -> Literal["cancelled", "ended", "timed out"]:
        """Wait until the run is over; return whether it was cancelled, ended by itself, or did not end in time."""


class Runs(Protocol):
    """The runs of the scene."""

    def concurrent_runs(self) -> AsyncIterator[tuple[Run, ...]]:
        """Yield the runs to perform now, in groups: perform the runs of one group concurrently."""

    def running(self, run: Run) -> AbstractContextManager[None]:
        """Make everything inside part of this run. An error is recorded as the run's, and not raised further.

        An adapter reports the error of a run once: as the last event, if its framework has error events, or by raising
        the error here. An adapter that does both reports one error. An error that is only raised is no event.
        """

    def messages(self, run: Run) -> list[Message]:
        """Return the messages that the caller passes to a run, in the caller's own list: see `Scene.one_list`.

        A change of the list is recorded at the end of the run. An adapter that converts the list may make the changes
        of the converted list in this list too.
        """

    def event(
        self,
        agent: str,
        message: Message | None = None,
        custom: Json = None,
        path: Sequence[str] = (),
        exits: bool = False,
        error: BaseException | None = None,
    ) -> None:
        """Record an event of the current run. `exits`: it carries the action that ends the run.

        An `error` of the scene's agent, as the last event, is the error of the run: see `running`.
        """

    async def stream(
        self, agent: str, chunks: AsyncIterable[Message], path: Sequence[str] = (), exits: bool = False
    ) -> None:
        """Record an event that is a stream, and read it to its end."""

    def final(self, answer: Message | str) -> None:
        """Record the final answer of the current run, as the framework returns it to its caller.

        A rule about the final answer judges the recorded one; without it, the last message of the run's events. Report
        what the framework returns, not the last event: the two can differ, and the difference is a failure.
        """

    def interrupted(self, checkpoint: bytes | None, interrupts: Iterable[tuple[str, Json]] = ()) -> None:
        """Record the checkpoint that the current run stopped with, and the interrupts: (id, info) of each."""

    def saved(self, checkpoint: bytes) -> None:
        """Record what the current run has saved, of a run with `saves`: each checkpoint replaces the one before.

        Call it when the framework has written the checkpoint, and before the run continues.
        """

    def checkpoint(self, run: Run) -> bytes:
        """Return the checkpoint that a run is resumed from."""

    def answers(self, run: Run) -> dict[str, Json]:
        """Return the answers for a resumed run, by the ids of the interrupts; a `Decision` as JSON is one."""

    def ended_with(self, session: Mapping[str, Json], state: Mapping[str, Json] | None = None) -> None:
        """Record the session at the end of the current run, and the states of its middlewares."""

    def cancels(self, run: Run, cancel: Callable[[Cancel], CancelHandle]) -> None:
        """Take the function that cancels a run, before the run begins. It is called as the scene requires."""

    async def waiting(self, run: Run) -> None:
        """Wait for all cancel requests of this run, like their callers. Await it during the run."""

    def cancelled(
        self, checkpoint: bytes | None, modes: Sequence[str] = (), escalated: bool = False, timed_out: bool = False
    ) -> None:
        """Record that the current run was cancelled: its checkpoint, and the details in its error."""


class Outcomes(Protocol):
    """The outcomes that belong to no run."""

    def build_failed(self, error: BaseException) -> None:
        """Record the error that building the implementation failed with."""

    def loaded(self, sections: Iterable[Section] = (), text: str | None = None) -> None:
        """Record the outcome of a load: sections, or the text that holds them."""

    def load_failed(self, error: BaseException) -> None:
        """Record the error that ended a load."""

    def registered(self, provider: str, meta: StrategyMeta) -> None:
        """Record a strategy that the registry lists, one after the other."""

    def looked_up(self, provider: str, meta: StrategyMeta) -> None:
        """Record what the registry returned for a provider."""

    def look_up_failed(self, provider: str, error: BaseException) -> None:
        """Record the error that the registry raised for a provider."""


class Stage(Protocol):
    """One scene, live."""

    @property
    def scene(self) -> Scene:
        """The scene to perform."""

    @property
    def role(self) -> Role:
        """The role to perform it in."""

    @property
    def environment(self) -> Environment:
        """Files, warnings, the log."""

    @property
    def doubles(self) -> Doubles:
        """Models, tools, handlers."""

    @property
    def recovery(self) -> Recovery:
        """The decisions about failed model calls."""

    @property
    def runs(self) -> Runs:
        """The runs."""

    @property
    def outcomes(self) -> Outcomes:
        """The outcomes that belong to no run."""
