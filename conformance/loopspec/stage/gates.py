"""Gates over the harness's own record: the only clock there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from ..contract.harness import Waiter
from ..contract.values import Appeared, Began, Called, CancelAsked, Ended, Failed, Gate, Returned


class StuckGate(Exception):
    """Raised where a double waits for a gate that can no longer open."""


class Gates:
    """Counts what happens, releases the doubles that wait for it, and makes the changes that are due then."""

    def __init__(self) -> None:
        self.stuck: list[str] = []
        self.first_parts: Mapping[str, str] = {}  # by the later parts of a run: calls count for the whole run
        self._called: Counter[tuple[str, str | None]] = Counter()
        self._returned: Counter[tuple[str, str | None]] = Counter()
        self._sleeping: list[tuple[float, Waiter]] = []
        self._now = 0.0  # seconds
        self._opened: set[Gate] = set()
        self._actions: list[tuple[Gate, Callable[[], None]]] = []
        self._waiting: list[tuple[Gate, Waiter]] = []

    def called(self, double: str, run: str | None) -> int:
        """Count a call of a double; return how many calls it has had in this run."""
        self._called[double, None] += 1
        if run is not None:
            self._called[double, run] += 1
        if run is not None and run in self.first_parts:
            run = self.first_parts[run]
            self._called[double, run] += 1
        return self._called[double, run]

    def returned(self, double: str, run: str | None) -> None:
        """Count a call that has returned."""
        self._returned[double, None] += 1
        if run is not None:
            self._returned[double, run] += 1
        if run is not None and run in self.first_parts:
            self._returned[double, self.first_parts[run]] += 1

    def happened(self, gate: Began | Appeared | Failed | Ended | CancelAsked) -> None:
        """Open a gate that counts no calls."""
        self._opened.add(gate)

    def is_open(self, gate: Gate) -> bool:
        """Whether the gate is open."""
        if isinstance(gate, Called):
            return self._called[gate.double, gate.run] >= gate.times
        if isinstance(gate, Returned):
            return self._returned[gate.double, gate.run] >= gate.times
        return gate in self._opened

    def when(self, gate: Gate, action: Callable[[], None]) -> None:
        """Do something once, at the next `settle` after the gate has opened."""
        self._actions.append((gate, action))

    async def wait(self, gate: Gate, new_waiter: Callable[[], Waiter]) -> None:
        """Wait until the gate is open. Raises `StuckGate` when it can no longer open."""
        if self.is_open(gate):
            return
        waiter = new_waiter()
        self._waiting.append((gate, waiter))
        try:
            await waiter
        finally:  # a double that was cancelled waits no longer
            self._waiting = [(gate, other) for gate, other in self._waiting if other is not waiter]

    async def sleep(self, seconds: float, new_waiter: Callable[[], Waiter]) -> None:
        """Wait until so much time has passed. Time passes as soon as nothing else can move."""
        waiter = new_waiter()
        self._sleeping.append((self._now + seconds, waiter))
        try:
            await waiter
        finally:
            self._sleeping = [(at, other) for at, other in self._sleeping if other is not waiter]

    def settle(self) -> None:
        """Do the actions, and release the doubles, whose gate has opened. Called after each entry of the record."""
        if self._actions:
            due = [action for gate, action in self._actions if self.is_open(gate)]
            self._actions = [(gate, action) for gate, action in self._actions if not self.is_open(gate)]
            for action in due:
                action()
        if self._waiting:
            released = [waiter for gate, waiter in self._waiting if self.is_open(gate)]
            self._waiting = [(gate, waiter) for gate, waiter in self._waiting if not self.is_open(gate)]
            for waiter in released:
                if not _is_done(waiter):
                    waiter.set_result(None)

    def give_up(self) -> bool:
        """Let time pass, or else let every waiting double fail: nothing can move. Return whether any double waited."""
        sleeping = [(at, waiter) for at, waiter in self._sleeping if not _is_done(waiter)]
        if sleeping:
            self._now, waiter = min(sleeping, key=lambda sleeper: sleeper[0])
            waiter.set_result(None)
            return True
        stuck, self._waiting = [(gate, waiter) for gate, waiter in self._waiting if not _is_done(waiter)], []
        for gate, waiter in stuck:
            sentence = f"held until {gate}, which never came"
            self.stuck.append(sentence)
            waiter.set_exception(StuckGate(sentence))
        return bool(stuck)


def _is_done(waiter: Waiter) -> bool:
    """Whether the double was cancelled and has not noticed yet, where a driver's futures know."""
    done = getattr(waiter, "done", None)
    return callable(done) and bool(done())
