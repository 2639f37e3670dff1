"""The features alone cover the reference: code that no rule needs is removed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

JUDGE_EVERYTHING = """
import coverage
packages = ["loopspec_reference", "loopspec_instructions.reader"]
measuring = coverage.Coverage(branch=True, source_pkgs=packages, data_file=None, config_file=False)
measuring.start()
from loopspec.contract.dialects import dialect_names, observed_dialect_names
from loopspec.specification.features import compiled
from loopspec.engine.judge import judge
from loopspec.targets.resolve import resolve

everything = ("reference", "py:loopspec_reference_adapter:Memory")
dialects = [f"reference as {name}" for name in (*dialect_names(), *observed_dialect_names())]
for name in (*everything, *dialects):
    target = resolve(name)
    for role in target.roles if name in everything else ("workspace",):
        for case in compiled():
            if name in everything or role in case.roles:
                judge(case, target, role)
    target.close()
measuring.stop()
readers = ["*/loopspec_instructions/reader/*"]
print(measuring.report(omit=[*readers, "*/runs/checkpoint_folder.py", "*/runs/saving.py"], show_missing=True))
print(measuring.report(include=readers, omit=["*/memory.py"], show_missing=True))
"""


def test_the_features_cover_the_reference(tmp_path: Path) -> None:
    """Judging the compiled features covers at least 98 % of lines and branches.

    The number for the reader of instruction files is 92 %: the limits for hostile trees and the details of a dialect
    that no rule judges have tests of their own. Files in memory are for callers, and tests compare them with the disk.
    Checkpoints that a caller saves are for callers, too: `python -m tools.kills` kills the processes that write them.
    """
    ran = subprocess.run(
        [sys.executable, "-c", JUDGE_EVERYTHING], cwd=tmp_path, capture_output=True, text=True, check=True
    )

    loops, readers = (float(line) for line in ran.stdout.splitlines() if re.fullmatch(r"\d+\.\d+", line))
    assert loops >= 98, ran.stdout
    assert readers >= 92, ran.stdout
