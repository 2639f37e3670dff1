"""Baselines with renamed cases."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ..specification.cases import SEPARATOR
from ..specification.renamed import RenamingMap
from ..specification.sources import forms
from .baseline_text import entries_of, names_of, with_names
from .output import write_text


class Renaming(NamedTuple):
    """The number of renamed cases, and the old names of removed ones."""

    renamed: int
    removed: tuple[str, ...]


def rename(path: Path, names: RenamingMap) -> Renaming:
    """Rename the cases in the entries of a baseline, and change nothing else in the file.

    A case without a successor is removed, and so is one whose new name is already listed. A variant is judged where the
    plain case passes, so a case that becomes one of a variant is also removed if the plain case is listed.
    Raises `UsageError`.
    """
    parts = entries_of(path, "renamed")
    cases = [case for block in parts.blocks for case in names_of(path, block)]
    renamings = [names.new_name(case) for case in cases]
    taken = {case for case, new in zip(cases, renamings, strict=True) if new is None}
    listed = taken.union(filter(None, renamings))
    new_names: dict[str, str] = {}
    for case, new in zip(cases, renamings, strict=True):
        if new is not None:
            new_names[case] = "" if new in taken or not listed.isdisjoint(_plain(new)) else new
            taken.add(new)
    if new_names:
        kept = [with_names(path, block, lambda name: new_names.get(name, name), "renamed") for block in parts.blocks]
        write_text(path, "".join([parts.head, *kept]).rstrip() + parts.ending)
    removed = tuple(case for case, new in new_names.items() if not new)
    return Renaming(len(new_names) - len(removed), removed)


def _plain(case: str) -> set[str]:
    """The case of a feature, and that of the invariant, which must pass before a case of a variant is judged."""
    plain, *parts = case.split(SEPARATOR)
    if not parts or parts[0] not in forms():
        return set()
    return {plain, SEPARATOR.join((plain, *parts[1:]))}
