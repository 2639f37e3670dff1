"""Rendering of an instruction."""

from __future__ import annotations

import pytest

from loopspec_reference import InstructionError
from loopspec_reference.values.instructions import render


@pytest.mark.parametrize(
    ("instruction", "rendered"),
    [
        ("plain", "plain"),
        ("{user}, {n}", "Ada, 2"),
        ('{{"a": 1}} {user}', '{"a": 1} Ada'),
        ("{{{user}}}", "{Ada}"),
        ("{{user}}", "{user}"),
    ],
)
def test_keys_are_replaced_and_doubled_braces_are_halved(instruction: str, rendered: str) -> None:
    """Values that are not text are formatted as text."""
    assert render(instruction, {"user": "Ada", "n": 2}) == rendered


@pytest.mark.parametrize("instruction", ["{other}", "{", "}", "{}", "{user", "{user!r}", "{user:>6}"])
def test_an_invalid_instruction_is_an_error(instruction: str) -> None:
    """Only plain keys are supported, whatever the session contains."""
    for session in ({"user": "Ada"}, {}):
        with pytest.raises(InstructionError):
            render(instruction, session)
