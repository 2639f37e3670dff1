"""Then: what a custom input generation was given."""

from __future__ import annotations

from loopspec.contract.mismatch import expect
from loopspec.contract.observation import Observation

from ..cells import as_text
from ..phrasebook import Table, then
from .observed import expected_rows, input_generation, rows_of


@then('the input generation is given the instruction "{text}"')
def input_given_instruction(seen: Observation, text: str) -> None:
    """The instruction, at its first call."""
    expect("the instruction", as_text(text), input_generation(seen).instruction)


@then("the input generation is given")
def input_given(seen: Observation, table: Table) -> None:
    """The caller's messages, at its first call, in the columns given."""
    expect("the conversation", expected_rows(table), rows_of(input_generation(seen).messages, list(table[0])))
