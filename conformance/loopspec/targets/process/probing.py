"""A talk with an adapter outside any case, one step at a time."""

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
from .target import declared

T = TypeVar("T")


class Probe:
    """A child that has said what it is, which took so many seconds. Everything raises `TargetUnusable`."""

    def __init__(self, words: Sequence[str], seconds: float) -> None:
        began = time.perf_counter()
        self._child: Child = started(words)
        self._connection = Connection(self._child, m.Suite(version=VERSION, features=digest()), seconds)
        self.took = time.perf_counter() - began
        self.said = self._connection.said

    def declares(self) -> None:
        """Look whether there is what it declares."""
        try:
            declared(self.said)
        except TargetUnusable as error:
            self._connection.stop()
            raise TargetUnusable(str(error), self._connection.evidence) from None

    def ping(self) -> float:
        """How many seconds a message takes there and back."""
        return self._asked("ping", self._connection.ping)

    def idle(self) -> None:
        """Ask whether nothing moves. Nothing does."""
        self._asked("idle", self._connection.idle)

    def leave(self) -> str:
        """Ask it to leave, and return how it did."""
        self._connection.close()
        return self._child.ended() or "goes on"

    def _asked(self, what: str, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except DeadlinePassed:
            why = f"has not answered {what}"
        except Ended:
            why = f"{self._child.ended(0.1) or 'has closed its output'} before it answered {what}"
        except AdapterError as error:
            self._connection.stop()
            raise TargetUnusable(str(error), self._connection.evidence) from None
        except BaseException:  # Ctrl-C
            self._connection.stop(ask=False)
            raise
        self._connection.stop()
        raise TargetUnusable(f"the adapter {why}", self._connection.evidence)
