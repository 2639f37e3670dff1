"""Examine an adapter step by step, and on a few of the suite's simplest cases."""

from __future__ import annotations

import shlex
import shutil
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ..contract.axes import posture_hint
from ..contract.capabilities import CAPABILITIES
from ..contract.faults import KitError, TargetUnusable
from ..contract.roles import ROLES, Role
from ..contract.target import Identity, Target
from ..contract.values import Error
from ..specification.features import compiled
from ..specification.ledger import NORMATIVE, in_dialect
from ..specification.reasons import Inapplicable
from ..targets.declared import misspelled
from ..targets.python import PythonTarget
from ..targets.resolve import resolve
from .authoring import about_calls, about_errors, raises, too_general, unimplemented
from .checking import errors_of
from .judge import judge, only_lacks, role_for
from .output import counted
from .result import Result
from .smoke import smoke_cases

if TYPE_CHECKING:
    from ..targets.process.probing import Probe

Mark = Literal["fine", "wrong", "open"]

_PINGS = 50  # timed round trips
_MOST = 6  # capabilities that would add the most cases
_AGAIN = "starts again"
_HOW_TO_BEGIN = "`loopspec protocol --page` shows a conversation from its first line"
_CURED = ("print to standard error", "`loopspec capabilities`", "did you mean")  # sentences that contain their own cure
_BROKEN = ("errored", "crashed", "timed-out")


@dataclass(frozen=True)
class Finding:
    """The result of one step. `open`: neither right nor wrong. `details` are the failures, line by line."""

    what: str
    said: str
    mark: Mark = "fine"
    details: tuple[str, ...] = ()


