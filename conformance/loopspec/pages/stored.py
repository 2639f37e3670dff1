"""The written features in use, stored in the user's cache: to parse them takes as long as to make a page of them."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

import msgspec

from ..contract.cache import cache_folder
from ..contract.specification import digest, features_root
from ..specification.features import feature_texts
from ..specification.store import code_key
from .written import Feature

_OTHERS = 3  # files of other features, or of other code, that stay in the cache
_features = msgspec.json.Decoder(tuple[Feature, ...])


@cache
def features() -> tuple[Feature, ...]:
    """All features in use, in the order of their paths.

    Where the cache cannot be read or written, they are parsed.
    """
    path = cache_folder() / f"written-{_key()}.json"
    with suppress(OSError, ValueError):
        return _features.decode(path.read_bytes())
    made = _parsed()
    _write(path, msgspec.json.encode(made))
    return made


def _key() -> str:
    """The digest of the features, and of the code that parses them."""
    own = (Path(__file__).with_name(name).read_bytes() for name in ("written.py", "parsing.py"))
    return hashlib.sha256(b"\0".join([digest().encode(), code_key().encode(), *own])).hexdigest()[:16]


def _parsed() -> tuple[Feature, ...]:
    from .parsing import parse  # imports gherkin: only where nothing is stored

    return tuple(parse(text.decode(), file) for file, text in feature_texts(features_root()).items())


def _write(path: Path, text: bytes) -> None:
    """Write a file into the cache, where that is possible, and remove the oldest ones."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as written:
            written.write(text)
        Path(name).replace(path)
        others = [other for other in path.parent.glob("written-*.json") if other != path]
        for other in sorted(others, key=lambda other: other.stat().st_mtime, reverse=True)[_OTHERS:]:
            other.unlink(missing_ok=True)
