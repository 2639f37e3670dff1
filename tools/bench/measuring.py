"""Measurements of the benches: ratios of times in one run, the best of several."""

from __future__ import annotations

import gc
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


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


def best_in_turns(rounds: int, *measures: Callable[[], float]) -> list[float]:
    """The smallest result of each measurement, since disturbances only make a measurement longer.

    The measurements take turns: other load of the machine disturbs all alike.
    """
    return [min(results) for results in zip(*([measure() for measure in measures] for _ in range(rounds)), strict=True)]


def best_of(measure: Callable[[], float], rounds: int) -> float:
    """The smallest result of one measurement."""
    return best_in_turns(rounds, measure)[0]


def seconds(call: Callable[[], object], times: int = 1) -> float:
    """The seconds that a call takes, on average."""
    began = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - began) / times


def cpu_seconds(call: Callable[[], object]) -> float:
    """The seconds of CPU of this process in a call that only computes; former calls leave no garbage to it."""
    gc.collect()
    began = time.process_time()
    call()
    return time.process_time() - began


def run_silently(*command: str, folder: Path | None = None) -> None:
    """Run a command, which must succeed, in a folder."""
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
