"""Serves an adapter in the environment of a known target.

The command is `python -I start.py TARGET FOLDER ENTRY_POINTS PACKAGE=FOLDER …`. The process runs isolated: neither the
packages of the harness's environment nor the user's settings of Python reach it. This program imports each named
package from its folder, and all other packages from the environment. So the kit on both sides of the pipe is the same,
and an environment stays valid when the kit changes. The entry points are those of the harness, since the environment
has no loopspec of its own. The folder of the adapter becomes the current one, which `py:` targets are imported from.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from importlib.metadata import Distribution, DistributionFinder
from importlib.util import spec_from_file_location
from pathlib import Path
from runpy import run_module
from types import ModuleType


class _Kit(Distribution):
    """The distribution of the harness, of which only the entry points are read."""

    def __init__(self, entry_points: Path) -> None:
        self._file = entry_points

    def read_text(self, filename: str) -> str | None:
        """The text of a file of its metadata."""
        texts = {"METADATA": "Name: loopspec\n", self._file.name: self._file.read_text(encoding="utf-8")}
        return texts.get(filename)

    def locate_file(self, path: str | os.PathLike[str]) -> Path:
        """Where one of its files is: not asked."""
        return self._file.parent / path


class _Packages:
    """Finds packages by the folders that the command line names, and the entry points of the kit."""

    def __init__(self, entry_points: str, named: Sequence[str]) -> None:
        self._kit = _Kit(Path(entry_points))
        self._folders = dict(one.split("=", 1) for one in named)

    def find_distributions(self, context: DistributionFinder.Context) -> Iterator[Distribution]:
        """The kit, if all distributions are looked for, or if it is."""
        if context.name in (None, "loopspec"):
            yield self._kit

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The specification of a named package; None for every other module, which Python finds by itself."""
        folder = self._folders.get(name)
        if folder is None:
            return None
        return spec_from_file_location(name, f"{folder}/__init__.py", submodule_search_locations=[folder])


def _start() -> None:
    _, target, adapter, entry_points, *packages = sys.argv
    sys.meta_path.insert(0, _Packages(entry_points, packages))
    os.chdir(adapter)
    sys.argv = ["loopspec", "serve", target]
    run_module("loopspec", run_name="__main__")


if __name__ == "__main__":
    _start()
