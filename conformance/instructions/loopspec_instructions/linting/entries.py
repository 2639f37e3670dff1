"""Findings about entries of folders, which no reading shows."""

from __future__ import annotations

from loopspec.contract.dialects import dialect

from ..surveyed import is_root, reader_for
from .repository import GIT, MOST_LEVELS
from .rules import known_tools, tools_by_name
from .scope import Scope, is_page, joined, last_names, names_of, usual_name


def check_entries(scope: Scope) -> None:
    """Add the findings about the entries with the names of instruction files, and about `.git`."""
    _check_blank(scope)
    _check_paths(scope)
    _check_private(scope)
    _check_links(scope)
    _check_cases(scope)
    _check_git(scope)
    _check_folders(scope)


def _readers(scope: Scope, path: str) -> list[str]:
    """The tools that read a file of this name."""
    return [tool for tool in scope.tools if any(path.endswith(f"/{name}") for name in names_of(tool))]


def _own_names(scope: Scope) -> set[str]:
    """The names of the files that the tools read, without folders."""
    return {name for tool in scope.tools for name in last_names(tool)}


def _check_blank(scope: Scope) -> None:
    for path in scope.entries(_own_names(scope), kind="file"):
        if not scope.content(path).is_blank or scope.files.kind(path) != "file":
            continue
        if not scope.is_readable(path) or scope.found.has("LINT-12", scope.short(path)):
            continue
        scope.found.add("LINT-13", scope.short(path), _readers(scope, path), folder=".")


def _check_paths(scope: Scope) -> None:
    """Report a file whose whole text is the path of a file."""
    for path in scope.entries(_own_names(scope), kind="file"):
        named = scope.content(path).only_path
        target = joined(path.rpartition("/")[0], named)
        if named and scope.is_file(target) and scope.real_path(target) != path:
            scope.found.add("LINT-33", scope.short(path), _readers(scope, path), folder=".", other=scope.short(target))


def _check_private(scope: Scope) -> None:
    for path in scope.entries(known_tools().private, kind="file"):
        if scope.choice.is_tracked(path):
            scope.found.add("LINT-35", scope.short(path), _readers(scope, path), folder=".")


def _check_links(scope: Scope) -> None:
    reasons = {
        "missing": "leads to nothing",
        "loop": "leads to itself",
        "through-file": "uses a file like a folder",
    }
    for path in scope.entries(_own_names(scope), kind="link"):
        reason = reasons.get(scope.files.kind(path))
        if reason is not None:
            scope.found.add("LINT-24", scope.short(path), _readers(scope, path), folder=".", why=reason)


def _check_cases(scope: Scope) -> None:
    """Report a name in another letter case, for the tools that read neither it nor a right name of the folder."""
    usual = {usual_name(tool) for tool in scope.tools} | {
        name for tool in scope.tools if reader_for(tool).walk == "configured" for name in names_of(tool)
    }
    every: dict[str, list[str]] = {}
    for folder, listed in scope.survey.listed.items():
        every.setdefault(folder, []).extend(name for name, kind in listed.items() if kind != "folder")
    for folder, cased in scope.survey.cased.items():
        every.setdefault(folder, []).extend(cased)
    for folder, names in every.items():
        for name in names:
            if name in usual or is_page(scope.survey, folder, name):
                continue
            path = f"{folder}/{name}"
            for tool in scope.tools:
                right = _right_name(tool, name)
                if right and right not in names and usual_name(tool) not in names:
                    scope.found.add("LINT-25", scope.short(path), [tool], folder=".", other=right)


def _right_name(tool: str, name: str) -> str:
    """The name of a tool that differs from a name only in case; empty if the tool reads the name, or none is alike."""
    names = last_names(tool)
    if name in names:
        return ""
    names = names & {each.rpartition("/")[2] for each in tools_by_name()}  # CONTEXT.md is a common name
    alike = sorted(each for each in names if each.lower() == name.lower())
    return usual_name(tool) if usual_name(tool) in alike else (alike[0] if alike else "")


def _check_git(scope: Scope) -> None:
    for folder, listed in scope.survey.listed.items():
        if GIT not in listed:
            continue
        votes = {tool: is_root(tool, scope.files, folder) for tool in scope.tools}
        accepting = [tool for tool, vote in votes.items() if vote is True]
        refusing = [tool for tool, vote in votes.items() if vote is False]
        if accepting and refusing:
            others = ", ".join(dialect(tool).title for tool in refusing)
            path = scope.short(f"{folder}/{GIT}")
            scope.found.add("LINT-26", path, accepting, folder=".", axes=("root",), others=others)


def _check_folders(scope: Scope) -> None:
    for folder in scope.survey.unreadable:
        scope.found.add(
            "LINT-31", scope.short(folder) or ".", scope.tools, folder=".", what="the folder cannot be listed"
        )
    if scope.survey.deep:
        what = f"the folder has more than {MOST_LEVELS} levels above"
        scope.found.add("LINT-31", scope.short(scope.survey.deep[0]), scope.tools, folder=".", what=what)