@dataclass
class Examination:
    """The findings about a target. `fault` is the adapter's fault as a sentence; `evidence` is the adapter's output.

    `failed` are the failed smoke cases, of the `tried` ones; `advisory` are those of advisory rules, and `doubts`
    what may be a mistake, neither of which is a fault. `hung`: a thread of this process still performs a case.
    """

    name: str
    report: Callable[[Finding], None]
    seconds: float
    fault: str = ""
    cure: str = ""
    evidence: Mapping[str, str] = field(default_factory=dict)
    tried: int = 0
    failed: list[Result] = field(default_factory=list)
    advisory: list[Result] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    hung: bool = False

    @property
    def exit_code(self) -> int:
        """4 if the adapter is at fault, 1 if the implementation fails, otherwise 0."""
        return 4 if self.fault else 1 if self.failed else 0

    def go(self) -> None:
        """Examine the target until the first fault of its adapter. Raises `UsageError`."""
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

    def _found(self, what: str, said: str, mark: Mark = "fine", details: Sequence[str] = ()) -> None:
        self.report(Finding(what, said, mark, tuple(details)))

    def _blame(self, what: str, error: KitError | str, cure: str, evidence: Mapping[str, str] | None = None) -> None:
        """Record the adapter's fault."""
        self.fault, self.evidence = str(error), evidence or {}
        self.cure = "" if any(words in self.fault for words in _CURED) else cure
        self._found(what, "no", "wrong")

    # -- a process -----------------------------------------------------------------------------------------------------

    def _start(self, command: str) -> Identity | None:
        """Start the process, and exchange messages before the first case."""
        from ..targets.process.probing import Probe  # only for a process
        from ..targets.process.target import words_of

        words = words_of(command)
        path = shutil.which(words[0])
        if path is None:
            why = f"there is no command {words[0]!r} that can be executed in {Path.cwd()}"
            self._blame("command", why, "name it by its path, and make it executable")
            return None
        self._found("command", path)
        what = "answers initialize"
        try:
            probe = Probe(words, self.seconds)
            self._found(what, f"in {_short(probe.took)}, version {probe.declared.protocol_version} of the protocol")
            what = "declares"
            probe.check_declarations()
            what = "ping"
            median = statistics.median(probe.ping() for _ in range(_PINGS))
            self._found(what, f"{_short(median)} round trip")
            what = "idle"
            self._idle(probe)
        except TargetUnusable as error:
            self._blame(what, error, _HOW_TO_BEGIN, error.evidence)
            return None
        how = probe.leave()
        if how == "ended with exit code 0":
            self._found("exit", "exits on request")
        else:
            self._found("exit", f"did not exit on request: it {how}", "open")
        said = probe.declared.implementation
        return Identity(name=said.name, version=said.version, language=said.language)

    def _idle(self, probe: Probe) -> None:
        if probe.declared.idle:
            probe.idle()
            self._found("idle", "reports when no call can continue")
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
        self._found(_AGAIN, "declares the same identity")
        self._read_names(target)
        if isinstance(target, PythonTarget) and not self.fault:
            self._read_declarations(target)
        for role in ROLES:
            if role in target.roles and not self.fault:
                self._smoke(target, role)
        if "agent" in target.roles and not self.fault:
            self._doubt("errors", about_errors(target, self.seconds))
            self._doubt("tool calls", about_calls(target, self.seconds))
        if not self.fault:
            if first is not None:
                self._found("conversation", f"{counted(self.tried, 'case')} ended as asked; only messages are printed")
            self._count_applicable(target)

    def _count_applicable(self, target: Target) -> None:
        """Count the cases that are applicable, and those that one more capability would make applicable."""
        found = [(case, role_for(case, target)) for case in compiled()]
        able = sum(not isinstance(role, Inapplicable) for _, role in found)
        alone = Counter(only_lacks(case, target, no) for case, no in found if isinstance(no, Inapplicable))
        del alone[""]
        most = sorted(alone.items(), key=lambda one: (-one[1], one[0]))
        usual = [f"{name} {n}" for name, n in most if not CAPABILITIES[name].few_have][:_MOST]
        details = [f"one more capability adds cases: {', '.join(usual)}"] * bool(usual)
        details += [
            f"only for {kind.few_have}: {name} {n}" for name, n in most if (kind := CAPABILITIES[name]).few_have
        ]
        self._found("applicable", f"{able} of the {counted(len(found), 'case')} of the suite", details=details)

    def _read_names(self, target: Target) -> None:
        """Find attributes without an effect whose names resemble known ones."""
        names = misspelled(target.shape) if isinstance(target, PythonTarget) else []
        self.doubts = [str(name) for name in names]
        if names:
            self._found("names", f"{counted(len(names), 'name')} that may be misspelled", "open", self.doubts)

    def _read_declarations(self, target: PythonTarget) -> None:
        """Find methods that are declared and not implemented, and entries of `error_kinds` that match every error."""
        missing = [*unimplemented(target.shape)]
        if missing:
            self._blame("methods", missing[0], "")
            return
        self._doubt("error_kinds", too_general(target.error_kinds("agent")))

    def _doubt(self, what: str, sentences: Iterable[str]) -> None:
        found = list(sentences)
        if found:
            self.doubts += found
            self._found(what, "may be wrong", "open", found)

    def _smoke(self, target: Target, role: Role) -> None:
        """Try the cases of a role until one cannot be performed."""
        cases = in_dialect(smoke_cases(role, target.capabilities, target.postures), target.postures)
        normative: list[Result] = []
        advisory: list[Result] = []
        for case in cases:
            result = judge(case, target, role, self.seconds)
            cure = f"`loopspec run {shlex.quote(self.name)} --case {shlex.quote(case.id)}` repeats it"
            if result.verdict in _BROKEN:
                self._blame(f"role {role}", result.message, cure, result.evidence)
                self.hung = result.verdict == "timed-out" and not target.isolated
                return
            self.tried += 1
            if own := _own_error(target, result) if case.basis in NORMATIVE else None:
                self._blame(f"role {role}", f"{own.message}, raised at {own.place}", cure)
                return
            if result.verdict == "failed":
                (normative if case.basis in NORMATIVE else advisory).append(result)
        self.failed += normative
        self.advisory += advisory
        said = f"{len(cases) - len(normative) - len(advisory)} of {counted(len(cases), 'case')} passed"
        for results, title in ((normative, "failed"), (advisory, "advisory")):
            said += f"; {title}: {rules_of(results)}" if results else ""
        hints = {case.id: posture_hint(case.postures, target.postures) for case in cases}
        details = [line for result in (*normative, *advisory) for line in _why(result, hints[result.case])]
        self._found(f"role {role}", said, "wrong" if normative else "open" if advisory else "fine", details)


def _own_error(target: Target, result: Result) -> Error | None:
    """The error of a failed case that a method of an adapter on the toolkit raised, and not the implementation."""
    if result.verdict != "failed" or result.observation is None or not isinstance(target, PythonTarget):
        return None
    errors = (error for _, error, _ in errors_of(result.observation))
    return next((error for error in errors if error.place and raises(target.shape, error.place)), None)


def _why(result: Result, hint: str) -> list[str]:
    """The message of a failing check, each part on one line, and the hint about undeclared postures if there is one."""
    what = result.message.partition("\n")[0]
    return [
        f"{result.rules[0]}: {what}",
        f"  expected: {_in_one_line(result.expected)}",
        f"  seen: {_in_one_line(result.seen)}",
        *[f"  or: {hint}"] * bool(hint),
    ]


def _in_one_line(value: str) -> str:
    return " / ".join(line.strip() for line in value.splitlines() if line.strip())


def rules_of(results: Sequence[Result]) -> str:
    """The rules of the results, each once."""
    return ", ".join(dict.fromkeys(result.rules[0] for result in results))


def _named(said: Identity) -> str:
    return str(said) + (f", {said.language}" if said.language else "")


def _short(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
