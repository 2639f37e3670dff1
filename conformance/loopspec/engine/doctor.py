"""Examine an adapter step by step, and on a few of the suite's simplest cases."""

from __future__ import annotations

import shlex
import shutil
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ..contract.axes import NO_POSTURES, Postures, dialect_of, posture_hint
from ..contract.capabilities import CAPABILITIES, Capability
from ..contract.dialects import instruction_axes
from ..contract.faults import TargetUnusable
from ..contract.reasons import Inapplicable
from ..contract.roles import ROLES, Role
from ..contract.target import Identity, Target
from ..contract.values import Error
from ..specification.cases import Case
from ..specification.features import cases_of_rule, compiled
from ..specification.ledger import NORMATIVE, in_dialect
from ..targets.declared import misspelled
from ..targets.python import PythonTarget
from ..targets.resolve import AbsentTarget, resolve
from .authoring import about_calls, about_errors, too_general, toolkit_of
from .checking import errors_of
from .judge import applies, judge, only_lacks, role_for
from .output import counted
from .result import Result

Mark = Literal["fine", "wrong", "open"]

_PINGS = 50  # timed round trips
_MOST = 6  # capabilities that would add the most cases
_AGAIN = "starts again"
_HOW_TO_BEGIN = "`loopspec protocol --page` shows a conversation from its first line"
_CURED = ("print to standard error", "`loopspec capabilities`", "did you mean")  # sentences that contain their own cure
_BROKEN = ("errored", "crashed", "timed-out")

# The axes whose values have the smoke cases of the role workspace: which files are loaded, and in which order.
_AXES = ("walk", "names", "order", "global-file")

