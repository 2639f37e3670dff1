"""The answers of tools to the questions about skills and about touch, and what the notes of a reading mean.

Each topic has a folder with `questions.toml`, and a file for each tool.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path

import msgspec
from msgspec import Struct

from loopspec.contract.dialects import Axis, Dialect

from .reader.reading import Reason


class NoteText(Struct, frozen=True, forbid_unknown_fields=True):
    """What a note means: a sentence, and the cell of a table for a file that is not loaded.

    If the reason can end a load, `ends` has what is said of the file, and `axis` is the axis that says so.
    """

    sentence: str
    cell: str = ""
    ends: str = ""
    axis: str = ""


@cache
def _questions(topic: Path) -> Mapping[str, Axis]:
    """The questions by name, each with its values."""
    return msgspec.toml.decode((topic / "questions.toml").read_bytes(), type=dict[str, Axis])


@cache
def _tools(topic: Path) -> Mapping[str, Dialect]:
    """The tools of which something is known, by name: what is known of each."""
    paths = sorted((topic / "tools").glob("*.toml"))
    return {path.stem: msgspec.toml.decode(path.read_bytes(), type=Dialect) for path in paths}


def _values(topic: Path, name: str) -> Mapping[str, str]:
    """What a tool does today, by question; where this is not known or does not matter, the first value."""
    first = {axis: next(iter(of.values)) for axis, of in _questions(topic).items()}
    known = {axis: choice.actual for axis, choice in _tools(topic)[name].axes.items() if not choice.unknown}
    return first | known


_SKILLS, _TOUCH = (Path(__file__).with_name(topic) for topic in ("skills", "touch"))
questions, skill_dialects, values_of = partial(_questions, _SKILLS), partial(_tools, _SKILLS), partial(_values, _SKILLS)
touch_questions, touch_dialects = partial(_questions, _TOUCH), partial(_tools, _TOUCH)
touch_values = partial(_values, _TOUCH)


@cache
def reasons() -> Mapping[str, str]:
    """What is said of a skill that a tool passes over, by the reason."""
    return msgspec.toml.decode((_SKILLS / "reasons.toml").read_bytes(), type=dict[str, str])


@cache
def note_texts() -> Mapping[Reason, NoteText]:
    """What the notes of the reader mean, by their reasons."""
    return msgspec.toml.decode(Path(__file__).with_name("notes.toml").read_bytes(), type=dict[Reason, NoteText])
