"""The answers of each tool to the questions about skills."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from loopspec.contract.dialects import Axis, Dialect

_HERE = Path(__file__).parent


@cache
def questions() -> Mapping[str, Axis]:
    """The questions by name, each with its values."""
    return msgspec.toml.decode((_HERE / "questions.toml").read_bytes(), type=dict[str, Axis])


@cache
def reasons() -> Mapping[str, str]:
    """What is said of a skill that a tool passes over, by the reason."""
    return msgspec.toml.decode((_HERE / "reasons.toml").read_bytes(), type=dict[str, str])


@cache
def skill_dialects() -> Mapping[str, Dialect]:
    """The tools whose skills are known, by name: what is known of each."""
    paths = sorted((_HERE / "tools").glob("*.toml"))
    return {path.stem: msgspec.toml.decode(path.read_bytes(), type=Dialect) for path in paths}


def values_of(name: str) -> Mapping[str, str]:
    """What a tool does today, by question; where this is not known or does not matter, the first value."""
    first = {axis: next(iter(of.values)) for axis, of in questions().items()}
    known = {axis: choice.actual for axis, choice in skill_dialects()[name].axes.items() if not choice.unknown}
    return first | known
