"""Files that are looked at once, although several dialects read them."""

from __future__ import annotations

from functools import cache

from .reader import Files


class RememberedFiles:
    """Passes each question about a path to other files once, and remembers the answer."""

    def __init__(self, files: Files) -> None:
        self.kind = cache(files.kind)
        self.read = cache(files.read)
        self.real_path = cache(files.real_path)
        self.identity = cache(files.identity)
        self.entries = cache(files.entries)
