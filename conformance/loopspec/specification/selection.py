"""The selection of the cases of a run, and the parts of a plan for several machines."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import translate

from msgspec import Struct

from ..contract.faults import UsageError
from ..contract.names import alike, did_you_mean, nearest
from ..contract.roles import Role
from .cases import SEPARATOR, Case, area_of
from .features import compiled, in_files
from .ledger import ledger
from .sources import case_named, cases_by_default, cases_in, fits, forms, forms_named, own_cases

_WILDCARD = re.compile(r"[*?[]")
_TITLE = 0.7  # the similarity from which the case of a title is suggested


@dataclass(frozen=True)
class Selection:
    """The options of a selection. Rules, areas and deselected names are globs; without options, every case is selected.

    `among` restricts the selection to these cases; None: no restriction. `variants` are `none`, `all`, or globs of
    names or rules: the selected cases are also selected in these variants; without any, and without names of cases, in
    the few variants that each source of cases has chosen. Without `soak`, a case that takes long is selected in its
    short form. `generated`: the cases of generated scenes are among those that can be selected.
    """

    rules: Sequence[str] = ()
    areas: Sequence[str] = ()
    cases: Sequence[str] = ()
    deselect: Sequence[str] = ()
    role: Role | None = None
    seed: int = 0
    among: Collection[str] | None = None
    variants: Sequence[str] = ()
    soak: bool = False
    generated: bool = False

    @property
    def is_named(self) -> bool:
        """Whether rules, areas or cases are named, to be judged or to be left out."""
        return bool(self.rules or self.areas or self.cases or self.deselect)


def candidates(selection: Selection) -> Sequence[Case]:
    """The cases that a selection can mean: those in the features of the cases that it names, or of all features.

    The cases of generated scenes are among them if the selection asks for them, or names them or their rule.
    """
    if selection.cases and not (selection.rules or selection.areas or selection.deselect):
        named = [case_named(name.partition(SEPARATOR)[0]) for name in selection.cases]
        if all(case and not case.source for case in named):  # then no other feature needs to be decoded
            return in_files({case.file for case in named if case})
    names = (*selection.rules, *selection.areas, *selection.cases, *(selection.among or ()))
    areas = {area_of(rule) for rule, row in ledger().rules.items() if row.status == "generated"}
    is_named = any(name.startswith(area) for name in names for area in areas)
    return (*compiled(), *own_cases()) if selection.generated or is_named else compiled()


def plan(cases: Iterable[Case], selection: Selection, known_rules: Iterable[str]) -> list[Case]:
    """The selected ones of these cases of features, and of forms of them, in order; shuffled if there is a seed.

    Raises `UsageError` for a name that fits nothing, and for an empty selection.
    """
    plain = list(cases)
    asked, variants = _asked_for(selection), forms_named(tuple(selection.variants))
    wanted = tuple(dict.fromkeys((*variants, *asked)))
    own = [rule for case in plain for rule in case.rule.ids]
    rules = sorted({*known_rules, *own, *[forms()[form] for form in wanted]})
    is_named = _naming(selection, rules)
    # the forms of other cases are made only if they are asked for themselves, or a glob could mean them
    apart = wanted if any(map(_WILDCARD.search, (*selection.cases, *selection.deselect))) else asked
    others = tuple([form for form in wanted if form in apart])
    of_features = [case for case in plain if not case.source]
    in_forms = [each for case in of_features for each in cases_in(case, wanted if is_named(case) else others)]
    names_forms = bool(selection.variants or selection.cases)
    by_default = (
        [] if names_forms else [form for case in of_features if is_named(case) for form in cases_by_default(case)]
    )
    chosen_forms = {form.id for form in by_default}
    apart_from = [case for case in in_forms if case.id not in chosen_forms]
    found = [*plain, *apart_from, *by_default, *_of_invariants(selection)]
    names = [case.id for case in found]
    must_fit("rule", selection.rules, rules)
    if selection.areas:
        must_fit("area", selection.areas, sorted({area_of(rule) for rule in rules}))
    must_fit("case", selection.cases, names)
    for name in selection.deselect:
        if (case := case_named(name)) and case.is_implied:
            raise UsageError(
                f"{name!r} cannot be deselected, since every case is judged by the invariants: list the name in a "
                "baseline, with flaky = true if it fails in some runs only"
            )
    existing = [name for name in selection.deselect if case_named(name)]  # in some form, selected or not
    must_fit("case or rule", selection.deselect, [*rules, *names, *existing])
    chosen = [
        case
        for case in found
        if is_named(case) or case.id in chosen_forms or (case.form in variants and is_named(case.base))
    ]
    if selection.deselect:
        chosen = [case for case in chosen if not deselected_by(case, selection.deselect)]
    if selection.among is not None:
        chosen = [case for case in chosen if case.id in selection.among]
    if selection.role:
        chosen = [case for case in chosen if selection.role in case.roles]
    must_be_some(chosen)
    if selection.seed:
        random.Random(selection.seed).shuffle(chosen)
    return chosen if selection.soak else [case.shortened() for case in chosen]


def _naming(selection: Selection, rules: Collection[str]) -> Callable[[Case], bool]:
    """Whether a selection names a case, by rule, area or name; without any of these, it names every case."""
    if not (selection.rules or selection.areas or selection.cases):
        return lambda case: True
    by_rule = fitting(selection.rules, rules)
    if selection.areas:
        areas = fitting(selection.areas, {area_of(rule) for rule in rules})
        by_rule.update([rule for rule in rules if area_of(rule) in areas])
    names = set(selection.cases)
    globs = [re.compile(translate(glob)).match for glob in names if _WILDCARD.search(glob)]
    return lambda case: (
        case.id in names or not by_rule.isdisjoint(case.rule.ids) or any(fits(case.id) for fits in globs)
    )


def _of_invariants(selection: Selection) -> list[Case]:
    """The cases of invariants that the selection names: they are part of no other plan."""
    names = dict.fromkeys((*selection.cases, *(selection.among or ())))
    return [case for name in names if (case := case_named(name)) and case.is_implied]


def _asked_for(selection: Selection) -> list[str]:
    """The forms that are meant by rules, areas, or names of cases."""
    cases = (*selection.cases, *(selection.among or ()))
    names = [name.rpartition(SEPARATOR)[2] for name in cases if SEPARATOR in name]
    if not (names or selection.rules or selection.areas):
        return []
    return [
        form
        for form, rule in forms().items()
        if any(fits(rule, glob) for glob in selection.rules)
        or any(fits(area_of(rule), glob) for glob in selection.areas)
        or any(fits(form, glob) for glob in names)
    ]


def deselected_by(case: Case, globs: Collection[str]) -> str | None:
    """The first glob that deselects a case, or the case of a feature that it is a form of; None if there is none."""
    if not globs:  # as in most runs, for each of many cases
        return None
    names = (case.id, *case.rule.ids)
    own = next((glob for glob in globs if any(fits(name, glob) for name in names)), None)
    if own is None and case.source and case.of:
        return deselected_by(case.of, globs)
    return own


def must_be_some(chosen: Collection[Case]) -> None:
    """Raise `UsageError` for an empty selection."""
    if not chosen:
        raise UsageError("no case is left to run: see `loopspec list` for the rules and their scenarios")


def fitting(globs: Iterable[str], names: Collection[str]) -> set[str]:
    """The names that a glob matches."""
    globs = tuple(globs)
    found = set(globs).intersection(names)
    for glob in globs:
        if _WILDCARD.search(glob):
            matches = re.compile(translate(glob)).match
            found.update([name for name in names if matches(name)])
    return found


def must_fit(what: str, globs: Iterable[str], names: Sequence[str]) -> None:
    """Raise `UsageError`, with a similar name, for a glob that matches none of the names."""
    for glob in globs:
        if not fitting([glob], names):
            raise UsageError(f"there is no {what} {glob!r}{case_hint(glob, names)}")


def case_hint(name: str, names: Iterable[str]) -> str:
    """The end of a sentence about a name that none of these cases and rules has."""
    known = list(names)
    of_rule = [one for one in known if one.startswith(f"{name.partition('::')[0].rstrip()} ::")]
    if of_rule:  # the title is wrong: suggest the most similar case of the rule
        return f": did you mean {max(of_rule, key=lambda one: alike(name, one))!r}?"
    titles = {title: one for one in known if (title := one.partition(" :: ")[2])}
    if (close := nearest(name, titles, _TITLE)) is not None:
        return f": did you mean {titles[close]!r}?"
    of_cases = "`loopspec list` prints the rules, and `loopspec explain RULE` the cases of one"
    return did_you_mean(name, known, of_cases if titles else "see `loopspec list`")


class Shard(Struct, frozen=True):
    """The number of a part, counted from 1, and the number of parts."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def part(self, plan: Sequence[Case]) -> list[Case]:
        """The cases of this shard, in the order of the plan. A short plan may leave none."""
        return [case for case in plan if share(case.id, self.of) == self.number]


def share(case: str, of: int) -> int:
    """The shard of a case, which depends only on the id: machine, Python version and selection do not matter."""
    return int.from_bytes(hashlib.sha256(case.encode()).digest()[:8], "big") % of + 1


def shard_of(text: str) -> Shard:
    """Read `i/n`. Raises `UsageError` for another text."""
    found = re.fullmatch(r"([0-9]+)/([0-9]+)", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise UsageError(f"there is no shard {text!r}: use i/n, such as 1/4 for the first of four")
    return Shard(int(found[1]), int(found[2]))
