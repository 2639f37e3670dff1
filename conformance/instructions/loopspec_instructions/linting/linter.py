"""Lints a repository: reads it as each tool does, and collects what goes wrong."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from ..reader import LoadedFile
from ..surveyed import Outcome, is_root, read_surveyed
from .configuration import Configuration, must_be_folder
from .entries import check_entries
from .findings import Report
from .loaded import Loads, compare
from .noted import Notes
from .repository import GIT, repository_of
from .rules import known_tools
from .scope import Scope, is_configured, is_page, meant_tools, names_of, working_directories

_MOST_STEPS = 100_000  # files and notes of all readings of one tool: a repository that no person wrote


def lint(folder: Path, tools: Sequence[str] = (), configuration: Configuration | None = None) -> Report:
    """Lint a folder for these tools, else for those of the configuration, else for those that its files mean.

    Nothing is written, no device is opened, and no link is followed except those that a tool follows, too. Raises
    `UsageError` if the folder is none.
    """
    must_be_folder(folder)
    configuration = configuration or Configuration()
    root = os.path.realpath(folder)
    scope = Scope(root, repository_of(root), str(Path.home()), configuration)
    scope.tools = tuple(sorted(set(tools or configuration.tools))) or meant_tools(scope.survey)
    folders = working_directories(scope.survey, scope.tools, configuration.starts)
    _read_all(scope, folders)
    check_entries(scope)
    found = [one for one in scope.found.findings() if scope.is_linted(one.path)]
    findings, suppressed, unused = configuration.filtered(found, date.today())
    unchecked = {label: sorted(map(scope.short, paths)) for label, paths in sorted(scope.survey.unchecked.items())}
    names = {name for tool in scope.tools for name in names_of(tool) if "/" not in name}
    if hidden := sorted(path for path in map(scope.short, scope.entries(names, kind="file")) if "/." in f"/{path}"):
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
    names = {name for tool in scope.tools for name in names_of(tool)}
    return sum(
        name in names or f"{folder.rpartition('/')[2]}/{name}" in names
        for folder, listed in scope.survey.listed.items()
        for name, kind in listed.items()
        if kind != "folder" and not is_page(scope.survey, folder, name)
    )


def _read_all(scope: Scope, folders: Sequence[str]) -> None:
    """Read each working directory as each tool does, the outer ones first."""
    loads = Loads(scope)
    of_tool = {tool: _OfTool(scope, tool, loads) for tool in scope.tools}
    for folder in folders:
        compare(scope, folder, {tool: reading.loaded(folder) for tool, reading in of_tool.items()})
    loads.add_comparisons()


class _OfTool:
    """The readings of one tool."""

    def __init__(self, scope: Scope, tool: str, loads: Loads) -> None:
        self._scope = scope
        self._tool = tool
        self._loads = loads
        self._seen: set[object] = set()  # the notes so far
        self._steps = 0
        self._loaded: dict[str, frozenset[str]] = {}
        self._imported: dict[str, list[LoadedFile]] = {}
        self._names = frozenset(name.partition("/")[0] for name in names_of(tool)) | {GIT}
        # Without a root, a tool may read the working directory alone; the home folder may be an exception, too.
        has_root = (
            scope.repository in scope.survey.folders and is_root(tool, scope.files, scope.repository) is not False
        )
        self._repeats = has_root and not is_configured(tool) and not scope.is_inside(scope.home)

    def loaded(self, folder: str) -> frozenset[str]:
        """The paths of the files that the tool reads in a folder, with all findings added.

        In a folder without a file of the tool, the tool reads what it reads in the nearest folder above that has one.
        """
        read_in = self._read_in(folder) if self._repeats else folder
        known = self._loaded.get(read_in)
        if known is None:
            known = self._loaded[read_in] = self._read(read_in)
        if self._tool in known_tools().asks:
            self._loads.check_start(self._tool, folder, self._imported.get(read_in, ()))
        return known

    def _read(self, folder: str) -> frozenset[str]:
        scope, tool = self._scope, self._tool
        if self._steps > _MOST_STEPS:
            what = "the readings exceed the limits of loopspec"
            scope.found.add("LINT-31", folder, tools=[tool], at=0, what=what)
            return frozenset()
        configured = (
            [path for path in names_of(tool) if scope.is_file(f"{folder}/{path}")] if is_configured(tool) else []
        )
        outcome = read_surveyed(tool, scope.files, folder, scope.home, configured)
        self._steps += len(outcome.files) + len(outcome.notes) + 1
        if outcome.notes or outcome.ended:
            self._add_notes(outcome)
        self._loads.add(outcome)
        self._imported[folder] = [file for file in outcome.files if file.level]
        return frozenset([file.path for file in outcome.files])

    def _add_notes(self, outcome: Outcome) -> None:
        notes = Notes(self._scope, outcome)
        for note in outcome.notes:
            if note not in self._seen:
                self._seen.add(note)
                notes.add(note)
        notes.add_end()

    def _read_in(self, folder: str) -> str:
        listed, root = self._scope.survey.listed, self._scope.survey.root
        while folder != root and self._names.isdisjoint(listed.get(folder, ())):
            folder = folder.rpartition("/")[0]
        return folder
