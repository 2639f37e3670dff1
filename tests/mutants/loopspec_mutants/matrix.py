"""The matrix of mutants and conditions: which mutants the suite catches that are wrong under a condition only."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from types import FunctionType
from typing import Literal, NamedTuple

from loopspec.contract.harness import HarnessStage
from loopspec.engine.judge import Judging
from loopspec.engine.result import FAILURES
from loopspec.specification.cases import Case
from loopspec.stage import LiveStage
from loopspec_lab.variants import variants, varied_cases

from .conditions import CONDITIONS, Moment
from .registry import Mutant, MutantTarget
from .rewriting import LostError, Rewriting, watched

DEADLINE = 2.0


class WatchedTarget(MutantTarget):
    """The reference, whose stage is known while it performs."""

    stage: LiveStage | None = None

    def perform(self, stage: HarnessStage) -> None:
        assert isinstance(stage, LiveStage)
        WatchedTarget.stage = stage
        self._target.perform(stage)

    def rebuilt(self):
        return WatchedTarget(self._mutant)

_cache: dict = {"key": None, "value": {}}

def holds(name: str) -> bool:
    stage = WatchedTarget.stage
    if stage is None:
        return False
    now = Moment(stage)
    key = (id(stage), now._id, tuple(map(id, now.entries)))
    if _cache["key"] != key:
        _cache["key"] = key
        _cache["value"] = {}
        _cache["now"] = now
    value = _cache["value"]
    if name not in value:
        value[name] = bool(CONDITIONS[name].holds(_cache["now"]))
    return value[name]


def name_of(function: FunctionType) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def part_of(mutant: Mutant) -> str:
    if mutant.rule.startswith("AMD-"):
        return "b" if mutant.backend else "m"
    if mutant.rule.startswith(("XP-", "PLUGIN-")):
        return "p"
    if mutant.rule.startswith("BACKEND-"):
        return "b"
    return "a"
