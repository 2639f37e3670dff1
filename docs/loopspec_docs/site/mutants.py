"""The mutants for the site: the bug of each, the rule that it breaks, and its source; and the museum of real bugs."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cache, partial
from textwrap import indent
from typing import Any

from msgspec import Struct

from loopspec.contract.specification import mutants
from loopspec.specification.cases import area_of
from loopspec.specification.museum import RealBug, museum
from loopspec.specification.order import topic

from .areas import site_areas
from .markdown import Page, rendered


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
        changes = (indent(one.old, "- ", bool) + "\n" + indent(one.new, "+ ", bool) for one in bug.changes)
        return ", ".join(bug.files), "\n\n".join(changes)
    # generated mutants share one function with different arguments
    function = inspect.unwrap(bug.func if isinstance(bug, partial) else bug)
    return function.__module__, inspect.getsource(function)


def pages() -> Iterator[Page]:
    """Make the list of all mutants, a page for each area, and the museum."""
    by_area = {}
    for area in site_areas():
        if bugs := [bug for rule in area.rules for bug in bugs_by_rule().get(rule.id, ())]:
            by_area[area.name] = bugs
    yield rendered("mutants", by_area=by_area, topic=topic)
    for name, bugs in by_area.items():
        yield rendered(f"mutants/{name}", "mutants-of-area", topic=topic(name), bugs=bugs)
    kit = mutants()
    by_project: dict[str, list[RealBug]] = {}
    for one in museum():
        by_project.setdefault(one.project, []).append(one)
    yield rendered(
        "museum",
        bugs=len(museum()),
        by_project=by_project,
        mutants={bug.name: bug for bugs in by_area.values() for bug in bugs},
        sentences={one.name: one.sentence for one in (*kit.MUTANTS.values(), *kit.BUGS.values())} if kit else {},
    )
