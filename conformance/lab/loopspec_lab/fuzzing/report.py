"""The report of a search as JSON lines, written as it happens."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

import msgspec
from msgspec import Struct

from loopspec.contract.faults import UsageError
from loopspec.contract.scene import Scene
from loopspec.contract.target import Identity
from loopspec.engine.output import open_alone

from .differences import Difference


class BeginLine(Struct, frozen=True, tag="fuzz", rename="camel"):
    """The first line: what is compared, and how."""

    target: str
    other: str
    identities: tuple[Identity, Identity]
    seed: int
    seconds: float


class DifferenceLine(Struct, frozen=True, tag="difference", rename="camel"):
    """One new difference, with the scene and the scenario that show it."""

    number: int
    kind: str
    difference: Difference
    others: tuple[Difference, ...]
    scene: Scene
    scenario: str
    repeats: bool


class EndLine(Struct, frozen=True, tag="end", rename="camel"):
    """The last line. `known` counts the differences passed over by the number of their entry, from 1."""

    performed: int
    differences: int
    known: dict[int, int]
    interrupted: bool
    ended_early: str


class FuzzReport:
    """A file of JSON lines. Each line is complete on disk before the search continues."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file = open_alone(path)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}") from None

    def __enter__(self) -> FuzzReport:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._file.close()

    def write(self, line: BeginLine | DifferenceLine | EndLine) -> None:
        """Write a line. Raises `UsageError` if the disk does not take it."""
        data = msgspec.json.encode(line) + b"\n"
        try:
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            raise UsageError(f"{self._path} cannot be written: {error.strerror}") from None
