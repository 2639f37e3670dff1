"""The plugin in runs that pytest-xdist divides: they add up as in one process."""

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
    """Run pytest in a folder that holds the broken adapters, with the plugins that are needed and no others."""
    (folder / "broken.py").write_bytes(ADAPTERS.read_bytes())
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": PLUGINS}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-W", "error", *options]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    return Ended(done.returncode, done.stdout, done.stderr)


def test_a_divided_run_of_pytest_adds_up(tmp_path: Path) -> None:
    """As in one process: report, baseline, counts, and what is shown of each failure."""
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


def test_two_targets_of_ones_own_are_judged_by_workers(tmp_path: Path) -> None:
    """Beside tests that have nothing to do with it. A case that crashes or hangs is shown as any other failure is."""
    mine = "from loopspec.suite import *\nLOOPSPEC_TARGET = {target!r}\n"
    target = written(tmp_path, BY_TURNS.replace(', "swallow"', ""))
    (tmp_path / "test_one.py").write_text(mine.format(target=target), encoding="utf-8")
    (tmp_path / "test_two.py").write_text(mine.format(target="reference"), encoding="utf-8")
    (tmp_path / "test_other.py").write_text("def test_other(): pass\n", encoding="utf-8")

    end = run_pytest(tmp_path, "-n2", "--loopspec-rule=AMD-DEPTH-01", "--loopspec-timeout=0.5")

    assert end.code == 1
    assert "3 failed, 6 passed" in end.said
    assert "loopspec py:mine:Mine: normative rules: 1 crashed" in end.said
    assert "loopspec reference: normative rules: 1 passed" in end.said
    for shown in ("crashed: AMD-DEPTH-01: ", "timed-out: AMD-DEPTH-01: ", "did not come back within 0.5 s"):
        assert shown in end.said


def test_a_run_that_is_none_of_ours_is_left_alone(tmp_path: Path) -> None:
    """A worker that crashes in it is xdist's to tell."""
    (tmp_path / "test_other.py").write_text(
        "import os\ndef test_one(): pass\ndef test_two(): os._exit(9)\ndef test_three(): pass\n", encoding="utf-8"
    )

    end = run_pytest(tmp_path, "-n1")

    assert (end.code, "1 failed, 2 passed" in end.said, "loopspec" in end.said) == (1, True, False)


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("--loopspec-rule=zzz", "there is no rule 'zzz'"),  # as a worker finds out
        ("--loopspec-report=.", "the report . cannot be written"),  # as who adds up does
    ],
)
def test_what_workers_refuse_is_a_usage_error(option: str, sentence: str, tmp_path: Path) -> None:
    """Said once."""
    end = run_pytest(tmp_path, "--loopspec-target=py:broken:Loader", "--loopspec-area=AMD-DEPTH", option, "-n2")

    assert end.code == pytest.ExitCode.USAGE_ERROR
    assert end.said.count(f"ERROR: loopspec: {sentence}") == 1


def test_stopping_at_the_first_failure_is_not_ctrl_c(tmp_path: Path) -> None:
    """What was left out is missed, as in one process."""
    options = ["--loopspec-target=py:broken:Loader", "--loopspec-area=AMD-DEPTH", "-x", "-n1", "--loopspec-report=r"]

    run_pytest(tmp_path, *options)

    last = (tmp_path / "r").read_text(encoding="utf-8").splitlines()[-1]
    assert '"interrupted":false' in last
    assert '"exit_code":5' in last
