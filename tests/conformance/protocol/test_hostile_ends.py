"""However a run ends, it leaves no process: after a signal, after Ctrl-C, and after SIGKILL."""

from __future__ import annotations

import shlex
import signal
import sys
from pathlib import Path

import pytest

from ..process import Start, ended, is_alive, reported, wait_until
from .hostile.command import adapters, hostile

pytestmark = pytest.mark.long


@pytest.mark.parametrize(
    ("misbehavior", "asked"),
    [
        ("silent", signal.SIGINT),
        ("ignores-sigterm", signal.SIGINT),
        ("stopped", signal.SIGINT),
        ("ignores-sigterm", signal.SIGTERM),
        ("silent", signal.SIGHUP),
    ],
)
def test_a_signal_ends_the_process_group(misbehavior: str, asked: signal.Signals, start: Start, tmp_path: Path) -> None:
    """The run ends immediately after Ctrl-C or a signal; finished cases are in the report."""
    misbehaviors = [f"{misbehavior}@3", "grandchild-ignores-everything@2"]
    options = ["--role=loader", "--area=AMD-ORDER", "--timeout=100", "--report=r", "-q"]
    process = start(tmp_path, "run", hostile(*misbehaviors), *options)
    wait_until(
        lambda: (
            (tmp_path / "misbehaved").exists() and misbehavior in (tmp_path / "misbehaved").read_text(encoding="ascii")
        )
    )
    (pid,) = adapters(tmp_path)
    process.send_signal(asked)
    end = ended(process)

    report = reported(tmp_path / "r")
    assert (end.code, report.summary.exit_code, report.summary.interrupted) == (130, 130, True)
    assert [case.verdict for case in report.cases[:2]] == ["passed", "crashed"]
    assert {case.verdict for case in report.cases[2:]} == {"not-run"}
    assert not is_alive(pid)
    assert not is_alive(int((tmp_path / "grandchildren").read_text(encoding="ascii")))


def _lines(path: Path) -> int:
    """The finished lines of a report; the run makes and removes the file once before it begins, to know that it can."""
    try:
        return path.read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


HANGS = """
import pathlib, time

class Hangs:
    def load(self, backend, files, max_bytes):
        pathlib.Path("hangs").touch()
        time.sleep(1000)
"""


@pytest.mark.parametrize("target", ["reference", "py:hangs:Hangs"])
def test_a_served_adapter_ends_when_the_harness_is_killed(target: str, start: Start, tmp_path: Path) -> None:
    """The process that serves sees the end of its input, also if it hangs; the process that restarts it ends, too."""
    (tmp_path / "hangs.py").write_text(HANGS, encoding="utf-8")
    command = f"cmd:{shlex.join([sys.executable, '-m', 'loopspec', 'serve', target])}"
    area = "--area=AMD-BACKEND" if target != "reference" else "--area=AMD-*"
    process = start(tmp_path, "run", command, area, "--role=loader", "--timeout=100", "--report=r", "-q")
    wait_until(lambda: _lines(tmp_path / "r") > 1 if target == "reference" else (tmp_path / "hangs").exists())
    (restarts,) = _children(process.pid)
    (serves,) = _children(restarts)

    process.kill()
    process.communicate()

    wait_until(lambda: not is_alive(serves) and not is_alive(restarts))


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
