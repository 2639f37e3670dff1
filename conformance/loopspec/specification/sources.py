"""Cases by their names, and the sources of further cases. The entry point `loopspec.case_sources` registers a source.

A further case is a form of a case, such as the case in a transformed scene. The kit ships with the variants of its lab.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from itertools import chain
from typing import Protocol

from ..contract.faults import UsageError
from ..contract.names import did_you_mean
from ..contract.registered import all_loaded
from .cases import SEPARATOR, Case
from .features import cases_of_rule
from .invariants import case_of, invariants
from .ledger import ledger, own_rule


class CaseSource(Protocol):
    """Makes the further cases of one kind. `name` is the `source` of each of them."""

    @property
    def name(self) -> str: ...

    def forms(self) -> Mapping[str, str]:
        """The rule of each form by the form's name, in the order of the rules."""

    def cases(self, case: Case, forms: Iterable[str]) -> Iterator[Case]:
        """The case in these forms of the source; none in a form that it cannot have, or is exempt from."""

    def by_default(self, case: Case) -> Iterator[Case]:
        """The forms of a case that are judged where a run names none."""

    def exemptions(self, cases: Iterable[Case], forms: Iterable[str]) -> Iterator[tuple[str, Case, str]]:
        """Each form that a case is exempt from, with the case and the reason."""

    def own(self) -> Iterable[Case]:
        """The cases of the source that are forms of no case, for rules with the status `generated`."""


@cache
def sources() -> Mapping[str, CaseSource]:
    """The installed sources by name."""
    found: list[CaseSource] = all_loaded("case_sources")
    return {source.name: source for source in found}


@cache
def forms() -> Mapping[str, str]:
    """The rule of each form of every source, by the form's name."""
    return {name: rule for source in sources().values() for name, rule in source.forms().items()}


def cases_in(case: Case, wanted: Iterable[str]) -> Iterator[Case]:
    """The case in these forms."""
    wanted = tuple(wanted)
    for source in sources().values() if wanted else ():
        yield from source.cases(case, [name for name in wanted if name in source.forms()])


def cases_by_default(case: Case) -> Iterator[Case]:
    """The forms of a case that are judged where a run names none."""
    return chain.from_iterable(source.by_default(case) for source in sources().values())


def exemptions(cases: Iterable[Case], wanted: Iterable[str]) -> Iterator[tuple[str, Case, str]]:
    """Each of these forms that a case is exempt from, with the case and the reason."""
    cases, wanted = tuple(cases), tuple(wanted)
    for source in sources().values():
        yield from source.exemptions(cases, [name for name in wanted if name in source.forms()])


def case_named(name: str) -> Case | None:
    """The case with this id: of a feature, a form of one, or of an invariant; None if there is none."""
    base, *names = name.split(SEPARATOR)
    case = _of_rule(own_rule(base)).get(base)
    for each in names:
        if case is not None:
            case = case_of(case, invariants()[each]) if each in invariants() else next(cases_in(case, [each]), None)
    return case


@cache
def _of_rule(rule: str) -> Mapping[str, Case]:
    is_generated = (row := ledger().rules.get(rule)) is not None and row.status == "generated"
    return {case.id: case for case in (own_cases() if is_generated else cases_of_rule(rule))}


@cache
def own_cases() -> tuple[Case, ...]:
    """The cases of all sources that are forms of no case."""
    return tuple([case for source in sources().values() for case in source.own()])


def charged_rule(case: str) -> str:
    """The first rule that a case is charged to, by its name: that of its form, or its own."""
    _, is_form, name = case.rpartition(SEPARATOR)
    if is_form and name in invariants():
        return invariants()[name].rule
    return (forms().get(name) if is_form else None) or own_rule(case)


@cache
def forms_named(globs: tuple[str, ...]) -> tuple[str, ...]:
    """The forms of `--variants`: none, all, or those whose name or rule a glob matches.

    Raises `UsageError`, with a similar name, for a glob that matches none.
    """
    found: set[str] = set()
    for glob in globs:
        if glob == "none":
            continue
        if not forms():
            raise UsageError("there are no variants: the packages that make them were removed; install loopspec again")
        everything = glob == "all"
        fitting = {form for form, rule in forms().items() if everything or fits(form, glob) or fits(rule, glob)}
        if not fitting:
            known = [*forms(), *forms().values(), "none", "all"]
            raise UsageError(f"there is no variant {glob!r}{did_you_mean(glob, known, 'see `loopspec list VARIANT`')}")
        found |= fitting
    return tuple(name for name in forms() if name in found) if found else ()


def fits(name: str, glob: str) -> bool:
    """Whether a glob matches a name. Titles may contain brackets, so a name always matches itself."""
    return name == glob or fnmatchcase(name, glob)
