"""The folder that a controller and its workers share. Everybody's divided runs know it: it imports nothing of ours."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

KEY = "loopspec"  # in xdist's `workerinput`, and of the attribute of a test's report
ORDER = "loopspec-order"


class Folder:
    """Files by worker. That it is gone says to every worker that nobody waits for it any more."""

    def __init__(self, path: str) -> None:
        self.path = path

    @classmethod
    def new(cls) -> Folder:
        """A folder of this run."""
        return cls(tempfile.mkdtemp(prefix="loopspec-"))

    def remove(self) -> None:
        """Take it away, with everything in it."""
        shutil.rmtree(self.path, ignore_errors=True)

    def exists(self) -> bool:
        """Whether it is still there."""
        return Path(self.path).is_dir()

    def plan(self, worker: str) -> Path:
        """Where a worker writes what it has planned."""
        return Path(self.path, f"{worker}.plan")

    def last_words(self, worker: str) -> Path:
        """Where a worker writes what it can no longer say in any other way."""
        return Path(self.path, f"{worker}.last")
