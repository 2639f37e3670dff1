"""Findings about entries of folders, which no reading shows."""

from __future__ import annotations

from loopspec.contract.dialects import dialect

from ..surveyed import is_root, reader_for
from .repository import GIT, MOST_LEVELS
from .rules import known_tools
from .scope import Scope, is_page, joined, last_names, names_of, reads_name, usual_name


def check_entries(scope: Scope) -> None:
    """Add the findings about the entries with the names of instruction files, and about `.git`."""
    _check_files(scope)
    _check_private(scope)
    _check_links(scope)
    _check_cases(scope)
    _check_git(scope)
    _check_folders(scope)


def _add(scope: Scope, rule: str, path: str, *, target: str = "", why: str = "") -> None:
    """Add a finding for the tools that read a file of this name."""
    tools = [tool for tool in scope.tools if reads_name(tool, path)]
    scope.found.add(rule, path, tools=tools, target=target, why=why)


def _check_files(scope: Scope) -> None:
    """Report a file without text, and one whose whole text is the path of a file."""
    for path in scope.entries(scope.own_names, kind="file"):
        content = scope.content(path)
        is_empty = content.is_blank and scope.files.kind(path) == "file" and scope.is_readable(path)
        if is_empty and not scope.found.has("LINT-12", path):
            _add(scope, "LINT-13", path)
        target = joined(path.rpartition("/")[0], content.only_path)
        if content.only_path and scope.is_file(target) and scope.real_path(target) != path:
            _add(scope, "LINT-33", path, target=target)


def _check_private(scope: Scope) -> None:
    for path in scope.entries(known_tools().private, kind="file"):
        if scope.choice.is_tracked(path):
            _add(scope, "LINT-35", path)


def _check_links(scope: Scope) -> None:
    reasons = {
        "missing": "leads to nothing",
        "loop": "leads to itself",
        "through-file": "uses a file like a folder",
    }
    for path in scope.entries(scope.own_names, kind=None):
        if reason := reasons.get(scope.files.kind(path)):
            _add(scope, "LINT-24", path, why=reason)


def _check_cases(scope: Scope) -> None:
    """Report a name in another letter case, for the tools that read neither it nor a right name of the folder."""
    usual = {usual_name(tool) for tool in scope.tools} | {
        name for tool in scope.tools if reader_for(tool).walk == "configured" for name in names_of(tool)
    }
    listed, cased = scope.survey.listed, scope.survey.cased
    for folder in listed | cased:
        names = [name for name, kind in listed.get(folder, {}).items() if kind != "folder"] + cased.get(folder, [])
        for name in names:
            if name in usual or is_page(scope.survey, folder, name):
                continue
            path = f"{folder}/{name}"
            for tool in scope.tools:
                right = _right_name(tool, name)
                if right and right not in names and usual_name(tool) not in names:
                    scope.found.add("LINT-25", path, tools=[tool], other=right)


def _right_name(tool: str, name: str) -> str:
    """The name of a tool that differs from a name only in case; empty if the tool reads the name, or none is alike."""
    names = last_names(tool)
    if name in names:
        return ""
    names = names & {each.rpartition("/")[2] for each in known_tools().names}  # CONTEXT.md is a common name
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
            scope.found.add("LINT-26", f"{folder}/{GIT}", tools=accepting, axes=("root",), others=others)


def _check_folders(scope: Scope) -> None:
    for folder in scope.survey.unreadable:
        scope.found.add("LINT-31", folder, tools=scope.tools, what="the folder cannot be listed")
    if scope.survey.deep:
        what = f"the folder has more than {MOST_LEVELS} levels above"
        scope.found.add("LINT-31", scope.survey.deep[0], tools=scope.tools, what=what)
