"""The versions page: the results of each version of a known target, and the rules whose verdict changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache

from loopspec.contract.specification import adapters_root
from loopspec.pages.rules import rules
from loopspec.specification.cases import area_of
from loopspec_known.declarations import in_order, known_targets, read_file
from loopspec_known.results import Judged, results
from loopspec_known.versions import NOT_JUDGED, Judgment, VersionSummary

from .markdown import Page, rendered


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


def pages() -> Iterator[Page]:
    """Make the page. A changed rule that the features no longer have is left out."""
    found = []
    for target, summaries in versions().items():
        changed = {rule: said for rule, said in changed_rules(summaries).items() if rule in rules()}
        counts = [Counter(map(one.judgment, one.rules)) for one in summaries]
        later = later_rules(results().of(known_targets()[target]), summaries)
        areas = dict.fromkeys(map(area_of, later))
        found.append((target, [*zip(summaries, counts, strict=True)], changed, later, areas))
    yield rendered("versions", found=found)


def later_rules(today: Judged, summaries: Iterable[VersionSummary]) -> list[str]:
    """The rules that the results of today have, and that no version was judged by."""
    return sorted(today.by_rule().keys() - {rule for one in summaries for rule in one.rules})
