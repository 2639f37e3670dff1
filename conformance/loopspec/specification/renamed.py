"""Cases and rules that were renamed since an earlier version."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from ..contract.faults import UsageError
from ..contract.specification import features_root
from .cases import SEPARATOR
from .sources import forms


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
