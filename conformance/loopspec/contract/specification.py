"""The places of features, adapters, kits and examples, in a wheel or in the checkout, and of the user's cache."""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType

from .roles import ROLES

# The version of the suite, and of everything else in this distribution.
VERSION = "0.2.0.dev0"

_PACKAGE = Path(__file__).parents[1]


@cache
def features_root() -> Path:
    """The folder of the features, the ledger and the example project."""
    return _folder("features", "features")


def features_file(name: str) -> bytes:
    """The content of a file next to the features; empty for features without the file."""
    path = features_root() / name
    return path.read_bytes() if path.is_file() else b""


def adapters_root() -> Path:
    """The folder of the adapters for implementations of others."""
    return _folder("adapters", "conformance/adapters")


def kits_root() -> Path:
    """The folder of the kits for adapters in other languages, one folder for each language."""
    return _folder("kits", "conformance/kits")


def examples_root() -> Path:
    """The folder of the programs that use the reference as a library."""
    return _folder("examples", "examples")


@cache
def mutants() -> ModuleType | None:
    """The package of the mutants, which stands with the tests: None in an installed wheel, which has no tests."""
    folder = _PACKAGE.parents[1] / "tests" / "mutants"
    if not folder.is_dir():
        return None
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    return importlib.import_module("loopspec_mutants")  # by name, since it imports the kit


def _folder(shipped: str, in_checkout: str) -> Path:
    in_package = _PACKAGE / shipped
    return in_package if in_package.is_dir() else _PACKAGE.parents[1] / in_checkout


@cache
def example_project() -> dict[str, bytes]:
    """The files of the example project by their relative paths."""
    root = features_root() / "example"
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def added_features() -> dict[str, Path]:
    """The folders of the features of roles that products add, by the role."""
    return {kind.name: kind.features for kind in ROLES.values() if kind.features}


def feature_path(file: str) -> Path:
    """The feature file of a case, whose `file` is relative to the features, or to the role that a product adds."""
    role, _, rest = file.partition("/")
    added = added_features().get(role)
    return added / rest if added else features_root() / file


def digest(root: Path | None = None) -> str:
    """A hash of all features, by which reports can be compared."""
    sum_ = hashlib.sha256()
    for folder in (root,) if root else (features_root(), *added_features().values()):
        for path in sorted(folder.rglob("*.feature")):
            sum_.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return sum_.hexdigest()[:16]


def cache_folder() -> Path:
    """The folder of loopspec in the user's cache; without a home folder, a path that cannot exist."""
    try:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:
        cache = Path(os.devnull)
    return cache / "loopspec"


def put_in_cache(path: Path, contents: bytes) -> None:
    """Write a file `KIND-KEY.json` into the cache if possible, and remove the oldest ones of its kind.

    Three others stay: those of other code or of other features, for several checkouts.
    """
    import tempfile  # only where something is stored

    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as written:
            written.write(contents)
        Path(name).replace(path)
        others = [other for other in path.parent.glob(f"{path.name.partition('-')[0]}-*.json") if other != path]
        for other in sorted(others, key=lambda other: other.stat().st_mtime, reverse=True)[3:]:
            other.unlink(missing_ok=True)


def is_cached(path: Path) -> bool:
    """Whether a file or a folder of the cache exists; no if the user may not enter the cache."""
    try:
        return path.exists()
    except OSError:
        return False
