"""The files that a command writes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ...contract.faults import UsageError


def refuse_same(files: Mapping[str, Path | None]) -> None:
    """Refuse two things in one file. `files` has them by what asks for them; None: nothing does."""
    known: dict[Path, str] = {}
    for name, path in files.items():
        if path is not None and path.resolve() != Path(os.devnull):
            other = known.setdefault(path.resolve(), name)
            if other != name:
                raise UsageError(f"{other} and {name} both name {path}: give each a file of its own")
