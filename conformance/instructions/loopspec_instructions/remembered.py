"""Files that are looked at once, although several dialects read them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar, cast

from .reader import Content, Entry, Files, Kind

T = TypeVar("T")


class RememberedFiles:
    """Passes each question about a path to other files once, and remembers the answer, or the error."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._answers: dict[Hashable, tuple[object, OSError | None]] = {}

    def kind(self, path: str) -> Kind:
        """Return what the path leads to, with links followed."""
        return self._once(("kind", path), lambda: self._files.kind(path))

    def read(self, path: str, limit: int) -> Content:
        """Return at most the first `limit` bytes of a regular file."""
        return self._once(("read", path, limit), lambda: self._files.read(path, limit))

    def real_path(self, path: str) -> str:
        """Return the path without links."""
        return self._once(("real path", path), lambda: self._files.real_path(path))

    def identity(self, path: str) -> Hashable:
        """Return a value that all paths to one file have in common."""
        return self._once(("identity", path), lambda: self._files.identity(path))

    def entries(self, path: str) -> Sequence[Entry]:
        """Return the names in a folder, sorted."""
        return self._once(("entries", path), lambda: self._files.entries(path))

    def _once(self, question: Hashable, ask: Callable[[], T]) -> T:
        if question not in self._answers:
            try:
                self._answers[question] = ask(), None
            except OSError as error:
                self._answers[question] = None, error
        answer, failure = self._answers[question]
        if failure is not None:
            raise failure
        return cast("T", answer)
