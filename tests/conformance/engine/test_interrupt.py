"""Ctrl-C during a run ends it immediately; the report and the last sentence say so."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from ..process import Start, ended, reported, wait_until


@pytest.mark.parametrize("factory", ["Sleeps", "SleepsAsync", "SleepsInThread"])
def test_an_interrupted_run_accounts_for_everything(factory: str, start: Start, tmp_path: Path) -> None:
    """The result is the same for each kind of blocked adapter."""
    ready = tmp_path / "ready"
    options = ["--area=AMD-DEPTH", "--rule=AMD-BACKEND-05", "--report=r.jsonl"]
    env = os.environ | {"BROKEN_IS_READY": str(ready)}
    process = start(tmp_path, "run", f"py:broken:{factory}", *options, env=env)
    wait_until(ready.exists, process)

    process.send_signal(signal.SIGINT)
    end = ended(process)

    report = reported(tmp_path / "r.jsonl")
    left = report.summary.cases["not-run"]
    assert end.code == report.summary.exit_code == 130
    assert (report.summary.interrupted, report.summary.aborted) == (True, "")
    assert {case.message for case in report.cases if case.verdict == "not-run"} == {"the run was interrupted"}
    assert end.said.splitlines()[-1] == f"interrupted: {left} of {report.summary.planned} cases were not run."
    assert left > 1


def test_ctrl_c_before_the_first_case_is_one_sentence(start: Start, tmp_path: Path) -> None:
    """Building a slow target can be interrupted."""
    (tmp_path / "slow.py").write_text(
        "import pathlib, time\ndef build():\n    pathlib.Path('ready').touch()\n    time.sleep(1000)\n",
        encoding="utf-8",
    )
    process = start(tmp_path, "run", "py:slow:build")
    wait_until((tmp_path / "ready").exists, process)

    process.send_signal(signal.SIGINT)
    end = ended(process)

    assert (end.code, end.err) == (130, "loopspec: interrupted\n")


def test_ctrl_c_between_two_cases_ends_the_run_too(start: Start, tmp_path: Path) -> None:
    """A case without a recorded result counts as not run."""
    end = ended(start(tmp_path, "run", "py:broken:interrupts", "--area=AMD-DEPTH", "--report=r"))

    summary = reported(tmp_path / "r").summary
    assert (end.code, summary.interrupted, summary.cases["not-run"]) == (130, True, summary.planned)
    assert "Traceback" not in end.said
