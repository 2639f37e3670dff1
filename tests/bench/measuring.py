"""Measurements of the benches: ratios of times in one run, the best of several."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table: seconds of our code and of the code compared, and the limit of the ratio."""

    what: str
    ours: float
    other: float
    against: str
    budget: float | None = None
    faster: bool = False

    @property
    def ratio(self) -> float:
        """How many times slower our code is; with `faster`, how many times faster."""
        return self.other / self.ours if self.faster else self.ours / self.other

    @property
    def is_within(self) -> bool:
        """Whether the ratio is within the budget."""
        if self.budget is None:
            return True
        return self.ratio >= self.budget if self.faster else self.ratio <= self.budget

    def line(self) -> str:
        """The printed row."""
        word = "times faster" if self.faster else "times the time"
        ratio = f"{self.ratio:.2f} {word}"
        sign = "≥" if self.faster else "≤"
        budget = "" if self.budget is None else f"{sign} {self.budget:g}"
        mark = "" if self.is_within else "  EXCEEDED"
        return f"{self.what:38} {self.ours:10.6f}   {ratio:>22}  {budget:>8}  {self.against}{mark}"


@dataclass(frozen=True)
class LeftOut:
    """A row that cannot be measured on this machine, with the reason."""

    what: str
    why: str

    def line(self) -> str:
        """The printed row."""
        return f"{self.what:38} LEFT OUT: {self.why}"


def best_of(measure: Callable[[], float], times: int) -> float:
    """The smallest of several measurements, since disturbances only make a measurement longer."""
    return min(measure() for _ in range(times))
