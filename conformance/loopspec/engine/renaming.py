"""Renamed cases and rules, and baselines that name them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from ..contract.faults import UsageError
from ..contract.specification import features_root
from ..specification.cases import SEPARATOR
from ..specification.sources import forms
from .baseline_text import entries_of, names_of, with_names
from .output import write_text


class RenamingMap(Struct, frozen=True, forbid_unknown_fields=True):
    """The new names of cases and rules by their old names; an empty one for a removed case."""

    renamed: dict[str, str]

    def new_name(self, name: str) -> str | None:
        """Return the new name, empty for a removed case; None for another name.

        A case of a variant or an invariant is renamed with its plain case. No variant has a variant: a case of one is
        removed if its plain case is now a case of another.
        """
        plain, *parts = name.split(SEPARATOR)
        new = self.renamed.get(plain)
        if not new or not parts:
            return new
        if SEPARATOR in new and parts[0] in forms():
            return ""
        return SEPARATOR.join((new, *parts))


def shipped_maps() -> dict[str, Path]:
    """The maps that are shipped with loopspec, by the version with the new names."""
    return {path.stem: path for path in sorted((features_root() / "renamed").glob("*.toml"))}


def load_map(name: str) -> RenamingMap:
    """Read a map: a file, or the version of one of `shipped_maps`. Raises `UsageError`."""
    path = shipped_maps().get(name, Path(name))
    try:
        return msgspec.toml.decode(path.read_bytes(), type=RenamingMap)
    except OSError as error:
        raise UsageError(
            f"the map {name} cannot be read: {error.strerror}; loopspec has those of {', '.join(shipped_maps())}"
        ) from None
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"the map {name} is no table [renamed] of names: {error}") from None


def new_name(name: str) -> tuple[str, str] | None:
    """Return the version that renamed a case or rule, and its new name, which may be empty; None for another name."""
    for version in shipped_maps():
        new = load_map(version).new_name(name)
        if new is not None:
            return version, new
    return None


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
