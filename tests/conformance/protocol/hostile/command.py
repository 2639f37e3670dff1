"""The command of the hostile adapter, and its running processes. For systems with /proc."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

ROOT = Path(__file__).parents[4]


def hostile(*misbehaviors: str) -> str:
    """The target: the adapter with these misbehaviors."""
    module = "tests.conformance.protocol.hostile.adapter"
    words = ["env", f"PYTHONPATH={ROOT}", sys.executable, "-S", "-m", module, *misbehaviors]
    return f"cmd:{shlex.join(words)}"


def adapters(folder: Path) -> list[int]:
    """The processes of the adapter that were started in a folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                command = (entry / "cmdline").read_bytes()
                if (
                    entry / "cwd"
                ).resolve() == folder.resolve() and b"-m\0tests.conformance.protocol.hostile.adapter" in command:
                    found.append(int(entry.name))
            except OSError:
                continue
    return found
