"""The exit codes of a run, in order of precedence: 2, 4, 5, 1, 3, 0; and 130 for Ctrl-C."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from loopspec.contract.specification import features_root

from ..process import ADAPTERS, Ended, Start, ended, reported, run_loopspec, wait_until

RunHere = Callable[..., Ended]


@pytest.mark.parametrize(
    ("options", "roles"),
    [
        ("--rule=AMD-IMPORT-0[1-3] --variants=none", "loader or middleware or agent"),
        ("--rule=LOOP-01 -q", "agent"),
        ("--role=agent", "agent"),
    ],
)
def test_5_nothing_is_applicable(options: str, roles: str, tmp_path: Path, run_here: RunHere) -> None:
    """A run without an applicable case fails. The last sentence, which -q prints too, says which role is missing."""
    ended = run_here("run", "py:broken:Backend", *options.split(), "--report=r")

    report = reported(tmp_path / "r")
    why = f"none is applicable to py:broken:Backend (needs the role {roles})."
    sentence = f"Nothing was judged: of {report.summary.planned} cases {why}"
    assert (ended.code, ended.said.splitlines()[-1]) == (5, sentence)
    assert (set(report.verdicts.values()), report.summary.executed) == ({"inapplicable"}, 0)


@pytest.mark.parametrize(
    ("factory", "sentence", "failures"),
    [
        ("loses", "3 cases planned, and 0 accounted for.", False),
        ("trusts", "the case that must fail did not fail, so no verdict can be trusted.", True),
    ],
)
def test_5_before_1_the_suite_is_broken(factory: str, sentence: str, failures: bool, tmp_path: Path) -> None:
    """A harness that loses results rejects its own run; if the canary passes, failures mean nothing."""
    ended = run_loopspec(tmp_path, "run", f"py:broken:{factory}", "--rule=AMD-DEPTH-01", "--variants=none")

    assert (ended.code, ended.said.splitlines()[-1]) == (5, f"The suite is broken: {sentence}")
    assert ("failed AMD-DEPTH-01" in ended.said) is failures


def test_4_before_1_and_5_a_failure_and_then_a_hang(tmp_path: Path, run_here: RunHere) -> None:
    """A target that hangs is unusable, whatever was judged before."""
    (tmp_path / "tiring.py").write_text(
        "import time\nfrom broken import Loader\n"
        "class Tiring(Loader):\n"
        "    calls = 0\n"
        "    def do(self):\n"
        "        self.calls += 1\n"
        "        if self.calls == 3:\n"
        "            time.sleep(1000)\n"
        "        return [], []\n",
        encoding="utf-8",
    )

    ended = run_here(
        "run", "py:tiring:Tiring", "--rule=AMD-DEPTH-0[12]", "--timeout=0.5", "--report=r", "--variants=none"
    )

    verdicts = ["failed", "failed", "timed-out", "not-run", "not-run", "not-run", "not-run"]
    assert (ended.code, list(reported(tmp_path / "r").verdicts.values())) == (4, verdicts)
    assert ended.said.count("\nfailed AMD-DEPTH") + ended.said.count("timed-out AMD-DEPTH") == 1
    assert "not-run AMD-DEPTH" not in ended.said


@pytest.mark.parametrize("wrong", ["--rule=AMD-CGF-01", "--report=no/r", "--junit=no/j", "--baseline=no"])
def test_2_before_4_a_wrong_command_about_an_unusable_target(wrong: str, run_here: RunHere) -> None:
    """The command line is checked before the target."""
    assert run_here("run", "py:broken:raises", wrong).code == 2


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("list >/dev/full", 2, "loopspec: the output cannot be written: No space left on device\n"),
        ("run reference --rule=AMD-CFG-01 >/dev/full", 2, "loopspec: the output cannot be written: No space left"),
        ("run reference --rule=AMD-CFG-01 >&-", 0, ""),
        ("run reference --rule=AMD-CFG-01 | true; exit ${PIPESTATUS[0]}", 0, ""),
        (f"show {features_root() / 'example'} >/dev/null", 0, ""),
        ("list --json >/dev/null", 0, ""),
        pytest.param(
            "explain AMD-DEPTH-01 py:broken:Sleeps >/dev/null",
            4,
            "loopspec: py:broken:Sleeps is unusable: ",
            marks=pytest.mark.long,  # waits for the deadline
        ),
    ],
)
def test_the_exit_code_is_right_whatever_stdout_is(command: str, code: int, said: str, tmp_path: Path) -> None:
    """Standard output may be full, closed, a pipe without a reader, or limited to ASCII."""
    shutil.copy(ADAPTERS, tmp_path)
    line = f"{shlex.quote(sys.executable)} -m loopspec {command}"
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}

    ended = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, text=True)

    assert (ended.returncode, ended.stderr[: len(said)]) == (code, said)
    assert "Traceback" not in ended.stderr


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
    """A case without a recorded result counts as not run, unless the target has no role for it."""
    end = ended(start(tmp_path, "run", "py:broken:interrupts", "--area=AMD-DEPTH", "--report=r"))

    summary = reported(tmp_path / "r").summary
    assert (end.code, summary.interrupted, summary.executed) == (130, True, 0)
    assert "Traceback" not in end.said
