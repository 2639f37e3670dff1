"""The features in use, as cases."""

from __future__ import annotations

from collections.abc import Container
from functools import cache
from pathlib import Path

from ..contract.specification import added_features, features_root
from .cases import Case
from .store import Store, cases_of, load

# the canary, in a separate feature that is stored with the others
CANARY_ROOT = Path(__file__).with_name("canary")
CANARY_FILE = "canary.feature"
CANARY = "CANARY-01"


@cache
def compiled() -> tuple[Case, ...]:
    """All cases, in the order of files and lines. Raises `SuiteError` for an invalid feature."""
    return in_files(store().features.keys() - {CANARY_FILE})


@cache
def store() -> Store:
    """The features and the ledger in use, compiled."""
    return load(*sources(features_root()))


def sources(root: Path) -> tuple[dict[str, bytes], tuple[bytes, ...]]:
    """The sources of a store: the feature files by path, with the canary, and the ledgers."""
    texts = {CANARY_FILE: (CANARY_ROOT / CANARY_FILE).read_bytes(), **feature_texts(root)}
    return texts, tuple((folder / "ledger.toml").read_bytes() for folder in (root, *added_features().values()))


def feature_texts(root: Path) -> dict[str, bytes]:
    """The feature files by path: those of a role that a product adds are below the name of the role."""
    texts = _texts(root)
    for name, folder in added_features().items():
        texts |= {f"{name}/{file}": text for file, text in _texts(folder).items()}
    return texts


def canary() -> Case:
    """The canary, which must fail."""
    (case,) = _of_file(CANARY_FILE)
    return case


def cases_of_rule(rule: str) -> tuple[Case, ...]:
    """The cases of one rule; none for an unknown rule or a rule without a scenario."""
    return tuple([case for case in in_files(store().rules.get(rule, ())) if rule in case.rule.ids])


def in_files(files: Container[str]) -> tuple[Case, ...]:
    """The cases of these features, in the order of files and lines."""
    return tuple([case for file in store().features if file in files for case in _of_file(file)])


@cache
def _of_file(file: str) -> tuple[Case, ...]:
    return tuple(cases_of(store().feature(file)))


def _texts(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*.feature"))}
