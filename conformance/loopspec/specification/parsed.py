"""The features as gherkin parses them, kept from one start to the next: parsing is most of what a start takes."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
from gherkin.parser import Parser

from ..contract.specification import digest, features_root

Document = dict[str, Any]  # Any: gherkin's JSON-like tree


def parse(path: Path) -> Document:
    """One feature. Raises what gherkin's parser does."""
    document: Document = Parser().parse(path.read_text(encoding="utf-8"))  # type: ignore[assignment]  # a typed dict
    return document


def parsed_features(root: Path) -> dict[Path, Document]:
    """All features below a folder, in the order of their names; those of the specification from the user's cache."""
    paths = sorted(root.rglob("*.feature"))
    if root != features_root():
        return {path: parse(path) for path in paths}
    file = _cached(f"features-{digest(root)}-{version('gherkin-official')}.json")
    kept = _kept(file)
    if kept is None or len(kept) != len(paths):
        kept = [parse(path) for path in paths]
        _keep(file, kept)
    return dict(zip(paths, kept, strict=True))


def _cached(name: str) -> Path:
    """Where a file of the user's cache is; without a home it is one that is never there."""
    try:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:
        cache = Path(os.devnull)
    return cache / "loopspec" / name


def _kept(file: Path) -> list[Document] | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=list[Document])
    except (OSError, ValueError):  # there is none, or it is not whole: nothing is lost but time
        return None


def _keep(file: Path, documents: list[Document]) -> None:
    """Put them into the cache, in place of those of other features; where that is impossible, do without."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent)
        with os.fdopen(handle, "wb") as written:
            written.write(msgspec.json.encode(documents))
        Path(name).replace(file)
        for other in file.parent.glob("features-*.json"):
            if other != file:
                other.unlink(missing_ok=True)
