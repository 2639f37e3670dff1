"""The features alone cover the reference: code that no rule needs is removed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

JUDGE_EVERYTHING = """
import coverage
measuring = coverage.Coverage(branch=True, source_pkgs=["loopspec_reference"], data_file=None, config_file=False)
measuring.start()
from loopspec.specification.features import compiled
from loopspec.engine.judge import judge
from loopspec.targets.resolve import resolve

for name in ("reference", "py:loopspec.targets.reference:Memory"):
    target = resolve(name)
    for role in target.roles:
        for case in compiled():
            judge(case, target, role)
    target.close()
measuring.stop()
print(measuring.report(show_missing=True))
"""


def test_the_features_cover_the_reference(tmp_path: Path) -> None:
    """Judging the compiled features covers at least 98 % of lines and branches."""
    ran = subprocess.run(
        [sys.executable, "-c", JUDGE_EVERYTHING], cwd=tmp_path, capture_output=True, text=True, check=True
    )

    assert float(ran.stdout.splitlines()[-1]) >= 98, ran.stdout
