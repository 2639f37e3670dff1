"""The museum for the site: the bugs of each project, with the mutants that re-enact them."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from loopspec.contract.specification import mutants
from loopspec.specification.museum import RealBug, museum

from .mutants import bugs


class Exhibit(Struct, frozen=True):
    """A real bug. `sentence` says what its mutant does wrong; `address` leads to the mutant's page.

    Both are empty without mutants, and `address` of a mutant that stands for no rule.
    """

    bug: RealBug
    sentence: str
    address: str


@cache
def exhibits() -> dict[str, tuple[Exhibit, ...]]:
    """The bugs of each project, in the order of the file."""
    kit = mutants()
    known = {**kit.MUTANTS, **kit.BUGS} if kit else {}
    found: dict[str, list[Exhibit]] = {}
    for bug in museum():
        own = bugs().get(bug.mutant)
        exhibit = Exhibit(bug, known[bug.mutant].sentence if known else "", own.address if own else "")
        found.setdefault(bug.project, []).append(exhibit)
    return {project: tuple(of_project) for project, of_project in found.items()}
