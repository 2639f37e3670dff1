"""Whether an adapter works: it is tried step by step, and on a few of the suite's simplest cases."""

from __future__ import annotations

import shlex
import shutil
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ..contract.capabilities import CAPABILITIES, ROLES, Role
from ..contract.faults import KitError, TargetUnusable
from ..contract.target import Identity, Target
from ..specification.features import compiled
from ..targets.process.probing import Probe
from ..targets.process.target import words_of
from ..targets.resolve import resolve
from .judge import judge, role_for
from .result import Result

Mark = Literal["fine", "wrong", "open"]

# The simplest cases of each role, of rules that decide where there are such. They need no capability.
SMOKE: dict[Role, tuple[str, ...]] = {
    "backend": (
        'AMD-BACKEND-12 :: A file that holds "no line end"',
        "AMD-BACKEND-05 :: A name nobody stored",
    ),
    "loader": (
        'AMD-IMPORT-23 :: A file called "/project/RULES"',
        "AMD-ERROR-01 :: The first of two is missing",
        'AMD-IMPORT-01 :: "see @b.md now" asks for /project/b.md',
        "AMD-ORDER-12 :: A chain of three",
    ),
    "middleware": (
        'AMD-IMPORT-23 :: A file called "/project/RULES"',
        "AMD-INJECT-03 :: No message at all",
        "AMD-CFG-03 :: An empty list of files",
    ),
    "agent": (
        "LOOP-09 :: An agent that has nothing but a model, in a synchronous run",
        "LOOP-03 :: One call, in a synchronous run",
        "HOOK-BM-07 :: One model call",
        "HOOK-WT-02 :: It is called in a synchronous run",
    ),
    "handler": (
        "HANDLER-02 :: Every hook is called in a synchronous run",
        "HANDLER-03 :: Two runs with the same conversation",
    ),
    "plugins": (
        "XP-WRAP-01 :: One model call",
        "XP-HOOK-03 :: Nothing but a final answer",
        "XP-TOOLS-01 :: A model that calls none",
    ),
}

_PINGS = 50  # round trips that are timed
_AGAIN = "starts once more"
_HOW_TO_BEGIN = "`loopspec protocol --page` has a conversation from its first line"
_CURED = ("print to standard error", "`loopspec capabilities`")  # what says by itself how to mend it
_BROKEN = ("errored", "crashed", "timed-out")


@dataclass(frozen=True)
class Finding:
    """What one step has found. `open`: nothing to find fault with, and nothing to praise."""

    what: str
    said: str
    mark: Mark = "fine"


