"""The steps that restore an observation of a scene with other files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from msgspec.structs import replace

from loopspec.contract.mismatch import Mismatch
from loopspec.contract.observation import Load, Observation, Read, Warned
from loopspec.contract.reasons import Inapplicable
from loopspec.specification.cases import NotComparable, Restore

from .texts import with_texts

E = TypeVar("E", Read, Warned)


@dataclass(frozen=True)
class WithOtherTexts:
    """Changes each text: the inverse of a change that was made to each text of the scene. Removes no entry."""

    change: Callable[[str], str]

    def __call__(self, seen: Observation) -> Observation:
        """The observation with the other texts."""
        return with_texts(seen, cache(self.change))  # most texts occur many times


def without_file(path: str, content: str) -> Restore:
    """Remove an added file: its reads, its warnings, and its section in each load and in each text.

    Raises `NotComparable` for a section of unknown form. A section has the form that `loopspec.contract.instructions`
    recognizes: the content follows the line with the path within two lines.
    """

    def without(load: Load) -> Load:
        return replace(load, sections=tuple(section for section in load.sections if section.path != path))

    def cut(text: str) -> str:
        """The text without each section of the file: from the line with the path to the content, and space before."""
        while (at := text.find(path)) >= 0:
            begin, line_end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
            gap = next((gap for gap in (1, 2) if text.startswith(content, line_end + gap)), 0)
            if line_end < 0 or not gap:
                raise NotComparable(Inapplicable("sections"))
            before, after = text[:begin], text[line_end + gap + len(content) :]
            for _ in range(2):  # at most one empty line separates two sections
                before = before.removesuffix("\n")
            text = before + after if before else after.lstrip("\n")
        return text

    def restore(seen: Observation) -> Observation:
        others = _where(seen, lambda entry: entry.path != path)
        return with_texts(replace(others, loads=tuple(map(without, seen.loads))), cut)

    return restore


def without_earlier_reads(handlers: Collection[str]) -> Restore:
    """Remove the reads and the warnings of each run that precede the first call of an added handler in the run."""

    def restore(seen: Observation) -> Observation:
        def begin(run: str | None) -> int:
            return next((call.n for call in seen.hooks if call.handler in handlers and call.run == run), 0)

        return _where(seen, lambda entry: entry.n >= begin(entry.run))

    return restore


def with_last_load(seen: Observation) -> Observation:
    """Remove the loads before the last one, with their reads and warnings. Raises `Mismatch` for unequal loads."""
    if len(seen.loads) < 2:
        return seen
    _compare(seen)
    begin = seen.loads[-2].n
    return replace(_where(seen, lambda entry: entry.n > begin), loads=seen.loads[-1:])


def with_first_loads(number: int) -> Restore:
    """Remove all but one of some concurrent loads, and as many of the equal reads and warnings of all loads.

    A read does not say to which load it belongs. Loads that read a path so many times in all have each read the path
    the same share of times. Raises `Mismatch` for unequal loads.
    """

    def first(entries: tuple[E, ...]) -> tuple[E, ...]:
        """The first share of the entries about each path."""
        of_all, met = Counter(entry.path for entry in entries), Counter[str]()
        kept = []
        for entry in entries:
            met[entry.path] += 1
            if met[entry.path] <= of_all[entry.path] // number:
                kept.append(entry)
        return tuple(kept)

    def restore(seen: Observation) -> Observation:
        if len(seen.loads) < number:
            return seen
        _compare(seen)
        return replace(seen, reads=first(seen.reads), warnings=first(seen.warnings), loads=seen.loads[-1:])

    return restore


def _where(seen: Observation, is_kept: Callable[[Read | Warned], bool]) -> Observation:
    """The observation with some of the reads and of the warnings."""
    reads, warnings = tuple(filter(is_kept, seen.reads)), tuple(filter(is_kept, seen.warnings))
    return replace(seen, reads=reads, warnings=warnings)


def _compare(seen: Observation) -> None:
    """Raise `Mismatch` if two loads of the same files differ."""
    outcomes = [(load.sections, load.text, load.error and load.error.kind) for load in seen.loads]
    if any(outcome != outcomes[0] for outcome in outcomes):
        raise Mismatch("the loads of the same files differ", outcomes[0], outcomes[-1])
