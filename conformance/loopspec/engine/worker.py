"""A worker process judges the cases that it receives."""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from mmap import mmap
from multiprocessing.connection import Connection
from typing import NoReturn

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..contract.axes import Posture
from ..contract.capabilities import Capability
from ..contract.faults import KitError, UsageError
from ..contract.roles import Role
from ..contract.target import Identity, Target
from ..specification.cases import Case
from ..targets.resolve import resolve
from .deadlines import Watchdog, longest
from .in_process import judged, timed_out, with_evidence
from .judge import Judging, Subject
from .output import Printed
from .result import Result, Verdict, case_line, encoded


class Ready(Struct, frozen=True, tag="ready"):
    """A worker has built its target."""

    identity: Identity
    roles: frozenset[Role]
    capabilities: frozenset[Capability]
    postures: dict[str, Posture]
    isolated: bool


class Refused(Struct, frozen=True, tag="refused"):
    """A worker has no target: the command is wrong, or the target is unusable."""

    message: str
    is_usage: bool


class Judged(Struct, frozen=True, tag="judged"):
    """The result of a case. `leaves`: this process ends; `aborted` says why no process can continue."""

    result: Result
    leaves: bool = False
    aborted: str = ""


Message = Ready | Refused | Judged


class Asked(Struct, frozen=True):
    """The cases that a worker judges next, by their places in the plan: a case of a feature and its other forms.

    `alone`: no cases are judged together. `known` are the verdicts of the plain case, and of its invariants that do not
    hold, by the names of the cases.
    """

    places: tuple[int, ...]
    alone: bool = False
    known: dict[str, Verdict] = {}


_asked = msgspec.json.Decoder(Asked)


@dataclass
class Worker:
    """Judges groups of cases of a plan, as requested over a channel, and reports the result of each case.

    A case that hangs ends the process, which cannot be trusted afterward. The end of the requesting process, and the
    flag `stopped`, end it as well. While the flag `several` is set, several cases are performed together: if these
    hang, the process ends without a report, and each is judged alone. A flag is one byte that all processes share.
    """

    name: str
    plan: Sequence[Case]
    role: Role | None
    timeout: float
    printed: Printed
    stopped: mmap
    several: mmap
    parent: int = field(default_factory=os.getpid)
    _target: Target | None = None

    def main(self, channel: Connection, others: Iterable[Connection]) -> NoReturn:
        """Run the worker. `others` are inherited ends of channels that the worker closes."""
        for other in others:
            other.close()
        # Ctrl-C is handled by the requesting process. SIG_IGN would be inherited by adapters.
        signal.signal(signal.SIGINT, lambda signum, frame: None)
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        self._channel = channel
        code = 1
        try:
            self.printed.__enter__()
            code = self._serve()
        except BaseException:
            traceback.print_exc()  # goes to the captured output, which is evidence
        finally:
            os._exit(code)

    def _serve(self) -> int:
        with Watchdog(self._give_up, self._look) as watchdog:
            try:
                self._target = target = resolve(self.name)
            except KitError as error:
                self._send(Refused(str(error), isinstance(error, UsageError)))
                return 0
            ready = Ready(target.identity, target.roles, target.capabilities, dict(target.postures), target.isolated)
            self._send(ready)
            while request := self._received():
                if not self._judge_group(_asked.decode(request), target, watchdog):
                    return 0
            target.close()
        return 0

    def _judge_group(self, asked: Asked, target: Target, watchdog: Watchdog[Case]) -> bool:
        """Judge cases, and report each; return whether the process can continue."""
        group = [self.plan[place] for place in asked.places]
        known = {Subject(name): verdict for name, verdict in asked.known.items()}
        judging = Judging(
            target,
            self.role,
            self.timeout,
            () if asked.alone else group,
            verdicts=known,
            several=partial(self.several.__setitem__, 0),
            hung=lambda: None if target.isolated else self._leave(4),
        )
        for result in judged(group, judging, watchdog, self._limit(target), self.printed):
            leaves = result.verdict == "timed-out" and not target.isolated
            self._report(result, target, leaves)
            if leaves:
                return False
        return True

    def _limit(self, target: Target) -> float:
        return longest(self.timeout, target.isolated)

    def _received(self) -> bytes:
        try:
            return self._channel.recv_bytes()
        except (EOFError, OSError):
            return b""

    def _report(self, result: Result, target: Target, leaves: bool) -> None:
        line = replace(case_line(result), broken=tuple(map(case_line, result.broken)))
        self._send(Judged(line, leaves, target.unusable))

    def _send(self, message: Message) -> None:
        with suppress(OSError):  # the parent has ended: see `_look`
            self._channel.send_bytes(encoded(message))

    # -- in the watchdog's thread --------------------------------------------------------------------------------------

    def _give_up(self, case: Case) -> None:
        if not self.several[0] and self._target is not None:
            late = timed_out(case, self._target, self._limit(self._target))
            self._report(with_evidence(late, self.printed.take()), self._target, leaves=True)
        self._leave(4)

    def _look(self) -> None:
        if self.stopped[0] or os.getppid() != self.parent:
            self._leave(130)

    def _leave(self, code: int) -> NoReturn:
        """End this process immediately, with the processes that the target has started."""
        if self._target is not None and self._target.isolated:
            with suppress(Exception):
                self._target.close()
        os._exit(code)
