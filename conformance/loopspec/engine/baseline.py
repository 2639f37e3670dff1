"""The known differences of a target, so that only new failures fail the build, and what a run says of each entry."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..contract.faults import UsageError
from ..contract.target import Target
from ..specification.cases import SEPARATOR, Case
from ..specification.features import compiled
from ..specification.invariants import Invariant, invariants
from ..specification.ledger import JUDGED, ledger
from ..specification.selection import case_hint
from ..specification.sources import case_named
from .baseline_text import Entries, Known, change_names, line_of, new_name, read, written
from .judge import another_posture
from .output import write_text
from .result import Result, Verdict

UNEXPLAINED = "not yet explained"
_ANY = "*"  # stands for the name, where entries are compared without it

# What an observation leaves, without which no invariant is looked at.
_LOOKED_AT: frozenset[Verdict] = frozenset({"passed", "failed", "known", "stale"})


class Baseline(Struct, frozen=True, dict=True):
    """The known failures, an entry for each name."""

    known: tuple[Known, ...] = ()

    @cached_property
    def _by_name(self) -> Mapping[str, Known]:
        return {known.case: known for known in self.known}

    def entry(self, result: Result) -> Known | None:
        """The entry for a case: the entry of the case precedes that of its rule."""
        entries = self._by_name
        return next((entries[name] for name in (result.case, *result.rules) if name in entries), None)

    def judged(self, result: Result) -> Result:
        """The result with the baseline applied: a listed failure is known, and has a cause; a listed pass is stale.

        An entry for a rule is stale only if none of its cases fails, which is known at the end of the run. A pass of a
        flaky case is a pass.
        """
        entry = self.entry(result)
        if entry is None:
            return result
        if result.verdict == "failed":
            return replace(result, verdict="known", cause=entry.cause or entry.reason, kind=entry.kind)
        if result.verdict == "passed" and entry.case == result.case and not entry.flaky:
            return replace(result, verdict="stale", message="passes, although the baseline lists it")
        return result


def load_baseline(path: Path, cases: Iterable[Case]) -> Baseline:
    """Read a baseline. Raises `UsageError`, with a line number, for one that cannot be used."""
    text, content = read(path)
    try:
        entries = msgspec.convert(content, type=Entries).known
    except msgspec.ValidationError as error:
        number = re.search(r"\$\.known\[(\d+)\]", str(error))
        line = line_of(text, int(number[1])) if number else 1
        raise UsageError(f"the baseline {path}, line {line}: {error}") from None
    _check_names(path, text, entries, cases)
    return Baseline(tuple(replace(entry, case=name, cases=()) for entry in entries for name in entry.names))


def _check_names(path: Path, text: str, entries: Iterable[Known], cases: Iterable[Case]) -> None:
    names = {name for case in cases for name in (case.id, *case.rule.ids)}
    names |= {rule for rule, row in ledger().rules.items() if row.status in JUDGED}
    seen: set[str] = set()
    for number, name, reason in ((n, name, one.reason) for n, one in enumerate(entries) for name in one.names):
        where = f"the baseline {path}, line {line_of(text, number, name)}"
        if name in seen:
            raise UsageError(f"{where}: {name!r} is listed twice: keep one entry")
        seen.add(name)
        if name not in names and case_named(name) is None:
            hint = _renamed(path, name) or case_hint(name, sorted(names))
            raise UsageError(f"{where}: there is no case or rule {name!r}{hint}")
        if not reason.strip():
            raise UsageError(f"{where}: {name!r} has no reason")


def _renamed(path: Path, name: str) -> str:
    found = new_name(name)
    if found is None:
        return ""
    version, new = found
    now = f"is {new!r}" if new else "has no successor"
    return f": since {version} it {now}; `loopspec baseline rename {version} {path}` updates the file"


def write_baseline(path: Path, target: str, results: Iterable[Result], before: Baseline) -> int:
    """Write the failures, known ones included, with their earlier reasons; return the number of failures.

    Cases with one reason are one entry; a new failure has an entry of its own, for its reason to come. A flaky entry
    and an entry without a judged case are kept.
    """
    results = list(results)
    failed = [result for result in results if result.verdict in ("failed", "known")]
    judged = {n for r in results if r.verdict not in ("not-run", "inapplicable") for n in (r.case, *r.rules)}
    olds = [(result, before.entry(result)) for result in failed]
    known = [
        replace(old, case=result.case) if old else Known(case=result.case, reason=UNEXPLAINED)
        for result, old in olds
        if not (old and old.flaky)
    ]
    known += (entry for entry in before.known if entry.flaky or entry.case not in judged)
    names: dict[Known, list[str]] = {}
    for entry in known:
        names.setdefault(entry if entry.reason == UNEXPLAINED else replace(entry, case=_ANY), []).append(entry.case)
    lines = [f"# Known differences of {target}. Every entry needs a reason."]
    for entry, cases in names.items():
        lines += written(replace(entry, case="", cases=tuple(cases)))
    write_text(path, "\n".join(lines) + "\n")
    return len(failed)


def prune(path: Path, stale: Iterable[str]) -> int:
    """Remove these names from the entries of the file and nothing else; return the number of removed names."""
    gone = set(stale)
    return len(change_names(path, "pruned", lambda names: {name: "" for name in names if name in gone}))


class EntriesOfRun:
    """The entries of a baseline, and the results of the planned cases by name."""

    def __init__(self, baseline: Baseline, plan: Iterable[Case], results: Mapping[str, Result], target: Target) -> None:
        self._names = [entry.case for entry in baseline.known]
        self._flaky = {entry.case for entry in baseline.known if entry.flaky}
        self._plan = plan
        self._results = results
        self._target = target

    def stale(self) -> tuple[str, ...]:
        """The entries whose cases were all judged without a failure, apart from flaky entries.

        A partly judged rule is no evidence.
        """
        return tuple(name for name in self._names if name not in self._flaky and self._is_stale(name))

    def _is_stale(self, name: str) -> bool:
        if self._holds_again(name):
            return True
        found = self._verdicts.get(name, set())
        return bool(found & {"passed", "stale"}) and found <= {"passed", "stale", "inapplicable"}

    def not_judged(self) -> dict[str, str]:
        """The entries that name a planned case or its invariant which was not judged, each with the reason.

        A case outside the plan is none of them, and neither is one that the run did not reach.
        """
        return {name: reason for name in self._names if (reason := self._why_not(name))}

    @cached_property
    def _verdicts(self) -> dict[str, set[Verdict]]:
        """The verdicts of each case and of each rule, `not-run` for a case outside the plan."""
        verdicts: dict[str, set[Verdict]] = {}
        for case in (*compiled(), *(case for case in self._plan if case.source)):
            verdict = self._results[case.id].verdict if case.id in self._results else "not-run"
            for name in (case.id, *case.rule.ids):
                verdicts.setdefault(name, set()).add(verdict)
        return verdicts

    def _holds_again(self, name: str) -> bool:
        """Whether this is the name of an invariant's case, and the invariant holds in the case that was judged."""
        base, invariant = _of_invariant(name)
        return invariant is not None and base in self._results and invariant.rule in self._results[base].holds

    def _why_not(self, name: str) -> str:
        """The reason why an entry names nothing that was judged; empty for another entry."""
        if name in self._results:
            result = self._results[name]
            return result.message if result.verdict == "inapplicable" else ""
        base, invariant = _of_invariant(name)
        if invariant is not None:
            return self._why_no_invariant(base, invariant)
        return "each case of the rule is inapplicable" if self._verdicts.get(name) == {"inapplicable"} else ""

    def _why_no_invariant(self, base: str, invariant: Invariant) -> str:
        if base and base not in self._results:
            return ""
        if other := another_posture(invariant.postures, self._target):
            return str(other)
        if not base or self._holds_again(f"{base}{SEPARATOR}{invariant.name}"):
            return ""
        result = self._results[base]
        if result.verdict == "inapplicable":
            return result.message
        return "the invariant is not judged in this case" if result.verdict in _LOOKED_AT else ""


def _of_invariant(name: str) -> tuple[str, Invariant | None]:
    """The base case and the invariant of an invariant's case; no base case for the name of an invariant's rule."""
    base, _, invariant = name.rpartition(SEPARATOR)
    if base:
        return base, invariants().get(invariant)
    return "", next((one for one in invariants().values() if one.rule == name), None)
