"""Serves an adapter in the environment of a known target.

The command is `python -I start.py TARGET FOLDER METADATA PACKAGE=FOLDER …`. The process runs isolated: neither the
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
from importlib.metadata import Distribution, DistributionFinder, PathDistribution
from importlib.util import spec_from_file_location
from pathlib import Path
from runpy import run_module
from types import ModuleType


class _Packages:
    """Finds packages by the folders that the command line names, and the distribution of the kit by its metadata."""

    def __init__(self, metadata: str, named: Sequence[str]) -> None:
        self._kit = PathDistribution(Path(metadata))
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
    _, target, adapter, metadata, *packages = sys.argv
    sys.meta_path.insert(0, _Packages(metadata, packages))
    os.chdir(adapter)
    sys.argv = ["loopspec", "serve", target]
    run_module("loopspec", run_name="__main__")


if __name__ == "__main__":
    _start()
