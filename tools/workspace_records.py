"""`python -m tools.workspace_records [TOOL …] [--all]`: record what tools read from the workspaces of all cases.

The command needs the tools. It lays out the workspace of each case of the role workspace, lets the tool read it, and
writes the texts into the folder of the tool's adapter. A workspace that the record has already is not read again,
except with `--all`, and for another version of the tool. Without the tools, the current features and baselines judge
the records: a target returns what the tool has returned.
"""

from __future__ import annotations

import argparse
import asyncio
import platform
import re
import sys
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from loopspec import WorkspaceFile, WorkspaceReading
from loopspec.contract.axes import dialect_of
from loopspec.contract.dialects import dialect
from loopspec.contract.target import Identity, Target
from loopspec.contract.workspaces import Workspace
from loopspec.engine.judge import applies, judge
from loopspec.engine.output import write_text
from loopspec.engine.result import Result
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.targets.python import PythonTarget
from loopspec.targets.resolve import resolve
from loopspec_instructions.readings import Read
from loopspec_instructions.trees import Tree, asked, laid_out

from .pages import ROOT
from .recorded import digest_of
from .workspace_tools import TOOLS, Tool

_LONG = 5_000  # bytes of a reading: beyond, the record has it compressed
_BASE = b"{base}"  # in a record, the folder of a workspace


class Stale(Exception):
    """Raised for a record without a reading of a current workspace."""


class NamesThisMachine(Exception):
    """Raised for a reading that contains a path or the name of this machine."""


class FailedAsRecorded(Exception):
    """The failure of a tool, with its message."""


