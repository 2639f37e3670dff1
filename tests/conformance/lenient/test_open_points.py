"""What a clarified rule leaves open, no normative rule and no normative invariant decides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from loopspec.engine.result import FAILURES
from loopspec.specification.features import compiled
from loopspec.specification.ledger import NORMATIVE, is_normative
from loopspec_mutants import MUTANTS
from loopspec_mutants.data import Topic
from loopspec_mutants.registry import Patch
from loopspec_mutants.rewriting import Change, Rewriting

from .judging import judge_patched

_OPEN = {"INSTR-11", "INTERRUPT-05", "LOOP-07", "LOOP-29"}  # no document forbids any mutant of these clarified rules


def _implementations() -> Iterator[tuple[str, Patch]]:
    """The rule whose point each implementation decides otherwise, and how it differs from the reference."""
    for one in msgspec.toml.decode(Path(__file__).with_name("open_points.toml").read_bytes(), type=Topic).mutant:
        yield one.rule, Rewriting(one.name, one.sentence, one.changes or [Change(one.file, one.old, one.new)])
    yield from ((one.rule, one.bug) for one in MUTANTS.values() if one.rule in _OPEN)


@pytest.mark.parametrize(("rule", "patch"), [*_implementations()], ids=lambda one: getattr(one, "__name__", one))
def test_no_normative_rule_decides_an_open_point(rule: str, patch: Patch) -> None:
    """An implementation that decides a point otherwise fails the clarified rule about it, and no normative rule."""
    cases = [case for case in compiled() if case.rule.basis in NORMATIVE or rule in case.rule.ids]
    results = judge_patched(patch, rule, cases)
    failed = [each for result in results for each in (result, *result.broken) if each.verdict in FAILURES]
    assert [(each.case, each.message) for each in failed if any(map(is_normative, each.rules))] == []
    assert rule in {one for each in failed for one in each.rules}
