"""The answers of tools to the questions of a topic: a folder with `questions.toml`, and a file for each tool."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from loopspec.contract.dialects import Axis, Dialect


@cache
def questions_in(topic: Path) -> Mapping[str, Axis]:
    """The questions by name, each with its values."""
    return msgspec.toml.decode((topic / "questions.toml").read_bytes(), type=dict[str, Axis])


@cache
def tools_in(topic: Path) -> Mapping[str, Dialect]:
    """The tools of which something is known, by name: what is known of each."""
    paths = sorted((topic / "tools").glob("*.toml"))
    return {path.stem: msgspec.toml.decode(path.read_bytes(), type=Dialect) for path in paths}


def values_in(topic: Path, name: str) -> Mapping[str, str]:
    """What a tool does today, by question; where this is not known or does not matter, the first value."""
    first = {axis: next(iter(of.values)) for axis, of in questions_in(topic).items()}
    known = {axis: choice.actual for axis, choice in tools_in(topic)[name].axes.items() if not choice.unknown}
    return first | known
