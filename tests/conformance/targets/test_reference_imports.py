"""The target `reference` imports a part of the reference when a scene first needs the part."""

from __future__ import annotations

import subprocess
import sys

import pytest

JUDGE = """
import sys
from loopspec.engine.judge import judge
from loopspec.specification.features import cases_of_rule
from loopspec.targets.resolve import resolve

target = resolve("reference")
print(*sorted(name for name in sys.modules if name.startswith("loopspec_reference.")))
print(*{judge(case, target).verdict for case in cases_of_rule(sys.argv[1])})
print(*sorted(sys.modules))
"""


@pytest.mark.parametrize(
    ("rule", "agent", "plugins"), [("AMD-DEPTH-02", False, False), ("LOOP-01", True, False), ("XP-SUM-01", True, True)]
)
def test_a_scene_imports_what_it_needs(rule: str, agent: bool, plugins: bool) -> None:
    """A target that is only resolved imports nothing of the reference."""
    done = subprocess.run([sys.executable, "-c", JUDGE, rule], capture_output=True, text=True, check=True)
    resolved, verdicts, imported = done.stdout.splitlines()

    assert (resolved, verdicts) == ("", "passed")
    assert ("loopspec_reference_adapter.agent" in imported.split()) is agent
    assert ("loopspec_reference.plugins" in imported.split()) is plugins
