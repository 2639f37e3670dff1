"""A worker process judges the cases that it receives."""

from __future__ import annotations

import mmap
import os
import signal
import traceback
from collections.abc import Iterable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import NoReturn

import msgspec
from msgspec import Struct

from ..contract.axes import Posture
from ..contract.faults import KitError, UsageError
from ..contract.roles import Role
from ..contract.target import Identity, Target
from ..specification.cases import Case
from ..targets.resolve import resolve
from .deadlines import Watchdog, longest
from .in_process import timed_out, with_evidence
from .judge import Judging
from .printed import Printed
from .result import CaseLine, Result, case_line, encoded
from .verdict import Verdict


class Ready(Struct, frozen=True, tag="ready"):
    """A worker has built its target."""

    identity: Identity
    roles: tuple[str, ...]
    capabilities: tuple[str, ...]
    isolated: bool
    postures: dict[str, Posture] = {}


class Refused(Struct, frozen=True, tag="refused"):
    """A worker has no target: the command is wrong, or the target is unusable."""

    message: str
    is_usage: bool


class Judged(Struct, frozen=True, tag="judged"):
    """The result of a case, and of the invariants that do not hold in it.

    `leaves`: this process ends; `aborted` says why no process can continue.
    """

    line: CaseLine
    broken: tuple[CaseLine, ...] = ()
    leaves: bool = False
    aborted: str = ""


Message = Ready | Refused | Judged


class Asked(Struct, frozen=True):
    """The cases that a worker judges next, by their places in the plan: a case of a feature and its other forms.

    `alone`: no cases are judged together. `plain` is the verdict of the plain case, if it is known.
    """

    places: tuple[int, ...]
    alone: bool = False
    plain: Verdict | None = None


_asked = msgspec.json.Decoder(Asked)


class Flag:
    """A flag that is shared with all forked processes."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, 1)

    def set(self) -> None:
        """Set the flag permanently."""
        self._memory[0] = 1

    def is_set(self) -> bool:
        """Whether the flag is set."""
        return self._memory[0] != 0


class Worker:
    """Judges groups of cases of a plan, as requested over a channel, and reports the result of each case.

    A case that hangs ends the process, which cannot be trusted afterward. The end of the requesting process, and the
    flag `stopped`, end it as well. Several cases that hang together end it without a report: they are judged alone.
    """

    def __init__(
        self, name: str, plan: Sequence[Case], role: Role | None, timeout: float, printed: Printed, stopped: Flag
    ) -> None:
        self._name = name
        self._plan = plan
        self._role = role
        self._timeout = timeout
        self._printed = printed
        self._stopped = stopped
        self._target: Target | None = None
        self._under_way: Case | None = None
        self._judging: Judging | None = None
        self._verdicts: dict[str, Verdict] = {}
        self._parent = os.getpid()

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
            self._printed.__enter__()
            code = self._serve()
        except BaseException:
            traceback.print_exc()  # goes to the captured output, which is evidence
        finally:
            os._exit(code)

    def _serve(self) -> int:
        with Watchdog(self._give_up, self._look) as watchdog:
            try:
                self._target = target = resolve(self._name)
            except KitError as error:
                self._send(Refused(str(error), isinstance(error, UsageError)))
                return 0
            self._send(_described(target))
            while request := self._received():
                if not self._judge_group(_asked.decode(request), target, watchdog):
                    return 0
            target.close()
        return 0

    def _judge_group(self, asked: Asked, target: Target, watchdog: Watchdog) -> bool:
        """Judge cases, and report each; return whether the process can continue."""
        group = [self._plan[place] for place in asked.places]
        together = () if asked.alone else group
        self._judging = judging = Judging(
            target,
            self._role,
            self._timeout,
            together,
            verdicts=self._verdicts,
            hung=lambda: self._leave_several(target),
        )
        if asked.plain is not None:
            self._verdicts.update((case.base.id, asked.plain) for case in group if case.source)
        for case in group:
            self._under_way = case
            with watchdog.within(longest(self._timeout, target.isolated)):
                result = judging.earlier(case) or judging.judge(case)
            leaves = result.verdict == "timed-out" and not target.isolated
            self._report(result, leaves)
            if leaves:
                return False
        return True

    def _leave_several(self, target: Target) -> None:
        """End this process after several cases that timed out together, unless the target is in a separate process."""
        if not target.isolated:
            self._leave(4)

    def _received(self) -> bytes:
        try:
            return self._channel.recv_bytes()
        except (EOFError, OSError):
            return b""

    def _report(self, result: Result, leaves: bool) -> None:
        aborted = self._target.unusable if self._target else ""
        line = case_line(with_evidence(result, self._printed.take()))
        self._send(Judged(line, tuple(map(case_line, result.broken)), leaves, aborted))

    def _send(self, message: Message) -> None:
        with suppress(OSError):  # the parent has ended: see `_look`
            self._channel.send_bytes(encoded(message))

    # -- in the watchdog's thread --------------------------------------------------------------------------------------

    def _give_up(self) -> None:
        several = self._judging is not None and self._judging.performs_several
        if not several and self._under_way is not None and self._target is not None:
            limit = longest(self._timeout, self._target.isolated)
            self._report(timed_out(self._under_way, self._target, limit), leaves=True)
        self._leave(4)

    def _look(self) -> None:
        if self._stopped.is_set() or os.getppid() != self._parent:
            self._leave(130)

    def _leave(self, code: int) -> NoReturn:
        """End this process immediately, with the processes that the target has started."""
        if self._target is not None and self._target.isolated:
            with suppress(Exception):
                self._target.close()
        os._exit(code)


def _described(target: Target) -> Ready:
    return Ready(
        target.identity,
        tuple(sorted(target.roles)),
        tuple(sorted(target.capabilities)),
        target.isolated,
        dict(target.postures),
    )
