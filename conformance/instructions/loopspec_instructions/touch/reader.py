"""The instruction files that a tool attaches when its model touches files."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Literal, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import replace

from loopspec_reference.agentsmd.paths import clean_path

from ..answers import touch_questions
from ..reader.dialect import Dialect
from ..reader.discovery import discover_in
from ..reader.files import Files
from ..reader.found import Found
from ..reader.imports import load_file
from ..reader.loading import Limits, Load
from ..reader.reading import LoadedFile, Note
from ..reader.roots import find_root, folders_above, is_inside, join, parent, without_links

Verb = Literal["read", "edit", "list", "search", "print"]
_Values: TypeAlias = Mapping[str, str]
VERBS: tuple[Verb, ...] = get_args(Verb)


class Touch(Struct, frozen=True):
    """What a model does with a path, absolute or relative to the working directory."""

    verb: Verb
    path: str
    is_of_sub_agent: bool = False


class Attached(Struct, frozen=True):
    """The files that a touch attaches, in order, with notes."""

    files: tuple[LoadedFile, ...] = ()
    notes: tuple[Note, ...] = ()


class TouchReader:
    """Reads what a tool attaches with each touch of a session, whose start has `loaded` some files.

    `dialect` is that of the start: texts and imports are treated as there. `values` are the answers about touch. What
    is outside the working directory is not touched. Rules for named paths are noted, and not attached.
    """

    def __init__(
        self, files: Files, cwd: str, home: str, dialect: Dialect, values: _Values, loaded: Sequence[LoadedFile]
    ) -> None:
        self._files = files
        self._cwd = without_links(files, cwd) if dialect.working_directory == "real-path" else cwd
        self._values = values
        chosen = {axis: of.values[values[axis]] for axis, of in touch_questions().items()}
        self._limit = chosen["limit"].number
        # The names that precede the others, and hide them.
        self._first_names = [name for group in chosen["names"].groups for name in group]
        outside = [file for file in loaded if not is_inside(file.path, join(home, ".claude"))]
        self._hides_others = any(self._is_first(file.path) for file in outside)
        dialect = replace(dialect, selection="first-in-folder", budget=0)

        def agent() -> tuple[Load, set[Hashable]]:
            load = Load(files, self._cwd, home, dialect, Limits(), agreed=False)
            load.project = find_root(files, dialect, self._cwd) or self._cwd
            for file in loaded:
                load.mark_seen(file.path)
            return load, {self._identity(file.path) for file in loaded}

        self._main = agent()
        self._sub_agent = self._main if values["sub-agent"] == "shared" else agent()

    def attached(self, touch: Touch) -> Attached:
        """What the tool attaches with the next touch of the session."""
        load, had = self._sub_agent if touch.is_of_sub_agent else self._main
        path = clean_path(touch.path if touch.path.startswith("/") else join(self._cwd, touch.path))
        kind, does = self._files.kind(path), self._values[touch.verb]
        is_missing = kind == "missing" and touch.verb != "edit"
        if is_missing and self._values["missing"] == "nothing":
            does = "nothing"
        if does == "nothing" or (does == "of-a-file" and kind != "file"):
            return Attached()
        own = self._identity(path) if touch.verb == "read" else None
        had |= {own} if self._values["own-file"] == "never" else set()
        start, attached = len(load.notes), list[LoadedFile]()
        for found in self._found(load, path, touch.verb, is_missing=is_missing):
            identity = self._identity(found.path)
            if identity not in had and not (identity == own and self._values["own-file"] == "later"):
                had.add(identity)
                attached += [self._cut(load, file) for file in load_file(load, found)]
        return Attached(tuple(attached), tuple(load.notes[start:]))

    def _found(self, load: Load, path: str, verb: Verb, *, is_missing: bool) -> list[Found]:
        """The instruction files that a touch concerns, in the order of the tool."""
        real = without_links(self._files, path)
        path = real if self._values["path"] == "real-path" else path
        above = folders_above(path if self._files.kind(path) == "folder" else parent(path))
        between = above[: above.index(self._cwd)] if self._cwd in above else ()
        if self._values["order"] == "outermost-first":
            between = between[::-1]
        first, others = list[Found](), list[Found]()
        for folder in between:
            found = discover_in(load, folder)
            named = [each for each in found if not each.is_rule]
            preceding = [each for each in named if self._is_first(each.path)] if self._first_names else named
            first += preceding + [each for each in found if each.is_rule]
            others += [] if preceding else named
        is_outside = self._values["path"] == "as-written-inside" and not is_inside(real, self._cwd)
        hides_others = self._hides_others or verb != "read" or is_missing
        return ([] if is_outside else first) + ([] if hides_others else others)

    def _is_first(self, path: str) -> bool:
        return any(path.endswith(f"/{name}") for name in self._first_names)

    def _identity(self, path: str) -> Hashable:
        """What paths have in common that lead to a file which is attached once."""
        try:
            return self._files.identity(path) if self._values["same-file"] == "once" else path
        except OSError:
            return path

    def _cut(self, load: Load, file: LoadedFile) -> LoadedFile:
        """The file, or the whole lines of its start."""
        if not self._limit or len(file.text) <= self._limit:
            return file
        text = file.text[: file.text.rfind("\n", 0, self._limit + 1) + 1]
        kept = len(text.encode())
        load.note("cut", file.path, at=kept)
        return replace(file, whole=text, start=0, end=len(text), cut=kept)
