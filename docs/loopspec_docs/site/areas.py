"""The areas for the site: each is a page, with its rules under the features that they are in."""

from __future__ import annotations

from collections import Counter
from functools import cache

from msgspec import Struct

from loopspec.contract.capabilities import CAPABILITIES
from loopspec.contract.roles import ROLES
from loopspec.pages.rules import PageRule, areas
from loopspec.pages.written import Feature, features
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.specification.order import areas_in_order, position_of_feature, topic


class Area(Struct, frozen=True):
    """A page: its rules by feature in reading order. Rules that share a `Rule:` of the feature share an article."""

    name: str
    topic: str
    document: str
    rules: tuple[PageRule, ...]
    chapters: tuple[tuple[Feature, tuple[tuple[PageRule, ...], ...]], ...]
    without_examples: tuple[PageRule, ...]

    @property
    def address(self) -> str:
        """The address of the page in the site."""
        return f"rules/{self.name}.html"


@cache
def features_in_order() -> tuple[Feature, ...]:
    """Every feature, in reading order."""
    positions = position_of_feature()
    return tuple(sorted(features(), key=lambda feature: positions.get(feature.file, len(positions))))


@cache
def site_areas() -> tuple[Area, ...]:
    """Every area, in reading order."""
    return tuple(map(_area, areas_in_order()))


def _area(name: str) -> Area:
    own, chapters = tuple(areas()[name]), []
    for feature in features_in_order():
        articles = (tuple(rule for rule in own if rule.id in written.ids) for written in feature.rules)
        if found := tuple(filter(None, articles)):
            chapters.append((feature, found))
    return Area(
        name=name,
        topic=topic(name),
        document=Counter(rule.document for rule in own).most_common(1)[0][0],
        rules=own,
        chapters=tuple(chapters),
        without_examples=tuple(rule for rule in own if not rule.file),
    )


@cache
def judged() -> dict[str, tuple[tuple[str, ...], dict[str, bool]]]:
    """For the first id of each rule: the roles that some case of it can be judged in, and the needs of its cases.

    The value of a need says whether every case has it.
    """
    found: dict[str, list[Case]] = {}
    for case in compiled():
        found.setdefault(case.rule.ids[0], []).append(case)
    return {
        rule: (
            tuple(role for role in ROLES if any(role in case.roles for case in cases)),
            {
                need: all(need in case.needs for case in cases)
                for need in CAPABILITIES
                if any(need in case.needs for case in cases)
            },
        )
        for rule, cases in found.items()
    }
