"""The folder that a controller and its workers share: all must be on one machine."""

from __future__ import annotations

import shutil
from pathlib import Path


class Folder:
    """Files by worker. It exists once a worker has planned something of ours."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def make(self) -> None:
        """Create it, where another worker has not done so. Raises `OSError`."""
        self._path.mkdir(parents=True, exist_ok=True)

    def remove(self) -> None:
        """Remove it, with everything in it."""
        shutil.rmtree(self._path, ignore_errors=True)

    def plan(self, worker: str) -> Path:
        """Where a worker writes what it has planned."""
        return self._path / f"{worker}.plan"

    def last_words(self, worker: str) -> Path:
        """Where a worker writes what it can no longer say in any other way."""
        return self._path / f"{worker}.last"
