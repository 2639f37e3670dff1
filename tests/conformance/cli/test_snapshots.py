"""What the command line prints, word for word. `pytest --snapshot-update` accepts an intended change."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from loopspec.cli import main
from loopspec.contract.specification import features_root

NAIVE = """
from loopspec import ReadRequest

class Naive:
    name = "naive loader"

    def load(self, backend, files, max_bytes):
        sections = []
        for path in files:
            content = backend.read(ReadRequest(file_path=path))
            sections.append((path, content if isinstance(content, str) else content.decode()))
        return sections, []
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder and a terminal of fixed width without colors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ["list", "AMD-BUDGET"],
        ["list", "AMD-CFG", "--json"],
        ["list", "INS-WALK"],  # with the dialects in which a rule is judged
        ["list", "VARIANT"],
        ["explain", "AMD-DEPTH-02"],
        ["explain", "AMD-BUDGET-13"],  # without a scenario
        ["explain", "AMD-IDEMP-01"],  # with a background
        ["explain", "AMD-DEPTH-07"],  # the last one of its feature
        ["explain", "XP-JUMP-01", "--all"],  # with names of other frameworks
        ["explain", "INS-WALK-01"],  # of the dialects of instruction files
        ["explain", "INS-WALK-02"],  # of a tool that differs from its document
        ["explain", "POSTURE-01"],
        ["explain", "limit-zero"],
        ["explain", "walk"],
        ["explain", "lint"],
        ["explain", "lint-01"],
        ["capabilities"],
        ["capabilities", "py:loopspec_reference_adapter:Memory"],
        ["capabilities", "reference as codex"],
        ["phrases"],
        ["show"],
        ["show", "--language", "zh", "--max-bytes", "300"],
    ],
    ids=" ".join,
)
def test_a_command_prints(
    arguments: list[str], folder: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    """The whole output is compared; `show` reads a copy of the example."""
    shutil.copytree(features_root() / "example", folder, dirs_exist_ok=True)

    code = main(arguments)

    assert code == 0
    assert capsys.readouterr().out == snapshot


def test_a_run_prints(folder: Path, snapshot: SnapshotAssertion) -> None:
    """The output has failures by rule, counts of every verdict, and the last sentence."""
    (folder / "naive.py").write_text(NAIVE, encoding="utf-8")
    command = [sys.executable, "-m", "loopspec", "run", "py:naive:Naive", "--area", "AMD-CYCLE", "--area", "AMD-ERROR"]

    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)

    assert (ran.returncode, ran.stderr) == (1, "")
    assert re.sub(r"in \d+\.\d s", "in 0.0 s", ran.stdout) == snapshot
