"""The museum for the site: the bugs of each project, with the mutants that re-enact them."""

from __future__ import annotations

import importlib
from functools import cache

from msgspec import Struct

from loopspec.specification.museum import RealBug, museum

from .mutants import bugs


class Exhibit(Struct, frozen=True):
    """A real bug. `sentence` says what its mutant does wrong; `address` leads to the mutant's page if there is one."""

    bug: RealBug
    sentence: str
    address: str


@cache
def exhibits() -> dict[str, tuple[Exhibit, ...]]:
    """The bugs of each project, in the order of the file."""
    kit = importlib.import_module("loopspec_mutants")  # imported by name, since it imports the kit
    known = {**kit.MUTANTS, **kit.BUGS}
    found: dict[str, list[Exhibit]] = {}
    for bug in museum():
        own = bugs().get(bug.mutant)
        exhibit = Exhibit(bug, known[bug.mutant].sentence, own.address if own else "")
        found.setdefault(bug.project, []).append(exhibit)
    return {project: tuple(of_project) for project, of_project in found.items()}
