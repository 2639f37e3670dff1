"""`loopspec` in a separate process, as a user calls it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from loopspec.engine.result import CaseLine
from loopspec.engine.run import Summary
from loopspec.reports.jsonl import Line, RunLine, read_report
from loopspec.specification.invariants import InvariantCase
from loopspec.specification.sources import case_named

ADAPTERS = Path(__file__).with_name("broken.py")
PATIENCE = 600  # seconds: a loaded machine takes ten times as long as a quiet one, and a hang is a failure then, too


@dataclass(frozen=True)
class Ended:
    """A process that has ended."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """The whole output, which contains no traceback."""
        assert "Traceback" not in self.out + self.err, self.out + self.err
        return self.out + self.err


def untimed(said: str) -> str:
    """The output of a run without the time that it took."""
    return re.sub(r" in \d+\.\d s", "", said)


def started(folder: Path, *args: str, **how: Any) -> subprocess.Popen[str]:
    """Start `loopspec` in a folder that contains the broken adapters; `how` is for `subprocess.Popen`."""
    shutil.copy(ADAPTERS, folder)
    # -P: as for the installed command, a folder named `loopspec` in the current folder is not imported
    command = [sys.executable, "-P", "-m", "loopspec", *args]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=folder, preexec_fn=takes_ctrl_c, **(pipes | how))


class Start(Protocol):
    """The type of the fixture `start`, which is `started` for a test that may fail before the process has ended."""

    def __call__(self, folder: Path, *args: str, **how: Any) -> subprocess.Popen[str]: ...


def takes_ctrl_c() -> None:
    """Restore SIGINT's default in a child: a background job of a shell inherits an ignored SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def ended(process: subprocess.Popen[str]) -> Ended:
    """Wait for the end of a process. A process that exceeds `PATIENCE` is killed, and its pipes are closed."""
    with process:
        try:
            out, err = process.communicate(timeout=PATIENCE)
        except BaseException:
            process.kill()
            raise
    return Ended(process.returncode, out, err)


def run_loopspec(folder: Path, *args: str) -> Ended:
    """Run `loopspec` and wait for its end."""
    return ended(started(folder, *args))


@dataclass(frozen=True)
class Reported:
    """A complete report."""

    run: RunLine
    cases: tuple[CaseLine, ...]
    summary: Summary

    @property
    def verdicts(self) -> dict[str, str]:
        """The verdict of each case."""
        return {case.case: case.verdict for case in self.cases}


def reported(path: Path) -> Reported:
    """Read a complete report: a first and a last line, each planned case once, and invariants that do not hold."""
    lines: list[Line] = read_report(path)
    run, *cases, summary = lines
    assert isinstance(run, RunLine)
    assert isinstance(summary, Summary)
    each = tuple(case for case in cases if isinstance(case, CaseLine))
    planned = set(run.planned)
    unplanned = [case for case in each if case.case not in planned]
    assert len(each) == len(cases) == len(run.planned) + len(unplanned)
    assert all(isinstance(case_named(case.case), InvariantCase) for case in unplanned)
    assert {case.case for case in each} == planned | {case.case for case in unplanned}
    return Reported(run, each, summary)


def is_alive(process: int) -> bool:
    """Whether a process exists and is not a zombie. For systems with /proc."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def wait_until(met: Callable[[], object], process: subprocess.Popen[str] | None = None) -> None:
    """Wait for another process, which must not end before."""
    deadline = time.monotonic() + PATIENCE
    while not met():
        assert time.monotonic() < deadline
        assert process is None or process.poll() is None
        time.sleep(0.01)


def has_ended(process: int) -> bool:
    """Wait up to a minute until a process has ended."""
    deadline = time.monotonic() + 60
    while is_alive(process) and time.monotonic() < deadline:
        time.sleep(0.05)
    if alive := is_alive(process):
        os.kill(process, signal.SIGKILL)
    return not alive
