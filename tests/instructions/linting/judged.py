"""The examples of the rules of `loopspec lint`, laid out on the disk and judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from loopspec.contract.workspaces import Entry, Workspace
from loopspec_instructions.linting import Report, Rule, lint
from loopspec_instructions.reader.disk import DiskFiles
from loopspec_instructions.reader.files import Content
from loopspec_instructions.trees import Tree, laid_out

Entries = Mapping[str, Entry]

_read = DiskFiles.read


def _read_as_a_user(self: DiskFiles, path: str, limit: int) -> Content:
    """Read a file, except one without permissions: root, which runs some CI jobs, can read such a file."""
    if Path(path).exists() and not Path(path).stat().st_mode & 0o777:
        raise PermissionError(path)
    return _read(self, path, limit)


@contextmanager
def on_disk(entries: Entries, *, git: bool = True) -> Iterator[Tree]:
    """A repository in a base folder, in which files without permissions cannot be read."""
    repository = {"project/.git": Entry(kind="repository")} if git else {}
    with (
        laid_out(Workspace(entries={**repository, **entries})) as tree,
        patch.object(DiskFiles, "read", _read_as_a_user),
    ):
        yield tree


def entries_of(rule: Rule, *, twin: bool = False) -> dict[str, Entry]:
    """The entries of the example of a rule, or of its twin."""
    example = rule.example
    if not twin:
        return dict(example.entries)
    return {path: entry for path, entry in {**example.entries, **example.twin}.items() if path not in example.without}


def linted(rule: Rule, *, twin: bool = False) -> Report:
    """The findings in the example of a rule, or in its twin."""
    with on_disk(entries_of(rule, twin=twin), git=rule.example.git) as tree:
        return lint(tree.base / "project", rule.example.tools)


def wrong(rule: Rule) -> list[str]:
    """What is wrong with the findings in the example of a rule and in its twin; nothing for a correct linter."""
    found = [(one.path, one.line) for one in linted(rule).findings if one.rule == rule.id]
    in_twin = [(one.path, one.line) for one in linted(rule, twin=True).findings if one.rule == rule.id]
    problems = []
    if found != [(rule.example.path, rule.example.line)]:
        problems.append(f"{rule.id}: the example has {found}")
    if in_twin:
        problems.append(f"{rule.id}: the twin has {in_twin}")
    return problems
