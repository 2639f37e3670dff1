"""Gates over the harness's own record: the only clock there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from ..contract.stage import Parking
from ..contract.values import Appeared, Began, Called, CancelAsked, Ended, Failed, Gate, Returned


class StuckGate(Exception):
    """Raised where a double waits for a gate that can no longer open."""


class Gates:
    """Counts what happens, lets go what waits for it, and makes the changes that come with it."""

    def __init__(self) -> None:
        self.stuck: list[str] = []
        self._counts: Counter[tuple[str, str | None]] = Counter()
        self._returned: Counter[tuple[str, str | None]] = Counter()
        self._asleep: list[tuple[float, Parking]] = []
        self._now = 0.0  # seconds
        self._opened: set[Gate] = set()
        self._waiting: list[tuple[Gate, Callable[[], None]]] = []
        self._parked: list[tuple[Gate, Parking]] = []

    def called(self, double: str, run: str | None) -> int:
        """Note a call of a double; return how many it has had in this run."""
        self._counts[double, None] += 1
        if run is not None:
            self._counts[double, run] += 1
        return self._counts[double, run]

    def returned(self, double: str, run: str | None) -> None:
        """Note that a call has come back."""
        self._returned[double, None] += 1
        if run is not None:
            self._returned[double, run] += 1

    def happened(self, gate: Began | Appeared | Failed | Ended | CancelAsked) -> None:
        """Note what is no call."""
        self._opened.add(gate)

    def is_open(self, gate: Gate) -> bool:
        """Whether it has come to that."""
        if isinstance(gate, Called):
            return self._counts[gate.double, gate.run] >= gate.times
        if isinstance(gate, Returned):
            return self._returned[gate.double, gate.run] >= gate.times
        return gate in self._opened

    def when(self, gate: Gate, action: Callable[[], None]) -> None:
        """Do something at the next `settle` after the gate has opened, once."""
        self._waiting.append((gate, action))

    async def wait(self, gate: Gate, parking: Callable[[], Parking]) -> None:
        """Wait until the gate is open. Raises `StuckGate` when it can no longer open."""
        if self.is_open(gate):
            return
        place = parking()
        self._parked.append((gate, place))
        try:
            await place
        finally:  # who was cancelled waits no longer
            self._parked = [(gate, other) for gate, other in self._parked if other is not place]

    async def sleep(self, seconds: float, parking: Callable[[], Parking]) -> None:
        """Wait until so much time has passed, which it does as soon as nothing else can move."""
        place = parking()
        self._asleep.append((self._now + seconds, place))
        try:
            await place
        finally:
            self._asleep = [(at, other) for at, other in self._asleep if other is not place]

    def settle(self) -> None:
        """Let go, and change, what has been waiting for what has happened. Called after each entry of the record."""
        if self._waiting:
            due = [action for gate, action in self._waiting if self.is_open(gate)]
            self._waiting = [(gate, action) for gate, action in self._waiting if not self.is_open(gate)]
            for action in due:
                action()
        if self._parked:
            open_now = [place for gate, place in self._parked if self.is_open(gate)]
            self._parked = [(gate, place) for gate, place in self._parked if not self.is_open(gate)]
            for place in open_now:
                if not _is_done(place):
                    place.set_result(None)

    def give_up(self) -> bool:
        """Nothing can move any more: let time pass, else fail what waits. Return whether anything did."""
        asleep = [(at, place) for at, place in self._asleep if not _is_done(place)]
        if asleep:
            self._now, place = min(asleep, key=lambda sleeper: sleeper[0])
            place.set_result(None)
            return True
        parked, self._parked = [(gate, place) for gate, place in self._parked if not _is_done(place)], []
        for gate, place in parked:
            sentence = f"held until {gate}, which never came"
            self.stuck.append(sentence)
            place.set_exception(StuckGate(sentence))
        return bool(parked)


def _is_done(place: Parking) -> bool:
    """Whether its waiter was cancelled and has only not noticed yet, where a driver's futures can tell."""
    done = getattr(place, "done", None)
    return callable(done) and bool(done())
