"""The verdicts of cases and of rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

Verdict = Literal["crashed", "timed-out", "errored", "not-run", "failed", "stale", "known", "passed", "inapplicable"]

# Worst first. A rule is `inapplicable` only if all of its cases are.
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

# the verdicts of an unsuccessful run
FAILURES: frozenset[Verdict] = frozenset({"crashed", "timed-out", "errored", "not-run", "failed"})


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict of a rule: the worst of its cases, and `inapplicable` only if all are."""
    return min(verdicts, key=VERDICTS.index)
