"""The reader of instruction files: one function for every dialect."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from loopspec_reference.agentsmd.paths import clean_path

from .budget import cut_to_budget
from .dialect import Dialect
from .discovery import discover
from .files import Files
from .found import Found
from .imports import load_file
from .loading import Limits, Load
from .reading import LoadedFile, Reading


def read_instructions(
    files: Files,
    cwd: str,
    home: str,
    dialect: Dialect,
    configured: Sequence[str] = (),
    limits: Limits = Limits(),  # noqa: B008  # a frozen value
    *,
    agreed: bool = True,
) -> Reading:
    """Read the instruction files as a tool of this dialect does.

    `cwd` and `home` are absolute. `configured` are the files of a dialect without discovery, absolute or relative to
    `cwd`. `agreed`: the user has agreed to imports from outside the project. Raises `ReadingEndedError` if a file ends
    the load in this dialect, and `ValueError` for a relative folder. No other failure of a file raises: a note names
    it. Nothing is executed or written, and no pipe or device is read.
    """
    for folder in (cwd, home):
        if not folder.startswith("/"):
            raise ValueError(f"{folder!r} is not an absolute path")
    if dialect.working_directory == "real-path":
        with suppress(OSError):
            cwd = files.real_path(cwd)
    load = Load(files, clean_path(cwd), clean_path(home), dialect, limits, agreed=agreed)
    found = _readable(load, discover(load, configured))
    groups = _whole_files(load, found) if dialect.budget_cut == "whole-files" else _all(load, found)
    if dialect.budget and dialect.budget_cut == "cut":
        cut_to_budget(load, found, groups)
    return Reading(tuple(file for group in groups for file in group), tuple(load.notes))


def _readable(load: Load, found: list[Found]) -> list[Found]:
    """Return the global files alone if a file of the project cannot be read before the budget is used up."""
    dialect, left = load.dialect, load.dialect.budget
    failed: Found | None = None
    for each in found:
        if each.fails and (left or not dialect.budget):
            failed = failed or each
        elif left and (dialect.global_budget == "counted" or not each.is_global):
            data = each.content.data[:left]
            left -= len(data) if data.strip() else 0
    if failed is None:
        return [each for each in found if not each.fails]
    for each in found:
        if not (each.is_global or each.fails):
            load.note("project-dropped", each.path, other=failed.path)
    return [each for each in found if each.is_global]


def _all(load: Load, found: Sequence[Found]) -> list[list[LoadedFile]]:
    groups = [[] if each.is_fallback or _is_loaded(load, each) else load_file(load, each) for each in found]
    if load.dialect.links == "same-text":  # the texts of rules are not compared
        first: dict[str, str] = {}
        for number, (each, group) in enumerate(zip(found, groups, strict=True)):
            if group and not each.is_rule and first.setdefault(group[0].whole, each.path) != each.path:
                load.note("already-loaded", each.path, other=first[group[0].whole])
                groups[number] = []
    fallbacks = [number for number, each in enumerate(found) if each.is_fallback]
    if not fallbacks:
        return groups
    # A tool adds these files to those that it has loaded, but none of the same path, and none with the text of a file
    # of the project.
    load.forget_seen()
    paths = {file.path for group in groups for file in group}
    texts = {file.text for each, group in zip(found, groups, strict=True) if not each.is_global for file in group}
    for number in fallbacks:
        group = [] if _is_loaded(load, found[number]) else load_file(load, found[number])
        groups[number] = [file for file in group if file.path not in paths and file.text not in texts]
    return groups


def _is_loaded(load: Load, found: Found) -> bool:
    """Return whether an earlier file has imported a file, in a dialect that loads each path once."""
    if load.dialect.import_repeat != "once" or not load.is_seen(found.path):
        return False
    load.note("already-loaded", found.path, other=found.path)
    return True


def _whole_files(load: Load, found: Sequence[Found]) -> list[list[LoadedFile]]:
    """Load files until the budget is exceeded. The first file with text stays, with its imports, whatever its size."""
    groups: list[list[LoadedFile]] = [[] for _ in found]
    numbers = range(len(found))
    any_loaded = False
    for number in reversed(numbers) if load.dialect.budget_order == "leaf-first" else numbers:
        each = found[number]
        if _is_loaded(load, each):
            continue
        was_over = load.over_budget()
        group = [] if was_over else load_file(load, each)
        if was_over or (any_loaded and load.over_budget()):
            load.note("over-budget", each.path)
        else:
            groups[number] = group
            any_loaded = any_loaded or bool(group)
    return groups
