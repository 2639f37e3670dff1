"""How an instruction is rendered."""

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
def test_keys_are_values_and_doubled_braces_are_single(instruction: str, rendered: str) -> None:
    """Values that are no texts are written as such."""
    assert render(instruction, {"user": "Ada", "n": 2}) == rendered


@pytest.mark.parametrize("instruction", ["{other}", "{", "}", "{}", "{user", "{user!r}", "{user:>6}"])
def test_what_cannot_be_rendered_is_an_error(instruction: str) -> None:
    """There are plain keys and nothing else, whatever the session holds."""
    for session in ({"user": "Ada"}, {}):
        with pytest.raises(InstructionError):
            render(instruction, session)
