"""Lints a repository: reads it as each tool does, and collects what goes wrong."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import date
from functools import cache
from pathlib import Path

from ..reader.reading import LoadedFile
from ..surveyed import is_root, read_surveyed
from .configuration import Configuration, must_be_folder
from .entries import check_entries
from .findings import Report
from .loaded import Loads, compare
from .noted import check_notes
from .repository import GIT
from .rules import known_tools
from .scope import Scope, is_configured, names_of, without_pages

_MOST_STEPS = 100_000  # files and notes of all readings of one tool: a repository that no person wrote


def lint(folder: Path, tools: Sequence[str] = (), configuration: Configuration | None = None) -> Report:
    """Lint a folder for these tools, else for those of the configuration, else for those that its files mean.

    Nothing is written, no device is opened, and no link is followed except those that a tool follows, too. Raises
    `UsageError` if the folder is none.
    """
    must_be_folder(folder)
    configuration = configuration or Configuration()
    scope = Scope(os.path.realpath(folder), configuration, tools)
    loads = Loads(scope)
    of_tool = {tool: _OfTool(scope, tool, loads) for tool in scope.tools}
    for start in scope.working_directories(configuration.starts):  # the outer ones first
        compare(scope, start, {tool: reading.loaded(start) for tool, reading in of_tool.items()})
    loads.add_comparisons()
    check_entries(scope)
    found = [one for one in scope.found.findings() if scope.is_linted(one.path)]
    findings, suppressed, unused = configuration.filtered(found, date.today())
    unchecked = {label: sorted(map(scope.short, paths)) for label, paths in sorted(scope.survey.unchecked.items())}
    entries = map(scope.short, scope.entries(scope.names, kind="file"))
    if hidden := sorted(path for path in entries if "/." in f"/{path}"):
        unchecked[f"instruction files in folders such as {hidden[0].rpartition('/')[0]}, where no tool starts"] = hidden
    return Report(
        folder=str(folder),
        tools=scope.tools,
        files=_count(scope),
        findings=findings,
        suppressed=suppressed,
        unused=unused,
        unchecked={label: tuple(paths) for label, paths in unchecked.items()},
        left_out={scope.short(path): reason for path, reason in sorted(scope.survey.left_out.items())},
    )


def _count(scope: Scope) -> int:
    """The number of entries that have the name of an instruction file of one of the tools."""
    found, names = scope.survey, scope.names
    return sum(
        found.listed[folder][name] != "folder" and (name in names or f"{folder.rpartition('/')[2]}/{name}" in names)
        for folder, name in without_pages(found, found.listed)
    )


class _OfTool:
    """The readings of one tool."""

    def __init__(self, scope: Scope, tool: str, loads: Loads) -> None:
        self._scope = scope
        self._tool = tool
        self._loads = loads
        self._seen: set[object] = set()  # the notes so far
        self._steps = 0
        self._read = cache(self._read_once)
        self._names = frozenset(name.partition("/")[0] for name in names_of(tool)) | {GIT}
        # Without a root, a tool may read the working directory alone; the home folder may be an exception, too.
        searches = scope.repository in scope.survey.folders and not is_configured(tool)
        has_root = searches and is_root(tool, scope.files, scope.repository) is not False
        self._repeats = has_root and not scope.is_inside(scope.home)

    def loaded(self, folder: str) -> frozenset[str]:
        """The paths of the files that the tool reads in a folder, with all findings added.

        In a folder without a file of the tool, the tool reads what it reads in the nearest folder above that has one.
        """
        loaded, imported = self._read(self._nearest(folder) if self._repeats else folder)
        if self._tool in known_tools().asks:
            self._loads.check_start(self._tool, folder, imported)
        return loaded

    def _nearest(self, folder: str) -> str:
        listed, root = self._scope.survey.listed, self._scope.survey.root
        while folder != root and self._names.isdisjoint(listed.get(folder, ())):
            folder = folder.rpartition("/")[0]
        return folder

    def _read_once(self, folder: str) -> tuple[frozenset[str], list[LoadedFile]]:
        """The paths of the files that the tool reads in a folder, and the imported files."""
        scope, tool = self._scope, self._tool
        if self._steps > _MOST_STEPS:
            what = "the readings exceed the limits of loopspec"
            scope.found.add("LINT-31", folder, tools=[tool], at=0, what=what)
            return frozenset(), []
        configured = names_of(tool) if is_configured(tool) else ()
        existing = [path for path in configured if scope.is_file(f"{folder}/{path}")]
        outcome = read_surveyed(tool, scope.files, folder, scope.home, existing)
        self._steps += len(outcome.files) + len(outcome.notes) + 1
        check_notes(scope, outcome, self._seen)
        self._loads.add(outcome)
        return frozenset([file.path for file in outcome.files]), [file for file in outcome.files if file.level]
