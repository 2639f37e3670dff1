"""Gates over the harness's own record: the only clock there is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..contract.harness import Waiter
from ..contract.scene import HeldCall
from ..contract.values import Appeared, Began, Called, CancelAsked, Ended, Failed, Gate, Returned


class StuckGate(Exception):
    """Raised where a double waits for a gate that can no longer open."""


@dataclass(frozen=True, eq=False)
class _Waiting:
    """A double that waits for a gate. `is_held`: because its scene holds this one call."""

    gate: Gate
    waiter: Waiter
    is_held: bool = False


class Gates:
    """Counts what happens, releases the doubles that wait for it, and makes the changes that are due then.

    `held` are the calls that a scene holds, one by one.
    """

    def __init__(self, held: Sequence[HeldCall] = ()) -> None:
        self.stuck: list[str] = []
        self.first_parts: Mapping[str, str] = {}  # by the later parts of a run: calls count for the whole run
        self.unreached: list[str] = []
        self._held: dict[tuple[str, str | None, int], list[Gate]] = {}
        for call in held:
            self._held.setdefault((call.double, call.run, call.number), []).append(call.until)
        self._called: dict[tuple[str, str | None], int] = defaultdict(int)
        self._returned: dict[tuple[str, str | None], int] = defaultdict(int)
        self._sleeping: list[tuple[float, Waiter]] = []
        self._now = 0.0  # seconds
        self._opened: set[Gate] = set()
        self._actions: list[tuple[Gate, Callable[[], None]]] = []
        self._waiting: list[_Waiting] = []

    def called(self, double: str, run: str | None) -> int:
        """Count a call of a double; return how many calls it has had in this run."""
        return self._count(self._called, double, run)

    def returned(self, double: str, run: str | None) -> None:
        """Count a call that has returned."""
        self._count(self._returned, double, run)

    def _count(self, calls: dict[tuple[str, str | None], int], double: str, run: str | None) -> int:
        """Count in all runs together, in this run, and in the first part of the run; return the last number."""
        calls[double, None] += 1
        if run is not None:
            calls[double, run] += 1
            if run in self.first_parts:
                run = self.first_parts[run]
                calls[double, run] += 1
        return calls[double, run]

    def happened(self, gate: Began | Appeared | Failed | Ended | CancelAsked) -> None:
        """Open a gate that counts no calls."""
        self._opened.add(gate)

    def is_open(self, gate: Gate) -> bool:
        """Whether the gate is open."""
        if isinstance(gate, Called):
            return self._is_called(gate)
        if isinstance(gate, Returned):
            return self._returned[gate.double, gate.run] >= gate.times
        return gate in self._opened

    def when(self, gate: Gate, action: Callable[[], None]) -> None:
        """Do something once, at the next `settle` after the gate has opened."""
        self._actions.append((gate, action))

    async def hold(self, double: str, run: str | None, number: int, new_waiter: Callable[[], Waiter]) -> None:
        """Wait for the gates of one call, if the scene holds it: see `give_up`. Raises `StuckGate`."""
        for gate in self._held.get((double, run, number), ()) if self._held else ():
            if not self.unreached:
                await self.wait(gate, new_waiter, is_held=True)

    async def wait(self, gate: Gate, new_waiter: Callable[[], Waiter], is_held: bool = False) -> None:
        """Wait until the gate is open. Raises `StuckGate` when it can no longer open."""
        if self.is_open(gate):
            return
        waiting = _Waiting(gate, new_waiter(), is_held)
        self._waiting.append(waiting)
        try:
            await waiting.waiter
        finally:  # a double that was cancelled waits no longer
            self._waiting = [other for other in self._waiting if other is not waiting]

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
            released = [one for one in self._waiting if self.is_open(one.gate)]
            self._waiting = [one for one in self._waiting if not self.is_open(one.gate)]
            _let_go(released)

    def give_up(self) -> bool:
        """Let time pass, or else let every waiting double fail: nothing can move. Return whether any double waited.

        If a held call waits for a call that has not been made, the implementation makes its calls in turn. Then no call
        fails: from now on the scene holds none.
        """
        sleeping = [(at, waiter) for at, waiter in self._sleeping if not _is_done(waiter)]
        if sleeping:
            self._now, waiter = min(sleeping, key=lambda sleeper: sleeper[0])
            waiter.set_result(None)
            return True
        stuck = [one for one in self._waiting if not _is_done(one.waiter)]
        held = [one for one in stuck if one.is_held]
        if any(isinstance(one.gate, Called | Returned) and not self._is_called(one.gate) for one in held):
            self.unreached += [_never_came(one.gate) for one in held]
            self._waiting = [one for one in stuck if not one.is_held]
            _let_go(held)
            return True
        self._waiting = []
        for one in stuck:
            self.stuck.append(_never_came(one.gate))
            one.waiter.set_exception(StuckGate(_never_came(one.gate)))
        return bool(stuck)

    def _is_called(self, gate: Called | Returned) -> bool:
        """Whether the call that a gate is about has been made."""
        return self._called[gate.double, gate.run] >= gate.times


def _let_go(released: Sequence[_Waiting]) -> None:
    for one in released:
        if not _is_done(one.waiter):
            one.waiter.set_result(None)


def _never_came(gate: Gate) -> str:
    return f"held until {gate}, which never came"


def _is_done(waiter: Waiter) -> bool:
    """Whether the double was cancelled and has not noticed yet, where a driver's futures know."""
    done = getattr(waiter, "done", None)
    return callable(done) and bool(done())
