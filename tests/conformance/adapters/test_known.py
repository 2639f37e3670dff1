"""Known targets as users judge them: installed over the network, in environments of their own, from an empty folder."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from loopspec.reports.jsonl import RunLine, read_report
from loopspec_known.declarations import known
from loopspec_known.environments import environment_of

pytestmark = pytest.mark.long


@pytest.mark.parametrize(("name", "needs"), [("fsspec-memory", "python"), ("eino", "go")])
def test_a_known_target_is_conformant_apart_from_known_failures(
    name: str, needs: str, do_without: Callable[[str, str], NoReturn], tmp_path: Path
) -> None:
    """The declared roles are those that the adapter declares; the environment is complete; nothing else is written."""
    report, empty = tmp_path / "report.jsonl", tmp_path / "empty"
    empty.mkdir()
    words = [sys.executable, "-m", "loopspec", "run", f"known:{name}", "-n", "2", "--report", str(report)]

    ran = subprocess.run(words, cwd=empty, capture_output=True, text=True, timeout=1800, check=False)

    if ran.returncode == 4 and "cannot be installed" in ran.stderr:
        do_without(needs, ran.stderr.splitlines()[-1])
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert f"known:{name} is conformant except for known failures: " in ran.stdout
    run, *_ = read_report(report)
    assert isinstance(run, RunLine)
    wanted = known(name)
    assert (sorted(run.roles), run.identity.version) == (sorted(wanted.declared.roles), wanted.pinned)
    assert environment_of(wanted).exists()
    assert list(empty.iterdir()) == []
