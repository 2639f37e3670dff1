"""The report: one JSON object per line, written as it happens, readable when cut off."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct

from .. import __version__
from ..cases import digest
from ..contract.faults import UsageError
from ..contract.observation import Observation
from ..contract.scene import Scene
from ..contract.target import Identity
from ..judging import Result
from ..running import Running, Summary
from ..verdict import Verdict

SCHEMA = 1


class RunLine(Struct, frozen=True, tag="run", kw_only=True):
    """The first line: what is judged, by what, and everything that is planned."""

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


class CaseLine(Struct, frozen=True, tag="case", kw_only=True, omit_defaults=True):
    """One case, as it ends. `scene` and `observation` are there when it did not pass."""

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
        self._write(
            RunLine(
                features=digest(),
                target=running.name,
                identity=running.target.identity,
                roles=tuple(sorted(running.target.roles)),
                capabilities=tuple(sorted(running.target.capabilities)),
                role=running.role,
                strict=running.strict,
                seed=running.seed,
                planned=tuple(case.id for case in running.plan),
            )
        )
        if self.problem:
            self.close()
            raise UsageError(self.problem)

    def case(self, result: Result) -> None:
        """Write one case."""
        kept = result.verdict not in ("passed", "inapplicable")
        self._write(
            CaseLine(
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
                observation=result.observation if kept else None,
                evidence=dict(result.evidence) if kept else {},
            )
        )

    def end(self, summary: Summary) -> None:
        """Write the last line."""
        self._write(summary)

    def _write(self, line: Line) -> None:
        if self.problem:
            return
        try:
            self._file.write(_encoded(line) + b"\n")
            self._file.flush()
        except OSError as error:
            self.problem = f"the report {self._path} cannot be written: {error.strerror}"


def _encoded(line: Line) -> bytes:
    """JSON; what a target puts into a value and JSON cannot hold is shown as Python would."""
    try:
        return msgspec.json.encode(line, enc_hook=repr)
    except UnicodeEncodeError:  # a lone surrogate, as in a file name that is no UTF-8
        return msgspec.json.encode(_escaped(msgspec.to_builtins(line, enc_hook=repr)))


def _escaped(value: object) -> object:
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode()
        case dict():
            return {_escaped(key): _escaped(each) for key, each in value.items()}
        case list() | tuple():
            return [_escaped(each) for each in value]
    return value


def read_report(path: Path) -> list[Line]:
    """The lines of a report; one that was cut off in the middle of a line ends with the line before."""
    lines = path.read_bytes().split(b"\n")
    return [msgspec.json.decode(line, type=Line) for line in lines[:-1]]
