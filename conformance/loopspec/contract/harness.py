"""The stage as the harness passes it to a `Target`, with additions for the side that performs the doubles.

An adapter that is served in another process receives a `Stage`: the harness itself chooses languages there, reads the
target's backend, and runs the loop around its middleware.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any, Protocol

from .observation import Entry
from .stage import Environment, Outcomes, Runs, Stage
from .values import ErrorKind, Json

# The name of a thread of the kit's own, which opens no gate: an event loop that checks for pending work need not wait
# for such a thread.
WATCHDOG = "loopspec-watchdog"


class Waiter(Protocol):
    """The place where a double waits: a future of the driver's own kind."""

    def __await__(self) -> Generator[Any, None, None]:  # Any: what a driver yields to itself
        """Wait."""

    def set_result(self, result: None, /) -> None:
        """Let the double continue."""

    def set_exception(self, exception: Exception, /) -> None:
        """Raise an error in the waiting double."""


class HarnessEnvironment(Environment, Protocol):
    """The environment, with languages."""

    def choose_languages(self, set_language: Callable[[str], None]) -> None:
        """Call the target's `set_language` as the scene requires, now and later."""


class HarnessRuns(Runs, Protocol):
    """The runs, for doubles that are not called in the run's own task: those of an adapter in another process."""

    def enter(self, run: str | None, context: Mapping[str, Json]) -> None:
        """Make this task part of a run from here on, with these context values."""

    def context(self) -> Mapping[str, Json]:
        """Return the current context values of this task."""


class HarnessOutcomes(Outcomes, Protocol):
    """The outcomes, with those that the harness itself observes: of the target's backend, of its middleware's hook."""

    def recorded(self, value: Json) -> None:
        """Record what a role of a product has seen."""

    def enter(self, kind: type[Entry], error: BaseException | None = None, **outcome: Any) -> None:
        """Record an outcome of this kind: the fields of the kind, or the error that the implementation raised."""

    def answered(self, path: str, content: str | bytes | None, asked: str = "") -> None:
        """Record what the target's own backend returned for a path of the scene, or for what that stands for."""

    def answer_failed(self, path: str, error: BaseException, asked: str = "") -> None:
        """Record the error that the target's own backend raised."""


class HarnessStage(Stage, Protocol):
    """One scene, live, in the harness's own process."""

    @property
    def environment(self) -> HarnessEnvironment:
        """Files, warnings, the log, languages."""

    @property
    def runs(self) -> HarnessRuns:
        """The runs."""

    @property
    def outcomes(self) -> HarnessOutcomes:
        """The outcomes that belong to no run."""

    @property
    def deadline(self) -> float:
        """The seconds that the implementation may take."""

    def attach(
        self, new_waiter: Callable[[], Waiter], kinds: Mapping[type[BaseException], ErrorKind]
    ) -> Callable[[], bool]:
        """Take a driver's function for waiting, and the kinds of the target's own exceptions.

        Return the function that the driver calls when no call can continue: it makes every waiting double fail,
        and returns whether any double waited.
        """
