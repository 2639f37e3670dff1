"""The last sentence of a run."""

from __future__ import annotations

from collections import Counter

from ..contract.axes import DIALECT, Postures, judged_in, own_postures, value_on
from ..engine.counting import counted
from ..engine.run import Summary
from ..engine.verdict import FAILURES
from ..specification.sources import forms
from .account import Account


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
            own = _in_own_posture(account.run.postures)
            # the dialect follows
            name = label.removesuffix(f" as {value_on(DIALECT, account.run.postures)}") if own else label
            return f"{name} is conformant{own}{_in_variants(summary)}{_but_for(summary)}.{_advisory(account)}"
        case 1:
            stopped = f" The run stopped there: {_not_run(summary)}." if summary.stopped else ""
            return f"{label} is not conformant: {_failed(account)}.{stopped}"
        case 3:
            stale = counted(len(summary.stale), "entry", "entries")
            are = "is" if len(summary.stale) == 1 else "are"
            return f"{label}: {stale} of the baseline {are} stale, since the listed cases pass: prune the baseline."
        case 4:
            return f"{label} is unusable: {summary.aborted}. The rest was not run."
        case 130:
            return f"interrupted: {_not_run(summary)}."
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


def _failures(account: Account) -> Counter[bool]:
    """The number of failed, crashed, timed out and errored cases of normative rules (True) and of advisory ones."""
    failed = (line for line in account.results.values() if line.verdict in FAILURES - {"not-run"})
    return Counter(map(account.is_normative, failed))


def _advisory(account: Account) -> str:
    advisory = _failures(account)[False]
    return f" {counted(advisory, 'advisory case')} failed." if advisory else ""


def _failed(account: Account) -> str:
    failures = _failures(account)
    normative = f"{counted(failures[True], 'normative case')} failed"
    if not failures[False]:
        return normative
    if not failures[True]:
        return f"{counted(failures[False], 'advisory case')} failed"
    strict = " (which count under --strict)" if account.run.strict else ""
    return f"{normative}, {failures[False]} advisory{strict}"


def _not_run(summary: Summary) -> str:
    left = summary.cases["not-run"]
    return f"{left} of {counted(summary.planned, 'case')} {'was' if left == 1 else 'were'} not run"
