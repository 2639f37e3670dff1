"""Baselines with renamed cases."""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..contract.faults import UsageError
from ..specification.renamed import RenamingMap
from ..specification.variants import SEPARATOR, variants
from .baseline import case_of, comments_below, entries_of, quoted
from .output import write_text

_CASE = re.compile(r"^([ \t]*case[ \t]*=[ \t]*).*$", re.MULTILINE)


class Renaming(NamedTuple):
    """The number of renamed entries, and the old names of removed ones."""

    renamed: int
    removed: tuple[str, ...]


def rename(path: Path, names: RenamingMap) -> Renaming:
    """Rename the entries of a baseline, and change nothing else in the file.

    An entry without a successor is removed, and so is an entry whose new name is already listed. A variant is judged
    where the plain case passes, so an entry that becomes one of a variant is also removed if the plain case is listed.
    Raises `UsageError`.
    """
    head, blocks, end = entries_of(path, "renamed")
    cases = [case_of(path, block) for block in blocks]
    renamings = [names.new_name(case) for case in cases]
    taken = {case for case, new in zip(cases, renamings, strict=True) if new is None}
    listed = taken.union(filter(None, renamings))
    kept, renamed, removed = [], 0, []
    for case, new, block in zip(cases, renamings, blocks, strict=True):
        if new is None:
            kept.append(block)
        elif not new or new in taken or not listed.isdisjoint(_plain(new)):
            removed.append(case)
            kept.append(comments_below(block))
        else:
            taken.add(new)
            renamed += 1
            kept.append(_with_case(path, block, new))
    if renamed or removed:
        write_text(path, "".join([head, *kept]).rstrip() + end)
    return Renaming(renamed, tuple(removed))


def _plain(case: str) -> set[str]:
    """The case of a feature, and that of the invariant, which must pass before a case of a variant is judged."""
    plain, *parts = case.split(SEPARATOR)
    if not parts or parts[0] not in variants():
        return set()
    return {plain, SEPARATOR.join((plain, *parts[1:]))}


def _with_case(path: Path, block: str, new: str) -> str:
    text = _CASE.sub(lambda line: line[1] + quoted(new), block, count=1)
    with suppress(tomllib.TOMLDecodeError):  # a name on several lines
        if case_of(path, text) == new:
            return text
    raise UsageError(f"the baseline {path} cannot be renamed: write `case = ` and its text in one line")
