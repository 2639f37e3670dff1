"""One child that has said what it is, and the talk with it."""

from __future__ import annotations

import time
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

from ...contract.errors import Reported
from ...contract.faults import AdapterError, TargetCrashed, TargetTimedOut, TargetUnusable
from ...contract.stage import Stage
from ...protocol import LONGEST_LINE, VERSIONS
from ...protocol import messages as m
from .adapter_run import AdapterRun
from .child import Child, Ended
from .coroutines import Tasks
from .peer import DeadlinePassed, Peer
from .serving import Serving

T = TypeVar("T")

_START = 20.0  # seconds to answer `initialize`: some runtimes take their time
_END = 2.0  # seconds to let go of a case
_TAKEN_BACK = 0.5  # seconds to notice that a request is taken back
_LEAVE = 0.5  # seconds to leave after `exit`
_SAID = 300  # characters of what it said last, in a sentence


def started(words: Sequence[str]) -> Child:
    """A child of this command. Raises `TargetUnusable` where there is none."""
    try:
        return Child(words, LONGEST_LINE)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise TargetUnusable(f"the command {words[0]!r} cannot be started: {why}") from None


class Connection:
    """A child, initialized. Raises `TargetUnusable` for one that does not begin as agreed.

    `used`: a case has come to its end in it. `start` is how many seconds it may take to begin.
    """

    def __init__(self, child: Child, suite: m.Suite, start: float = _START) -> None:
        self._child = child
        self.alive = True
        self.used = False
        self._tasks = Tasks()
        self._peer = Peer(child, self._tasks)
        self.evidence: dict[str, str] = {}
        params = m.Initialize(protocol_versions=VERSIONS, suite=suite, limits=m.Limits(max_line_bytes=LONGEST_LINE))
        try:
            self.said = self._run(self._peer.ask("initialize", params, m.Initialized), start)
        except DeadlinePassed:
            self._break(f"has not answered initialize within {start:g} s")
        except Ended:
            self._break(f"{self._how()} before it answered initialize")
        except AdapterError as error:
            self._break(f"has not begun as agreed: {error}")
        except BaseException:
            self.stop(ask=False)
            raise
        if self.said.protocol_version not in VERSIONS:
            self._break(
                f"speaks version {self.said.protocol_version} of the protocol, and this suite speaks "
                + " or ".join(map(str, VERSIONS))
            )
        self._peer.knows_idle = self.said.idle

    def _break(self, why: str) -> NoReturn:
        self.stop()
        raise TargetUnusable(f"the adapter {why}{self._last_words()}", self.evidence)

    def _how(self) -> str:
        """How the process ended, or what it did instead."""
        return self._child.ended(0.1) or self._child.closed

    def _last_words(self) -> str:
        """The end of what it wrote to standard error, as the end of a sentence."""
        last = self.evidence.get("standard error", "").strip().rpartition("\n")[2]
        return f"; the last it said is {last[:_SAID]!r}" if last else ""

    def _run(self, adapter_run: Coroutine[Any, Any, T], seconds: float) -> T:  # Any: for `Tasks` alone
        self._peer.allow(seconds)
        return self._peer.run(adapter_run, lambda: False)

    def ping(self, seconds: float = _END) -> float:
        """How many seconds a round trip takes."""
        began = time.perf_counter()
        self._run(self._peer.ask("ping", m.Nothing(), m.Nothing), seconds)
        return time.perf_counter() - began

    def idle(self, seconds: float = _END) -> None:
        """Wait until it says that nothing in it moves."""
        self._run(self._peer.ask("idle", m.Nothing(), m.Nothing), seconds)

    def perform(self, stage: Stage, case: int) -> None:
        """Let the scene happen. Raises `AdapterError`, `TargetCrashed`, `TargetTimedOut`; see `alive`."""
        self._peer.forget()
        self._child.forget_stderr()
        self.evidence = {}
        serving = Serving(self._peer, self._tasks, stage, case)
        self._peer.server = serving
        give_up = stage.attach(self._tasks.place, {})
        self._peer.allow(seconds := stage.deadline)
        adapter_run = AdapterRun(self._peer, self._tasks, stage, serving, case)
        try:
            with self._language(stage, case):
                self._peer.run(adapter_run.go(), give_up)
            self._end_case(serving, case, seconds := _END)
            self.used = True
        except DeadlinePassed:
            awaited = self._peer.awaited()
            if not self._taken_back(serving, case):
                self.stop()
            raise TargetTimedOut(
                f"{self._name} did not answer {awaited} within {seconds:g} s: its messages are in --report, "
                "--timeout gives it more time"
            ) from None
        except Ended:
            how, awaited = self._how(), self._peer.awaited()
            self.stop()
            raise TargetCrashed(
                f"the process of {self._name} {how} before it answered {awaited}{self._last_words()}"
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
        """Whether it has said anything about the case performed last."""
        return self._peer.heard

    @property
    def _name(self) -> str:
        return self.said.implementation.name

    def _end_case(self, serving: Serving, case: int, seconds: float) -> None:
        serving.end()
        self._peer.let_go()
        self._run(self._peer.ask("case/end", m.OfCase(case=case), m.Nothing), seconds)

    def _taken_back(self, serving: Serving, case: int) -> bool:
        """Take back what is unanswered; return whether the adapter has noticed in time, and need not be stopped."""
        try:
            for id_ in self._peer.let_go():
                self._peer.notify("$/cancel", m.CancelCall(id=id_))
            self._tasks.clear()
            self._end_case(serving, case, _TAKEN_BACK)
        except (AdapterError, DeadlinePassed, Ended):
            return False
        return True

    # -- the end -------------------------------------------------------------------------------------------------------

    def look(self) -> dict[str, str]:
        """What there is to look at of the case performed last: what it wrote to standard error, and the messages."""
        if self.alive and not self.evidence:
            self._leave_evidence()
        return self.evidence

    def _leave_evidence(self) -> None:
        found = {"standard error": self._child.take_stderr(), "messages": self._peer.transcript()}
        self.evidence = {what: text for what, text in found.items() if text}

    def close(self) -> None:
        """Ask it to leave, and make it if it does not."""
        if (child := self.parted()) is not None:
            child.leave(_LEAVE)

    def parted(self) -> Child | None:
        """Ask it to leave; return the child, for somebody to see to that it does. None: it has left already."""
        if not self.alive:
            return None
        self.alive = False
        self._peer.notify("exit", m.Nothing())
        self._child.flush()
        return self._child

    def stop(self, ask: bool = True) -> None:
        """End it: by asking first, or at once."""
        if self.alive:
            self._leave_evidence()
            self.alive = False
            self._child.stop(ask=ask)

    @contextmanager
    def _language(self, stage: Stage, case: int) -> Iterator[None]:
        """Let the scene choose languages, of those who know several; afterwards the default is in force again."""
        peer, chosen = self._peer, False

        def choose(language: str) -> None:
            nonlocal chosen
            chosen = True
            reply = peer.ask_now("language/set", m.SetLanguage(case=case, language=language), m.Outcome)
            if reply.error is not None:
                raise Reported(reply.error)

        if "language-zh" in self.said.capabilities:
            stage.world.speaks(choose)
        yield
        if chosen:
            peer.ask_now("language/set", m.SetLanguage(case=case), m.Outcome)
