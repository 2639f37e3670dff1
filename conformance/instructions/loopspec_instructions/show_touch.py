"""What `loopspec show --as TOOL --after VERB:PATH` prints: what a model receives on touch, after the start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from loopspec.contract.faults import UsageError
from loopspec.contract.names import did_you_mean
from loopspec.engine.output import in_a_line

from .show_as import file_lines, note_lines, sum_lines
from .touch import VERBS, Touch, touch_dialects, touch_questions

if TYPE_CHECKING:
    from .as_read import AfterTouches, Reader, Short


def touches_in(after: Sequence[str], reader: Reader) -> list[Touch]:
    """The touches of the option `--after`. Raises `UsageError` for a wrong verb or path."""
    found = []
    for each in after:
        verb, _, path = each.partition(":")
        if not path:
            raise UsageError(f"--after {in_a_line(each)}: write VERB:PATH, with one of {', '.join(VERBS)}")
        known = next((known for known in VERBS if known == verb), None)
        if known is None:
            hint = did_you_mean(verb, VERBS, f"the verbs are {', '.join(VERBS)}")
            raise UsageError(f"--after {in_a_line(each)}: {verb!r} is no verb{hint}")
        if not reader.exists(path):
            raise UsageError(f"--after {in_a_line(each)}: there is no {in_a_line(path)} in the folder of the start")
        found.append(Touch(known, path))
    return found


def touch_lines(name: str, touches: Sequence[Touch], read: AfterTouches, short: Short) -> Iterator[str]:
    """The files of each touch, their size together, the notes, and what holds for all of them."""
    known, start = touch_dialects()[name], 0
    for touch, attached in zip(touches, read.each, strict=True):
        end = start + len(attached.files)
        yield ""
        yield f"After {touch.verb}:{in_a_line(touch.path)}, {known.title} {known.version} attaches, in order:"
        yield from file_lines(read.all, short, range(start, end))
        start = end
    yield ""
    yield "All of it:"
    yield from [*sum_lines(read.all)] or ["  none"]
    for axis in ("place", "sub-agent") if read.all.files else ():
        yield f"  {touch_questions()[axis].values[known.axes[axis].actual].sentence}"
    yield from note_lines(read.all, short)
