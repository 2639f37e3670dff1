"""What is said of a case and of a rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

Verdict = Literal["crashed", "timed-out", "errored", "not-run", "failed", "stale", "known", "passed", "inapplicable"]

# Worst first. `inapplicable` is the best there is only when there is nothing else.
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

# What makes a run unsuccessful.
FAILURES: frozenset[Verdict] = frozenset({"crashed", "timed-out", "errored", "not-run", "failed"})


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict of a rule: the worst of its cases, and `inapplicable` only if all are."""
    return min(verdicts, key=VERDICTS.index)
