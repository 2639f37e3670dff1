"""One run of the suite against one target: the plan and the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field

from msgspec import Struct
from msgspec.structs import replace

from ..contract.reasons import Inapplicable
from ..contract.roles import ROLES, Role
from ..contract.target import Target
from ..specification.cases import Case
from ..specification.ledger import JUDGED, NORMATIVE, basis_of, deciding, in_dialect, ledger
from ..specification.selection import Shard
from .baseline import UNEXPLAINED, Baseline, EntriesOfRun
from .checking import inapplicable
from .judge import applies, role_for
from .result import FAILURES, VERDICTS, Result, Verdict, by_rule, worst


class Summary(Struct, frozen=True, tag="summary", kw_only=True):
    """A finished run, and the last line of its report: a report without one was cut off.

    `cases`, `normative` and `advisory` (rules) count every verdict, zeros included; `no_scenario` counts the rules
    without one. `aborted` says why the target could not be judged any further, `stopped` after which failure the run
    stopped. `stale` are the entries of the baseline without a failure, `unexplained` counts the known failures without
    a reason, and `causes` their causes by kind. `variants` counts the verdicts of the cases of each judged variant.
    `not_judged` are the entries of the baseline that name a case which is not judged on this target, each with the
    reason; empty for a run in one role.
    """

    cases: dict[Verdict, int]
    normative: dict[Verdict, int]
    advisory: dict[Verdict, int]
    no_scenario: dict[str, int]
    planned: int
    accounted: int
    executed: int
    canary: bool
    aborted: str
    interrupted: bool
    exit_code: int
    stale: tuple[str, ...] = ()
    unexplained: int = 0
    causes: dict[str, int] = {}
    stopped: str = ""
    variants: dict[str, dict[Verdict, int]] = {}
    not_judged: dict[str, str] = {}

    @property
    def is_whole(self) -> bool:
        """Whether the run is complete: neither aborted, nor interrupted, nor stopped."""
        return not (self.aborted or self.interrupted or self.stopped)

    @property
    def has_nothing_applicable(self) -> bool:
        """Whether a complete run of a working suite had no applicable case."""
        return self.is_whole and self.canary and self.planned == self.accounted and not self.executed


@dataclass(eq=False)
class SuiteRun:
    """Takes results, calls the watchers with each, and adds the results up.

    With a `shard`, `whole` is the plan of all shards, and `plan` the part that is judged here. With `stop_early`, the
    first result that fails the run stops it; `last_failed` says that the plan has only cases that failed before.
    `variants` are those in which all cases were selected; by default, each case is judged in a few. `selected`: the
    user named rules, areas or cases. Raises `UsageError` if a workspace would not be alone.
    """

    target: Target
    name: str
    plan: Sequence[Case]
    _: KW_ONLY
    baseline: Baseline = field(default_factory=Baseline)
    strict: bool = False
    role: Role | None = None
    seed: int = 0
    shard: Shard | None = None
    stop_early: bool = False
    last_failed: bool = False
    selected: bool = False
    variants: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Choose the cases that the target's dialect and the shard have."""
        self.whole = in_dialect(self.plan, self.target.postures)
        self.plan = self.shard.part(self.whole) if self.shard else self.whole
        for role in self.target.roles & {role for case in self.plan for role in case.roles}:
            if check := ROLES[role].before_run:
                check()
        self.canary: bool | None = None  # whether the canary failed; None: not judged
        self.aborted = ""
        self.stopped = ""
        self.results: dict[str, Result] = {}
        self.watchers: list[Callable[[Result], None]] = []
        self._basis: dict[str, str] = {case.id: case.basis for case in self.plan}
        self.unplanned: list[str] = []  # the cases of invariants that do not hold

    @property
    def short(self) -> tuple[str, ...]:
        """The planned cases in their short form, which show less than the full one."""
        return tuple(case.id for case in self.plan if case.is_short)

    @property
    def is_over(self) -> bool:
        """Whether no more cases are judged, whatever is left of the plan."""
        return bool(self.aborted or self.stopped)

    @property
    def is_complete(self) -> bool:
        """Whether every planned case has a result."""
        return len(self.results) - len(self.unplanned) >= len(self.plan)

    def take(self, result: Result) -> Result:
        """Take a result with the baseline applied; the first result of a case counts."""
        if result.case in self.results or result.case not in self._basis:
            return result
        result = self.baseline.judged(result)
        self.results[result.case] = result
        for watcher in self.watchers:
            watcher(result)
        self.aborted = self.aborted or self.target.unusable
        if result.verdict == "timed-out" and not self.target.isolated and not self.aborted:
            self.aborted = f"{result.message}; a target that hangs in this process cannot be stopped"
        if self.stop_early and not self.is_over and self.fails_run(result):
            self.stopped = result.case
        for broken in result.broken:
            self.take_reported(broken)
        return result

    def take_reported(self, result: Result) -> None:
        """Take a result that may be that of an invariant which does not hold in a planned case."""
        if result.case not in self._basis and ledger().rules[result.rules[0]].status == "invariant":
            self.unplanned.append(result.case)
            self._basis[result.case] = basis_of(result.case, result.rules)
        self.take(result)

    def finish(self, interrupted: bool = False) -> Summary:
        """Account for cases without a result, and add up."""
        if self.is_over or interrupted:
            self._account_for_the_rest()
        accounted = len(self.results)
        names = [*(case.id for case in self.plan), *self.unplanned]
        self.results = {name: self.results[name] for name in names if name in self.results}
        of_rules = self.outcomes().values()
        entries = EntriesOfRun(self.baseline, self.plan, self.results, self.target)
        summary = Summary(
            cases=by_verdict(result.verdict for result in self.results.values()),
            normative=by_verdict(verdict for basis, verdict in of_rules if basis in NORMATIVE),
            advisory=by_verdict(verdict for basis, verdict in of_rules if basis not in NORMATIVE),
            no_scenario=dict(Counter(row.status for row in ledger().rules.values() if row.status not in JUDGED)),
            planned=len(names),
            accounted=accounted,
            executed=sum(r.verdict not in ("not-run", "inapplicable") for r in self.results.values()),
            canary=bool(self.canary),
            aborted=self.aborted,
            interrupted=interrupted,
            exit_code=0,
            stale=entries.stale(),
            unexplained=sum(result.cause == UNEXPLAINED for result in self.results.values()),
            causes=Counter(kind for kind, _ in {(one.kind, one.cause) for one in self.results.values() if one.cause}),
            stopped=self.stopped,
            variants=self._by_variant(),
            not_judged={} if self.role else entries.not_judged(),
        )
        return replace(summary, exit_code=self._exit_code(summary))

    def _by_variant(self) -> dict[str, dict[Verdict, int]]:
        found: dict[str, list[Verdict]] = {}
        for case in self.plan:
            if case.source and case.form and case.id in self.results:
                found.setdefault(case.form, []).append(self.results[case.id].verdict)
        return {name: by_verdict(verdicts) for name, verdicts in found.items()}

    def _account_for_the_rest(self) -> None:
        ended = f"stopped after {self.stopped!r}" if self.stopped else "was interrupted"
        why = self.aborted or f"the run {ended}"
        for case in self.plan:
            if case.id not in self.results:
                role = role_for(case, self.target, self.role)
                not_run = Result(case.id, case.rule.ids, "not-run", message=why)
                self.take(inapplicable(case, role) if isinstance(role, Inapplicable) else not_run)

    def outcomes(self) -> dict[str, tuple[str, Verdict]]:
        """The basis and the verdict of each rule so far: the worst one of the cases that decide."""
        found = by_rule(self.results.values())
        return {rule: self._outcome(rule, found[rule]) for rule in ledger().rules if rule in found}

    def _outcome(self, rule: str, results: Mapping[str, Result]) -> tuple[str, Verdict]:
        names = deciding(rule, results)  # none of an invariant that holds everywhere
        basis = self._basis[names[0]] if names else ledger().rules[rule].basis
        return basis, worst(results[name].verdict for name in names)

    def fails_run(self, result: Result) -> bool:
        """Whether a result makes the run fail."""
        return fails_run(result.verdict, self._basis[result.case], self.strict)

    def _may_judge_nothing(self) -> bool:
        """Whether this is a shard without an applicable case, of a plan that has one."""
        applicable = [case.id for case in self.whole if applies(case, self.target, self.role)]
        return self.shard is not None and bool(applicable) and self._basis.keys().isdisjoint(applicable)

    def _exit_code(self, summary: Summary) -> int:
        if summary.interrupted:
            return 130
        if summary.aborted:
            return 4
        if summary.planned != summary.accounted or not summary.canary:
            return 5
        if not summary.executed and not self._may_judge_nothing():
            return 5
        if any(self.fails_run(result) for result in self.results.values()):
            return 1
        return 3 if summary.stale else 0


def fails_run(verdict: Verdict, basis: str, strict: bool) -> bool:
    """Whether a verdict fails a run: a failing advisory rule does so under `strict` only."""
    return verdict in FAILURES and (strict or verdict != "failed" or basis in NORMATIVE)


def by_verdict(verdicts: Iterable[Verdict]) -> dict[Verdict, int]:
    """The number of each verdict, zeros included."""
    counts = Counter(verdicts)
    return {verdict: counts[verdict] for verdict in VERDICTS}
