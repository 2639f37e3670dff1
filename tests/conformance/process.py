"""`loopspec` in a process of its own, as a user calls it."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from loopspec.engine.result import CaseLine
from loopspec.engine.run import Summary
from loopspec.reports.jsonl import Line, RunLine, read_report

ADAPTERS = Path(__file__).with_name("broken.py")


@dataclass(frozen=True)
class Ended:
    """A process that has ended."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """Everything it said; never a traceback."""
        assert "Traceback" not in self.out + self.err, self.out + self.err
        return self.out + self.err


def started(folder: Path, *args: str, **how: Any) -> subprocess.Popen[str]:
    """Start `loopspec` in a folder that holds the broken adapters; `how` is for `subprocess.Popen`."""
    shutil.copy(ADAPTERS, folder)
    command = [sys.executable, "-m", "loopspec", *args]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=folder, preexec_fn=takes_ctrl_c, **(pipes | how))


class Start(Protocol):
    """`started`, for a test that may fail before the process has ended: see the fixture `start`."""

    def __call__(self, folder: Path, *args: str, **how: Any) -> subprocess.Popen[str]: ...


def takes_ctrl_c() -> None:
    """Give a child SIGINT's default back: tests that run in the background of a shell inherit that it is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def ended(process: subprocess.Popen[str], seconds: float = 60) -> Ended:
    """Wait for the end. A process that does not come to its end is killed, and nothing of it stays open."""
    with process:
        try:
            out, err = process.communicate(timeout=seconds)
        except BaseException:
            process.kill()
            raise
    return Ended(process.returncode, out, err)


def run_loopspec(folder: Path, *args: str, seconds: float = 60) -> Ended:
    """Run `loopspec` to its end."""
    return ended(started(folder, *args), seconds)


@dataclass(frozen=True)
class Reported:
    """A report from its first line to its last."""

    run: RunLine
    cases: tuple[CaseLine, ...]
    summary: Summary

    @property
    def verdicts(self) -> dict[str, str]:
        """What became of each case."""
        return {case.case: case.verdict for case in self.cases}


def reported(path: Path) -> Reported:
    """Read a report that is complete: a first and a last line, and each planned case once."""
    lines: list[Line] = read_report(path)
    run, *cases, summary = lines
    assert isinstance(run, RunLine)
    assert isinstance(summary, Summary)
    each = tuple(case for case in cases if isinstance(case, CaseLine))
    assert len(each) == len(cases) == len(run.planned)
    assert {case.case for case in each} == set(run.planned)
    return Reported(run, each, summary)
