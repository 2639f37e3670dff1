"""`known.toml`: what an adapter in the repository declares."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeVar, get_args

import msgspec
from msgspec import Struct

from loopspec.contract.capabilities import CAPABILITIES, Capability
from loopspec.contract.faults import SuiteError, UsageError
from loopspec.contract.names import did_you_mean
from loopspec.contract.roles import Role
from loopspec.contract.specification import adapters_root

FILE = "known.toml"
_T = TypeVar("_T")
Language = Literal["python", "go", "node"]
_LANGUAGES = get_args(Language)
_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+!_-]*")

KNOWN = "known:"  # the prefix of a known target


class Deselected(Struct, frozen=True, forbid_unknown_fields=True):
    """A case that no run judges, and the reason."""

    case: str
    reason: str


class Gap(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that the adapter needs, and that the versions before `before` lack.

    At these versions, the cases (globs) and those that need the capability are not judged.
    """

    before: str
    reason: str
    cases: tuple[str, ...] = ()
    capability: Capability | None = None


class Declared(Struct, frozen=True, forbid_unknown_fields=True):
    """A target. `target` is a target string inside the environment, and `baseline` a file of the adapter.

    `package` is the package that `@VERSION` is about, where it is not that of the adapter.
    """

    name: str
    target: str
    roles: tuple[Role, ...]
    baseline: str
    package: str | None = None
    deselect: tuple[Deselected, ...] = ()
    gaps: tuple[Gap, ...] = ()


class Adapter(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of one file. `package` is the package that `@VERSION` is about, for all targets without a package.

    All `packages` are installed.

    `handler_class` is the base class of the framework's handlers, as `module:class`. The adapter of the first target
    judges them in the role `handler`.
    """

    language: Language
    package: str
    packages: dict[str, str]
    targets: tuple[Declared, ...]
    handler_class: str | None = None


class Known(Struct, frozen=True):
    """A target of an adapter at a version of its main package."""

    adapter: Adapter
    declared: Declared
    folder: Path
    version: str

    @property
    def name(self) -> str:
        """The name that follows `known:`."""
        return self.declared.name

    @property
    def package(self) -> str:
        """The package that the version is about."""
        return self.declared.package or self.adapter.package

    @property
    def pinned(self) -> str:
        """The version that the adapter was written for."""
        return self.adapter.packages[self.package]

    @property
    def is_pinned(self) -> bool:
        """Whether the version is the one that the adapter was written for."""
        return self.version == self.pinned

    @property
    def baseline(self) -> Path | None:
        """The known failures; none at another version."""
        return self.folder / self.declared.baseline if self.is_pinned else None

    @property
    def packages(self) -> Mapping[str, str]:
        """The packages to install, each with its version; empty for a version that the main package determines."""
        if self.is_pinned:
            return self.adapter.packages
        return dict.fromkeys(self.adapter.packages, "") | {self.package: self.version}

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """The gaps at this version."""
        return tuple(gap for gap in self.declared.gaps if in_order(self.version) < in_order(gap.before))

    def __str__(self) -> str:
        return f"{KNOWN}{self.name}@{self.version}"


def in_order(version: str) -> tuple[tuple[bool, int, str], ...]:
    """A key that sorts versions: numbers by value; a word, such as that of a preview, precedes the end."""
    parts = re.findall(r"\d+|[A-Za-z]+", version)
    return (*((part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts), (True, -1, ""))


def known_targets() -> dict[str, Known]:
    """Every known target at its pinned version: by language, then by name. Raises `SuiteError` for an invalid file."""
    found: list[Known] = []
    for path in sorted(adapters_root().glob(f"*/{FILE}")):
        adapter = read_file(path, Adapter)
        for package in (adapter.package, *(one.package for one in adapter.targets if one.package is not None)):
            if package not in adapter.packages:
                raise SuiteError(f"{path} has no version of {package}")
        for one in adapter.targets:
            found.append(Known(adapter, one, path.parent, adapter.packages[one.package or adapter.package]))
    found.sort(key=lambda one: (_LANGUAGES.index(one.adapter.language), one.name))
    return {one.name: one for one in found}


def read_file(path: Path, kind: type[_T]) -> _T:
    """The contents of a TOML or JSON file that ships with an adapter. Raises `SuiteError`."""
    decode = msgspec.toml.decode if path.suffix == ".toml" else msgspec.json.decode
    try:
        return decode(path.read_bytes(), type=kind)
    except (OSError, ValueError) as error:
        raise SuiteError(f"{path} cannot be read: {error}") from None


class Undeclared(Struct, frozen=True, forbid_unknown_fields=True):
    """Why an adapter does not declare capabilities of the role `agent`.

    The link leads to the framework's source at the judged version, or to its documents. `gap`: the framework has the
    capability, and the adapter does not have it yet.
    """

    capabilities: tuple[str, ...]
    reason: str
    link: str
    gap: bool = False

    def __post_init__(self) -> None:
        """Reject a name that is no capability."""
        if unknown := [name for name in self.capabilities if name not in CAPABILITIES]:
            raise ValueError(f"there is no capability {unknown[0]!r}")


class _Reasons(Struct, frozen=True, forbid_unknown_fields=True):
    undeclared: tuple[Undeclared, ...]


class Composed(Struct, frozen=True, forbid_unknown_fields=True):
    """Rules that pass only because the adapter composes what the framework's documents show, at the link."""

    rules: tuple[str, ...]
    reason: str
    link: str


class _Compositions(Struct, frozen=True, forbid_unknown_fields=True):
    composed: tuple[Composed, ...]


def composed(folder: Path) -> tuple[Composed, ...]:
    """The compositions of the adapter in a folder. Raises `SuiteError` for an invalid file."""
    path = folder / "composed.toml"
    return read_file(path, _Compositions).composed if path.is_file() else ()


def undeclared(folder: Path) -> tuple[Undeclared, ...] | None:
    """The reasons of the adapter in a folder; None for an adapter without the role. Raises `SuiteError`."""
    path = folder / "undeclared.toml"
    return read_file(path, _Reasons).undeclared if path.is_file() else None


def known(text: str) -> Known:
    """The target of `known:NAME` or `known:NAME@VERSION`; the prefix may be missing.

    Raises `UsageError` for an unknown name, and for a version that no package can have.
    """
    name, at, version = text.removeprefix(KNOWN).partition("@")
    every = known_targets()
    if name not in every:
        hint = did_you_mean(name, every, "see `loopspec known`")
        raise UsageError(f"there is no known target {name!r}{hint}")
    if at and not _VERSION.fullmatch(version):
        raise UsageError(f"{version!r} is not a version: use known:{name}@{every[name].pinned}, or known:{name}")
    return msgspec.structs.replace(every[name], version=version) if at else every[name]
