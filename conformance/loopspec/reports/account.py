"""A report with its cases, from which every other form of a report is made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..contract.faults import UsageError
from ..contract.specification import digest
from ..engine.output import counted
from ..engine.result import CaseLine, Verdict, as_read, case_line, worst
from ..engine.run import SuiteRun, Summary, by_verdict, fails_run
from ..specification.cases import Case
from ..specification.ledger import NORMATIVE, deciding, in_dialect, ledger
from ..specification.sources import case_named
from .ending import Failures, ending
from .jsonl import SCHEMA, RunLine, read_report, run_line


@dataclass(frozen=True)
class ReportedCase:
    """A planned case, and its line in the report."""

    case: Case
    line: CaseLine

    @property
    def verdict(self) -> Verdict:
        """The verdict of the case."""
        return self.line.verdict

    @property
    def is_normative(self) -> bool:
        """Whether its rule is normative."""
        return self.case.basis in NORMATIVE


@dataclass(frozen=True)
class ReportedRule:
    """A rule with its planned cases: its verdict is the worst of theirs."""

    id: str
    basis: str
    cases: tuple[ReportedCase, ...]

    @property
    def sentence(self) -> str:
        """The sentence of the rule."""
        return self.cases[0].case.rule.sentence if self.cases else ledger().rules[self.id].sentence

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of the cases that decide; an invariant without a case holds in all cases."""
        if not self.cases:
            return "passed"
        names = deciding(self.id, (reported.case.id for reported in self.cases))
        return worst(reported.verdict for reported in self.cases if reported.case.id in names)

    @property
    def is_normative(self) -> bool:
        """Whether the rule is normative."""
        return self.basis in NORMATIVE


@dataclass(frozen=True)
class Account:
    """One run: each planned case, in the order of the plan. `summary` is None when the report was cut off."""

    run: RunLine
    cases: tuple[ReportedCase, ...]
    summary: Summary | None

    @property
    def name(self) -> str:
        """The implementation, with its version."""
        return str(self.run.identity)

    @property
    def is_conformant(self) -> bool:
        """Whether the run completed and found the target conformant."""
        return self.summary is not None and self.summary.exit_code == 0

    @cached_property
    def rules(self) -> tuple[ReportedRule, ...]:
        """The rules in the ledger's order; a case counts for every rule it is tagged with."""
        found: dict[str, list[ReportedCase]] = {}
        for reported in self.cases:
            for rule in reported.case.rule.ids:
                found.setdefault(rule, []).append(reported)
            for rule in reported.line.holds:
                found.setdefault(rule, [])
        rows = ledger().rules
        return tuple(_reported_rule(rule, tuple(found[rule])) for rule in rows if rule in found)

    def of_basis(self, *, normative: bool) -> list[ReportedRule]:
        """The normative rules, or the advisory ones."""
        return [rule for rule in self.rules if rule.is_normative is normative]

    def counts(self) -> dict[str, dict[Verdict, int]]:
        """Count each verdict: of cases, of normative and of advisory ones, and of rules likewise."""
        cases = {kind: [each for each in self.cases if each.is_normative is kind] for kind in (True, False)}
        return {
            "cases": by_verdict(reported.verdict for reported in self.cases),
            "normative cases": by_verdict(reported.verdict for reported in cases[True]),
            "advisory cases": by_verdict(reported.verdict for reported in cases[False]),
            "normative rules": by_verdict(rule.verdict for rule in self.of_basis(normative=True)),
            "advisory rules": by_verdict(rule.verdict for rule in self.of_basis(normative=False)),
        }

    def inapplicable(self) -> dict[str, int]:
        """The number of inapplicable cases for each reason."""
        reasons: dict[str, int] = {}
        for reported in self.cases:
            if reported.verdict == "inapplicable":
                reasons[reported.line.message] = reasons.get(reported.line.message, 0) + 1
        return dict(sorted(reasons.items()))

    def fails_run(self, reported: ReportedCase) -> bool:
        """Whether a case makes the run fail."""
        return fails_run(reported.verdict, reported.case.basis, self.run.strict)

    def ending(self) -> str:
        """How the run ended, in one sentence."""
        if self.summary is None:
            return cut_off(sum(reported.verdict == "not-run" for reported in self.cases), len(self.cases))
        failures = Failures.of((reported.verdict, reported.case.basis) for reported in self.cases)
        label = f"{self.run.target} (shard {self.run.shard})" if self.run.shard else self.run.target
        reasons = (reported.line.message for reported in self.cases if reported.verdict == "inapplicable")
        run = self.run
        return ending(label, self.summary, failures, strict=run.strict, postures=run.postures, reasons=reasons)


