"""A conversation with an adapter outside any case, step by step."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from ...contract.faults import AdapterError, TargetUnusable
from ...contract.specification import VERSION, digest
from ...protocol import messages as m
from .child import Child, Ended
from .connection import Connection, started
from .peer import DeadlinePassed
from .target import checked

T = TypeVar("T")


class Probe:
    """An initialized child; `took` is the duration of the start. Every method raises `TargetUnusable`."""

    def __init__(self, words: Sequence[str], seconds: float) -> None:
        began = time.perf_counter()
        self._child: Child = started(words)
        self._connection = Connection(self._child, m.Suite(version=VERSION, features=digest()), seconds)
        self.took = time.perf_counter() - began
        self.declared = self._connection.declared

    def check_declarations(self) -> None:
        """Check that the declared roles and capabilities exist."""
        try:
            checked(self.declared)
        except TargetUnusable as error:
            self._connection.stop()
            raise TargetUnusable(str(error), self._connection.evidence) from None

    def ping(self) -> float:
        """Return the seconds of a round trip."""
        return self._asked("ping", self._connection.ping)

    def idle(self) -> None:
        """Call the method `idle` while nothing happens."""
        self._asked("idle", self._connection.idle)

    def leave(self) -> str:
        """Request the child's exit, and return how it ended."""
        self._connection.close()
        return self._child.ended() or "is still running"

    def _asked(self, what: str, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except DeadlinePassed:
            why = f"did not answer {what}"
        except Ended:
            why = f"{self._child.ended(0.1) or 'closed its output'} before it answered {what}"
        except AdapterError as error:
            self._connection.stop()
            raise TargetUnusable(str(error), self._connection.evidence) from None
        except BaseException:  # Ctrl-C
            self._connection.stop(ask=False)
            raise
        self._connection.stop()
        raise TargetUnusable(f"the adapter {why}", self._connection.evidence)
