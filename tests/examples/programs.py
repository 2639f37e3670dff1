"""The examples as processes, as a reader runs them."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


class Ended(NamedTuple):
    """A process that has ended."""

    code: int
    out: str
    err: str


def run_command(command: str, folder: Path, env: Mapping[str, str] | None = None) -> Ended:
    """Run `python examples/…` in a folder, in an environment without proxies and keys."""
    for name in ("examples", "features"):
        if not (folder / name).exists():
            (folder / name).symlink_to(ROOT / name)
    python, *arguments = shlex.split(command)
    assert python == "python"
    ran = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1", **(env or {})},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return Ended(ran.returncode, ran.stdout, ran.stderr)
