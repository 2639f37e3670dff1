"""A run as one Markdown page, for the summary of a CI job."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from ..contract.axes import DIALECT, Postures, posture_hint
from ..engine.output import counted, write_text
from ..engine.result import FAILURES, VERDICTS, Verdict, refused_names, worst
from .account import Account, ReportedCase, ReportedRule
from .markdown import block, code, inline

_LONG = 600  # characters of evidence per value
_MOST = 100  # rules in detail: the summary of a job is limited to a megabyte
# from the best to the worst, and inapplicable last
_SHOWN: tuple[Verdict, ...] = (*reversed(VERDICTS[:-1]), VERDICTS[-1])


def write_summary(path: Path, account: Account) -> None:
    """Write the page: the last sentence, the counts of every verdict, and the failing rules."""
    write_text(path, "\n".join(_lines(account)) + "\n")


def _lines(account: Account) -> Iterator[str]:
    yield f"# loopspec: {inline(account.name)}"
    yield ""
    yield f"**{inline(account.ending(), 1000)}**"
    yield ""
    yield from _identity(account)
    yield from _counts(account)
    yield from _failures(account)
    yield from _stale(account)
    yield from _not_judged(account)
    yield from _known(account)
    yield from _refused(account)
    yield from _inapplicable(account)


def _identity(account: Account) -> Iterator[str]:
    run = account.run
    yield f"- target: {code(run.target)}, in the {'role' if len(run.roles) == 1 else 'roles'} {', '.join(run.roles)}"
    language = f", {inline(run.identity.language)}" if run.identity.language else ""
    yield f"- implementation: {inline(account.name)}{language}"
    yield f"- suite: loopspec {inline(run.suite)}, features {code(run.features)}"
    for axis, posture in run.postures.items():
        source = f"documented at {inline(posture.link)}" if posture.link else "measured"
        lead = "" if axis == DIALECT else "posture: "
        yield f"- {lead}{axis}: {posture.value}, {source}"
    if run.began:
        yield f"- begun: {datetime.fromtimestamp(run.began, UTC):%Y-%m-%d %H:%M:%S} UTC"
    options = [f"only the role {run.role}"] * bool(run.role) + ["strict"] * run.strict
    options += [f"shuffled by {run.seed}"] * bool(run.seed)
    if options:
        yield f"- run: {', '.join(options)}"
    yield f"- planned: {counted(len(account.cases), 'case')}"
    yield ""


def _counts(account: Account) -> Iterator[str]:
    yield f"| | {' | '.join(_SHOWN)} |"
    yield "| --- |" + " ---: |" * len(_SHOWN)
    for what, counts in account.counts().items():
        yield f"| {what} | {' | '.join(str(counts[verdict]) for verdict in _SHOWN)} |"
    yield ""


def _failures(account: Account) -> Iterator[str]:
    """The failing rules; cases that were not run share one reason, which is in the last sentence."""
    failing = [rule for rule in account.rules if any(_is_failure(reported) for reported in rule.cases)]
    if not failing:
        return
    yield f"## {counted(len(failing), 'rule')} failed"
    yield ""
    for rule in failing[:_MOST]:
        yield from _failure(rule, account.run.postures)
    if len(failing) > _MOST:
        rest = ", ".join(rule.id for rule in failing[_MOST:])
        yield f"And {len(failing) - _MOST} more; the report has their evidence: {rest}."
        yield ""


def _is_failure(reported: ReportedCase) -> bool:
    return reported.verdict in FAILURES and reported.verdict != "not-run"


def _failure(rule: ReportedRule, postures: Postures) -> Iterator[str]:
    failed = [reported for reported in rule.cases if _is_failure(reported)]
    apart = "" if rule.is_normative else " (advisory: counts under `--strict`)"
    yield f"### {rule.id} {worst(reported.verdict for reported in failed)}: {inline(rule.sentence)}{apart}"
    yield ""
    first, *others = failed
    yield f"{code(first.case.id)}, {code(first.line.location)}"
    yield ""
    if first.line.step:
        yield inline(first.line.step)
        yield ""
    if first.line.expected or first.line.seen:
        for label, value in (("expected", first.line.expected), ("seen", first.line.seen)):
            yield f"{label}:"
            yield ""
            yield block(value.strip("\n"), _LONG)
            yield ""
    elif first.line.message:
        yield block(first.line.message, 2 * _LONG)
        yield ""
    if others:
        yield f"{counted(len(others), 'more case')} of this rule failed."
        yield ""
    presupposed = [reported.case.postures for reported in failed if reported.verdict == "failed"]
    if hint := posture_hint({axis: one[axis] for one in presupposed for axis in one}, postures):
        yield f"{hint[0].upper()}{hint[1:]}."
        yield ""


def _stale(account: Account) -> Iterator[str]:
    entries = account.summary.stale if account.summary else ()
    if entries:
        yield f"## {counted(len(entries), 'stale entry', 'stale entries')} of the baseline"
        yield ""
        yield "What they list passes now: `loopspec baseline prune` removes them."
        yield ""
        yield from (f"- {code(entry)}" for entry in entries)
        yield ""


def _not_judged(account: Account) -> Iterator[str]:
    entries = account.summary.not_judged if account.summary else {}
    if entries:
        yield f"## {counted(len(entries), 'entry', 'entries')} of the baseline not judged here"
        yield ""
        yield from (f"- {code(name)}: {inline(reason)}" for name, reason in entries.items())
        yield ""


def _known(account: Account) -> Iterator[str]:
    known = [rule for rule in account.rules if any(reported.verdict == "known" for reported in rule.cases)]
    if known:
        yield f"## {counted(len(known), 'rule')} known to fail"
        yield ""
        yield from (f"- {rule.id}: {inline(rule.sentence)}" for rule in known)
        yield ""


def _refused(account: Account) -> Iterator[str]:
    refused = refused_names(reported.line for reported in account.cases)
    if refused:
        yield f"## {counted(len(refused), 'case')} passed with a refused name"
        yield ""
        yield from (f"- {code(name)}: {inline(message)}" for name, message in refused.items())
        yield ""


def _inapplicable(account: Account) -> Iterator[str]:
    reasons = account.inapplicable()
    if reasons:
        yield "## Inapplicable"
        yield ""
        yield "| cases | why |"
        yield "| ---: | --- |"
        yield from (f"| {count} | {inline(reason)} |" for reason, count in reasons.items())
        yield ""
