"""Compiled features as plain data, stored in the wheel, and for a checkout in the user's cache.

A case is stored as its Scene and, for each Then, the id of its phrase with the values of its holes. No code is stored:
phrases are looked up when the case is judged.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import msgspec
from msgspec import Raw, Struct

from ..contract.axes import AXES
from ..contract.capabilities import Capability
from ..contract.dialects import INSTRUCTION_AXES
from ..contract.roles import ROLES, Role
from ..contract.scene import Scene
from ..contract.specification import cache_folder, features_file, put_in_cache
from ..contract.values import Json
from .cases import Act, Case, Rule, Step

_PACKAGE = Path(__file__).parents[1]
# The store of a wheel, written at build time; a checkout has no such file.
SHIPPED = _PACKAGE / "compiled.json"


class StoredCheck(Struct, frozen=True, array_like=True):
    """A Then: the index of its step, the index of its phrase in `StoredFeature.phrases`, and the hole values."""

    step: int
    phrase: int
    arguments: dict[str, Json]


class StoredCase(Struct, frozen=True, array_like=True):
    """A case. `rule` is the index of its rule; `scene` and `checks` stay undecoded until they are needed."""

    rule: int
    title: str
    template: str
    row: tuple[str, ...]
    line: int
    steps: tuple[Step, ...]
    roles: tuple[Role, ...]
    needs: frozenset[Capability]
    scene: Raw
    checks: Raw
    postures: dict[str, str]


class StoredFeature(Struct, frozen=True, array_like=True):
    """A feature file; `text` is the digest of its source."""

    text: str
    phrases: tuple[str, ...]
    rules: tuple[Rule, ...]
    cases: tuple[StoredCase, ...]


class Store(Struct, frozen=True):
    """All features by path, and the ledger as JSON, undecoded.

    `key` is the digest of the compiling code, `texts` are the digests of the sources, those of ledgers without a path,
    and `rules` the files with cases of each rule.
    """

    key: str
    texts: dict[str, str]
    rules: dict[str, tuple[str, ...]]
    features: dict[str, Raw]
    ledger: Raw

    def feature(self, file: str) -> StoredFeature:
        """One feature."""
        return _feature.decode(self.features[file])


_feature = msgspec.json.Decoder(StoredFeature)
_scene = msgspec.json.Decoder(Scene)
_checks = msgspec.json.Decoder(tuple[StoredCheck, ...])
_NOTHING = Store("", {}, {}, {}, Raw())


def cases_of(feature: StoredFeature) -> Iterator[Case]:
    """The cases of a stored feature, in the order of its lines."""
    for stored in feature.cases:
        rule = feature.rules[stored.rule]
        yield Case(
            id=f"{rule.ids[0]} :: {stored.title}",
            rule=rule,
            title=stored.title,
            template=stored.template,
            row=stored.row,
            line=stored.line,
            steps=stored.steps,
            roles=stored.roles,
            needs=stored.needs,
            postures=stored.postures,
            load=partial(_loaded, stored, feature.phrases),
        )


def _loaded(stored: StoredCase, phrases: tuple[str, ...]) -> Act:
    from loopspec_steps import BOOK, Check  # only a judged case needs the phrases

    scene = _scene.decode(stored.scene)
    checks = tuple(
        (stored.steps[check.step], Check(BOOK.by_id(phrases[check.phrase]), check.arguments, scene))
        for check in _checks.decode(stored.checks)
    )
    return Act(scene, checks)


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
    digests = _digests(texts, ledgers)
    found = [_read(path, key) for path in (SHIPPED, cached)]
    for store in found:
        if store.texts == digests:
            return store
    made = _made(key, texts, ledgers, found)
    put_in_cache(cached, msgspec.json.encode(made))
    return made


def make(texts: Mapping[str, bytes], ledgers: tuple[bytes, ...]) -> bytes:
    """Compile everything, and return the contents of `SHIPPED`. For the build of a wheel."""
    return msgspec.json.encode(_made(code_key(), texts, ledgers, ()))


def code_key() -> str:
    """The digest of what affects compiling: the phrases, the contract, this package, the roles, libraries, the axes."""
    libraries = [f"{name} {version(name)}" for name in ("msgspec", "gherkin-official", "parse")]
    sum_ = hashlib.sha256(" ".join(libraries).encode() + features_file(AXES) + features_file(INSTRUCTION_AXES))
    for folder in (_origin("loopspec_steps").parent, _PACKAGE / "contract", _PACKAGE / "specification"):
        for path in sorted(folder.rglob("*.py")):
            sum_.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    for kind in ROLES.values():  # those of products as well, which another installation may lack
        sum_.update(" ".join((kind.name, *kind.acts)).encode())
        for module in kind.phrases:
            sum_.update(_origin(module).read_bytes())
    return sum_.hexdigest()[:16]


def _origin(module: str) -> Path:
    """The file of a module, which is not imported."""
    found = find_spec(module)
    assert found, module
    assert found.origin, module
    return Path(found.origin)


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

    digests = _digests(texts, ledgers)
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
    return Store(key, digests, rules, raws, Raw(ledger_as_json(ledgers)))


def _digests(texts: Mapping[str, bytes], ledgers: tuple[bytes, ...]) -> dict[str, str]:
    return {"": text_digest(b"".join(ledgers)), **{file: text_digest(text) for file, text in texts.items()}}
