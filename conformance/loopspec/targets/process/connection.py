"""An initialized child process, and the conversation with it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import cast

from ...contract.errors import Reported
from ...contract.faults import AdapterError, TargetCrashed, TargetTimedOut, TargetUnusable
from ...contract.harness import HarnessStage
from ...contract.specification import VERSION, digest
from ...contract.values import Value
from ...protocol import LONGEST_LINE, VERSIONS, rpc
from ...protocol import messages as m
from ...protocol.methods import FROM_HARNESS
from .adapter_run import AdapterRun
from .child import Child, Ended
from .coroutines import Tasks
from .peer import DeadlinePassed, Peer
from .requests import AdapterRequests

EMPTY = m.Empty()
_START = 20.0  # seconds to answer `initialize`, since some runtimes start slowly
_END = 2.0  # seconds to answer `case/end`
_CANCELLED = 0.5  # seconds to answer `case/end` after the deadline
_LEAVE = 0.5  # seconds to exit after `exit`
_LAST_WORDS = 300  # characters of the last line of standard error in a message


class Connection:
    """An initialized child with this command. Raises `TargetUnusable` if it does not start, or not as agreed.

    `used`: a case has ended in the child. `start` is the time to answer `initialize` in seconds.
    """

    def __init__(self, words: Sequence[str], start: float = _START) -> None:
        try:
            self._child = Child(words, LONGEST_LINE)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise TargetUnusable(f"the command {words[0]!r} cannot be started: {why}") from None
        self.alive = True
        self.used = False
        self._tasks = Tasks()
        self._peer = Peer(self._child, self._tasks)
        self.evidence: dict[str, str] = {}
        suite, limits = m.Suite(version=VERSION, features=digest()), m.Limits(max_line_bytes=LONGEST_LINE)
        params = m.Initialize(protocol_versions=VERSIONS, suite=suite, limits=limits)
        self.declared = cast("m.Initialized", self.ask("initialize", params, start))
        if self.declared.protocol_version not in VERSIONS:
            raise self._stopped(
                f"the adapter speaks version {self.declared.protocol_version} of the protocol, and this suite speaks "
                f"version {' or '.join(map(str, VERSIONS))}: see `loopspec protocol --page`"
            )
        self._peer.knows_idle = self.declared.idle

    def ask(self, method: str, params: Value = EMPTY, seconds: float = _END) -> Value:
        """Ask for something outside any case. Raises `TargetUnusable`, after which the child is stopped."""
        try:
            return self._ask(method, params, seconds)
        except DeadlinePassed:
            why = f"the adapter did not answer {method} within {seconds:g} s"
        except Ended:
            why = f"the adapter {self._how()} before it answered {method}"
        except AdapterError as error:
            why = f"the adapter did not start as agreed: {error}" if method == "initialize" else str(error)
        except BaseException:  # Ctrl-C
            self.stop(ask=False)
            raise
        raise self._stopped(why)

    def _stopped(self, why: str) -> TargetUnusable:
        """Stop the child, and return the error to raise."""
        self.stop()
        return TargetUnusable(f"{why}{self._last_words()}", self.evidence)

    def _how(self) -> str:
        """How the process ended, or which pipe it closed."""
        return self._child.ended(0.1) or self._child.closed

    def _last_words(self) -> str:
        """Return the last line of standard error as the end of a sentence."""
        last = self.evidence.get("standard error", "").strip().rpartition("\n")[2]
        return f"; stderr ends with {last[:_LAST_WORDS]!r}" if last else ""

    def _ask(self, method: str, params: Value, seconds: float) -> Value:
        self._peer.allow(seconds)
        return self._peer.run(self._peer.ask(FROM_HARNESS[method], params), lambda: False)

    def ping(self) -> float:
        """Return the seconds of a round trip. Raises the errors of `ask`."""
        began = time.perf_counter()
        self.ask("ping")
        return time.perf_counter() - began

    def perform(self, stage: HarnessStage, case: int, *, restarts: bool = False) -> None:
        """Perform the scene. Raises `AdapterError`, `TargetCrashed`, `TargetTimedOut`; see `alive`.

        `restarts`: let the adapter continue as a new process, and perform a session of the scene there.
        """
        if not restarts:
            self._peer.forget()
            self._child.forget_stderr()
            self.evidence = {}
        requests = AdapterRequests(self._peer, self._tasks, stage, case)
        self._peer.serve = requests.serve
        give_up = stage.attach(self._tasks.place, {})
        adapter_run = AdapterRun(self._peer, self._tasks, stage, requests, case)
        name = self.declared.implementation.name
        try:
            if restarts:
                self._ask("restart", EMPTY, seconds := _START)
            self._peer.allow(seconds := stage.deadline)
            with self._language(stage, case):
                self._peer.run(adapter_run.go(), give_up)
            self._end_case(requests, case, seconds := _END)
            self.used = True
        except DeadlinePassed:
            awaited = self._peer.awaited()
            if not self._cancelled(requests, case):
                self.stop()
            raise TargetTimedOut(
                f"{name} did not answer {awaited} within {seconds:g} s: see its messages in --report, or give it "
                "more time with --timeout"
            ) from None
        except Ended:
            how, awaited = self._how(), self._peer.awaited()
            self.stop()
            raise TargetCrashed(
                f"the process of {name} {how} before it answered {awaited}{self._last_words()}"
            ) from None
        except AdapterError:
            self.stop()
            raise
        except BaseException:  # Ctrl-C
            self.stop(ask=False)
            raise
        finally:
            self._tasks.clear()

    @property
    def heard(self) -> bool:
        """Whether the child has sent a message about the last case."""
        return self._peer.heard

    def _end_case(self, requests: AdapterRequests, case: int, seconds: float) -> None:
        requests.end()
        self._peer.let_go()
        self._ask("case/end", m.CaseMessage(case=case), seconds)

    def _cancelled(self, requests: AdapterRequests, case: int) -> bool:
        """Cancel all unanswered requests; return whether the adapter ends the case in time."""
        try:
            for id_ in self._peer.let_go():
                self._peer.send(rpc.notification("$/cancel", m.CancelCall(id=id_)))
            self._tasks.clear()
            self._end_case(requests, case, _CANCELLED)
        except (AdapterError, DeadlinePassed, Ended):
            return False
        return True

    def look(self) -> dict[str, str]:
        """Return the evidence of the last case: standard error and the messages."""
        if self.alive and not self.evidence:
            self._leave_evidence()
        return self.evidence

    def _leave_evidence(self) -> None:
        found = {"standard error": self._child.take_stderr(), "messages": self._peer.transcript()}
        self.evidence = {what: text for what, text in found.items() if text}

    def close(self) -> str:
        """Request the child's exit, and end the child if it does not exit. Return how it ended."""
        if self.alive:
            self.alive = False
            self._peer.send(rpc.notification("exit", EMPTY))
            self._child.flush()
            self._child.leave(_LEAVE)
        return self._child.ended() or "is still running"

    def stop(self, ask: bool = True) -> None:
        """End the child by SIGTERM first, or immediately."""
        if self.alive:
            self._leave_evidence()
            self.alive = False
            self._child.stop(ask=ask)

    @contextmanager
    def _language(self, stage: HarnessStage, case: int) -> Iterator[None]:
        """Choose the scene's languages for an adapter with several; afterward restore the default."""
        peer, chosen = self._peer, False
        method = FROM_HARNESS["language/set"]

        def choose(language: str | None) -> None:
            nonlocal chosen
            chosen = True
            reply = cast("m.Outcome", peer.ask_now(method, method.params(case=case, language=language)))
            if reply.error is not None:
                raise Reported(reply.error)

        if "language-zh" in self.declared.capabilities:
            stage.environment.choose_languages(choose)
        yield
        if chosen:
            peer.ask_now(method, method.params(case=case))
