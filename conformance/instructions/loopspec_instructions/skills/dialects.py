"""The answers of each tool to the questions about skills."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path

import msgspec

from ..answers import questions_in, tools_in, values_in

_HERE = Path(__file__).parent
questions = partial(questions_in, _HERE)
skill_dialects = partial(tools_in, _HERE)
values_of = partial(values_in, _HERE)


@cache
def reasons() -> Mapping[str, str]:
    """What is said of a skill that a tool passes over, by the reason."""
    return msgspec.toml.decode((_HERE / "reasons.toml").read_bytes(), type=dict[str, str])
