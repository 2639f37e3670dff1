"""Install the packages of an adapter in Node, as the adapter pins them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from ..process import PATIENCE


def install_packages(folder: Path, into: Path, do_without: Callable[[str, str], NoReturn]) -> Path:
    """Install the packages of the adapter in a folder into another one. A test that cannot do so is skipped."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            do_without("node", f"there is no {program} on this machine")
    for name in ("package.json", ".npmrc"):
        shutil.copy(folder / name, into)
    npm = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    try:
        ran = subprocess.run(npm, cwd=into, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        do_without("node", f"npm did not install the packages of {folder.name} in ten minutes")
    if ran.returncode:
        do_without("node", f"npm cannot install the packages of {folder.name}: {' '.join(ran.stderr.split())[:300]}")
    return into
