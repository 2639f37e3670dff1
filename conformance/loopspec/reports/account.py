"""The report of a run as one value, from which every form of a report is made, and its last sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

from ..contract.axes import DIALECT, judged_in, own_postures, posture_hint, value_on
from ..contract.faults import UsageError
from ..contract.specification import digest
from ..engine.baseline_text import Kind
from ..engine.output import counted
from ..engine.result import FAILURES, VERDICTS, CaseLine, Result, Verdict, as_read, by_rule, case_line, worst
from ..engine.run import SuiteRun, Summary, fails_run
from ..specification.cases import Case
from ..specification.ledger import NORMATIVE, basis_of, deciding, ledger
from ..specification.sources import case_named, forms
from .jsonl import Line, RunLine, read_report, run_line

# The state of a case, or of a rule: `no-result` if the report was cut off before it.
State = Verdict | Literal["no-result"]
# Worst first. Having no result is as bad as not having been run.
STATES: tuple[State, ...] = (*VERDICTS[:4], "no-result", *VERDICTS[4:])
# The verdicts from the best to the worst, and inapplicable last.
SHOWN: tuple[Verdict, ...] = (*reversed(VERDICTS[:-1]), VERDICTS[-1])


@dataclass(frozen=True)
class ReportedCase:
    """A planned case, and its line in the report."""

    case: Case
    line: CaseLine


@dataclass(frozen=True)
class ReportedRule:
    """A rule with the lines of its cases. `states` are those of the cases that decide, and `state` is the worst."""

    id: str
    is_normative: bool
    state: State
    states: tuple[State, ...]
    lines: tuple[CaseLine, ...]

    @property
    def sentence(self) -> str:
        """The sentence of the rule."""
        case = case_named(self.lines[0].case) if self.lines else None
        return case.rule.sentence if case else ledger().rules[self.id].sentence


class FailedRule(NamedTuple):
    """A rule, its failing cases or else its stale ones, and the worst of their verdicts.

    Cases that were not run are left out: they share one reason. `is_normative`: a normative case is among the worst.
    """

    rule: ReportedRule
    verdict: Verdict
    lines: tuple[CaseLine, ...]
    is_normative: bool


class Tally(NamedTuple):
    """How many rules a target passes, of how many it was judged by: normative and advisory ones."""

    normative: tuple[int, int]
    advisory: tuple[int, int]

    @classmethod
    def of(cls, states: Iterable[tuple[bool, State | None]]) -> Tally:
        """Count rules, each with whether it is normative, and with its state: None if the run did not select it."""
        judged = [(normative, state) for normative, state in states if state not in ("inapplicable", None)]
        of_kind = ([state for normative, state in judged if normative is kind] for kind in (True, False))
        return cls(*((found.count("passed"), len(found)) for found in of_kind))

    @property
    def cells(self) -> list[str]:
        """Both counts as text, with a dash if there is nothing to count."""
        return [f"{passed}/{judged}" if judged else "–" for passed, judged in self]


@dataclass(frozen=True, eq=False)
class Account:
    """The report of a whole run, and its files: none of a run in this process, those of all shards of a merged one.

    `lines` are as written. `summary` is None if the report was cut off; merged shards have one.
    """

    paths: tuple[Path, ...]
    run: RunLine
    lines: tuple[CaseLine, ...]
    summary: Summary | None

    @property
    def written(self) -> list[Line]:
        """The lines of the report as one file."""
        return [self.run, *self.lines, *([self.summary] if self.summary else [])]

    @property
    def name(self) -> str:
        """The implementation with its version, or the target."""
        return str(self.run.identity) or self.run.target

    @property
    def label(self) -> str:
        """The target's name in sentences."""
        return f"{self.run.target} (shard {self.run.shard})" if self.run.shard else self.run.target

    def began(self, form: str = "%Y-%m-%d %H:%M") -> str:
        """When the run began; empty if the report does not say, or has no valid time."""
        try:
            return f"{datetime.fromtimestamp(self.run.began, UTC):{form}} UTC" if self.run.began else ""
        except (OverflowError, OSError, ValueError):
            return ""

    @cached_property
    def results(self) -> Mapping[str, CaseLine]:
        """The first line of each case: of the planned ones in their order, then of invariants that do not hold.

        A planned case without a line has one that says so.
        """
        found: dict[str, CaseLine] = {}
        for line in self.lines:
            found.setdefault(line.case, line)
        left = "the report was cut off before it" if self.summary is None else "no result"
        return {name: found.get(name) or _not_run(name, left) for name in self.run.planned} | found

    @cached_property
    def missing(self) -> frozenset[str]:
        """The planned cases without a line."""
        return frozenset(self.run.planned) - {line.case for line in self.lines}

    def state(self, case: str) -> State:
        """The state of a case. Raises `KeyError` for a case that is not in the report."""
        return "no-result" if case in self.missing else self.results[case].verdict

    def is_normative(self, line: CaseLine) -> bool:
        """Whether the verdict of a case counts without `--strict`."""
        return basis_of(line.case, line.rules, self.run.postures) in NORMATIVE

    def fails_run(self, line: CaseLine) -> bool:
        """Whether a case makes the run fail."""
        return fails_run(line.verdict, basis_of(line.case, line.rules, self.run.postures), self.run.strict)

    def must_be_current(self) -> None:
        """Raise `UsageError` for a report about other features than those in use."""
        where = " and ".join(map(str, self.paths))
        if self.run.features != digest():
            raise UsageError(
                f"the report {where} is about other features than these: use the loopspec that wrote it "
                f"({self.run.suite}), or run the suite again"
            )
        if lost := [name for name in self.results if case_named(name) is None]:
            raise UsageError(f"{where} is not a report of a run: no feature has {lost[0]!r}")

    @cached_property
    def cases(self) -> tuple[ReportedCase, ...]:
        """Each case of the features in use, with its line."""
        known = ((case_named(name), line) for name, line in self.results.items())
        return tuple(ReportedCase(case, line) for case, line in known if case)

    @cached_property
    def rules(self) -> Mapping[str, ReportedRule]:
        """The rules in the ledger's order; a case counts for every rule it is tagged with."""
        found = by_rule(self.results.values())
        return {rule: self._rule(rule, found[rule]) for rule in ledger().rules if rule in found}

    def _rule(self, rule: str, lines: Mapping[str, CaseLine]) -> ReportedRule:
        if not lines:  # of an invariant that holds in all cases
            return ReportedRule(rule, ledger().rules[rule].basis in NORMATIVE, "passed", ("passed",), ())
        names = deciding(rule, lines)
        states = tuple(self.state(name) for name in names)
        state = min(states, key=STATES.index)
        return ReportedRule(rule, self.is_normative(lines[names[0]]), state, states, tuple(lines.values()))

    @cached_property
    def failed_rules(self) -> tuple[FailedRule, ...]:
        """The rules with a failing or a stale case."""
        found = []
        for rule in self.rules.values():
            failed = [line for line in rule.lines if line.verdict in FAILURES - {"not-run"}]
            if lines := failed or [line for line in rule.lines if line.verdict == "stale"]:
                verdict = worst(line.verdict for line in lines)
                normative = any(self.is_normative(line) for line in lines if line.verdict == verdict)
                found.append(FailedRule(rule, verdict, tuple(lines), normative))
        return tuple(found)

    @cached_property
    def counts(self) -> Mapping[str, Counter[State]]:
        """Count each state: of cases, of normative and of advisory ones, and of rules likewise."""
        cases = [(self.is_normative(line), self.state(name)) for name, line in self.results.items()]
        rules = [(rule.is_normative, rule.state) for rule in self.rules.values()]
        found = {"cases": Counter(state for _, state in cases)}
        for what, states in (("cases", cases), ("rules", rules)):
            for kind, is_normative in (("normative", True), ("advisory", False)):
                found[f"{kind} {what}"] = Counter(state for normative, state in states if normative is is_normative)
        return found

    def failed_cases(self) -> set[str]:
        """The cases that failed; for a run of failed cases, also those that it did not reach."""
        failing = FAILURES - {"not-run"} | {"stale"} | ({"not-run"} if self.run.last_failed else set())
        return {name for name, line in self.results.items() if line.verdict in failing}

    def hint(self, lines: Iterable[CaseLine]) -> str:
        """The axes that the target could declare a posture on to excuse these failures; empty without any."""
        failed = (case_named(line.case) for line in lines if line.verdict == "failed")
        presupposed = {axis: value for case in failed if case for axis, value in case.postures.items()}
        return posture_hint(presupposed, self.run.postures)

    def reasons(self, verdict: Verdict) -> Counter[str]:
        """The number of the cases with this verdict by their reason, apart from those without a line."""
        return Counter(
            line.message for name, line in self.results.items() if line.verdict == verdict and name not in self.missing
        )


