"""The folder that a controller and its workers share, on one machine."""

from __future__ import annotations

import shutil
from pathlib import Path


class Folder:
    """Files by worker. The folder exists once a worker has planned a conformance case."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def make(self) -> None:
        """Create the folder, unless another worker has. Raises `OSError`."""
        self._path.mkdir(parents=True, exist_ok=True)

    def remove(self) -> None:
        """Remove the folder with its files."""
        shutil.rmtree(self._path, ignore_errors=True)

    def plan(self, worker: str) -> Path:
        """The path of a worker's plan."""
        return self._path / f"{worker}.plan"

    def last_words(self, worker: str) -> Path:
        """The path of a worker's last message, which it cannot send in another way."""
        return self._path / f"{worker}.last"
