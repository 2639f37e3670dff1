"""Compiled features, stored in the wheel, and for a checkout in the user's cache."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import msgspec
from msgspec import Raw, Struct

from ..contract.axes import axes_text
from ..contract.cache import cache_folder
from ..contract.dialects import instruction_axes_text
from ..contract.roles import ROLES
from .stored import StoredFeature

_PACKAGE = Path(__file__).parents[1]
# The store of a wheel, written at build time; a checkout has no such file.
SHIPPED = _PACKAGE / "compiled.json"
# The number of stores of other code states in the cache, for several checkouts.
_OTHERS = 3


class StoredLedger(Struct, frozen=True):
    """The ledger as JSON; `text` is the digest of its TOML."""

    text: str
    content: Raw


class Store(Struct, frozen=True):
    """All features by path, undecoded, and the ledger.

    `key` is the digest of the compiling code, `texts` are the digests of the sources, and `rules` the files with cases
    of each rule.
    """

    key: str
    texts: dict[str, str]
    rules: dict[str, tuple[str, ...]]
    features: dict[str, Raw]
    ledger: StoredLedger

    def feature(self, file: str) -> StoredFeature:
        """One feature."""
        return _feature.decode(self.features[file])


_feature = msgspec.json.Decoder(StoredFeature)
_NOTHING = Store("", {}, {}, {}, StoredLedger("", Raw()))


def text_digest(text: bytes) -> str:
    """The digest of a source text."""
    return hashlib.sha256(text).hexdigest()[:16]


def load(texts: Mapping[str, bytes], ledgers: tuple[bytes, ...]) -> Store:
    """Return the store of these feature files and of these ledgers, and compile what no store has.

    The result is stored in the user's cache; if the cache cannot be written, each start compiles. Raises `SuiteError`
    for an invalid feature.
    """
    key = code_key()
    cached = cache_folder() / f"compiled-{key}.json"
    digests = {file: text_digest(text) for file, text in texts.items()}
    found = [_read(path, key) for path in (SHIPPED, cached)]
    for store in found:
        if store.texts == digests and store.ledger.text == text_digest(b"".join(ledgers)):
            return store
    made = _made(key, texts, ledgers, found)
    _write(cached, made)
    return made


def make(texts: Mapping[str, bytes], ledgers: tuple[bytes, ...]) -> bytes:
    """Compile everything, and return the contents of `SHIPPED`. For the build of a wheel."""
    return msgspec.json.encode(_made(code_key(), texts, ledgers, ()))


def code_key() -> str:
    """The digest of what affects compiling: the phrases, the contract, this package, libraries, and the axes."""
    steps = find_spec("loopspec_steps")
    assert steps is not None
    assert steps.origin is not None
    folders = (Path(steps.origin).parent, _PACKAGE / "contract", _PACKAGE / "specification")
    sum_ = hashlib.sha256(f"msgspec {msgspec.__version__} gherkin {_version('gherkin', 'gherkin_official')}".encode())
    sum_.update(f" parse {_version('parse', 'parse')}".encode())
    sum_.update(axes_text() + instruction_axes_text())
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            sum_.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    for module in (module for kind in ROLES.values() for module in kind.phrases):
        found = find_spec(module)
        assert found, module
        assert found.origin, module
        sum_.update(Path(found.origin).read_bytes())
    return sum_.hexdigest()[:16]


def _version(module: str, distribution: str) -> str:
    """A library's version from its folder's name, since `importlib.metadata` takes longer to import than the rest."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        return "missing"
    origin = Path(spec.origin)
    site = origin.parents[1] if origin.name == "__init__.py" else origin.parent
    found = sorted(path.name for path in site.glob(f"{distribution}-*.dist-info"))
    return found[-1] if found else "unknown"


def _read(path: Path, key: str) -> Store:
    """A store of this code; an empty one for a missing or damaged file, or for other code."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Store)
    except (OSError, ValueError):
        return _NOTHING
    return found if found.key == key else _NOTHING


def _made(key: str, texts: Mapping[str, bytes], ledgers: tuple[bytes, ...], found: Iterable[Store]) -> Store:
    """The store of these texts; an unchanged feature is taken from an earlier store."""
    from .compiling import compile_features  # imports gherkin, which only compiling needs
    from .ledger import ledger_as_json

    digests = {file: text_digest(text) for file, text in texts.items()}
    kept: dict[str, Raw] = {}
    for store in found:
        kept |= {file: raw for file, raw in store.features.items() if store.texts[file] == digests.get(file)}
    compiled = compile_features({file: text for file, text in texts.items() if file not in kept})
    features = {file: _feature.decode(kept[file]) if file in kept else compiled[file] for file in texts}
    rules: dict[str, tuple[str, ...]] = {}
    for file, feature in features.items():
        for rule in feature.rules:
            rules |= {id_: (*rules.get(id_, ()), file) for id_ in rule.ids}
    raws = {file: Raw(msgspec.json.encode(feature, order="deterministic")) for file, feature in features.items()}
    return Store(key, digests, rules, raws, StoredLedger(text_digest(b"".join(ledgers)), Raw(ledger_as_json(ledgers))))


def _write(path: Path, store: Store) -> None:
    """Write a store into the cache if possible, and remove the oldest ones."""
    import tempfile  # only after compiling

    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as written:
            written.write(msgspec.json.encode(store))
        Path(name).replace(path)
        others = [other for other in path.parent.glob("compiled-*.json") if other != path]
        for other in sorted(others, key=lambda other: other.stat().st_mtime, reverse=True)[_OTHERS:]:
            other.unlink(missing_ok=True)
