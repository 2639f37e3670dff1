"""The selection of the cases of a run."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ..contract.capabilities import Role
from ..contract.faults import UsageError
from ..contract.names import alike, did_you_mean
from .cases import Case, area_of
from .invariants import InvariantCase
from .lookup import case_named
from .variants import SEPARATOR, Variant, VariedCase, variants, variants_named, varied_cases


@dataclass(frozen=True)
class Selection:
    """The options of a selection. Rules, areas and deselected names are globs; without options, every case is selected.

    `among` restricts the selection to these cases; None: no restriction. `variants` are `none`, `all`, or globs of
    names or rules: the selected cases are also selected in these variants.
    """

    rules: Sequence[str] = ()
    areas: Sequence[str] = ()
    cases: Sequence[str] = ()
    deselect: Sequence[str] = ()
    role: Role | None = None
    seed: int = 0
    among: Collection[str] | None = None
    variants: Sequence[str] = ()


def plan(cases: Iterable[Case], selection: Selection, known_rules: Iterable[str]) -> list[Case]:
    """The selected cases in order; shuffled if there is a seed.

    Raises `UsageError` for a name that fits nothing, and for an empty selection.
    """
    plain = list(cases)
    found = [*plain, *_varied(plain, selection), *_of_invariants(selection)]
    rules = sorted({*known_rules, *(rule for case in found for rule in case.rule.ids)})
    must_fit("rule", selection.rules, rules)
    must_fit("area", selection.areas, sorted({area_of(rule) for rule in rules}))
    must_fit("case", selection.cases, [case.id for case in found])
    for name in selection.deselect:
        if isinstance(case_named(name), InvariantCase):
            raise UsageError(
                f"{name!r} cannot be deselected, since every case is judged by the invariants: list the name in a "
                "baseline, with flaky = true if it fails in some runs only"
            )
    must_fit("case or rule", selection.deselect, [*rules, *(case.id for case in found), *_named(selection.deselect)])
    chosen = [case for case in found if _is_wanted(case, selection) and not deselected_by(case, selection.deselect)]
    if selection.among is not None:
        chosen = [case for case in chosen if case.id in selection.among]
    if selection.role:
        chosen = [case for case in chosen if selection.role in case.roles]
    must_be_some(chosen)
    if selection.seed:
        random.Random(selection.seed).shuffle(chosen)
    return chosen


def _varied(plain: Iterable[Case], selection: Selection) -> list[VariedCase]:
    """The cases of all variants that the selection could mean: it names the variants, their rules, or their cases."""
    wanted = [*variants_named(selection.variants), *_asked_for(selection)]
    return [varied for case in plain for varied in varied_cases(case, dict.fromkeys(wanted))] if wanted else []


def _of_invariants(selection: Selection) -> list[InvariantCase]:
    """The cases of invariants that the selection names: they are part of no other plan."""
    names = dict.fromkeys((*selection.cases, *(selection.among or ())))
    return [case for name in names if isinstance(case := case_named(name), InvariantCase)]


def _asked_for(selection: Selection) -> list[Variant]:
    """The variants that are meant by rules, areas, or names of cases."""
    names = [
        name.rpartition(SEPARATOR)[2] for name in (*selection.cases, *(selection.among or ())) if SEPARATOR in name
    ]
    return [
        variant
        for variant in variants().values()
        if any(fits(variant.rule, glob) for glob in selection.rules)
        or any(fits(area_of(variant.rule), glob) for glob in selection.areas)
        or any(fits(variant.name, glob) for glob in names)
    ]


def _named(names: Iterable[str]) -> list[str]:
    """The names of cases that exist in variants, selected or not."""
    return [name for name in names if case_named(name)]


def _is_wanted(case: Case, selection: Selection) -> bool:
    if isinstance(case, VariedCase) and case.variant in variants_named(selection.variants):
        return _is_wanted(case.base, selection) or _is_named(case, selection)
    return not (selection.rules or selection.areas or selection.cases) or _is_named(case, selection)


def _is_named(case: Case, selection: Selection) -> bool:
    return (
        any(fits(rule, glob) for rule in case.rule.ids for glob in selection.rules)
        or any(fits(area_of(rule), glob) for rule in case.rule.ids for glob in selection.areas)
        or any(fits(case.id, glob) for glob in selection.cases)
    )


def deselected_by(case: Case, globs: Collection[str]) -> str | None:
    """The first glob that deselects a case, or the plain case of a varied one; None if there is none."""
    if not globs:  # as in most runs, for each of many cases
        return None
    names = (case.id, *case.rule.ids)
    own = next((glob for glob in globs if any(fits(name, glob) for name in names)), None)
    if own is None and isinstance(case, VariedCase):
        return deselected_by(case.base, globs)
    return own


def must_be_some(chosen: Collection[Case]) -> None:
    """Raise `UsageError` for an empty selection."""
    if not chosen:
        raise UsageError("no case is left to run: see `loopspec list` for the rules and their scenarios")


def fits(name: str, glob: str) -> bool:
    """Whether a glob matches a name. Titles may contain brackets, so a name always matches itself."""
    return name == glob or fnmatchcase(name, glob)


def must_fit(what: str, globs: Iterable[str], names: Sequence[str]) -> None:
    """Raise `UsageError`, with a similar name, for a glob that matches none of the names."""
    for glob in globs:
        if not any(fits(name, glob) for name in names):
            of_rule = [name for name in names if name.startswith(f"{glob.partition('::')[0].rstrip()} ::")]
            if of_rule:  # the title is wrong: suggest the most similar case of the rule
                hint = f": did you mean {max(of_rule, key=lambda name: alike(glob, name))!r}?"
            else:
                hint = did_you_mean(glob, names, "see `loopspec list`")
            raise UsageError(f"there is no {what} {glob!r}{hint}")
