"""Targets that the kit does not know itself: entry points of `loopspec.targets`.

An entry point is a factory, as in `py:module:factory`: `reference` is one. Or it is a kind of targets, such as
`known:NAME`. The kit itself resolves `py:` and `cmd:`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from ..contract.agents import Config
from ..contract.faults import TargetUnusable
from ..contract.registered import loaded, registered
from ..contract.shapes import Backend
from ..contract.stage import Stage
from ..contract.target import Target
from ..contract.values import ErrorKind


class Prepared(NamedTuple):
    """What a run on a target needs: the baseline of the target, the cases that are not judged, and a remark.

    `left_out` has globs of cases, each with the reason. `deadline`, in seconds, is that of one case of a slow target.
    """

    baseline: Path | None = None
    left_out: Mapping[str, str] = {}
    note: str = ""
    deadline: float | None = None


class TargetKind(Protocol):
    """Resolves the target strings of one kind: `kind`, or `kind:rest`."""

    def check(self, name: str) -> None:
        """Raise `UsageError` for a wrong target string; nothing is imported or started."""

    def resolve(self, name: str, dialect: str) -> Target:
        """Return the target, in a dialect or in the one that it declares. Raises `TargetUnusable`."""

    def prepared(self, name: str) -> Prepared:
        """Prepare a run, before anything is timed."""

    def handler_loops(self) -> Mapping[str, Callable[[], Callable[[], object]]]:
        """The classes of handlers that adapters of the kind judge in their loops, as "module:class".

        Each value imports the adapter and returns it. Raises `TargetUnusable` if that fails.
        """

    def remedy(self, target: str, folder: Path) -> str:
        """How to install what the adapter of a `py:` target in a folder lacks; empty for an adapter of others."""


def names() -> tuple[str, ...]:
    """The names of the installed kinds and factories; nothing is imported."""
    return tuple(registered("targets"))


class ReferenceLoop(Protocol):
    """The factory `reference`: its loop runs a handler, and its loader reads a backend, that has none of its own."""

    error_kinds: Mapping[type[BaseException], ErrorKind]

    def as_target(self, factory: Callable[[], object], made: object) -> object:
        """Return what a factory made, or, if it made a handler of the reference, a target that judges this handler."""

    async def run_handler(self, make: Callable[[], object], stage: Stage) -> None:
        """Perform runs of the reference in which the handler under test takes part."""

    async def load_through(self, backend: Backend, config: Config, stage: Stage) -> None:
        """Load with the reference's loader from the backend under test."""


def reference_loop() -> ReferenceLoop:
    """The reference. Raises `TargetUnusable` if its adapter was removed."""
    found = loaded("targets", "reference")
    if found is None:
        raise TargetUnusable("the reference, whose loop or loader takes part, is not installed: install loopspec again")
    return cast("ReferenceLoop", found)


def kinds() -> tuple[TargetKind, ...]:
    """The installed kinds."""
    return tuple(kind for name in names() if (kind := kind_of(name)))


def kind_of(name: str) -> TargetKind | None:
    """The kind of a target string; None for `py:`, for `cmd:`, for a factory, and for an unknown one."""
    found = loaded("targets", name.partition(":")[0])
    return cast("TargetKind", found) if hasattr(found, "resolve") else None


def factory_of(name: str) -> Callable[[], object] | None:
    """The factory that is registered with this name."""
    found = loaded("targets", name)
    return cast("Callable[[], object]", found) if callable(found) else None


def prepared(name: str) -> Prepared:
    """Prepare a run on a target; only a kind has something to prepare."""
    kind = kind_of(name)
    return kind.prepared(name) if kind else Prepared()
