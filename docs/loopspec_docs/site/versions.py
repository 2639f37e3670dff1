"""The versions page: the results of each version of a known target, and the rules whose verdict changed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from msgspec import Struct

from loopspec.contract.specification import adapters_root
from loopspec.pages import PageRule, rules
from loopspec_known.declarations import in_order, read_file
from loopspec_known.versions import NOT_JUDGED, Judgment, VersionSummary


class VersionRow(Struct, frozen=True):
    """A version, and how many rules have each judgment; for a version that is not judged, none."""

    summary: VersionSummary
    counts: dict[str, int]


class Changed(Struct, frozen=True):
    """A rule with its judgment at every version."""

    rule: PageRule
    judgments: tuple[Judgment, ...]


class Target(Struct, frozen=True):
    """A known target: its versions, and the rules with different verdicts at two of them."""

    name: str
    rows: tuple[VersionRow, ...]
    changed: tuple[Changed, ...]


def versioned_targets() -> tuple[Target, ...]:
    """The known targets whose summaries ship, with the changed rules that the features still have."""
    return tuple(
        Target(
            name,
            tuple(VersionRow(one, _counts(one)) for one in summaries),
            tuple(Changed(rules()[rule], said) for rule, said in changed_rules(summaries).items() if rule in rules()),
        )
        for name, summaries in versions().items()
    )


def _counts(summary: VersionSummary) -> dict[str, int]:
    if summary.reason:
        return {}
    judgments = [summary.judgment(rule) for rule in sorted(summary.rules)]
    return {said: judgments.count(said) for said in ("passed", "failed", NOT_JUDGED)} | {
        said: count
        for said in dict.fromkeys(judgments)
        if said not in ("passed", "failed", NOT_JUDGED) and (count := judgments.count(said))
    }


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