def account_of(suite_run: SuiteRun, summary: Summary) -> Account:
    """The account of a run, equal to that of its report."""
    lines = tuple(as_read(case_line(result)) for result in suite_run.results.values())
    return Account((), run_line(suite_run), lines, summary)


def read_account(path: Path) -> Account:
    """Read a report, cut off or not. Raises `UsageError` for a file that cannot be read as one."""
    try:
        lines = read_report(path)
    except OSError as error:
        raise UsageError(f"the report {path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not a report of a run: {error}") from None
    if not lines or not isinstance(lines[0], RunLine):
        raise UsageError(f"{path} is not a report of a run: it does not begin with one")
    cases = tuple(line for line in lines if isinstance(line, CaseLine))
    return Account((path,), lines[0], cases, lines[-1] if isinstance(lines[-1], Summary) else None)


def verdicts_of_rules(lines: Iterable[Result]) -> dict[str, Verdict]:
    """The verdict of each rule: the worst one of the cases that decide."""
    found = by_rule(lines).items()
    return {rule: worst(cases[name].verdict for name in deciding(rule, cases)) for rule, cases in found}


def _not_run(name: str, why: str) -> CaseLine:
    case = case_named(name)
    rules = case.rule.ids if case else ()
    return CaseLine(case=name, rules=rules, verdict="not-run", seconds=0.0, location="", message=why)


