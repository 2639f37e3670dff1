"""The skills in what `loopspec show --as` prints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from loopspec.engine.output import in_a_line

from .skills import Skills, questions, reasons, skill_dialects

if TYPE_CHECKING:
    from .as_read import Short


def skill_lines(name: str, found: Skills, short: Short) -> Iterator[str]:
    """The skills that a tool offers to a model, those that it passes over, and what a model is shown."""
    known = skill_dialects()[name]
    source = "" if known.judged else ", according to its document"
    yield ""
    yield f"Skills that {known.title} {known.version}".rstrip() + f" offers to a model{source}:"
    for skill in found.seen:
        cut = f", with {len(skill.description):,} characters of its description" if skill.is_cut else ""
        yield f"  {in_a_line(skill.name)}  {short(skill.path)}{cut}"
    if not found.seen:
        yield "  none"
    for unseen in found.unseen:
        yield f"  not {short(unseen.path)}: {reasons()[unseen.reason].format(other=short(unseen.other or '/'))}"
    for axis in ("shown", "loaded"):
        if value := known.axes[axis].actual.replace("unknown", ""):
            yield f"  {questions()[axis].values[value].sentence}"
