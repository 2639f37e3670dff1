"""The folder of loopspec in the user's cache, which a user may lack, or may not be allowed to enter."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """The folder of loopspec in the user's cache; without a home folder, a path that cannot exist."""
    try:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:
        cache = Path(os.devnull)
    return cache / "loopspec"


def is_cached(path: Path) -> bool:
    """Whether a file or a folder of the cache exists; no if the cache cannot be entered."""
    try:
        return path.exists()
    except OSError:
        return False
