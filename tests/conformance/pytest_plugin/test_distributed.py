"""The plugin under pytest-xdist: a distributed run gives the same totals as a run in one process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..engine.test_workers import BASELINE, BY_TURNS, plain, written
from ..process import ADAPTERS, Ended, reported

pytestmark = pytest.mark.long

PLUGINS = "pytest_bdd.plugin,loopspec_pytest,xdist.plugin"


def run_pytest(folder: Path, *options: str) -> Ended:
    """Run pytest in a folder that contains the broken adapters, with only the required plugins."""
    (folder / "broken.py").write_bytes(ADAPTERS.read_bytes())
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": PLUGINS}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-W", "error", *options]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    return Ended(done.returncode, done.stdout, done.stderr)


def test_a_distributed_run_gives_the_same_totals(tmp_path: Path) -> None:
    """Report, baseline, counts and the output of each failure are the same."""
    (tmp_path / "b.toml").write_text(BASELINE, encoding="utf-8")
    options = ["--loopspec-target=py:broken:Loader", "--loopspec-baseline=b.toml", "--loopspec-area=AMD-DEPTH", "-rxs"]

    one = run_pytest(tmp_path, *options, "--loopspec-report=one")
    two = run_pytest(tmp_path, *options, "--loopspec-report=two", "-n2")

    counts, others = (
        sorted(line for line in end.said.splitlines() if line.startswith("loopspec ")) for end in (one, two)
    )
    assert (one.code, two.code) == (1, 1)
    assert plain(reported(tmp_path / "two")) == plain(reported(tmp_path / "one"))
    assert len(counts) == 2
    assert counts == others
    for shown in ("\nAMD-DEPTH-0", "stale: AMD-DEPTH-03", "XFAIL "):
        assert one.said.count(shown) == two.said.count(shown) > 0


def test_workers_judge_two_targets(tmp_path: Path) -> None:
    """Other tests run alongside. A case that crashes is shown like any other failure, and costs one worker."""
    mine = "from loopspec.suite import *\nLOOPSPEC_TARGET = {target!r}\n"
    target = written(tmp_path, BY_TURNS.replace('"sleep", "swallow"', ""))
    (tmp_path / "test_one.py").write_text(mine.format(target=target), encoding="utf-8")
    (tmp_path / "test_two.py").write_text(mine.format(target="reference"), encoding="utf-8")
    (tmp_path / "test_other.py").write_text("def test_other(): pass\n", encoding="utf-8")

    end = run_pytest(tmp_path, "-n2", "--loopspec-rule=AMD-DEPTH-01")

    assert end.code == 1
    assert "3 failed, 6 passed" in end.said
    assert "crashed: AMD-DEPTH-01: " in end.said
    assert "loopspec py:mine:Mine: normative rules: 1 crashed" in end.said
    assert "loopspec reference: normative rules: 1 passed" in end.said


def test_a_run_without_conformance_cases_is_not_changed(tmp_path: Path) -> None:
    """xdist reports a crashed worker of a run without conformance cases."""
    (tmp_path / "test_other.py").write_text(
        "import os\ndef test_one(): pass\ndef test_two(): os._exit(9)\ndef test_three(): pass\n", encoding="utf-8"
    )

    end = run_pytest(tmp_path, "-n1")

    assert (end.code, "1 failed, 2 passed" in end.said, "loopspec" in end.said) == (1, True, False)


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("--loopspec-rule=zzz", "there is no rule 'zzz'"),  # found by a worker
        ("--loopspec-report=.", "the report . cannot be written"),  # found by the controller
    ],
)
def test_an_error_of_a_worker_is_a_usage_error(option: str, sentence: str, tmp_path: Path) -> None:
    """The error is printed once."""
    end = run_pytest(tmp_path, "--loopspec-target=py:broken:Loader", "--loopspec-area=AMD-DEPTH", option, "-n2")

    assert end.code == pytest.ExitCode.USAGE_ERROR
    assert end.said.count(f"ERROR: loopspec: {sentence}") == 1


def test_stopping_at_the_first_failure_is_not_ctrl_c(tmp_path: Path) -> None:
    """Cases that were not run are missing from the total, as in one process."""
    options = ["--loopspec-target=py:broken:Loader", "--loopspec-area=AMD-DEPTH", "-x", "-n1", "--loopspec-report=r"]

    run_pytest(tmp_path, *options)

    last = (tmp_path / "r").read_text(encoding="utf-8").splitlines()[-1]
    assert '"interrupted":false' in last
    assert '"exit_code":5' in last
