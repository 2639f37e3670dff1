"""Two reports compared case by case, with the invariants that hold in only one of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from ..engine.counting import counted
from ..engine.result import CaseLine
from ..engine.verdict import FAILURES, VERDICTS, Verdict
from ..specification.cases import SEPARATOR
from .account import Account
from .markdown import visible

# The verdicts of a case whose observation, if there is one, no invariant judges.
_WITHOUT_INVARIANTS = ("crashed", "timed-out", "errored", "not-run", "inapplicable")


@dataclass(frozen=True)
class Change:
    """A case with another verdict. `before` is None for a new case, `after` for a missing one."""

    case: str
    before: Verdict | None
    after: Verdict | None
    message: str = ""

    @property
    def is_worse(self) -> bool:
        """Whether the verdict fell in the order of verdicts, became inapplicable or missing, or a new case fails."""
        if self.after is None:
            return True
        if self.before is None or self.before == "inapplicable":
            return self.after in FAILURES
        return self.after == "inapplicable" or VERDICTS.index(self.after) < VERDICTS.index(self.before)

    def __str__(self) -> str:
        arrow = f"{self.before or 'new'} → {self.after or 'gone'}"
        return f"{self.case}: {arrow}{f': {self.message}' if self.message else ''}"


@dataclass(frozen=True)
class Diff:
    """The changes from one report to another, in the order of the new one; missing cases are last.

    `remarks` are the other differences between the runs.
    """

    remarks: tuple[str, ...]
    changes: tuple[Change, ...]
    compared: int

    @property
    def exit_code(self) -> int:
        """1 if a case got worse."""
        return int(any(change.is_worse for change in self.changes))

    def lines(self) -> Iterator[str]:
        """All lines: the remarks first, and one sentence at the end."""
        yield from self.remarks
        for title, changes in self._groups():
            if changes:
                yield f"{title} ({len(changes)}):"
                yield from (f"  {visible(str(change))}" for change in changes)
        worse = sum(change.is_worse for change in self.changes)
        better = sum(change.after == "passed" for change in self.changes if not change.is_worse)
        summary = f"{counted(self.compared, 'case')} compared, {better} better, {worse} worse."
        yield summary if self.changes else f"Nothing changed: {summary}"

    def _groups(self) -> Iterator[tuple[str, list[Change]]]:
        both = [change for change in self.changes if change.before and change.after]
        known = [change for change in both if not change.is_worse]
        yield "fails now", [c for c in both if c.is_worse and c.after != "inapplicable"]
        yield "became inapplicable", [c for c in both if c.after == "inapplicable"]
        yield "vanished", [c for c in self.changes if c.after is None]
        yield "new", [c for c in self.changes if c.before is None]
        yield "passes now", [c for c in known if c.after == "passed"]
        yield "changed otherwise", [c for c in known if c.after != "passed"]


def diff(old: Account, new: Account) -> Diff:
    """Compare two reports.

    An invariant has a line of its own only in a case in which it does not hold.
    """
    failed = {**_unplanned(old), **_unplanned(new)}
    before, after = _completed(old.results, failed), _completed(new.results, failed)
    changes = [
        Change(case, before[case].verdict if case in before else None, line.verdict, line.message.partition("\n")[0])
        for case, line in after.items()
        if case not in before or before[case].verdict != line.verdict
    ]
    changes += [Change(case, line.verdict, None) for case, line in before.items() if case not in after]
    return Diff(tuple(_remarks(old, new)), tuple(changes), len(before.keys() & after.keys()))


def _unplanned(report: Account) -> Mapping[str, CaseLine]:
    planned = set(report.run.planned)
    return {case: line for case, line in report.results.items() if case not in planned}


def _completed(lines: Mapping[str, CaseLine], failed: Mapping[str, CaseLine]) -> Mapping[str, CaseLine]:
    """The lines of a report, and one for each invariant that failed in the other report only.

    The invariant holds in its case, or was not judged because of the verdict of its case.
    """
    added: dict[str, CaseLine] = {}
    for name, other in failed.items():
        case = lines.get(name.rpartition(SEPARATOR)[0])
        if name in lines or case is None:
            continue
        if other.rules[0] in case.holds:
            added[name] = replace(other, verdict="passed", message="")
        elif case.verdict in _WITHOUT_INVARIANTS:
            added[name] = replace(other, verdict=case.verdict, message=case.message)
    return {**lines, **added}


def _remarks(old: Account, new: Account) -> Iterator[str]:
    """Differences that make two runs hard to compare."""
    one, other = old.run, new.run
    if one.features != other.features:
        yield (
            f"other features: {one.features} (loopspec {one.suite}) before, {other.features} "
            f"(loopspec {other.suite}) now"
        )
    for what, before, now in (
        ("target", one.target, other.target),
        ("implementation", str(one.identity), str(other.identity)),
        ("roles", ", ".join(one.roles), ", ".join(other.roles)),
        ("capabilities", _changed(one.capabilities, other.capabilities), ""),
        ("role", one.role or "any", other.role or "any"),
    ):
        if before != now:
            yield f"other {what}: {visible(before)}" + (f" before, {visible(now)} now" if now else "")
    for name, report in (("old", old), ("new", new)):
        if report.summary is None:
            yield f"the {name} report was cut off: a case that it does not have was not run"


def _changed(before: tuple[str, ...], now: tuple[str, ...]) -> str:
    """The added and removed capabilities."""
    came, went = sorted(set(now) - set(before)), sorted(set(before) - set(now))
    return ", ".join([*(f"+{name}" for name in came), *(f"-{name}" for name in went)])