# The capabilities that a smoke case may need: what handlers and middlewares are mostly used for. A case of a hook that
# an adapter does not declare would blame the implementation for it.
_HOOKS: frozenset[Capability] = frozenset(
    {
        "after-model-hooks",
        "before-model-edits",
        "before-model-hooks",
        "model-wrappers",
        "several-handlers",
        "tool-wrappers",
    }
)
# A case of it reads three times 1,000 files, and no author declares it.
_COSTLY: frozenset[Capability] = frozenset({"resources"})


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
    _step: tuple[str, str] = field(default=("", ""), init=False)  # the current one, and how to cure a fault in it

    @property
    def exit_code(self) -> int:
        """4 if the adapter is at fault, 1 if the implementation fails, otherwise 0."""
        return 4 if self.fault else 1 if self.failed else 0

    def go(self) -> None:
        """Examine the target until the first fault of its adapter. Raises `UsageError`."""
        kind, _, rest = self.name.partition(":")
        try:
            first = self._start(rest) if kind == "cmd" else None
            self._step = (_AGAIN if first else "is built", "")
            target = resolve(self.name)
            try:
                self._look_at(target, first)
            finally:
                if not self.hung:
                    target.close()
        except TargetUnusable as fault:
            self.fault, self.evidence, (what, cure) = str(fault), fault.evidence, self._step
            self.cure = "" if any(words in self.fault for words in _CURED) else cure
            self._found(what, "no", "wrong")

    def _found(self, what: str, said: str, mark: Mark = "fine", details: Iterable[str] = ()) -> None:
        self.report(Finding(what, said, mark, tuple(details)))

    def _doubt(self, what: str, sentences: Iterable[str], said: str = "may be wrong") -> None:
        if found := list(sentences):
            self.doubts += found
            self._found(what, said, "open", found)

    # -- a process -----------------------------------------------------------------------------------------------------

    def _start(self, command: str) -> Identity:
        """Start the process, and exchange messages before the first case."""
        from ..targets.process.connection import Connection  # only for a process
        from ..targets.process.target import checked, identity_of, words_of

        words = words_of(command)
        path = shutil.which(words[0])
        self._step = ("command", "name it by its path, and make it executable")
        if path is None:
            raise TargetUnusable(f"there is no command {words[0]!r} that can be executed in {Path.cwd()}")
        self._found("command", path)
        self._step = ("answers initialize", _HOW_TO_BEGIN)
        began = time.perf_counter()
        connection = Connection(words, self.seconds)
        took, declared = time.perf_counter() - began, connection.declared
        self._found("answers initialize", f"in {_short(took)}, version {declared.protocol_version} of the protocol")
        with closing(connection):
            self._step = ("declares", _HOW_TO_BEGIN)
            try:
                checked(declared)
            except TargetUnusable as error:
                raise TargetUnusable(str(error), connection.look()) from None
            self._step = ("ping", _HOW_TO_BEGIN)
            median = statistics.median(connection.ping() for _ in range(_PINGS))
            self._found("ping", f"{_short(median)} round trip")
            self._step = ("idle", _HOW_TO_BEGIN)
            if declared.idle:
                connection.ask("idle")
                self._found("idle", "reports when no call can continue")
            else:
                self._found("idle", "not declared: a stuck call costs half a second", "open")
            how = connection.close()
        if how == "ended with exit code 0":
            self._found("exit", "exits on request")
        else:
            self._found("exit", f"did not exit on request: it {how}", "open")
        return identity_of(declared.implementation)

    # -- any target ----------------------------------------------------------------------------------------------------

    def _look_at(self, target: Target, first: Identity | None) -> None:
        said = target.identity
        self._found("identity", _named(said))
        self._found("roles", ", ".join(role for role in ROLES if role in target.roles))
        self._found("capabilities", f"{len(target.capabilities)} of {len(CAPABILITIES)}")
        self._step = (_AGAIN, "")
        again = first
        if again is None:
            with closing(target.rebuilt()) as other:
                again = other.identity
        if again != said:
            self._step = (_AGAIN, "give one implementation one name and one version")
            raise TargetUnusable(f"it says that it is {_named(said)}, and that it is {_named(again)}")
        self._found(_AGAIN, "declares the same identity")
        if isinstance(target, PythonTarget):
            self._read_declarations(target)
        for role in ROLES:
            if role in target.roles:
                self._smoke(target, role)
        if "agent" in target.roles:
            self._doubt("errors", about_errors(target, self.seconds))
            self._doubt("tool calls", about_calls(target, self.seconds))
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

    def _read_declarations(self, target: PythonTarget) -> None:
        """Find what resembles a known name, is declared and not implemented, or matches every error."""
        names = [str(name) for name in misspelled(target.shape)]
        self._doubt("names", names, f"{counted(len(names), 'name')} that may be misspelled")
        self._step = ("methods", "")
        if (toolkit := toolkit_of(target)) and (missing := next(toolkit.unwritten(), "")):
            raise TargetUnusable(missing)
        self._doubt("error_kinds", too_general(target.error_kinds("agent")))

    def _smoke(self, target: Target, role: Role) -> None:
        """Try the cases of a role until one cannot be performed."""
        cases = in_dialect(smoke_cases(role, target.capabilities, target.postures), target.postures)
        normative: list[Result] = []
        advisory: list[Result] = []
        for case in cases:
            result = judge(case, target, role, self.seconds)
            again = f"`loopspec run {shlex.quote(self.name)} --case {shlex.quote(case.id)}` repeats it"
            self._step = (f"role {role}", again)
            if result.verdict in _BROKEN:
                self.hung = result.verdict == "timed-out" and not target.isolated
                raise TargetUnusable(result.message, result.evidence)
            self.tried += 1
            if own := _own_error(target, result) if case.basis in NORMATIVE else None:
                raise TargetUnusable(f"{own.message}, raised at {own.place}")
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
    if result.verdict != "failed" or result.observation is None or (toolkit := toolkit_of(target)) is None:
        return None
    errors = (error for _, error, _ in errors_of(result.observation))
    return next((error for error in errors if error.place and toolkit.has_written(error.place)), None)


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


def smoke_rules(role: Role, postures: Postures) -> tuple[str, ...]:
    """The rules of the smoke cases; in the role workspace, those of the values that the target's dialect has."""
    if role != "workspace":
        return ROLES[role].smoke
    known, of = dialect_of(postures), instruction_axes()
    return tuple(of[axis].values[value].rule for axis in _AXES if (value := known.value(axis)) in of[axis].values)


def smoke_cases(role: Role, capabilities: frozenset[Capability], postures: Postures = NO_POSTURES) -> list[Case]:
    """The smoke cases for a role, these capabilities and these postures.

    A declared capability that no simple case needs adds a case: a normative one with few other capabilities.
    """

    def able(*declared: Capability) -> AbsentTarget:
        return AbsentTarget(Identity(name="able"), (role,), declared, postures)

    hooked, whole = able(*capabilities & _HOOKS), able(*capabilities)
    rules = smoke_rules(role, postures)
    judged = ([case for case in cases_of_rule(rule) if applies(case, hooked)] for rule in rules)
    cases = [first for first, *_ in filter(None, judged)]
    others = [case for case in compiled() if case.needs and applies(case, whole)]
    others.sort(key=lambda case: (case.basis not in NORMATIVE, len(case.needs)))
    for capability in sorted(capabilities - _COSTLY):
        if not any(capability in case.needs for case in cases):
            cases += [case for case in others if capability in case.needs][:1]
    return cases
