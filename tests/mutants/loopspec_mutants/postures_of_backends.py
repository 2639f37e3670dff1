"""Postures of backends."""

from __future__ import annotations

from contextlib import AbstractContextManager

from .backend_names import in_upper_case, renaming
from .postures import posture


@posture("case-of-names", "one-name", backend="memory")
def ignores_case() -> AbstractContextManager[object]:
    """Take two names that differ only in case for one."""
    return renaming(in_upper_case)
