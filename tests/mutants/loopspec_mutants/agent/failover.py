"""Mutants about failing over to another model."""

from __future__ import annotations

from contextlib import AbstractContextManager
from unittest.mock import patch

import loopspec_reference as ref
from loopspec_reference import AnyMessage, FailoverConfig

from ..registry import mutant


@mutant("FAILOVER-03")
def never_fails_over_by_default() -> AbstractContextManager[object]:
    """Takes zero for the default number of failovers."""

    class Never(FailoverConfig[AnyMessage], frozen=True):
        max_failovers: int = 0

    return patch.object(ref, "FailoverConfig", Never)
