"""The files of the repository and the features as Gherkin reads them, each read once for all tests."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from gherkin.parser import Parser

from loopspec.contract.specification import features_root

ROOT = Path(__file__).parents[2]
_BINARY = {".png", ".xz"}


@cache
def tracked() -> tuple[Path, ...]:
    """The files that git tracks, or would track. Skips the test in a folder that is no checkout."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    ran = subprocess.run(listing, cwd=ROOT, check=False, capture_output=True, text=True)
    if ran.returncode:
        pytest.skip("the checkout is not a git repository")
    paths = (ROOT / name for name in sorted(ran.stdout.split("\0")) if name)
    return tuple(path for path in paths if path.is_file())


@cache
def texts() -> dict[str, str]:
    """The text of each of them, by its path in the repository."""
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in tracked()
        if path.suffix not in _BINARY
    }


def python() -> dict[str, str]:
    """The sources in Python."""
    return {name: text for name, text in texts().items() if name.endswith(".py")}


@cache
def features() -> dict[str, Any]:  # Any: Gherkin's JSON-like trees
    """Each feature by its path in the folder of the features."""
    return {
        path.relative_to(features_root()).as_posix(): Parser().parse(path.read_text(encoding="utf-8"))["feature"]
        for path in sorted(features_root().rglob("*.feature"))
    }
