"""The report: one JSON object per line, written as it happens, readable when cut off."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct

from .. import __version__
from ..contract.faults import UsageError, in_one_line
from ..contract.observation import Observation
from ..contract.scene import Scene
from ..contract.specification import digest
from ..contract.target import Identity
from ..engine.judge import Result
from ..engine.run import Running, Summary
from ..engine.verdict import Verdict
from ..specification.shards import Shard

SCHEMA = 1


class RunLine(Struct, frozen=True, tag="run", kw_only=True):
    """The first line: what is judged, by what, and everything that is planned.

    `began` is when, in seconds since 1970; 0 where that is not told. `baseline` are the entries of the baseline. Of a
    `shard`, `planned` is its own part, and `whole` what is planned in all shards together, in order.
    """

    schema: int = SCHEMA
    suite: str = __version__
    features: str
    target: str
    identity: Identity
    roles: tuple[str, ...]
    capabilities: tuple[str, ...]
    role: str | None
    strict: bool
    seed: int
    planned: tuple[str, ...]
    began: float = 0.0
    baseline: tuple[str, ...] = ()
    shard: Shard | None = None
    whole: tuple[str, ...] = ()


class CaseLine(Struct, frozen=True, tag="case", kw_only=True, omit_defaults=True):
    """One case, as it ends. `scene` and `observation` are there when it did not pass.

    `inexact` says why `observation` is not, or not exactly, what was seen: JSON could not hold it.
    """

    case: str
    rules: tuple[str, ...]
    verdict: Verdict
    seconds: float
    location: str
    message: str
    step: str = ""
    expected: str = ""
    seen: str = ""
    scene: Scene | None = None
    observation: Observation | None = None
    evidence: dict[str, str] = {}
    inexact: str = ""


Line = RunLine | CaseLine | Summary


class Report:
    """Writes a report. Raises `UsageError` at once when the file cannot be written.

    A file that fails later does not end the run: `problem` says so, and nothing more is written.
    """

    def __init__(self, path: Path) -> None:
        self.problem = ""
        self._path = path
        try:
            self._file: IO[bytes] = path.open("wb")
        except OSError as error:
            raise UsageError(f"the report {path} cannot be written: {error.strerror}") from None

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):  # what could not be written is flushed once more, and has been told
            self._file.close()

    def begin(self, running: Running) -> None:
        """Write the first line. Raises `UsageError` when that is impossible."""
        self._write(run_line(running))
        if self.problem:
            self.close()
            raise UsageError(self.problem)

    def case(self, result: Result) -> None:
        """Write one case."""
        self._write(case_line(result))

    def end(self, summary: Summary) -> None:
        """Write the last line."""
        self._write(summary)

    def _write(self, line: Line) -> None:
        if self.problem:
            return
        try:
            self._file.write(encoded(line) + b"\n")
            self._file.flush()
        except OSError as error:
            self.problem = f"the report {self._path} cannot be written: {error.strerror}"


def run_line(running: Running) -> RunLine:
    """The first line of a run that begins now."""
    return RunLine(
        features=digest(),
        target=running.name,
        identity=running.target.identity,
        roles=tuple(sorted(running.target.roles)),
        capabilities=tuple(sorted(running.target.capabilities)),
        role=running.role,
        strict=running.strict,
        seed=running.seed,
        planned=tuple(case.id for case in running.plan),
        began=round(time.time(), 3),
        baseline=tuple(known.case for known in running.baseline.known),
        shard=running.shard,
        whole=tuple(case.id for case in running.whole) if running.shard else (),
    )


def case_line(result: Result) -> CaseLine:
    """The line of one case."""
    kept = result.verdict not in ("passed", "inapplicable")
    evidence = dict(result.evidence) if kept else {}
    seen, inexact = _recorded(result.observation) if kept else (None, "")
    if inexact and seen is None:
        evidence["observation"] = _shown(result.observation)
    return CaseLine(
        case=result.case,
        rules=result.rules,
        verdict=result.verdict,
        seconds=round(result.seconds, 6),
        location=result.location,
        message=result.message,
        step=result.step,
        expected=result.expected,
        seen=result.seen,
        scene=result.scene if kept else None,
        observation=seen,
        evidence=evidence,
        inexact=inexact or result.inexact,
    )


def as_read(line: CaseLine) -> CaseLine:
    """The line as it is when it is read again."""
    return msgspec.json.decode(encoded(line), type=CaseLine)


def result_of(line: CaseLine) -> Result:
    """The result that a line tells of."""
    return Result(
        case=line.case,
        rules=line.rules,
        verdict=line.verdict,
        seconds=line.seconds,
        location=line.location,
        step=line.step,
        message=line.message,
        expected=line.expected,
        seen=line.seen,
        scene=line.scene,
        observation=line.observation,
        evidence=line.evidence,
        inexact=line.inexact,
    )


def _recorded(seen: Observation | None) -> tuple[Observation | None, str]:
    """What of an Observation a report can hold; and if that is not exactly what it is, why.

    Raises nothing, whatever a target has put into it: one value must not cost the whole report.
    """
    if seen is None:
        return None, ""
    try:
        if msgspec.json.decode(encoded(seen), type=Observation) == seen:
            return seen, ""
    except Exception as error:
        return None, f"what was seen cannot be written as JSON: {in_one_line(error)}"
    return seen, "what was seen holds values that JSON does not have, so it is recorded as it looks"


def _shown(value: object) -> str:
    """A value as Python shows it, if it can be shown at all."""
    try:
        return repr(value)
    except Exception as error:
        return f"it cannot be shown: {in_one_line(error)}"


def encoded(value: object) -> bytes:
    """JSON; what a target puts into a value and JSON cannot hold is shown as Python would."""
    try:
        return msgspec.json.encode(value, enc_hook=repr)
    except UnicodeEncodeError:  # a lone surrogate, as in a file name that is no UTF-8
        return msgspec.json.encode(_escaped(msgspec.to_builtins(value, enc_hook=repr)))


def _escaped(value: object) -> object:
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode()
        case dict():
            return {_escaped(key): _escaped(each) for key, each in value.items()}
        case list() | tuple():
            return [_escaped(each) for each in value]
    return value


def write_report(path: Path, lines: Iterable[Line]) -> None:
    """Write a whole report. Raises `UsageError` when that is impossible."""
    try:
        path.write_bytes(b"".join(encoded(line) + b"\n" for line in lines))
    except OSError as error:
        raise UsageError(f"the report {path} cannot be written: {error.strerror}") from None


def read_report(path: Path) -> list[Line]:
    """The lines of a report; one that was cut off in the middle of a line ends with the line before."""
    lines = path.read_bytes().split(b"\n")
    return [msgspec.json.decode(line, type=Line) for line in lines[:-1]]
