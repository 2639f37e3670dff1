"""Findings from the notes of a reader: each says what one tool does with one file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from functools import partial

from ..answers import note_texts
from ..reader.reading import Note, Reason
from ..surveyed import Outcome
from .contents import TRAILING, is_likely_a_file
from .loaded import add_start
from .rules import known_tools
from .scope import Scope, joined

_AXES, _BUDGET = ("imports", "import-paths"), ("budget", "budget-order")
_ADDRESS = re.compile(r"/(?:https?|file):/")


def check_notes(scope: Scope, outcome: Outcome, seen: set[object]) -> None:
    """Add the findings that follow from the notes of a reading that are not seen yet, and from a file that ends it."""
    notes = _Notes(scope, outcome)
    for note in outcome.notes:
        if note not in seen:
            seen.add(note)
            scope.explained.add((outcome.tool, note.path))
            if (check := _CHECKS.get(note.reason)) is not None:
                check(notes, note)
    if outcome.ended is not None:
        path, reason = outcome.ended
        text = note_texts()[reason]
        notes.add("LINT-17", path, axes=(text.axis,) if text.axis else (), why=text.ends)


class _Notes:
    """Makes findings of the notes of one tool in one working directory."""

    def __init__(self, scope: Scope, outcome: Outcome) -> None:
        self._scope = scope
        self._outcome = outcome
        self.add = partial(scope.found.add, tools=[outcome.tool], folder=outcome.folder)

    def _about(
        self, note: Note, rule: str, *axes: str, target: str = "", right: str = "", fix: tuple[str, str] | None = None
    ) -> None:
        """Add a finding about the line and the other file of a note."""
        self.add(rule, note.path, line=note.line, target=target or note.other, axes=axes, right=right, fix=fix)

    def _hidden(self, note: Note) -> None:
        scope, other = self._scope, note.other
        if not scope.is_file(note.path) or scope.content(note.path).is_blank or not self._loses_text(note.path, other):
            return
        if any(scope.real_path(file.path) == scope.real_path(note.path) for file in self._outcome.files):
            return  # imported
        if scope.is_file(other) and scope.content(other).is_blank and scope.is_readable(other):
            self.add("LINT-12", other, axes=("empty-file", "selection"), first=scope.short(note.path))
        else:
            self.add("LINT-11", note.path, target=other, axes=("selection",))

    def _loses_text(self, hidden: str, hiding: str) -> bool:
        """Whether the model misses a hidden file: none of the two files is the other one, or refers to it."""
        scope = self._scope
        is_same = scope.real_path(hidden) == scope.real_path(hiding)
        if is_same or scope.content(hidden).data == scope.content(hiding).data:
            return False
        return not (scope.refers(hidden, hiding) or scope.refers(hiding, hidden))

    def _missing_import(self, note: Note) -> None:
        scope, other = self._scope, note.other
        stripped = other.rstrip(TRAILING)
        if not scope.is_inside(other) or self._by_target(note, stripped):
            return  # LINT-21 and LINT-22 report what is outside
        if stripped != other and scope.is_file(stripped):
            self._about(note, "LINT-02", "import-paths", target=stripped, fix=self._respelled(note, stripped))
        elif not is_likely_a_file(stripped):
            return
        elif right := scope.spelled(stripped):
            fix, named = self._respelled(note, right), scope.short(right)
            self._about(note, "LINT-34", *_AXES, target=stripped, right=named, fix=fix)
        else:
            self._about(note, "LINT-01", *_AXES, target=stripped)

    def _by_target(self, note: Note, other: str) -> bool:
        """Whether an import in a linked file exists for a tool that starts at the target of the link."""
        scope, above, real = self._scope, note.path.rpartition("/")[0], self._scope.real_path(note.path)
        if self._outcome.tool not in known_tools().by_target or real == note.path or not other.startswith(above):
            return False
        return scope.is_file(joined(real.rpartition("/")[0], os.path.relpath(other, above)))

    def _respelled(self, note: Note, right: str) -> tuple[str, str] | None:
        """The mention in the line of a note, and the one of an existing file that takes its place."""
        folder = note.path.rpartition("/")[0]
        for mention in self._scope.content(note.path).mentions:
            if mention.line == note.line and joined(folder, mention.path) == note.other:
                stripped = mention.path.rstrip(TRAILING)
                after = mention.path[len(stripped) :]
                path = ("./" if stripped.startswith("./") else "") + os.path.relpath(right, folder)
                return f"@{mention.path}", f"@{path} {after}".rstrip(" ")
        return None

    def _too_deep(self, note: Note) -> None:
        if self._scope.is_file(note.other):
            self._about(note, "LINT-04", "import-depth")

    def _unreadable_import(self, note: Note) -> None:
        if note.other.rstrip(TRAILING) == note.other and self._scope.is_inside(note.other):
            self._about(note, "LINT-08", "imports")

    def _cut(self, note: Note) -> None:
        line = self._scope.content(note.path).line_at(note.at or 0)
        self.add("LINT-09", note.path, line=line, at=note.at or 0, axes=_BUDGET, where=line)

    def _over_budget(self, note: Note) -> None:
        spends = self._outcome.files[-1].path if self._outcome.files else ""
        self.add("LINT-10", note.path, axes=_BUDGET, spends=spends)

    def _unreadable(self, note: Note) -> None:
        if self._scope.files.kind(note.path) not in ("loop", "through-file"):  # LINT-24 reports such links
            self.add("LINT-15", note.path)

    def _dropped(self, note: Note) -> None:
        kind = self._scope.files.kind(note.other)
        axis = {"loop": "link-loop", "through-file": "through-file"}.get(kind, "unreadable")
        self.add("LINT-16", note.other, axes=(axis,), first=self._scope.short(note.path))

    def _not_utf_8(self, note: Note) -> None:
        if not (content := self._scope.content(note.path)).is_utf_16:
            self.add("LINT-18", note.path, line=content.line_at(note.at or 0), at=note.at)

    def _read_outside(self, note: Note) -> None:
        if not self._scope.is_inside(self._scope.real_path(note.other)) and self._is_meant(note):
            self._about(note, "LINT-21", "outside-links" if note.reason == "link-followed" else "import-outside")

    def _not_read_outside(self, note: Note) -> None:
        other, tool, folder = note.other, self._outcome.tool, self._outcome.folder
        if _ADDRESS.search(other):  # a tool takes an address for a path
            return
        if tool in known_tools().asks and note.reason == "import-outside":
            scope = self._scope
            if scope.is_inside(other) and scope.is_file(other) and not other.startswith(folder + "/"):
                add_start(scope, tool, folder, note.path, note.line or 1, other)
            self._read_outside(note)
        elif note.reason == "link-skipped" or self._is_meant(note):
            self._about(note, "LINT-22", "outside-links" if note.reason == "link-skipped" else "import-outside")

    def _is_meant(self, note: Note) -> bool:
        """Whether a path outside is a file, or may be one of another computer; an alias of a module is none."""
        scope = self._scope
        if scope.files.kind(note.other) != "missing" or note.reason in ("link-followed", "link-skipped"):
            return True
        written = (each.path for each in scope.content(note.path).mentions if each.line == note.line)
        return any(path.startswith(("../", "~/")) and is_likely_a_file(path.rstrip(TRAILING)) for path in written)

    def _over_limit(self, note: Note) -> None:
        what = "the file or its imports exceed the limits of loopspec"
        self.add("LINT-31", note.path, line=note.line, what=what)


_CHECKS: Mapping[Reason, Callable[[_Notes, Note], None]] = {
    "hidden": _Notes._hidden,
    "missing-import": _Notes._missing_import,
    "import-too-deep": _Notes._too_deep,
    "unreadable-import": _Notes._unreadable_import,
    "cut": _Notes._cut,
    "over-budget": _Notes._over_budget,
    "unreadable": _Notes._unreadable,
    "project-dropped": _Notes._dropped,
    "name-dropped": _Notes._dropped,
    "not-utf-8": _Notes._not_utf_8,
    "link-followed": _Notes._read_outside,
    "import-from-outside": _Notes._read_outside,
    "import-agreed": _Notes._read_outside,
    "link-skipped": _Notes._not_read_outside,
    "import-outside": _Notes._not_read_outside,
    "over-limit": _Notes._over_limit,
    "import-cycle": lambda notes, note: notes._about(note, "LINT-03", "imports"),
    "repeated": lambda notes, note: notes._about(note, "LINT-14", "links"),
    "not-a-file": lambda notes, note: notes._about(note, "LINT-23"),
}
