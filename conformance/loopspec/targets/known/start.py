"""Serves an adapter in the environment of a known target: `python -I start.py TARGET FOLDER PACKAGE=FOLDER …`.

The process runs isolated: neither the packages of the harness's environment nor the user's settings of Python reach it.
This program imports each named package from its folder, and all other packages from the environment. So the kit on both
sides of the pipe is the same, and an environment stays valid when the kit changes. The folder of the adapter becomes
the current one, which `py:` targets are imported from.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from runpy import run_module
from types import ModuleType


class _Packages:
    """Finds packages by the folders that the command line names."""

    def __init__(self, named: Sequence[str]) -> None:
        self._folders = dict(one.split("=", 1) for one in named)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The specification of a named package; None for every other module, which Python finds by itself."""
        folder = self._folders.get(name)
        if folder is None:
            return None
        return spec_from_file_location(name, f"{folder}/__init__.py", submodule_search_locations=[folder])


def _start() -> None:
    _, target, adapter, *packages = sys.argv
    sys.meta_path.insert(0, _Packages(packages))
    os.chdir(adapter)
    sys.argv = ["loopspec", "serve", target]
    run_module("loopspec", run_name="__main__")


if __name__ == "__main__":
    _start()
