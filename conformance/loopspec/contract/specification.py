"""Where the features are: package data in an installed wheel, the checkout's own in an editable install."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


@cache
def features_root() -> Path:
    """The folder of the features, the ledger and the example project."""
    shipped = _PACKAGE / "features"
    return shipped if shipped.is_dir() else _PACKAGE.parents[1] / "features"


@cache
def example_project() -> dict[str, bytes]:
    """The files of the example project, by their paths relative to it."""
    root = features_root() / "example"
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
