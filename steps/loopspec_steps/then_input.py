"""Then: what a custom input generation was given."""

from __future__ import annotations

from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Observation, Question

from .cells import as_text
from .phrasebook import Table, then
from .seeing import errors_of, expected_rows, rows_of


def _asked(seen: Observation) -> Question:
    for question in seen.questions:
        if question.what == "input":
            return question
    raise Mismatch("the input generation", "is called", errors_of(seen) or "is not called")


@then('the input generation is given the instruction "{text}"')
def input_given_instruction(seen: Observation, text: str) -> None:
    """The instruction, at its first call."""
    expect("the instruction", as_text(text), _asked(seen).instruction)


@then("the input generation is given")
def input_given(seen: Observation, table: Table) -> None:
    """The caller's messages, at its first call, in the columns given."""
    expect("the conversation", expected_rows(table), rows_of(_asked(seen).messages, list(table[0])))
