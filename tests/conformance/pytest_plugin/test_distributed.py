"""The plugin under pytest-xdist, which divides the tests among processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..process import ADAPTERS, PATIENCE, Ended

pytestmark = pytest.mark.long

PLUGINS = "pytest_bdd.plugin,loopspec_pytest,xdist.plugin"


def run_pytest(folder: Path, *options: str) -> Ended:
    """Run pytest in a folder that contains the broken adapters, with only the required plugins."""
    (folder / "broken.py").write_bytes(ADAPTERS.read_bytes())
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": PLUGINS}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-W", "error", *options]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    return Ended(done.returncode, done.stdout, done.stderr)


def test_each_case_of_a_suite_module_is_a_test_of_its_own(tmp_path: Path) -> None:
    """Other tests run alongside, and pytest counts all of them. No worker prints the sentence of a whole run."""
    mine = "from loopspec.suite import *\nLOOPSPEC_TARGET = 'py:broken:Loader'\n"
    (tmp_path / "test_mine.py").write_text(mine, encoding="utf-8")
    (tmp_path / "test_other.py").write_text("def test_other(): pass\n", encoding="utf-8")

    one, two = (run_pytest(tmp_path, "--loopspec-area=AMD-DEPTH", "-rf", *more) for more in ([], ["-n2"]))

    failed, others = (sorted(line for line in end.said.splitlines() if line.startswith("FAILED")) for end in (one, two))
    assert (one.code, two.code) == (1, 1)
    assert failed == others != []
    assert "loopspec: py:broken:Loader is not conformant" in one.said
    assert "loopspec: " not in two.said


@pytest.mark.parametrize("option", ["--loopspec-target=reference", "--loopspec-report=r"])
def test_what_is_about_a_whole_run_is_refused(option: str, tmp_path: Path) -> None:
    end = run_pytest(tmp_path, option, "-n2")

    assert end.code == pytest.ExitCode.USAGE_ERROR
    assert end.said.count("judge in several processes with `loopspec run TARGET -n N`") == 1
    assert "Traceback" not in end.said