@dataclass
class Examination:
    """What was found of a target. `fault` is the adapter's, as a sentence; `evidence` what was left behind by it.

    `failed` are the smoke cases, of those `tried`, that the implementation fails. `hung`: a thread of this process is
    still in one.
    """

    name: str
    report: Callable[[Finding], None]
    seconds: float
    fault: str = ""
    cure: str = ""
    evidence: Mapping[str, str] = field(default_factory=dict)
    tried: int = 0
    failed: list[Result] = field(default_factory=list)
    hung: bool = False

    @property
    def exit_code(self) -> int:
        """4: the adapter is at fault; 1: the implementation fails; 0: neither."""
        return 4 if self.fault else 1 if self.failed else 0

    def go(self) -> None:
        """Examine it, up to the first thing that the adapter is at fault with. Raises `UsageError`."""
        kind, _, rest = self.name.partition(":")
        first = self._start(rest) if kind == "cmd" else None
        if self.fault:
            return
        target = self._built(_AGAIN if first else "is built", lambda: resolve(self.name))
        if target is None:
            return
        try:
            self._look_at(target, first)
        finally:
            if not self.hung:
                target.close()

    def _built(self, what: str, build: Callable[[], Target]) -> Target | None:
        try:
            return build()
        except TargetUnusable as error:
            self._blame(what, error, "", error.evidence)
            return None

    def _found(self, what: str, said: str, mark: Mark = "fine") -> None:
        self.report(Finding(what, said, mark))

    def _blame(self, what: str, error: KitError | str, cure: str, evidence: Mapping[str, str] | None = None) -> None:
        """Keep what the adapter is at fault with."""
        self.fault, self.evidence = str(error), evidence or {}
        self.cure = "" if any(words in self.fault for words in _CURED) else cure
        self._found(what, "no", "wrong")

    # -- a process -----------------------------------------------------------------------------------------------------

    def _start(self, command: str) -> Identity | None:
        """Start it, and talk to it before there is any case."""
        words = words_of(command)
        path = shutil.which(words[0])
        if path is None:
            why = f"there is no command {words[0]!r} that can be executed, seen from {Path.cwd()}"
            self._blame("command", why, "name it by its path, and make it executable")
            return None
        self._found("command", path)
        what = "answers initialize"
        try:
            probe = Probe(words, self.seconds)
            self._found(what, f"in {_short(probe.took)}, version {probe.said.protocol_version} of the protocol")
            what = "declares"
            probe.declares()
            what = "ping"
            median = statistics.median(probe.ping() for _ in range(_PINGS))
            self._found(what, f"{_short(median)} there and back")
            what = "idle"
            self._idle(probe)
        except TargetUnusable as error:
            self._blame(what, error, _HOW_TO_BEGIN, error.evidence)
            return None
        how = probe.leave()
        if how == "ended with exit code 0":
            self._found("exit", "it leaves when it is asked to")
        else:
            self._found("exit", f"asked to leave, it {how}", "open")
        said = probe.said.implementation
        return Identity(name=said.name, version=said.version, language=said.language)

    def _idle(self, probe: Probe) -> None:
        if probe.said.idle:
            probe.idle()
            self._found("idle", "it tells when nothing moves")
        else:
            self._found("idle", "not declared: a stuck call costs half a second", "open")

    # -- any target ----------------------------------------------------------------------------------------------------

    def _look_at(self, target: Target, first: Identity | None) -> None:
        said = target.identity
        self._found("identity", _named(said))
        self._found("roles", ", ".join(role for role in ROLES if role in target.roles))
        self._found("capabilities", f"{len(target.capabilities)} of {len(CAPABILITIES)}")
        again = first
        if again is None:
            other = self._built(_AGAIN, target.rebuilt)
            if other is None:
                return
            again = other.identity
            other.close()
        if again != said:
            why = f"it says that it is {_named(said)}, and that it is {_named(again)}"
            self._blame(_AGAIN, why, "give one implementation one name and one version")
            return
        self._found(_AGAIN, "and is the same")
        for role in ROLES:
            if role in target.roles and not self.fault:
                self._smoke(target, role)
        if not self.fault:
            if first is not None:
                self._found("conversation", f"{self.tried} cases ended as asked; nothing is printed beside messages")
            able = sum(role_for(case, target)[0] is not None for case in compiled())
            self._found("applicable", f"{able} of the {len(compiled())} cases of the suite")

    def _smoke(self, target: Target, role: Role) -> None:
        """Try the cases of a role; the first that does not come to its end is the last."""
        cases = [case for case in compiled() if case.id in SMOKE[role]]
        failed = []
        for case in cases:
            result = judge(case, target, role, self.seconds)
            if result.verdict in _BROKEN:
                cure = f"`loopspec run {shlex.quote(self.name)} --case {shlex.quote(case.id)}` does it again"
                self._blame(f"role {role}", result.message, cure, result.evidence)
                self.hung = result.verdict == "timed-out" and not target.isolated
                return
            self.tried += 1
            if result.verdict == "failed":
                failed.append(result)
        self.failed += failed
        passed = f"{len(cases) - len(failed)} of {len(cases)} cases pass"
        if failed:
            self._found(f"role {role}", f"{passed}; failed: {rules_of(failed)}", "wrong")
        else:
            self._found(f"role {role}", passed)


def rules_of(results: Sequence[Result]) -> str:
    """The rules that results are of, each once."""
    return ", ".join(dict.fromkeys(result.rules[0] for result in results))


def _named(said: Identity) -> str:
    return str(said) + (f", {said.language}" if said.language else "")


def _short(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
