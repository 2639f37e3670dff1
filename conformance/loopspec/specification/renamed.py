"""Cases and rules that have another name than in an earlier version."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from ..contract.faults import UsageError
from ..contract.specification import features_root


class RenamingMap(Struct, frozen=True, forbid_unknown_fields=True):
    """Old names of cases and rules with their new ones; an empty one where there is no successor."""

    renamed: dict[str, str]


def shipped_maps() -> dict[str, Path]:
    """The maps that come with loopspec, by the version that renamed."""
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
    """Return the version that renamed a case or rule, and its new name, empty if it has none; None: no such name."""
    for version in shipped_maps():
        names = load_map(version).renamed
        if name in names:
            return version, names[name]
    return None
