"""Checks of the files that a command writes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ...contract.faults import UsageError


def refuse_same(files: Mapping[str, Path | None]) -> None:
    """Raise `UsageError` if two outputs have one file. `files` is by option; None: the option is not used."""
    known: dict[Path, str] = {}
    for name, path in files.items():
        if path is not None and path.resolve() != Path(os.devnull):
            other = known.setdefault(path.resolve(), name)
            if other != name:
                raise UsageError(f"{other} and {name} both name {path}: name a separate file for each")
