"""Lints a repository: reads it as each tool does, and collects what goes wrong."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ..contract.faults import UsageError
from ..targets.reference.surveyed import Outcome, read_surveyed
from .configuration import Configuration
from .entries import check_entries
from .findings import Report
from .loaded import Differences, Loads
from .noted import Notes
from .repository import repository_of
from .scope import Scope, is_configured, meant_tools, names_of, working_directories

_MOST_STEPS = 2_000_000  # files and notes of all readings of one tool: a repository that no person wrote


def lint(folder: Path, tools: Sequence[str] = (), configuration: Configuration | None = None) -> Report:
    """Lint a folder for these tools, else for those of the configuration, else for those that its files mean.

    Nothing is written, no device is opened, and no link is followed except those that a tool follows, too. Raises
    `UsageError` if the folder is none.
    """
    if not folder.is_dir():
        raise UsageError(f"{str(folder)!r} is no folder: name the folder of a repository")
    configuration = configuration or Configuration()
    root = os.path.realpath(folder)
    scope = Scope(root, repository_of(root), str(Path.home()))
    scope.tools = tuple(sorted(set(tools or configuration.tools))) or meant_tools(scope.survey)
    folders = working_directories(scope.survey, scope.tools)
    _read_all(scope, folders)
    check_entries(scope)
    findings, suppressed, unused = configuration.filtered(scope.found.findings())
    return Report(
        folder=str(folder),
        tools=scope.tools,
        files=_count(scope),
        findings=findings,
        suppressed=suppressed,
        unused=unused,
    )


def _count(scope: Scope) -> int:
    """The number of entries that have the name of an instruction file of one of the tools."""
    names = {name for tool in scope.tools for name in names_of(tool)}
    return sum(
        name in names or f"{folder.rpartition('/')[2]}/{name}" in names
        for folder, listed in scope.survey.listed.items()
        for name, kind in listed.items()
        if kind != "folder"
    )


def _read_all(scope: Scope, folders: Sequence[str]) -> None:
    loads, differences = Loads(scope), Differences(scope)
    seen: dict[str, set[object]] = {tool: set() for tool in scope.tools}
    steps = dict.fromkeys(scope.tools, 0)
    for folder in folders:
        outcomes = {}
        for tool in scope.tools:
            if steps[tool] > _MOST_STEPS:
                scope.found.add(
                    "LINT-31",
                    scope.short(folder) or ".",
                    [tool],
                    folder=".",
                    at=0,
                    what="the readings exceed the limits of loopspec",
                )
                outcomes[tool] = Outcome((), ())
                continue
            outcome = outcomes[tool] = _read(scope, tool, folder)
            steps[tool] += len(outcome.files) + len(outcome.notes)
            _add_notes(Notes(scope, tool, folder, outcome), outcome, seen[tool])
            loads.add(tool, folder, outcome)
        differences.add(folder, outcomes)
    loads.add_comparisons()


def _read(scope: Scope, tool: str, folder: str) -> Outcome:
    configured = [path for path in names_of(tool) if scope.is_file(f"{folder}/{path}")] if is_configured(tool) else []
    return read_surveyed(tool, scope.files, folder, scope.home, configured)


def _add_notes(notes: Notes, outcome: Outcome, seen: set[object]) -> None:
    """Add the findings of the notes that no other working directory has had."""
    for note in outcome.notes:
        if note not in seen:
            seen.add(note)
            notes.add(note)
    notes.add_end()