# -- the last sentence of a run ----------------------------------------------------------------------------------------


def ending(account: Account) -> str:
    """How a run ended, in one sentence; of a report that was cut off, how many cases have no verdict."""
    summary, label = account.summary, account.label
    if summary is None:
        planned, left = len(account.results), sum(line.verdict == "not-run" for line in account.results.values())
        has = "has" if left == 1 else "have"
        return f"The report was cut off: {left} of {counted(planned, 'case')} {has} no verdict."
    match summary.exit_code:
        case 0 if not summary.executed:  # of a shard only
            return f"{label} has nothing to judge: the applicable cases are in other shards."
        case 0:
            own = judged_in(own_postures(account.run.postures))
            # the dialect follows
            name = label.removesuffix(f" as {value_on(DIALECT, account.run.postures)}") if own else label
            in_own = f" {own}" if own else ""
            in_own += _selected(account.run, summary.executed) + _in_variants(summary, account.run.variants)
            advisory = f" {_failed(account)}." if _failures(account) else ""
            return f"{name} is conformant{in_own}{_but_for(summary)}.{advisory}"
        case 1:
            stopped = f" The run stopped there: {_left(summary)}." if summary.stopped else ""
            return f"{label} is not conformant: {_failed(account)}.{stopped}"
        case 3:
            stale = counted(len(summary.stale), "entry", "entries")
            are = "is" if len(summary.stale) == 1 else "are"
            return f"{label}: {stale} of the baseline {are} stale, since the listed cases pass: prune the baseline."
        case 4:
            return f"{label} is unusable: {summary.aborted}. The rest was not run."
        case 130:
            return f"interrupted: {_left(summary)}."
    if not summary.canary:
        return "The suite is broken: the case that must fail did not fail, so no verdict can be trusted."
    if summary.planned != summary.accounted:
        planned_cases = counted(summary.planned, "case")
        return f"The suite is broken: {planned_cases} planned, and {summary.accounted} accounted for."
    return f"Nothing was judged: of {counted(summary.planned, 'case')} none is applicable to {label}{_why(account)}."


def _why(account: Account) -> str:
    """The reason why cases are inapplicable, or the most frequent one, in parentheses."""
    reasons = account.reasons("inapplicable")
    del reasons[""]
    if not reasons:
        return ""
    return f" ({'' if len(reasons) == 1 else 'most often '}{reasons.most_common(1)[0][0]})"


def _selected(run: RunLine, executed: int) -> str:
    """How much was judged, if the user has named rules, areas or cases: "conformant" alone is about all of them."""
    return f" in {counted(executed, 'selected case')}" if run.selected or run.last_failed else ""


def _in_variants(summary: Summary, named: Collection[str]) -> str:
    """The named variants that were judged, without which "conformant" is about a few transformed scenes alone."""
    found = {name: verdicts for name, verdicts in summary.variants.items() if name in named}
    judged = [name for name, verdicts in found.items() if verdicts["passed"] or verdicts["known"]]
    if not judged:
        return ""
    if len(judged) > 3:
        return f", also in {'all ' if len(judged) == len(forms()) else ''}{len(judged)} variants"
    return f", also in the {'variant' if len(judged) == 1 else 'variants'} {', '.join(judged)}"


# What a sentence calls causes of a kind.
KIND_NAMES: Mapping[Kind, str] = {
    "defect": "defect",
    "documented": "documented otherwise",
    "not-offered": "not offered",
    "open": "open",
}


def kinds_of_causes(causes: Mapping[str, int]) -> str:
    """How many causes there are of each kind, in words; empty for causes without a kind."""
    found = {kind: count for kind in KIND_NAMES if (count := causes.get(kind, 0))}
    return ", ".join(
        counted(count, "defect") if kind == "defect" else f"{count} {KIND_NAMES[kind]}" for kind, count in found.items()
    )


def _but_for(summary: Summary) -> str:
    """The known failures, which are no conformance."""
    known = summary.cases["known"]
    if not known:
        return ""
    unexplained = f", {summary.unexplained} of them not yet explained" if summary.unexplained else ""
    kinds = kinds_of_causes(summary.causes)
    causes = f" of {counted(sum(summary.causes.values()), 'cause')} ({kinds})" if kinds else ""
    return f" except for known failures: {counted(known, 'case')}{causes}{unexplained}"


def _failures(account: Account) -> Counter[bool]:
    """The number of failed, crashed, timed out and errored cases of normative rules (True) and of advisory ones."""
    failed = (line for line in account.results.values() if line.verdict in FAILURES - {"not-run"})
    return Counter(map(account.is_normative, failed))


def _failed(account: Account) -> str:
    failures = _failures(account)
    normative = f"{counted(failures[True], 'normative case')} failed"
    if not failures[False]:
        return normative
    if not failures[True]:
        return f"{counted(failures[False], 'advisory case')} failed"
    strict = " (which count under --strict)" if account.run.strict else ""
    return f"{normative}, {failures[False]} advisory{strict}"


def _left(summary: Summary) -> str:
    left = summary.cases["not-run"]
    return f"{left} of {counted(summary.planned, 'case')} {'was' if left == 1 else 'were'} not run"
