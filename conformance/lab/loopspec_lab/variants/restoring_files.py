"""The steps that restore an observation of a scene with other files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass

from msgspec.structs import replace

from loopspec.contract.mismatch import Mismatch
from loopspec.contract.observation import Load, Observation, Read, Warned
from loopspec.contract.reasons import Inapplicable
from loopspec.specification.cases import NotComparable

from .texts import with_texts


@dataclass(frozen=True)
class WithOtherTexts:
    """Changes each text: the inverse of a change that was made to each text of the scene. Removes no entry."""

    change: Callable[[str], str]

    def __call__(self, seen: Observation) -> Observation:
        """The observation with the other texts."""
        return with_texts(seen, self.change)


@dataclass(frozen=True)
class WithShortImports:
    """Removes the detours after at-signs. A path that an implementation has not normalized is left as it is."""

    detours: tuple[str, ...]

    def __call__(self, seen: Observation) -> Observation:
        """The observation with the imports as the original files have them."""
        return with_texts(seen, self._short)

    def _short(self, text: str) -> str:
        for detour in self.detours:
            text = text.replace(f"@{detour}", "@")
        return text


@dataclass(frozen=True)
class WithoutFile:
    """Removes an added file: its reads, its warnings, and its section in each load and in each text."""

    path: str
    content: str

    def __call__(self, seen: Observation) -> Observation:
        """The observation without the file. Raises `NotComparable` for a section of unknown form."""
        seen = replace(
            seen,
            reads=tuple(read for read in seen.reads if read.path != self.path),
            warnings=tuple(warning for warning in seen.warnings if warning.path != self.path),
            loads=tuple(self._without(load) for load in seen.loads),
        )
        return with_texts(seen, self._cut)

    def _without(self, load: Load) -> Load:
        return replace(load, sections=tuple(section for section in load.sections if section.path != self.path))

    def _cut(self, text: str) -> str:
        """The text without each section of the file: from the line with the path to the content, and the space before.

        A section has the form that `loopspec.contract.instructions` recognizes: the content follows the line with the
        path within two lines.
        """
        while (at := text.find(self.path)) >= 0:
            begin, line_end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
            gap = next((gap for gap in (1, 2) if text.startswith(self.content, line_end + gap)), 0)
            if line_end < 0 or not gap:
                raise NotComparable(Inapplicable("sections"))
            before, after = text[:begin], text[line_end + gap + len(self.content) :]
            for _ in range(2):  # at most one empty line separates two sections
                before = before.removesuffix("\n")
            text = before + after if before else after.lstrip("\n")
        return text


@dataclass(frozen=True)
class WithoutEarlierReads:
    """Removes the reads and the warnings of each run that precede the first call of an added handler in the run."""

    handlers: Collection[str]

    def __call__(self, seen: Observation) -> Observation:
        """The observation without the reads and the warnings."""
        return replace(
            seen,
            reads=tuple(read for read in seen.reads if not self.is_earlier(seen, read)),
            warnings=tuple(warning for warning in seen.warnings if not self.is_earlier(seen, warning)),
        )

    def is_earlier(self, seen: Observation, entry: Read | Warned) -> bool:
        """Whether an entry precedes the first call of an added handler in its run."""
        calls = (call.n for call in seen.hooks if call.handler in self.handlers and call.run == entry.run)
        return entry.n < next(calls, 0)


@dataclass(frozen=True)
class WithLastLoad:
    """Removes the loads before the last one, with their reads and warnings. Raises `Mismatch` for unequal loads."""

    def __call__(self, seen: Observation) -> Observation:
        """The observation of the last load."""
        if len(seen.loads) < 2:
            return seen
        _compare(seen)
        begin = seen.loads[-2].n
        return replace(
            seen,
            reads=tuple(read for read in seen.reads if read.n > begin),
            warnings=tuple(warning for warning in seen.warnings if warning.n > begin),
            loads=seen.loads[-1:],
        )


@dataclass(frozen=True)
class WithFirstLoads:
    """Removes all but one of some concurrent loads, and as many of the equal reads and warnings of all loads.

    A read does not say to which load it belongs. Loads that read a path so many times in all have each read the path
    the same share of times. Raises `Mismatch` for unequal loads.
    """

    number: int

    def __call__(self, seen: Observation) -> Observation:
        """The observation of one load."""
        if len(seen.loads) < self.number:
            return seen
        _compare(seen)
        shares = Counter(entry.path for entry in seen.reads), Counter(entry.path for entry in seen.warnings)
        reads, warnings = Counter[str](), Counter[str]()

        def is_first(entry: Read | Warned, of_all: Counter[str], met: Counter[str]) -> bool:
            met[entry.path] += 1
            return met[entry.path] <= of_all[entry.path] // self.number

        return replace(
            seen,
            reads=tuple(read for read in seen.reads if is_first(read, shares[0], reads)),
            warnings=tuple(warning for warning in seen.warnings if is_first(warning, shares[1], warnings)),
            loads=seen.loads[-1:],
        )


def _compare(seen: Observation) -> None:
    """Raise `Mismatch` if two loads of the same files differ."""
    outcomes = [(load.sections, load.text, load.error and load.error.kind) for load in seen.loads]
    if any(outcome != outcomes[0] for outcome in outcomes):
        raise Mismatch("the loads of the same files differ", outcomes[0], outcomes[-1])