def _reported_rule(rule: str, cases: tuple[ReportedCase, ...]) -> ReportedRule:
    if not cases:
        return ReportedRule(rule, ledger().rules[rule].basis, ())
    first = deciding(rule, (reported.case.id for reported in cases))[0]
    return ReportedRule(rule, next(one.case.basis for one in cases if one.case.id == first), cases)


def cut_off(left: int, planned: int) -> str:
    """The ending of a truncated report: `left` of the planned cases have no verdict."""
    return f"The report was cut off: {left} of {counted(planned, 'case')} {'has' if left == 1 else 'have'} no verdict."


def account_of(suite_run: SuiteRun, summary: Summary) -> Account:
    """The account of a run, equal to that of its report."""
    lines = [as_read(case_line(result)) for result in suite_run.results.values()]
    return Account(run_line(suite_run), _reported(suite_run.judged, lines, "no result"), summary)


def read_account(path: Path) -> Account:
    """Read a report, cut off or not.

    Raises `UsageError` for a report that cannot be read, and for one about other features than those in use.
    """
    return account_from(path, *parts_of(path))


def account_from(path: Path, run: RunLine, lines: Sequence[CaseLine], summary: Summary | None) -> Account:
    """The account of these parts of a report. Raises `UsageError` as `read_account` does, with the file's name."""
    if run.features != digest():
        raise UsageError(
            f"the report {path} is about other features than these: use the loopspec that wrote it ({run.suite}), "
            "or run the suite again"
        )
    known: dict[str, Case] = {}
    for name in (*run.planned, *(line.case for line in lines)):
        if name not in known and (case := case_named(name)):
            known[name] = case
        if name not in known:
            raise UsageError(f"{path} is not a report of a run: no feature has {name!r}")
    left = "the report was cut off before it" if summary is None else "no result"
    names = dict.fromkeys((*run.planned, *(line.case for line in lines if known[line.case].is_implied)))
    cases = in_dialect([known[name] for name in names], run.postures)
    return Account(run, _reported(cases, lines, left), summary)


def parts_of(path: Path) -> tuple[RunLine, tuple[CaseLine, ...], Summary | None]:
    """The first line of a report, its cases, and its last line: None when it was cut off.

    Raises `UsageError` for a file that cannot be read as a report.
    """
    try:
        lines = read_report(path)
    except OSError as error:
        raise UsageError(f"the report {path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not a report of a run: {error}") from None
    if not lines or not isinstance(lines[0], RunLine):
        raise UsageError(f"{path} is not a report of a run: it does not begin with one")
    if lines[0].schema > SCHEMA:
        raise UsageError(f"the report {path} was written by a later loopspec, {lines[0].suite}: use that version")
    last = lines[-1]
    cases = tuple(line for line in lines if isinstance(line, CaseLine))
    return lines[0], cases, last if isinstance(last, Summary) else None


def _reported(plan: Sequence[Case], lines: Iterable[CaseLine], left: str) -> tuple[ReportedCase, ...]:
    """Each planned case with its first line, or with a line that says that there is none."""
    found: dict[str, CaseLine] = {}
    for line in lines:
        found.setdefault(line.case, line)
    return tuple(ReportedCase(case, found.get(case.id) or _not_run(case, left)) for case in plan)


def _not_run(case: Case, why: str) -> CaseLine:
    return CaseLine(case=case.id, rules=case.rule.ids, verdict="not-run", seconds=0.0, location="", message=why)
