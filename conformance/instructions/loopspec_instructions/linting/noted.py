"""Findings from the notes of a reader: each says what one tool does with one file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ..surveyed import Note, Outcome, Reason
from .contents import TRAILING, is_likely_a_file
from .scope import Scope

_ONLY_IMPORTS = re.compile(r"(?:\s*@\S+)+\s*")
_ADDRESS = re.compile(r"/(?:https?|file):/")
# Why a file ends a load: the axis that says so, and the words.
_ENDINGS: Mapping[Reason, tuple[str, str]] = {
    "not-utf-8": ("bad-bytes", "the file is not UTF-8"),
    "not-a-file": ("not-a-file", "the entry is no file"),
    "unreadable": ("unreadable", "the file cannot be read"),
    "unreadable-import": ("import-unreadable", "an import of this path cannot be read"),
    "link-skipped": ("outside-links", "the link leads out of the project"),
}


class Notes:
    """Makes findings of the notes of one tool in one working directory."""

    def __init__(self, scope: Scope, tool: str, folder: str, outcome: Outcome) -> None:
        self._scope = scope
        self._tool = tool
        self._folder = folder
        self._outcome = outcome

    def add(self, note: Note) -> None:
        """Add the findings that follow from a note."""
        check = _CHECKS.get(note.reason)
        if check is not None:
            check(self, note)

    def add_end(self) -> None:
        """Add a finding if a file ends the load."""
        if self._outcome.ended is not None:
            path, reason = self._outcome.ended
            axis, why = _ENDINGS.get(reason, ("", "the path is invalid"))
            self._found("LINT-17", path, axes=(axis,) if axis else (), why=why)

    def _found(
        self,
        rule: str,
        path: str,
        *,
        line: int | None = None,
        other: str = "",
        at: int | None = None,
        axes: tuple[str, ...] = (),
        **values: object,
    ) -> None:
        scope = self._scope
        scope.found.add(
            rule,
            scope.short(path),
            [self._tool],
            folder=scope.short(self._folder) or ".",
            line=line or 1,
            other=scope.short(other) if other.startswith("/") else other,
            at=at,
            axes=axes,
            **values,
        )

    def _hidden(self, note: Note) -> None:
        scope, other = self._scope, note.other or ""
        if not scope.is_file(note.path):
            return
        hidden, hiding = scope.content(note.path), scope.content(other)
        if hidden.is_blank or not self._loses_text(note.path, other):
            return
        if any(scope.real_path(file.path) == scope.real_path(note.path) for file in self._outcome.files):
            return  # imported
        if scope.is_file(other) and hiding.is_blank and scope.is_readable(other):
            self._found("LINT-12", other, axes=("empty-file", "selection"), first=scope.short(note.path))
        else:
            self._found("LINT-11", note.path, other=other, axes=("selection",))

    def _loses_text(self, hidden: str, hiding: str) -> bool:
        """Whether the model misses something of a hidden file: more than an import of the hiding file."""
        scope = self._scope
        if scope.real_path(hidden) == scope.real_path(hiding):
            return False
        content = scope.content(hidden)
        if content.data == scope.content(hiding).data:
            return False
        folder = hidden.rpartition("/")[0]
        imports = [f"{folder}/{mention.path.removeprefix('./')}" for mention in content.mentions]
        return not (imports == [hiding] and _ONLY_IMPORTS.fullmatch(content.text))

    def _missing_import(self, note: Note) -> None:
        scope, other = self._scope, note.other or ""
        stripped = other.rstrip(TRAILING)
        if not scope.is_inside(other):
            return  # LINT-21 and LINT-22 report what is outside
        if stripped != other and scope.is_file(stripped):
            self._found("LINT-02", note.path, line=note.line, other=stripped, axes=("import-paths",))
        elif is_likely_a_file(stripped):
            self._found("LINT-01", note.path, line=note.line, other=stripped, axes=("imports", "import-paths"))

    def _cycle(self, note: Note) -> None:
        self._found("LINT-03", note.path, line=note.line, other=note.other or "", axes=("imports",))

    def _too_deep(self, note: Note) -> None:
        if self._scope.is_file(note.other or ""):
            self._found("LINT-04", note.path, line=note.line, other=note.other or "", axes=("import-depth",))

    def _unreadable_import(self, note: Note) -> None:
        other = note.other or ""
        if other.rstrip(TRAILING) == other and self._scope.is_inside(other):
            self._found("LINT-08", note.path, line=note.line, other=other, axes=("imports",))

    def _cut(self, note: Note) -> None:
        line = self._scope.content(note.path).line_at(note.at or 0)
        axes = ("budget", "budget-order")
        self._found("LINT-09", note.path, line=line, at=note.at or 0, axes=axes, where=line)

    def _over_budget(self, note: Note) -> None:
        self._found("LINT-10", note.path, line=note.line, other=note.other or "", axes=("budget", "budget-order"))

    def _repeated(self, note: Note) -> None:
        self._found("LINT-14", note.path, line=note.line, other=note.other or "", axes=("links",))

    def _unreadable(self, note: Note) -> None:
        if self._scope.files.kind(note.path) not in ("loop", "through-file"):  # LINT-24 reports such links
            self._found("LINT-15", note.path)

    def _dropped(self, note: Note) -> None:
        other = note.other or ""
        axis = {"loop": "link-loop", "through-file": "through-file"}.get(self._scope.files.kind(other), "unreadable")
        self._found("LINT-16", other, axes=(axis,), first=self._scope.short(note.path))

    def _not_utf_8(self, note: Note) -> None:
        if not self._scope.content(note.path).is_utf_16:
            line = self._scope.content(note.path).line_at(note.at or 0)
            self._found("LINT-18", note.path, line=line, at=note.at, where=line)

    def _read_outside(self, note: Note) -> None:
        other = note.other or ""
        if not self._scope.is_inside(self._scope.real_path(other)):
            axis = "outside-links" if note.reason == "link-followed" else "import-outside"
            self._found("LINT-21", note.path, line=note.line, other=other, axes=(axis,))

    def _not_read_outside(self, note: Note) -> None:
        other = note.other or ""
        if _ADDRESS.search(other):  # a tool takes an address for a path
            return
        axis = "outside-links" if note.reason == "link-skipped" else "import-outside"
        self._found("LINT-22", note.path, line=note.line, other=other, axes=(axis,))

    def _not_a_file(self, note: Note) -> None:
        self._found("LINT-23", note.path)

    def _over_limit(self, note: Note) -> None:
        self._found("LINT-31", note.path, line=note.line, what="the file or its imports exceed the limits of loopspec")


_CHECKS: Mapping[Reason, Callable[[Notes, Note], None]] = {
    "hidden": Notes._hidden,
    "missing-import": Notes._missing_import,
    "import-cycle": Notes._cycle,
    "import-too-deep": Notes._too_deep,
    "unreadable-import": Notes._unreadable_import,
    "cut": Notes._cut,
    "over-budget": Notes._over_budget,
    "repeated": Notes._repeated,
    "unreadable": Notes._unreadable,
    "project-dropped": Notes._dropped,
    "name-dropped": Notes._dropped,
    "not-utf-8": Notes._not_utf_8,
    "link-followed": Notes._read_outside,
    "import-from-outside": Notes._read_outside,
    "import-agreed": Notes._read_outside,
    "link-skipped": Notes._not_read_outside,
    "import-outside": Notes._not_read_outside,
    "not-a-file": Notes._not_a_file,
    "over-limit": Notes._over_limit,
}
