"""One run of the suite against one target: what was planned, and what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from msgspec import Struct
from msgspec.structs import replace as altered

from ..contract.capabilities import Role
from ..contract.target import Target
from ..specification.cases import Case, compiled
from ..specification.ledger import DECIDING, ledger
from ..specification.shards import Shard
from .baseline import Baseline
from .judge import Result, by_rule, role_for
from .verdict import FAILURES, VERDICTS, Verdict, worst


@dataclass(frozen=True)
class RuleOutcome:
    """What became of a rule: the worst of its cases."""

    id: str
    provenance: str
    verdict: Verdict
    results: tuple[Result, ...]


class Summary(Struct, frozen=True, tag="summary", kw_only=True):
    """A finished run, and the last line of its report: one without it was cut off.

    `cases`, `rules` and `clarified` count every verdict, zeros too; `no_scenario` the rules that have none.
    `stale` are the entries of the baseline of which nothing fails any more.
    """

    cases: dict[Verdict, int]
    rules: dict[Verdict, int]
    clarified: dict[Verdict, int]
    no_scenario: dict[str, int]
    planned: int
    accounted: int
    executed: int
    canary: bool
    aborted: str
    interrupted: bool
    exit_code: int
    stale: tuple[str, ...] = ()


class Running:
    """Takes results as they come, hands each on at once, and adds up.

    With a `shard`, `whole` is the plan that it was made with, and `plan` the part of it that is judged here.
    """

    def __init__(
        self,
        target: Target,
        name: str,
        plan: Sequence[Case],
        *,
        baseline: Baseline | None = None,
        strict: bool = False,
        role: Role | None = None,
        seed: int = 0,
        shard: Shard | None = None,
    ) -> None:
        self.target = target
        self.name = name
        self.whole = plan
        self.plan = shard.part(plan) if shard else plan
        self.baseline = baseline or Baseline()
        self.strict = strict
        self.role = role
        self.seed = seed
        self.shard = shard
        self.canary: bool | None = None  # whether the case that must fail did; None: it was not asked
        self.aborted = ""
        self.results: dict[str, Result] = {}
        self.watchers: list[Callable[[Result], None]] = []
        self._provenance = {case.id: case.rule.provenance for case in self.plan}

    @property
    def label(self) -> str:
        """What is judged, as a sentence names it."""
        return f"{self.name} (shard {self.shard})" if self.shard else self.name

    def take(self, result: Result) -> Result:
        """Take a result, in the light of the baseline; a case counts once, by the first result it has."""
        if result.case in self.results or result.case not in self._provenance:
            return result
        result = replace(result, verdict=self.baseline.judge(result))
        if result.verdict == "stale":
            result = replace(result, message="passes, though the baseline says it fails")
        self.results[result.case] = result
        for watcher in self.watchers:
            watcher(result)
        self.aborted = self.aborted or self.target.unusable
        if result.verdict == "timed-out" and not self.target.isolated and not self.aborted:
            self.aborted = f"{result.message}; in its own process a target that hangs cannot be stopped"
        return result

    def finish(self, interrupted: bool = False) -> Summary:
        """Account for what has no result yet, and add up."""
        executed = sum(r.verdict not in ("not-run", "inapplicable") for r in self.results.values())
        accounted = len(self.results)
        if self.aborted or interrupted:
            for case in self.plan:
                if case.id not in self.results:
                    why = self.aborted or "the run was interrupted"
                    self.take(Result(case.id, case.rule.ids, "not-run", message=why))
            accounted = len(self.results)
        self.results = {case.id: self.results[case.id] for case in self.plan if case.id in self.results}
        outcomes = self.outcomes()
        summary = Summary(
            cases=counted(result.verdict for result in self.results.values()),
            rules=counted(outcome.verdict for outcome in outcomes if outcome.provenance in DECIDING),
            clarified=counted(outcome.verdict for outcome in outcomes if outcome.provenance not in DECIDING),
            no_scenario=dict(Counter(row.status for row in ledger().rules.values() if row.status != "scenario")),
            planned=len(self.plan),
            accounted=accounted,
            executed=executed,
            canary=bool(self.canary),
            aborted=self.aborted,
            interrupted=interrupted,
            exit_code=0,
            stale=self._stale(),
        )
        return altered(summary, exit_code=self._exit_code(summary))

    def outcomes(self) -> tuple[RuleOutcome, ...]:
        """What became of each rule so far, in the ledger's order."""
        found = by_rule(self.results.values())
        return tuple(
            RuleOutcome(rule, row.provenance, worst(r.verdict for r in found[rule]), tuple(found[rule]))
            for rule, row in ledger().rules.items()
            if rule in found
        )

    def decides(self, result: Result) -> bool:
        """Whether a result makes the run fail."""
        return decides(result.verdict, self._provenance[result.case], self.strict)

    def _stale(self) -> tuple[str, ...]:
        """The entries of which all was judged, and nothing fails; a part of a rule tells nothing."""
        if not self.baseline.known:
            return ()
        verdicts: dict[str, set[Verdict]] = {}
        for case in compiled():
            verdict = self.results[case.id].verdict if case.id in self.results else "not-run"
            for name in (case.id, *case.rule.ids):
                verdicts.setdefault(name, set()).add(verdict)
        found = [(known.case, verdicts.get(known.case, set())) for known in self.baseline.known]
        return tuple(
            entry for entry, of in found if of & {"passed", "stale"} and of <= {"passed", "stale", "inapplicable"}
        )

    def _may_judge_nothing(self) -> bool:
        """Whether this is a shard in which nothing is applicable, while of the whole plan something is."""
        applicable = [case.id for case in self.whole if role_for(case, self.target, self.role)[0]]
        return self.shard is not None and bool(applicable) and self._provenance.keys().isdisjoint(applicable)

    def _exit_code(self, summary: Summary) -> int:
        if summary.interrupted:
            return 130
        if summary.aborted:
            return 4
        if summary.planned != summary.accounted or not summary.canary:
            return 5
        if not summary.executed and not self._may_judge_nothing():
            return 5
        if any(self.decides(result) for result in self.results.values()):
            return 1
        return 3 if summary.stale else 0


def decides(verdict: Verdict, provenance: str, strict: bool) -> bool:
    """Whether a verdict makes a run fail: of a clarified rule only under `strict`, unless it is a breakdown."""
    return verdict in FAILURES and (strict or verdict != "failed" or provenance in DECIDING)


def counted(verdicts: Iterable[Verdict]) -> dict[Verdict, int]:
    """How often each verdict is there, zeros too."""
    counts = Counter(verdicts)
    return {verdict: counts[verdict] for verdict in VERDICTS}
