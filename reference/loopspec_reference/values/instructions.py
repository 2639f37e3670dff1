"""The rendering of an instruction to the text of the system message."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .errors import InstructionError
from .messages import Json

_TOKEN = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


def render(instruction: str, session: Mapping[str, Json]) -> str:
    """Replace `{Key}` by the session value (INSTR-03) and doubled braces by single ones (INSTR-04).

    Raises `InstructionError` for a key that the session lacks and for a brace without its pair (INSTR-05).
    """
    if "{" not in instruction and "}" not in instruction:
        return instruction

    def replacement(token: re.Match[str]) -> str:
        text, key = token.group(0), token.group(1)
        if text in ("{{", "}}"):
            return text[0]
        if key is None:
            raise InstructionError(f"the instruction has a {text!r} without its pair: double it for a literal brace")
        if key not in session:
            raise InstructionError(f"the instruction contains {{{key}}}, but the session has no value {key!r}")
        return str(session[key])

    return _TOKEN.sub(replacement, instruction)
