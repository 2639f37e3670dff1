"""How an instruction becomes the text of the system message."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .errors import InstructionError
from .messages import Json

_TOKEN = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


def render(instruction: str, session: Mapping[str, Json]) -> str:
    """Put session values in the place of `{Key}` (INSTR-03); doubled braces always become single ones (INSTR-04).

    Raises `InstructionError` for a key that is not there and for a brace of no pair (INSTR-05).
    """
    if "{" not in instruction and "}" not in instruction:
        return instruction

    def replacement(token: re.Match[str]) -> str:
        text, key = token.group(0), token.group(1)
        if text in ("{{", "}}"):
            return text[0]
        if key is None:
            raise InstructionError(f"the instruction has a {text!r} of no pair: double it to have it literally")
        if key not in session:
            raise InstructionError(f"the instruction asks for {key!r}, which the session does not have")
        return str(session[key])

    return _TOKEN.sub(replacement, instruction)