class Asked(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The first line: the tool, its dialect, and whether the tool was started by users that agreed to imports."""

    identity: Identity
    dialect: str
    asks: bool = False


class Text(Struct, frozen=True):
    """One text that a model receives."""

    path: str | None
    text: str


class Reading(Struct, frozen=True):
    """A `WorkspaceReading` as JSON."""

    files: tuple[Text, ...]
    warnings: tuple[str, ...]


class Answer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a tool has returned for a workspace, or its failure."""

    reading: Reading | None = None
    error: str = ""


class Line(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Any other line: the answer for one workspace, by its digest. `case` is the first case with the workspace."""

    case: str
    workspace: str
    answer: Answer | None = None
    compressed: bytes = b""

    def encoded(self) -> bytes:
        """The answer as JSON."""
        return zlib.decompress(self.compressed) if self.answer is None else msgspec.json.encode(self.answer)


@dataclass(frozen=True)
class Record:
    """The answers of one tool by the digests of the workspaces."""

    asked: Asked
    lines: dict[str, Line]

    @contextmanager
    def target(self) -> Iterator[RecordedTarget]:
        """The tool as a target."""
        with closing(RecordedTarget(self)) as target:
            yield target


class Replay:
    """The object of a recorded target: it returns for the workspace of `case` what the tool has returned."""

    case: Case | None = None

    def __init__(self, record: Record) -> None:
        self._record = record
        self.name, self.version = record.asked.identity.name, record.asked.identity.version
        self.dialect = record.asked.dialect
        self.capabilities = ("import-agreement",) if record.asked.asks else ()

    def read_workspace(self, cwd: Path, home: Path, agreed: bool = False) -> WorkspaceReading:
        """The recorded reading, with the present folder of the workspace."""
        assert self.case is not None, "a case is judged"
        workspace = workspace_in_dialect(self.case, self.dialect)
        line = self._record.lines.get(digest_of(workspace))
        if line is None:
            raise Stale(self.case.id)
        base = str(cwd).removesuffix(f"/{workspace.working_directory}")
        answer = msgspec.json.decode(line.encoded().replace(_BASE, base.encode()), type=Answer)
        if answer.reading is None:
            raise FailedAsRecorded(answer.error)
        files = [WorkspaceFile(one.path, one.text) for one in answer.reading.files]
        return WorkspaceReading(files, answer.reading.warnings)


class RecordedTarget(PythonTarget):
    """A target that performs the cases of a record."""

    def __init__(self, record: Record) -> None:
        self._replay = Replay(record)
        self._lines = record.lines
        super().__init__(lambda: self._replay, record.asked.identity.name)

    def has(self, case: Case) -> bool:
        """Whether the record has the workspace of a case."""
        return digest(case, self._replay.dialect) in self._lines

    def at(self, case: Case) -> RecordedTarget:
        """The target, prepared for one case. Raises `Stale`."""
        if not self.has(case):
            raise Stale(
                f"{self.identity.name} has not read the workspace of {case.id!r} as it is now: "
                f"install it as its README says, and run `python -m tools.workspace_records`"
            )
        self._replay.case = case
        return self

    def results(self) -> list[Result]:
        """The results of the cases that the rules of the dialect judge. Raises `Stale`."""
        return [judge(case, self.at(case), "workspace") for case in judged_cases(self)]


def workspace_cases(target: Target) -> Iterator[Case]:
    """The cases whose workspace can have the names of the target's dialect, also those that presuppose another one.

    Those that a rule of the dialect judges are the first.
    """
    found = [
        case
        for case in compiled()
        if case.scene.workspace is not None and not dialect_of(target.postures).lacks(case.scene.workspace)
    ]
    yield from sorted(found, key=lambda case: not applies(case, target))


def judged_cases(target: Target) -> Iterator[Case]:
    """The cases of the role workspace that are applicable to a target."""
    return (case for case in workspace_cases(target) if applies(case, target))


def digest(case: Case, name: str) -> str:
    """The digest of a workspace with the file names of a dialect."""
    return digest_of(workspace_in_dialect(case, name))


def workspace_in_dialect(case: Case, name: str) -> Workspace:
    """The workspace of a case with the file names of a dialect."""
    assert case.scene.workspace is not None, "a workspace scene has a workspace"
    return dialect(name).applied_to(case.scene.workspace)


def read_record(path: Path) -> Record:
    """Read a record."""
    first, *lines = path.read_bytes().splitlines()
    found = [msgspec.json.decode(line, type=Line) for line in lines]
    return Record(msgspec.json.decode(first, type=Asked), {each.workspace: each for each in found})


def write_record(tool: Tool, first: Asked, lines: Mapping[str, Line]) -> None:
    """Write the record of a tool."""
    text = "".join(msgspec.json.encode(line).decode() + "\n" for line in (first, *lines.values()))
    write_text(tool.record, text)


def ask(tool: Tool, *, again: bool = False) -> None:
    """Let a tool read the workspaces that its record lacks, and write each answer; `again`: all workspaces.

    Raises `NamesThisMachine`.
    """
    with chdir(tool.folder), closing(resolve(tool.target)) as target:
        assert isinstance(target, PythonTarget)
        asks = "import-agreement" in target.capabilities
        asked_now = Asked(identity=target.identity, dialect=target.postures["dialect"].value, asks=asks)
        before = {} if again else _usable(tool, asked_now)
        found: dict[str, Line] = {}
        for case in judged_cases(target) if tool.slow else workspace_cases(target):
            key = digest(case, asked_now.dialect)
            if key in found:
                continue
            if key in before:
                found[key] = replace(before[key], case=case.id)
            else:
                found[key] = _line(case, key, asked_now, target.shape.read_workspace)
                write_record(tool, asked_now, {**before, **found})  # a tool that fails later loses nothing
        current = {digest(case, asked_now.dialect) for case in workspace_cases(target)}
        write_record(tool, asked_now, {**{key: line for key, line in before.items() if key in current}, **found})


def _usable(tool: Tool, first: Asked) -> dict[str, Line]:
    """The lines of the present record without failures, if it is of the same version.

    A failure may be that of a busy machine, so the tool reads the workspace again.
    """
    if not tool.record.exists():
        return {}
    record = read_record(tool.record)
    if record.asked != first:
        return {}
    return {
        key: line for key, line in record.lines.items() if not msgspec.json.decode(line.encoded(), type=Answer).error
    }


def _line(case: Case, key: str, first: Asked, read: Read) -> Line:
    """Let a tool read the workspace of a case."""
    workspace = workspace_in_dialect(case, first.dialect)
    with laid_out(workspace) as tree:
        answer = asyncio.run(_answer(read, tree, agreed=first.asks and workspace.agreed))
        encoded = msgspec.json.encode(answer).replace(str(tree.base).encode(), _BASE)
    if named := _this_machine().search(encoded.decode()):
        raise NamesThisMachine(f"the reading of {case.id!r} contains {named[0]!r}: nothing of it is recorded")
    if len(encoded) < _LONG:
        return Line(case=case.id, workspace=key, answer=msgspec.json.decode(encoded, type=Answer))
    return Line(case=case.id, workspace=key, compressed=zlib.compress(encoded, 9))


def _this_machine() -> re.Pattern[str]:
    """What no record may contain: the folders of this machine, which also are in the paths of tools, and its name."""
    folders = {
        tempfile.gettempdir(),
        Path(tempfile.gettempdir()).resolve(),
        Path.home(),
        ROOT,
        sys.prefix,
    }
    named = "|".join(re.escape(str(folder)) for folder in folders)
    return re.compile(rf"(?<![\w.}}~/-])(?:{named})(?![\w-])|\b{re.escape(platform.node()) or '(?!)'}\b")


async def _answer(read: Read, tree: Tree, *, agreed: bool) -> Answer:
    try:
        reading = await asked(read, tree.working_directory, tree.home, tree.configured, agreed)
    except Exception as error:
        return Answer(error=f"{type(error).__name__}: {error}")
    files = tuple(Text(None if one.path is None else str(one.path), one.text) for one in reading.files)
    return Answer(reading=Reading(files, tuple(reading.warnings)))


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the records."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.workspace_records", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("tools", nargs="*", metavar="TOOL", help=f"of {', '.join(tool.name for tool in TOOLS)}")
    parser.add_argument("--all", action="store_true", help="read each workspace again")
    args = parser.parse_args(arguments)
    for tool in TOOLS:
        if tool.name in (args.tools or [tool.name for tool in TOOLS]):
            try:
                ask(tool, again=args.all)
            except NamesThisMachine as named:
                sys.exit(f"{tool.name}: {named}")


if __name__ == "__main__":
    main()
