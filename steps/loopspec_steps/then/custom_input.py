"""Then: the custom input generation."""

from __future__ import annotations

from loopspec.contract.mismatch import expect
from loopspec.contract.observation import Observation

from ..cells import as_text
from ..declarations import Table
from ..phrasebook import then
from .observed import MESSAGES, expect_messages, input_generation


@then('the custom input function receives the instruction "{text}"')
def input_given_instruction(seen: Observation, text: str) -> None:
    """The first call of the custom input generation receives the instruction."""
    expect("the instruction", as_text(text), input_generation(seen).instruction)


@then("the custom input function receives", MESSAGES)
def input_given(seen: Observation, table: Table) -> None:
    """The first call of the custom input generation receives these messages of the caller."""
    expect_messages("the conversation", table, input_generation(seen).messages)
