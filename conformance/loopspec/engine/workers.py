"""A planned run in several processes.

Each worker is forked from this process after the specification was loaded. This process never imports the target, and
starts a replacement for a lost worker quickly. `multiprocessing` is used because a case that ends its process must not
end the others: executors (`concurrent.futures`, loky) give up all of their processes then, and pebble is licensed under
the LGPL.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from mmap import mmap
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..contract.faults import TargetUnusable, UsageError
from ..contract.roles import Role
from ..contract.target import Target
from ..specification.cases import Case
from ..targets.process.child import how_ended
from ..targets.resolve import AbsentTarget
from .checking import failed_at
from .deadlines import longest
from .in_process import timed_out, with_evidence
from .judge import canary_fails
from .output import Printed
from .result import Result, Verdict, encoded
from .run import SuiteRun, Summary
from .worker import Asked, Judged, Message, Ready, Refused, Worker

_REPLACED = 20  # the limit of replaced workers, since a target may end each of them
_LATE = 5.0  # seconds after which a worker that does not end a late case is killed
_LEAVE = 5.0  # seconds to end after a request
_GLANCE = 0.2  # seconds between polls of silent workers

_messages = msgspec.json.Decoder(Message)


def count_of(text: str) -> int:
    """The number of processes that `-n` requests. Raises `UsageError` for an invalid number."""
    if text == "auto":
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if text.isdecimal() and int(text):
        return int(text)
    raise UsageError(f"-n {text} is not a number of processes: use 1 or more, or auto")


@dataclass(eq=False)
class _Worker:
    """A worker process. The first case of `todo`, by places in the plan, is judged in it until `until`.

    `judged` is its last case.
    """

    process: ForkProcess
    channel: Connection
    printed: Printed
    several: mmap
    ready: Ready | None = None
    todo: deque[int] = field(default_factory=deque)
    until: float = 0.0
    judged: str = ""


class Workers(AbstractContextManager["Workers"]):
    """Processes that judge a plan on a target. As a context manager, it leaves no process.

    Raises the errors of resolving the target in the first worker.
    """

    def __init__(self, name: str, plan: Sequence[Case], role: Role | None, timeout: float, count: int) -> None:
        self._name = name
        self._plan = plan
        self._role = role
        self._timeout = timeout
        self._workers: list[_Worker] = []
        self._waiting = deque(Asked(group) for group in _groups(plan))
        self._count = min(count, len(self._waiting))
        self._known: dict[str, dict[str, Verdict]] = {}  # by plain case: its verdict, and those of broken invariants
        self._lost: list[str] = []  # the cases in which workers were lost
        self._lost_together = 0
        self._stopped = mmap(-1, 1)

    def __exit__(self, *exception: object) -> None:
        self._stop()

    def start(self) -> Target:
        """Start all workers, and return the target as the first one describes it."""
        for _ in range(self._count):
            self._start_one()
        while not (ready := [worker.ready for worker in self._workers if worker.ready]):
            for worker, message in self._received():
                self._begins(worker, message)
        return AbsentTarget(ready[0].identity, ready[0].roles, ready[0].capabilities, ready[0].postures)

    def judge(self, run: SuiteRun, finish: Callable[[Summary], None]) -> Summary:
        """Judge the plan of a run, and call `finish` with its summary. Ctrl-C ends the run."""
        run.canary = canary_fails()
        interrupted = False
        try:
            while not run.is_complete and not run.is_over:
                self._hand_out()
                for worker, message in self._received():
                    self._take(run, worker, message)
        except KeyboardInterrupt:
            interrupted = True
        except TargetUnusable as error:
            run.aborted = run.aborted or str(error)
        self._stop(at_once=interrupted or run.is_over)
        summary = run.finish(interrupted)
        finish(summary)
        return summary

    # -- workers come and go -------------------------------------------------------------------------------------------

    def _start_one(self) -> None:
        context = get_context("fork")
        ours, theirs = context.Pipe()
        printed, several = Printed(), mmap(-1, 1)
        others = [worker.channel for worker in self._workers]
        worker = Worker(self._name, self._plan, self._role, self._timeout, printed, self._stopped, several)
        process = context.Process(target=worker.main, args=(theirs, [ours, *others]), name="loopspec-worker")
        process.start()
        theirs.close()
        self._workers.append(_Worker(process, ours, printed, several))

    def _stop(self, at_once: bool = False) -> None:
        """End all workers: idle ones by request, and with `at_once` the others as well."""
        if at_once:
            self._stopped[0] = True
        for worker in self._workers:
            with suppress(OSError):
                worker.channel.send_bytes(b"")
        until = time.monotonic() + _LEAVE
        for worker in self._workers:
            worker.process.join(max(0.0, until - time.monotonic()))
            self._forget(worker)
        self._workers.clear()

    def _forget(self, worker: _Worker) -> None:
        if worker.process.is_alive():
            worker.process.kill()
        worker.process.join()
        worker.process.close()
        worker.channel.close()
        worker.printed.close()

    # -- messages ------------------------------------------------------------------------------------------------------

    def _hand_out(self) -> None:
        for worker in self._workers:
            if worker.ready and not worker.todo and self._waiting:
                asked = self._waiting.popleft()
                if self._lost_together > _REPLACED:
                    asked = replace(asked, alone=True)
                worker.todo.extend(asked.places)
                self._expect_result(worker)
                with suppress(OSError):  # the process has ended, which is noticed when its channel is read
                    worker.channel.send_bytes(encoded(asked))

    def _limit(self, worker: _Worker) -> float:
        return longest(self._timeout, worker.ready is not None and worker.ready.isolated)

    def _expect_result(self, worker: _Worker) -> None:
        worker.until = time.monotonic() + self._limit(worker) + _LATE

    def _received(self) -> list[tuple[_Worker, Message | _Gone]]:
        """The messages of the workers, and the workers that have ended; waits if there are none."""
        readable = connection.wait([worker.channel for worker in self._workers], _GLANCE)
        found: list[tuple[_Worker, Message | _Gone]] = []
        for worker in list(self._workers):
            if worker.channel in readable:
                with suppress(EOFError, OSError):
                    found.append((worker, _messages.decode(worker.channel.recv_bytes())))
                    continue
            if worker.todo and time.monotonic() > worker.until:
                worker.process.kill()
                worker.process.join()
                found.append((worker, _Gone(hung=True)))
            elif worker.channel in readable or (worker.process.exitcode is not None and not worker.channel.poll()):
                worker.process.join(_LEAVE)
                found.append((worker, _Gone()))
        return found

    def _begins(self, worker: _Worker, message: Message | _Gone) -> None:
        """Take the message of a worker that has a target. Raises the reason why another one has none."""
        if isinstance(message, Ready):
            worker.ready = message
        elif isinstance(message, Refused):
            raise UsageError(message.message) if message.is_usage else TargetUnusable(message.message)
        elif isinstance(message, _Gone) and worker.ready is None:
            which = "several worker processes were lost, and the last one" if self._lost else "a worker process"
            raise TargetUnusable(f"{which} ended before its first case: {_how(worker.process)}")

    def _take(self, run: SuiteRun, worker: _Worker, message: Message | _Gone) -> None:
        self._begins(worker, message)
        if isinstance(message, Judged):
            self._judged(run, worker, message)
        elif isinstance(message, _Gone) and worker.todo:
            self._gone_in(run, worker, self._plan[worker.todo[0]], message.hung)
        elif isinstance(message, _Gone):  # lost between two cases: no case is at fault, but the number is limited
            self._replace(run, worker, worker.judged)

    def _judged(self, run: SuiteRun, worker: _Worker, message: Judged) -> None:
        worker.judged = message.result.case
        self._took(run, worker, message.result)
        run.aborted = run.aborted or message.aborted
        self._expect_result(worker)
        if message.leaves:
            self._judge_alone(worker)
            self._replace(run, worker, worker.judged)

    def _took(self, run: SuiteRun, worker: _Worker, result: Result) -> None:
        """Take the result of the case that is judged in a worker."""
        if worker.todo:
            case = self._plan[worker.todo.popleft()]
            if not case.source:
                self._known[case.id] = {each.case: each.verdict for each in (result, *result.broken)}
        run.take(result)

    def _gone_in(self, run: SuiteRun, worker: _Worker, case: Case, hung: bool) -> None:
        """Charge a case with the loss of a worker, or judge cases alone that were judged together."""
        if worker.several[0]:
            self._lost_together += 1
            self._judge_alone(worker)
            self._renew(worker)
            return
        name = run.target.identity.name
        if hung:
            result = timed_out(case, run.target, self._limit(worker))
        else:
            why = f"{name} ended the process that judged it: {_how(worker.process)}"
            result = failed_at(case, case.when, "crashed", why)
        self._took(run, worker, with_evidence(result, worker.printed.take()))
        self._judge_alone(worker)
        self._replace(run, worker, case.id)

    def _judge_alone(self, worker: _Worker) -> None:
        """Put back what a lost worker has not judged, case by case: the next loss is then that of one case."""
        for place in reversed(worker.todo):
            case = self._plan[place]
            self._waiting.appendleft(Asked((place,), True, self._known.get(case.base.id, {}) if case.source else {}))

    def _replace(self, run: SuiteRun, worker: _Worker, case: str) -> None:
        """Replace a worker that was lost in a case, or after it; the number is limited."""
        self._lost.append(case)
        self._renew(worker, start=len(self._lost) <= _REPLACED)
        if len(self._lost) > _REPLACED:
            run.aborted = f"{len(self._lost)} worker processes were lost, the last one in {case!r}"

    def _renew(self, worker: _Worker, start: bool = True) -> None:
        self._workers.remove(worker)
        worker.process.join(_LEAVE)
        self._forget(worker)
        if start and len(self._workers) < len(self._waiting):
            self._start_one()


def _groups(plan: Sequence[Case]) -> Iterator[tuple[int, ...]]:
    """The places of a plan, grouped: each case of a feature with its other forms, the case of the feature first."""
    groups: dict[str, list[int]] = {}
    for place, case in enumerate(plan):
        groups.setdefault(case.base.id, []).append(place)
    for group in groups.values():
        yield tuple(sorted(group, key=lambda place: bool(plan[place].source)))


class _Gone(Struct, frozen=True):
    """A worker has ended. `hung`: the worker was killed."""

    hung: bool = False


def _how(process: ForkProcess) -> str:
    """How a process ended, as a part of a sentence."""
    return f"it {how_ended(process.exitcode) or 'is still there'}"
