"""The last sentence of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ..contract.axes import DIALECT, Postures, judged_in, own_postures, value_on
from ..engine.output import counted
from ..engine.result import FAILURES, Verdict
from ..engine.run import SuiteRun, Summary
from ..specification.ledger import NORMATIVE
from ..specification.sources import forms


class Failures(NamedTuple):
    """The number of failed, crashed, timed out and errored cases of normative and of advisory rules."""

    normative: int
    advisory: int

    @classmethod
    def of(cls, verdicts: Iterable[tuple[Verdict, str]]) -> Failures:
        """Count the verdicts of cases, each with the basis of its rule."""
        failed = FAILURES - {"not-run"}
        counts = Counter(basis in NORMATIVE for verdict, basis in verdicts if verdict in failed)
        return cls(counts[True], counts[False])


def ending_of(suite_run: SuiteRun, summary: Summary) -> str:
    """The last sentence of a run in this process."""
    judged = (case for case in suite_run.judged if case.id in suite_run.results)
    failures = Failures.of((suite_run.results[case.id].verdict, case.basis) for case in judged)
    return ending(
        suite_run.label,
        summary,
        failures,
        strict=suite_run.strict,
        postures=suite_run.target.postures,
        reasons=(result.message for result in suite_run.results.values() if result.verdict == "inapplicable"),
    )


def ending(
    name: str,
    summary: Summary,
    failures: Failures,
    *,
    strict: bool = False,
    postures: Postures,
    reasons: Iterable[str] = (),
) -> str:
    """The last sentence of a run on a target with these postures. `reasons` are those of the inapplicable cases."""
    match summary.exit_code:
        case 0 if not summary.executed:  # of a shard only
            return f"{name} has nothing to judge: the applicable cases are in other shards."
        case 0:
            own = _in_own_posture(postures)
            name = name.removesuffix(f" as {value_on(DIALECT, postures)}") if own else name  # the dialect follows
            return f"{name} is conformant{own}{_in_variants(summary)}{_but_for(summary)}.{_advisory(failures)}"
        case 1:
            stopped = f" The run stopped there: {_not_run(summary)}." if summary.stopped else ""
            return f"{name} is not conformant: {_failed(failures, strict)}.{stopped}"
        case 3:
            stale = counted(len(summary.stale), "entry", "entries")
            are = "is" if len(summary.stale) == 1 else "are"
            return f"{name}: {stale} of the baseline {are} stale, since the listed cases pass: prune the baseline."
        case 4:
            return f"{name} is unusable: {summary.aborted}. The rest was not run."
        case 130:
            return f"interrupted: {_not_run(summary)}."
    if not summary.canary:
        return "The suite is broken: the case that must fail did not fail, so no verdict can be trusted."
    if summary.planned != summary.accounted:
        planned = counted(summary.planned, "case")
        return f"The suite is broken: {planned} planned, and {summary.accounted} accounted for."
    return f"Nothing was judged: of {counted(summary.planned, 'case')} none is applicable to {name}{_why(reasons)}."


def _why(reasons: Iterable[str]) -> str:
    """The reason, or the most frequent one, in parentheses."""
    counts = Counter(filter(None, reasons))
    if not counts:
        return ""
    return f" ({'' if len(counts) == 1 else 'most often '}{counts.most_common(1)[0][0]})"


def _in_own_posture(postures: Postures) -> str:
    """The dialect and the values that are not the default ones, preceded by a space; empty without any."""
    own = judged_in(own_postures(postures))
    return f" {own}" if own else ""


def _in_variants(summary: Summary) -> str:
    """The judged variants, without which "conformant" is about the examples alone."""
    judged = [name for name, verdicts in summary.variants.items() if verdicts["passed"] or verdicts["known"]]
    if not judged:
        return ""
    if len(judged) == len(forms()):
        return f", also in all {len(judged)} variants"
    return f", also in the {'variant' if len(judged) == 1 else 'variants'} {', '.join(judged)}"


def _but_for(summary: Summary) -> str:
    """The known failures, which are no conformance."""
    known = summary.cases["known"]
    if not known:
        return ""
    unexplained = f", {summary.unexplained} of them not yet explained" if summary.unexplained else ""
    return f" except for known failures: {counted(known, 'case')}{unexplained}"


def _advisory(failures: Failures) -> str:
    return f" {counted(failures.advisory, 'advisory case')} failed." if failures.advisory else ""


def _failed(failures: Failures, strict: bool) -> str:
    normative = f"{counted(failures.normative, 'normative case')} failed"
    if not failures.advisory:
        return normative
    if not failures.normative:
        return f"{counted(failures.advisory, 'advisory case')} failed"
    return f"{normative}, {failures.advisory} advisory{' (which count under --strict)' if strict else ''}"


def _not_run(summary: Summary) -> str:
    left = summary.cases["not-run"]
    return f"{left} of {counted(summary.planned, 'case')} {'was' if left == 1 else 'were'} not run"
