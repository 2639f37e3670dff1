"""The mutants for the site: the bug of each, the rule that it breaks, and its source; and the museum of real bugs."""

from __future__ import annotations

import inspect
from functools import cache, partial
from typing import Any

from msgspec import Struct

from loopspec.contract.specification import mutants
from loopspec.pages import rules
from loopspec.specification.cases import area_of
from loopspec.specification.museum import RealBug, museum

from .areas import site_areas
from .markdown import (
    anchor,
    code,
    coded,
    fence,
    folded,
    heading,
    items,
    link,
    linked,
    of_rule,
    of_rules,
    page,
    plain,
    slug,
)
from .words import TEXTS, intro


class Bug(Struct, frozen=True):
    """A mutant. `neighbors` are the rules that fail with its own, each with the reason."""

    name: str
    rule: str
    sentence: str
    neighbors: dict[str, str]
    module: str
    source: str

    @property
    def address(self) -> str:
        """Its address in the site: on the page of the area whose rule it breaks."""
        return f"mutants/{area_of(self.rule)}.html#{self.name}"


@cache
def bugs_by_rule() -> dict[str, tuple[Bug, ...]]:
    """The mutants against each rule: none in an installed wheel."""
    kit = mutants()
    found: dict[str, list[Bug]] = {}
    for one in kit.MUTANTS.values() if kit else ():
        bug = Bug(one.name, one.rule, one.sentence, dict(one.neighbors), *_source(one.bug))
        found.setdefault(bug.rule, []).append(bug)
    return {rule: tuple(against) for rule, against in found.items()}


# Any: a rewriting, or a function that patches. The types are those of `loopspec_mutants`, which imports the kit.
def _source(bug: Any) -> tuple[str, str]:
    """Where a mutant is from, and its changes, or the function that makes it."""
    if hasattr(bug, "changes"):
        changes = ("\n".join(_signed("- ", one.old) + _signed("+ ", one.new)) for one in bug.changes)
        return ", ".join(bug.files), "\n\n".join(changes)
    # generated mutants share one function with different arguments
    function = inspect.unwrap(bug.func if isinstance(bug, partial) else bug)
    return function.__module__, inspect.getsource(function)


def _signed(sign: str, text: str) -> list[str]:
    return [sign + line for line in text.split("\n")]


def pages() -> dict[str, str]:
    """Make the list of all mutants, a page for each area, and the museum."""
    parts, made = intro("mutants"), {}
    for area in site_areas():
        bugs = [bug for rule in area.rules for bug in bugs_by_rule().get(rule.id, ())]
        if bugs:
            at = link(plain(area.topic), f"mutants/{area.name}.html")
            lines = (f"{of_rule(bug.rule, '')} {link(bug.name, bug.address)}: {coded(bug.sentence)}" for bug in bugs)
            parts += [heading(2, at, area.name), items(lines)]
            title = f"# Mutants: {plain(area.topic)}"
            made[f"mutants/{area.name}.md"] = page(title, *(part for bug in bugs for part in _mutant(bug)))
    made["mutants.md"] = page(*parts, "" if made else TEXTS["mutants"]["none"].strip())
    return {**made, "museum.md": _museum()}


def _mutant(bug: Bug) -> list[str]:
    facts = [f"Breaks {of_rule(bug.rule, '../')}: {plain(rules()[bug.rule].sentence)}"]
    facts += [f"Also fails {of_rule(name, '../')}: {linked(why, '../')}" for name, why in bug.neighbors.items()]
    source = fence(bug.source, "diff" if bug.source.startswith(("- ", "+ ")) else "python")
    return [
        heading(2, bug.name, bug.name),
        coded(bug.sentence),
        items(facts),
        folded(f"Source, from {code(bug.module)}", source),
    ]


def _museum() -> str:
    kit = mutants()
    known = {**kit.MUTANTS, **kit.BUGS} if kit else {}
    by_name = {bug.name: bug for bugs in bugs_by_rule().values() for bug in bugs}
    by_project: dict[str, list[RealBug]] = {}
    for one in museum():
        by_project.setdefault(one.project, []).append(one)
    parts = intro("museum", bugs=len(museum()), projects=len(by_project))
    for project, bugs in by_project.items():
        parts.append(heading(2, plain(project), slug(project)))
        for one in bugs:
            own = by_name.get(one.mutant)
            mutant = link(one.mutant, own.address) if own else code(one.mutant)
            says = f": {coded(known[one.mutant].sentence)}" if known else ""
            at = f"{anchor(slug(one.title))}**{link(plain(one.title), one.link)}**"
            caught = f"Caught by {of_rules(one.caught_by, '')} · mutant {mutant}{says}"
            parts.append(f"{at}<br>{plain(one.happened)}<br>{caught}")
    return page(*parts)
