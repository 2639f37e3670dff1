"""Baselines with renamed cases."""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..contract.faults import UsageError
from ..specification.renamed import RenamingMap
from .baseline import case_of, comments_below, entries_of, quoted
from .output import write_text

_CASE = re.compile(r"^([ \t]*case[ \t]*=[ \t]*).*$", re.MULTILINE)


class Renaming(NamedTuple):
    """The number of renamed entries, and the old names of removed ones."""

    renamed: int
    removed: tuple[str, ...]


def rename(path: Path, names: RenamingMap) -> Renaming:
    """Rename the entries of a baseline, and change nothing else in the file.

    An entry without a successor is removed, and so is an entry whose new name is already listed. Raises `UsageError`.
    """
    head, blocks, end = entries_of(path, "renamed")
    cases = [case_of(path, block) for block in blocks]
    taken = {case for case in cases if case not in names.renamed}
    kept, renamed, removed = [], 0, []
    for case, block in zip(cases, blocks, strict=True):
        new = names.renamed.get(case, case)
        if new == case:
            kept.append(block)
        elif not new or new in taken:
            removed.append(case)
            kept.append(comments_below(block))
        else:
            taken.add(new)
            renamed += 1
            kept.append(_with_case(path, block, new))
    if renamed or removed:
        write_text(path, "".join([head, *kept]).rstrip() + end)
    return Renaming(renamed, tuple(removed))


def _with_case(path: Path, block: str, new: str) -> str:
    text = _CASE.sub(lambda line: line[1] + quoted(new), block, count=1)
    with suppress(tomllib.TOMLDecodeError):  # a name on several lines
        if case_of(path, text) == new:
            return text
    raise UsageError(f"the baseline {path} cannot be renamed: write `case = ` and its text in one line")
