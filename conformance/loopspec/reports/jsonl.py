"""The report: one JSON object per line, written during the run, readable if truncated.

Every run leaves one in the user's cache.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from .. import __version__
from ..contract.axes import Posture, without_default_dialect
from ..contract.faults import UsageError
from ..contract.specification import cache_folder, digest
from ..contract.target import Identity
from ..engine.output import open_alone
from ..engine.result import CaseLine, Result, case_line, encoded
from ..engine.run import SuiteRun, Summary
from ..specification.selection import Shard

SCHEMA = 2
_KEPT = 100  # reports of other folders and targets


class RunLine(Struct, frozen=True, tag="run", kw_only=True):
    """The first line: the target, the suite, and the plan.

    `began` is the start in seconds since 1970; 0 if unknown. `baseline` are the entries of the baseline that can be
    stale. For a `shard`, `planned` is its own part, and `whole` the plan of all shards in order. `last_failed`: only
    earlier failures were planned. `short` are the planned cases that were judged in a short form, without `--soak`.
    `variants` are those in which all cases were selected. `selected`: the user named rules, areas or cases.
    """

    schema: int = SCHEMA
    suite: str = __version__
    features: str
    target: str
    identity: Identity
    roles: tuple[str, ...]
    capabilities: tuple[str, ...]
    postures: dict[str, Posture] = {}
    role: str | None
    strict: bool
    seed: int
    planned: tuple[str, ...]
    began: float = 0.0
    baseline: tuple[str, ...] = ()
    shard: Shard | None = None
    whole: tuple[str, ...] = ()
    last_failed: bool = False
    selected: bool = False
    short: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()


Line = RunLine | CaseLine | Summary


class Report:
    """Writes a report. Raises `UsageError` immediately if the file cannot be written, or if another run writes it.

    A file that fails later does not end the run: `problem` is set, and nothing more is written. The problem of a report
    that the user did not request is ignored.
    """

    def __init__(self, path: Path, *, is_asked_for: bool = True) -> None:
        self.problem = ""
        self._is_asked_for = is_asked_for
        self._path = path
        try:
            self._file = open_alone(path)
        except OSError as error:
            raise UsageError(f"the report {path} cannot be written: {error.strerror}") from None

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):  # a failing flush has been reported already
            self._file.close()

    def begin(self, suite_run: SuiteRun) -> None:
        """Write the first line. Raises `UsageError` if the file cannot be written."""
        self.write(run_line(suite_run))
        if self.problem and self._is_asked_for:
            self.close()
            raise UsageError(self.problem)

    def case(self, result: Result) -> None:
        """Write one case."""
        self.write(case_line(result))

    def write(self, line: Struct) -> None:
        """Write one line."""
        if self.problem:
            return
        try:
            self._file.write(encoded(line) + b"\n")
            self._file.flush()
        except OSError as error:
            self.problem = f"the report {self._path} cannot be written: {error.strerror}"


def run_line(suite_run: SuiteRun) -> RunLine:
    """The first line of a run that starts now."""
    return RunLine(
        features=digest(),
        target=suite_run.name,
        identity=suite_run.target.identity,
        roles=tuple(sorted(suite_run.target.roles)),
        capabilities=tuple(sorted(suite_run.target.capabilities)),
        postures=without_default_dialect(suite_run.target.postures),
        role=suite_run.role,
        strict=suite_run.strict,
        seed=suite_run.seed,
        planned=tuple(case.id for case in suite_run.plan),
        began=round(time.time(), 3),
        baseline=tuple(known.case for known in suite_run.baseline.known if not known.flaky),
        shard=suite_run.shard,
        whole=tuple(case.id for case in suite_run.whole) if suite_run.shard else (),
        last_failed=suite_run.last_failed,
        selected=suite_run.selected,
        short=suite_run.short,
        variants=suite_run.variants,
    )


def write_report(path: Path, lines: Iterable[Line]) -> None:
    """Write a whole report. Raises `UsageError` if the file cannot be written."""
    try:
        path.write_bytes(b"".join(encoded(line) + b"\n" for line in lines))
    except OSError as error:
        raise UsageError(f"the report {path} cannot be written: {error.strerror}") from None


class _Head(Struct):
    """The part of the first line that is the same in every version of the format."""

    schema: int = 0
    suite: str = "?"


def read_report(path: Path) -> list[Line]:
    """The lines of a report; an incomplete last line is ignored.

    Raises `OSError`, `ValueError` for another file, and `UsageError` for a report of another loopspec.
    """
    lines = path.read_bytes().split(b"\n")
    head = msgspec.json.decode(lines[0], type=_Head) if len(lines) > 1 else _Head()
    if head.schema > SCHEMA:
        raise UsageError(f"the report {path} was written by a later loopspec, {head.suite}: use that version")
    if 0 < head.schema < SCHEMA:
        raise UsageError(f"the report {path} was written by an earlier loopspec, {head.suite}: run the suite again")
    found: list[Line] = []
    for number, line in enumerate(lines[:-1], 1):
        try:
            found.append(msgspec.json.decode(line, type=Line))
        except (ValueError, RecursionError) as error:
            raise ValueError(f"line {number}: {error}") from None
    return found


def last_report(target: str, folder: Path) -> Path:
    """The path of the last report on a target in a folder."""
    name = hashlib.sha256(f"{folder.resolve()}\0{target}".encode()).hexdigest()[:24]
    return cache_folder() / "last" / f"{name}.jsonl"


def open_last_report(target: str, folder: Path) -> Iterator[Report]:
    """Yield the report for a new run, which replaces the last one; nothing if the cache cannot be written.

    Concurrent runs write separate files, and the later one stays.
    """
    path = last_report(target, folder)
    with suppress(OSError, UsageError):
        path.parent.mkdir(parents=True, exist_ok=True)
        reports = sorted(path.parent.glob("*.jsonl"), key=lambda other: other.stat().st_mtime, reverse=True)
        for other in reports[_KEPT:]:
            other.unlink(missing_ok=True)
        path.unlink(missing_ok=True)  # another run may still write into the file
        yield Report(path, is_asked_for=False)
