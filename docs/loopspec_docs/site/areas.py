"""The areas for the site: each is a page, with its rules under the features that they are in."""

from __future__ import annotations

from collections import Counter
from functools import cache

from msgspec import Struct

from loopspec.contract.capabilities import CAPABILITIES
from loopspec.contract.roles import ROLES
from loopspec.pages import Feature, PageRule, areas
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.specification.order import areas_in_order, position_of_feature, topic

from .mutants import Bug, bugs_by_rule
from .phrases import Sentence, sentences_by_rule


class Article(Struct, frozen=True):
    """A `Rule:` of a feature, or a rule without a scenario.

    `rules` are its ids in this area; the first gives it its name. `roles` are those that it can be judged in. `needs`
    are the capabilities that an example needs; the value says whether every example needs it.
    """

    rules: tuple[PageRule, ...]
    sentences: tuple[Sentence, ...] = ()
    bugs: tuple[Bug, ...] = ()
    roles: tuple[str, ...] = ()
    needs: dict[str, bool] = {}

    @property
    def rule(self) -> PageRule:
        """The first rule."""
        return self.rules[0]

    @property
    def of_one_source(self) -> bool:
        """Whether all rules come from the same sections."""
        return len({rule.sections for rule in self.rules}) == 1


class Chapter(Struct, frozen=True):
    """A feature, with those of its rules that are in the area; `others` are the areas of the rest."""

    feature: Feature
    articles: tuple[Article, ...]
    others: tuple[str, ...]


class Area(Struct, frozen=True):
    """A page: the chapters in reading order, and the rules without a scenario."""

    name: str
    topic: str
    document: str
    rules: tuple[PageRule, ...]
    chapters: tuple[Chapter, ...]
    without_examples: tuple[Article, ...]
    bugs: tuple[Bug, ...]

    @property
    def address(self) -> str:
        """The address of the page in the site."""
        return f"rules/{self.name}.html"

    @property
    def normative(self) -> int:
        """How many of its rules are normative."""
        return sum(rule.is_normative for rule in self.rules)

    @property
    def decided(self) -> tuple[PageRule, ...]:
        """Its rules with a decision."""
        return tuple(rule for rule in self.rules if rule.decision)


@cache
def site_areas() -> tuple[Area, ...]:
    """Every area, in reading order."""
    found = areas()
    return tuple(_area(name, tuple(found[name])) for name in areas_in_order())


def _area(name: str, rules: tuple[PageRule, ...]) -> Area:
    by_file: dict[str, list[PageRule]] = {}
    for rule in rules:
        by_file.setdefault(rule.file, []).append(rule)
    without_scenario = by_file.pop("", [])
    positions = position_of_feature()
    in_order = sorted(by_file.items(), key=lambda found: (positions.get(found[0], len(positions)), found[0]))
    return Area(
        name=name,
        topic=topic(name),
        document=Counter(rule.document for rule in rules).most_common(1)[0][0],
        rules=rules,
        chapters=tuple(_chapter(name, found) for _, found in in_order),
        without_examples=tuple(Article((rule,), bugs=bugs_by_rule().get(rule.id, ())) for rule in without_scenario),
        bugs=tuple(bug for rule in rules for bug in bugs_by_rule().get(rule.id, ())),
    )


def _chapter(area: str, rules: list[PageRule]) -> Chapter:
    feature = rules[0].feature
    assert feature is not None  # a rule of a file has one
    by_line: dict[int, list[PageRule]] = {}
    for rule in sorted(rules, key=lambda rule: (rule.line, rule.id)):
        by_line.setdefault(rule.line, []).append(rule)
    others = {name.rpartition("-")[0] for written in feature.rules for name in written.ids} - {area}
    return Chapter(feature, tuple(_article(tuple(found)) for found in by_line.values()), tuple(sorted(others)))


def _article(rules: tuple[PageRule, ...]) -> Article:
    first = rules[0].written.ids[0] if rules[0].written else rules[0].id
    roles, needs = judged().get(first, ((), {}))
    return Article(
        rules=rules,
        sentences=sentences_by_rule().get(first, ()),
        bugs=tuple(bug for rule in rules for bug in bugs_by_rule().get(rule.id, ())),
        roles=roles,
        needs=needs,
    )


@cache
def judged() -> dict[str, tuple[tuple[str, ...], dict[str, bool]]]:
    """For the first id of each rule: the roles that some case of it can be judged in, and the needs of its cases."""
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
