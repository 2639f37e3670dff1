"""The versions page: the results of each version of a known target, and the rules whose verdict changed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from loopspec.contract.specification import adapters_root
from loopspec.engine.output import counted
from loopspec.pages import rules
from loopspec_known.declarations import in_order, known_targets, read_file
from loopspec_known.results import Judged, results
from loopspec_known.versions import NOT_JUDGED, Judgment, VersionSummary

from .markdown import heading, of_rule, page, plain, slug, table
from .words import intro


@cache
def versions() -> dict[str, tuple[VersionSummary, ...]]:
    """The summaries that ship, by target, from the oldest version to the newest. Raises `SuiteError`."""
    found: dict[str, list[VersionSummary]] = {}
    for path in sorted(adapters_root().glob("*/versions/*.json")):
        one = read_file(path, VersionSummary)
        found.setdefault(one.target, []).append(one)
    return {target: tuple(sorted(of, key=lambda one: in_order(one.version))) for target, of in found.items()}


def changed_rules(summaries: Iterable[VersionSummary]) -> dict[str, tuple[Judgment, ...]]:
    """The rules with different verdicts at two judged versions, each with its judgment at every version."""
    summaries = tuple(summaries)
    rules = sorted({rule for one in summaries for rule in one.rules})
    judgments = {rule: tuple(one.judgment(rule) for one in summaries) for rule in rules}
    return {rule: said for rule, said in judgments.items() if len({*said} - {NOT_JUDGED}) > 1}


def pages() -> dict[str, str]:
    """Make the page. A changed rule that the features no longer have is left out."""
    parts = intro("versions")
    for target, summaries in versions().items():
        changed = {rule: said for rule, said in changed_rules(summaries).items() if rule in rules()}
        rows = ((f"{of_rule(rule, '')} {plain(rules()[rule].sentence)}", *said) for rule, said in changed.items())
        parts += [
            heading(2, plain(target), slug(target)),
            table(("Version", "Passed", "Failed", "Not judged", "Reason"), map(_row, summaries)),
            table(("Rule", *(one.version for one in summaries)), rows) if changed else "",
            "" if changed else "No rule has different verdicts at two of these versions.",
            _later(target, summaries),
        ]
    return {"versions.md": page(*parts)}


def later_rules(today: Judged, summaries: Iterable[VersionSummary]) -> list[str]:
    """The rules that the results of today have, and that no version was judged by."""
    return sorted(today.by_rule().keys() - {rule for one in summaries for rule in one.rules})


def _later(target: str, summaries: Iterable[VersionSummary]) -> str:
    later = later_rules(results().of(known_targets()[target]), summaries)
    areas = ", ".join(dict.fromkeys(rule.rpartition("-")[0] for rule in later))
    number = counted(len(later), "more rule")
    return f"The results of today have {number} ({areas}): those of the versions are older." if later else ""


def _row(one: VersionSummary) -> tuple[str, ...]:
    if one.reason:
        return (one.version, "–", "–", "–", f"Not judged: {plain(one.reason)}")
    judgments = [one.judgment(rule) for rule in sorted(one.rules)]
    gaps = " ".join(f"{len(gap.rules)} rules: {plain(gap.reason)}." for gap in one.gaps)
    return (one.version, *(str(judgments.count(said)) for said in ("passed", "failed", NOT_JUDGED)), gaps)
