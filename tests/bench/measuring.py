"""How the benches measure: ratios of things done in one run, best of several."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table: seconds of ours and of what it is held against, and the most the ratio may be."""

    what: str
    ours: float
    other: float
    against: str
    budget: float | None = None
    faster: bool = False

    @property
    def ratio(self) -> float:
        """How many times slower ours is; with `faster`, how many times faster."""
        return self.other / self.ours if self.faster else self.ours / self.other

    @property
    def kept(self) -> bool:
        """Whether the budget is kept."""
        if self.budget is None:
            return True
        return self.ratio >= self.budget if self.faster else self.ratio <= self.budget


def best_of(measure: Callable[[], float], times: int) -> float:
    """The smallest of several measurements: what disturbs a measurement only makes it longer."""
    return min(measure() for _ in range(times))
