"""A run as one Markdown page, for the summary of a CI job."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..contract.axes import DIALECT
from ..engine.output import counted
from ..engine.result import refused_names
from .account import SHOWN, Account, FailedRule, ending
from .markdown import block, code, inline

_LONG = 600  # characters of evidence per value
_MOST = 100  # rules in detail: the summary of a job is limited to a megabyte


def as_page(account: Account) -> str:
    """The page: the last sentence, the counts of every verdict, and the failing rules."""
    return "".join(f"{block}\n\n" for block in _blocks(account))


def _blocks(account: Account) -> Iterator[str]:
    """The paragraphs, lists and tables of the page."""
    yield f"# loopspec: {inline(account.name)}"
    yield f"**{inline(ending(account), 1000)}**"
    yield "\n".join(_identity(account))
    yield "\n".join(_counts(account))
    yield from _failures(account)
    summary = account.summary
    if summary and summary.stale:
        yield f"## {counted(len(summary.stale), 'stale entry', 'stale entries')} of the baseline"
        yield "What they list passes now: `loopspec baseline prune` removes them."
        yield "\n".join(f"- {code(entry)}" for entry in summary.stale)
    not_judged = {code(name): reason for name, reason in (summary.not_judged if summary else {}).items()}
    yield from _listed(f"{counted(len(not_judged), 'entry', 'entries')} of the baseline not judged here", not_judged)
    known = [rule for rule in account.rules.values() if any(line.verdict == "known" for line in rule.lines)]
    yield from _listed(f"{counted(len(known), 'rule')} known to fail", {rule.id: rule.sentence for rule in known})
    refused = {code(name): message for name, message in refused_names(account.lines).items()}
    yield from _listed(f"{counted(len(refused), 'case')} passed with a refused name", refused)
    if reasons := account.reasons("inapplicable"):
        yield "## Inapplicable"
        rows = (f"| {reasons[reason]} | {inline(reason)} |" for reason in sorted(reasons))
        yield "\n".join(["| cases | why |", "| ---: | --- |", *rows])


def _listed(title: str, entries: Mapping[str, str]) -> Iterator[str]:
    """A section with a line for each entry, and its text; nothing without entries."""
    if entries:
        yield f"## {title}"
        yield "\n".join(f"- {name}: {inline(text)}" for name, text in entries.items())


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
    if began := account.began("%Y-%m-%d %H:%M:%S"):
        yield f"- begun: {began}"
    options = [f"only the role {run.role}"] * bool(run.role) + ["strict"] * run.strict
    options += [f"shuffled by {run.seed}"] * bool(run.seed)
    if options:
        yield f"- run: {', '.join(options)}"
    yield f"- planned: {counted(len(account.results), 'case')}"


def _counts(account: Account) -> Iterator[str]:
    yield f"| | {' | '.join(SHOWN)} |"
    yield "| --- |" + " ---: |" * len(SHOWN)
    for what, counts in account.counts.items():
        shown = (counts[verdict] + (verdict == "not-run") * counts["no-result"] for verdict in SHOWN)
        yield f"| {what} | {' | '.join(map(str, shown))} |"


def _failures(account: Account) -> Iterator[str]:
    """The failing rules; cases that were not run share one reason, which is in the last sentence."""
    failing = [failed for failed in account.failed_rules if failed.verdict != "stale"]
    if failing:
        yield f"## {counted(len(failing), 'rule')} failed"
    for failed in failing[:_MOST]:
        yield from _failure(failed, account)
    if len(failing) > _MOST:
        rest = ", ".join(failed.rule.id for failed in failing[_MOST:])
        yield f"And {len(failing) - _MOST} more; the report has their evidence: {rest}."


def _failure(failed: FailedRule, account: Account) -> Iterator[str]:
    apart = "" if failed.is_normative else " (advisory: counts under `--strict`)"
    yield f"### {failed.rule.id} {failed.verdict}: {inline(failed.rule.sentence)}{apart}"
    first, *others = failed.lines
    yield f"{code(first.case)}, {code(first.location)}"
    if first.step:
        yield inline(first.step)
    if first.expected or first.seen:
        for label, value in (("expected", first.expected), ("seen", first.seen)):
            yield f"{label}:"
            yield block(value.strip("\n"), _LONG)
    elif first.message:
        yield block(first.message, 2 * _LONG)
    if others:
        yield f"{counted(len(others), 'more case')} of this rule failed."
    if hint := account.hint(failed.lines):
        yield f"{hint[0].upper()}{hint[1:]}."
