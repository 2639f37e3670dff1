"""The generated mutants of the rules of instruction files."""

from __future__ import annotations

import pytest

from loopspec.contract.dialects import dialect, instruction_axes
from loopspec_mutants import MUTANTS
from loopspec_mutants.instruction_files import WRONG, Misread

MISREAD = [mutant for mutant in MUTANTS.values() if isinstance(mutant, Misread)]


def test_every_value_has_a_mutant() -> None:
    values = {(axis, value) for axis, of in instruction_axes().items() for value in of.values}
    assert {(mutant.axis, mutant.value) for mutant in MISREAD} == values
    assert WRONG.keys() <= values


@pytest.mark.parametrize("mutant", MISREAD, ids=lambda mutant: mutant.name)
def test_a_mutant_reads_in_a_dialect_with_the_right_value(mutant: Misread) -> None:
    assert dialect(mutant.dialect).value(mutant.axis) == mutant.value
