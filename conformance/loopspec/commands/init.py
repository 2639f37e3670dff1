"""`loopspec init`: something to begin with."""

from __future__ import annotations

import argparse
from importlib import resources
from pathlib import Path

from ..baseline import write_text
from ..contract.faults import UsageError

FILES = {
    "adapter.py": "loopspec_adapter.py",
    "baseline.toml": "loopspec-baseline.toml",
    "workflow.yml": "loopspec-ci.yml",
}


def init(args: argparse.Namespace) -> int:
    """Write a starting adapter that runs as it is, a baseline and a snippet for CI; touch nothing that is there."""
    folder: Path = args.folder
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}")
    for name in FILES.values():
        if (folder / name).exists():
            raise UsageError(f"{folder / name} exists already: nothing was written")
    templates = resources.files("loopspec") / "templates"
    for template, name in FILES.items():
        write_text(folder / name, (templates / template).read_text(encoding="utf-8"))
        print(f"wrote {folder / name}")
    print("now: loopspec run py:loopspec_adapter:Adapter --baseline loopspec-baseline.toml")
    return 0
