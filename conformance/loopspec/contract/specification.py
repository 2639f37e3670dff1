"""The place of the features and adapters: package data in an installed wheel, the checkout in an editable install."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

# The version of the suite, and of everything else in this distribution.
VERSION = "0.2.0.dev0"

_PACKAGE = Path(__file__).parents[1]


@cache
def features_root() -> Path:
    """The folder of the features, the ledger and the example project."""
    shipped = _PACKAGE / "features"
    return shipped if shipped.is_dir() else _PACKAGE.parents[1] / "features"


@cache
def adapters_root() -> Path:
    """The folder of the adapters for implementations of others."""
    shipped = _PACKAGE / "adapters"
    return shipped if shipped.is_dir() else _PACKAGE.parent / "adapters"


@cache
def example_project() -> dict[str, bytes]:
    """The files of the example project by their relative paths."""
    root = features_root() / "example"
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def digest(root: Path | None = None) -> str:
    """A hash of all features, by which reports can be compared."""
    root = root or features_root()
    sum_ = hashlib.sha256()
    for path in sorted(root.rglob("*.feature")):
        sum_.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return sum_.hexdigest()[:16]
