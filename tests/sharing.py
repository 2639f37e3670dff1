"""Some long tests judge a share of their cases, so that `.ci/run` ends in time; `.ci/long` has them judge all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def share(every: Sequence[T], of: int, at: int = 0) -> Sequence[T]:
    """One part of `of`, evenly drawn, which another `at` moves; with `LOOPSPEC_ALL`, every one."""
    step = 1 if "LOOPSPEC_ALL" in os.environ else of
    return every[at % step :: step]
