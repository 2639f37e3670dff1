"""Compiled features, kept from one start to the next: in the wheel, and for a checkout in the user's cache."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import msgspec
from msgspec import Raw, Struct

from .stored import StoredFeature

_PACKAGE = Path(__file__).parents[1]
# Where a wheel has what was compiled when it was built; a checkout has no such file.
SHIPPED = _PACKAGE / "compiled.json"
# How many files of other states of the code stay in the cache: checkouts that take turns keep theirs.
_OTHERS = 3


class StoredLedger(Struct, frozen=True):
    """The ledger as JSON; `text` is the digest of the TOML that it was made of."""

    text: str
    content: Raw


class Store(Struct, frozen=True):
    """All features by their paths, and the ledger. `key` is the digest of the code that compiled them."""

    key: str
    features: dict[str, StoredFeature]
    ledger: StoredLedger


def text_digest(text: bytes) -> str:
    """The digest by which something stored is known to be made of this text."""
    return hashlib.sha256(text).hexdigest()[:16]


def load(texts: Mapping[str, bytes], ledger: bytes) -> Store:
    """Return the store of these feature files and of this ledger, compiling what is in no store yet.

    What was compiled is kept in the user's cache; where that cannot be written, it is compiled at each start.
    Raises `SuiteError` for a feature that cannot be used.
    """
    key = code_key()
    cached = cache_folder() / f"compiled-{key}.json"
    kept = Store(key, {}, StoredLedger("", Raw()))
    for path in (SHIPPED, cached):
        kept = _united(kept, _read(path, key), texts, ledger)
        if _is_whole(kept, texts, ledger):
            return kept
    made = _completed(kept, texts, ledger)
    _write(cached, made)
    return made


def make(texts: Mapping[str, bytes], ledger: bytes) -> bytes:
    """Compile everything, and return what `SHIPPED` holds. For the build of a wheel."""
    return msgspec.json.encode(_completed(Store(code_key(), {}, StoredLedger("", Raw())), texts, ledger))


def code_key() -> str:
    """The digest of all code that has a part in compiling: the phrases, the contract, this package, and libraries."""
    steps = find_spec("loopspec_steps")
    assert steps is not None
    assert steps.origin is not None
    folders = (Path(steps.origin).parent, _PACKAGE / "contract", _PACKAGE / "specification")
    sum_ = hashlib.sha256(f"msgspec {msgspec.__version__} gherkin {_version('gherkin', 'gherkin_official')}".encode())
    sum_.update(f" parse {_version('parse', 'parse')}".encode())
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            sum_.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return sum_.hexdigest()[:16]


def _version(module: str, distribution: str) -> str:
    """A library's version, from its folder's name: `importlib.metadata` takes longer to import than all else here."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        return "missing"
    origin = Path(spec.origin)
    site = origin.parents[1] if origin.name == "__init__.py" else origin.parent
    found = sorted(path.name for path in site.glob(f"{distribution}-*.dist-info"))
    return found[-1] if found else "unknown"


def cache_folder() -> Path:
    """The folder of loopspec in the user's cache; without a home it is one that cannot be there."""
    try:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:
        cache = Path(os.devnull)
    return cache / "loopspec"


def _read(path: Path, key: str) -> Store | None:
    """A store of this code; None where there is none, or it is not whole: nothing is lost but time."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Store)
    except (OSError, ValueError):
        return None
    return found if found.key == key else None


def _united(kept: Store, more: Store | None, texts: Mapping[str, bytes], ledger: bytes) -> Store:
    """What is kept, and what another store has of the same texts."""
    if more is None:
        return kept
    features = dict(kept.features)
    for file, text in texts.items():
        stored = more.features.get(file)
        if file not in features and stored is not None and stored.text == text_digest(text):
            features[file] = stored
    is_same = more.ledger.text == text_digest(ledger)
    return Store(kept.key, features, more.ledger if is_same else kept.ledger)


def _is_whole(kept: Store, texts: Iterable[str], ledger: bytes) -> bool:
    return kept.features.keys() >= set(texts) and kept.ledger.text == text_digest(ledger)


def _completed(kept: Store, texts: Mapping[str, bytes], ledger: bytes) -> Store:
    """The store with what was missing, in the order of the paths."""
    from .compiling import compile_features  # imports gherkin: only where something is compiled
    from .ledger import ledger_as_json

    made = compile_features({file: text for file, text in texts.items() if file not in kept.features})
    features = {**kept.features, **made}
    return Store(
        kept.key,
        {file: features[file] for file in sorted(features)},
        StoredLedger(text_digest(ledger), Raw(ledger_as_json(ledger))),
    )


def _write(path: Path, store: Store) -> None:
    """Put a store into the cache, where that is possible, and take the oldest ones out."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as written:
            written.write(msgspec.json.encode(store))
        Path(name).replace(path)
        others = [other for other in path.parent.glob("compiled-*.json") if other != path]
        for other in sorted(others, key=lambda other: other.stat().st_mtime, reverse=True)[_OTHERS:]:
            other.unlink(missing_ok=True)
