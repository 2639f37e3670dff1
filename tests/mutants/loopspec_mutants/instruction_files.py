"""Mutants of the rules of instruction files: the reference with another value on one axis than its dialect has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from unittest.mock import patch

from loopspec import WorkspaceFile, WorkspaceReading
from loopspec.contract.dialects import (
    AxisValue,
    Dialect,
    dialect,
    dialect_names,
    instruction_axes,
    observed_dialect_names,
)
from loopspec_instructions import dialects, reading
from loopspec_instructions.reader import Dialect as Reader
from loopspec_instructions.reading import read_workspace

from .registry import Mutant, enter


@dataclass(frozen=True)
class Wrong:
    """How the mutant of a value reads, where the next value of the axis is no bug that an example can show.

    `values` are by axis, `details` are fields of the reader, `dialect` is the dialect in place of the first one with
    the right value, and `neighbors` are those of a mutant.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    details: Mapping[str, object] = field(default_factory=dict)
    dialect: str = ""
    neighbors: Mapping[str, str] = field(default_factory=dict)


def _values(axis: str) -> Mapping[str, AxisValue]:
    """The values of an axis; none where the features in use have no such axis."""
    return instruction_axes()[axis].values if axis in instruction_axes() else {}


def _with_other_names(value: str) -> Wrong:
    groups = _values("names")[value].groups
    if value == "claude-or-agents":
        neighbors = {"INS-NAMES-12": "An example of the rule has files of every name."}
        return Wrong(details={"file_names": groups[:-1]}, neighbors=neighbors)
    if value == "copilot":
        return Wrong(details={"file_names": groups[:-1]})
    another = "AGENTS.md" if value == "gemini" else "GEMINI.md"
    return Wrong(details={"file_names": (*groups, (another,))})


def _with_another_place(value: str) -> Wrong:
    groups = _values("global-file")[value].groups
    return Wrong(details={"global_files": (*groups, (".agents/AGENTS.md",))})


# By axis and value. Every other value has the next value of its axis.
WRONG: Mapping[tuple[str, str], Wrong] = {
    ("walk", "above-root"): Wrong(
        {"walk": "project-root"},
        neighbors={"INS-WALK-16": "The main repository is one folder above the root of the worktree."},
    ),
    ("walk", "file-system-root"): Wrong(
        {"walk": "project-root", "no-root": "working-directory"},
        neighbors={
            "INS-WALK-09": "Where no folder is a root, both rules say that the folders above are searched.",
            "INS-WALK-11": "Where no folder is a root, both rules say that the folders above are searched.",
            "INS-WALK-14": "An example has a file above the home folder.",
            "INS-WALK-22": "An example has a file above a repository.",
        },
    ),
    ("root", "git-repository"): Wrong({"root": "git-entry"}, dialect="opencode"),
    ("root", "nothing"): Wrong(
        {"root": "git-entry", "walk": "project-root"},
        neighbors={"INS-WALK-22": "An example has a file above a repository."},
    ),
    ("no-root", "every-folder-above"): Wrong(
        {"no-root": "working-directory"},
        dialect="opencode",
        neighbors={"INS-WALK-08": "A folder that is no root shows in the folders that are searched without a root."},
    ),
    ("worktree", "no"): Wrong({"worktree": "hides"}, dialect="qwen-code-observed"),
    **{("names", value): _with_other_names(value) for value in _values("names")},
    ("selection", "one-name-per-project"): Wrong({"selection": "one-family-per-project"}, dialect="opencode"),
    ("selection", "every-name"): Wrong({"selection": "one-family-per-project"}, dialect="qwen-code"),
    ("exclusions", "none"): Wrong({"exclusions": "claude"}, {"exclusions_key": "claudeMdExcludes"}),
    ("local-file", "none"): Wrong({"local-file": "last"}, {"local_files": ("CLAUDE.local.md",)}, dialect="codex"),
    ("order", "from-root"): Wrong({"order": "from-working-directory"}, dialect="codex"),
    ("order", "ends-first"): Wrong(
        {"order": "from-root"}, neighbors={"INS-ORDER-08": "The rule is about the files of the two ends."}
    ),
    ("grouping", "by-folder"): Wrong({"grouping": "by-name"}, dialect="kimi-cli"),
    ("global-file", "none"): Wrong(
        {"global-place": "first"}, {"global_files": ((".kimi/AGENTS.md",),)}, dialect="kimi-cli-observed"
    ),
    **{("global-file", value): _with_another_place(value) for value in _values("global-file") if value != "none"},
    ("global-again", "no"): Wrong({"global-again": "ends-search"}, dialect="opencode"),
    ("global-empty", "hides"): Wrong({"global-empty": "next-name"}, dialect="opencode"),
    ("global-place", "first"): Wrong({"global-place": "first-of-name"}, dialect="qwen-code"),
    ("outside-links", "skipped"): Wrong(
        {"outside-links": "followed"},
        neighbors={"INS-WALK-25": "Outside any project, a file above the working directory is outside the project."},
    ),
    ("not-a-file", "hides"): Wrong({"not-a-file": "next-name"}),
    ("unreadable", "skipped"): Wrong({"unreadable": "next-name"}, dialect="opencode"),
    ("link-loop", "skipped"): Wrong({"link-loop": "drops-project"}),
    ("through-file", "next-name"): Wrong({"through-file": "drops-project"}),
    ("blank-file", "skipped"): Wrong({"blank-file": "blank-loaded"}, dialect="deepagents"),
    ("blank-file", "blank-loaded"): Wrong({"blank-file": "loaded"}, dialect="eino"),
    ("blank-file", "loaded"): Wrong({"blank-file": "blank-loaded"}),
    ("surrounding-space", "kept"): Wrong(
        {"surrounding-space": "removed"},
        neighbors={"INS-TEXT-02": "A blank file is nothing but white space at its start and its end."},
    ),
    ("comments", "removed"): Wrong({"comments": "kept"}),
    ("comments", "blocks-removed"): Wrong({"comments": "removed"}),
    ("budget", "unlimited"): Wrong(details={"budget": 1 << 18, "budget_cut": "cut"}, dialect="gemini-cli"),
    ("budget", "32768"): Wrong(details={"budget": 32_769}),
    ("imports", "after"): Wrong(
        {"imports": "inline"},
        neighbors={"INS-IMPORT-32": "The reader puts comments around an import that takes the place of its mention."},
    ),
    ("import-paths", "letter-dot-or-slash"): Wrong(
        {"import-paths": "slash-or-extension"},
        neighbors={"INS-IMPORT-43": "A path that ends before another character has no fragment."},
    ),
    ("import-paths", "slash-or-dot"): Wrong(
        {"import-paths": "slash-or-extension"},
        neighbors={"INS-IMPORT-43": "A path that ends before another character has no fragment."},
    ),
    ("import-fragment", "removed"): Wrong({"import-fragment": "kept"}, dialect="claude-code"),
    ("imports", "after-mention"): Wrong(
        {"imports": "inline"}, neighbors={"INS-IMPORT-58": "A note also takes the place of the mention."}
    ),
    ("import-place", "after-space"): Wrong({"import-place": "anywhere"}),
    ("import-place", "after-space-or-mark"): Wrong({"import-place": "after-space"}),
    ("import-code", "spans-in-lists"): Wrong({"import-code": "skipped"}),
    ("import-unreadable", "text"): Wrong({"import-unreadable": "ends"}),
    ("import-depth", "4"): Wrong(details={"import_depth": 5}),
    ("import-depth", "5"): Wrong(details={"import_depth": 6}),
    ("import-depth", "8"): Wrong(details={"import_depth": 9}),
    ("import-missing", "text"): Wrong({"import-missing": "comment"}, dialect="qwen-code-observed"),
    ("import-outside", "refused"): Wrong(
        {"import-outside": "loaded"},
        dialect="qwen-code",
        neighbors={"INS-IMPORT-50": "An import of the global file from the home folder is one from outside."},
    ),
    ("import-outside", "asks"): Wrong(
        {"import-outside": "loaded"},
        neighbors={"INS-IMPORT-49": "An import from above the working directory is one from outside."},
    ),
    ("import-boundary", "project"): Wrong(
        {"import-boundary": "working-directory"},
        neighbors={"INS-IMPORT-50": "The folder of the global file is not below the working directory."},
    ),
    ("import-home", "text"): Wrong({"import-home": "loaded"}),
    ("import-repeat", "again"): Wrong({"import-repeat": "once"}, dialect="qwen-code"),
    ("import-cycle", "note"): Wrong({"import-cycle": "silent"}),
    ("import-own-file", "never"): Wrong({"import-own-file": "once-more"}, dialect="qwen-code"),
}


@dataclass(frozen=True)
class Misread(Mutant):
    """A reader with a wrong value on one axis, in a dialect with the right one."""

    axis: str = ""
    value: str = ""

    @property
    def sentence(self) -> str:
        """What the mutant does wrong."""
        return f"Reads instruction files with another value than {self.value} on the axis {self.axis}."


def _dialect_with(axis: str, value: str) -> str:
    """The first dialect with this value, as observed only if no document has the value, unless `WRONG` names one.

    Two tools are the last ones for a value that their documents do not state: examples of such a value can presuppose
    values of other axes that these tools do not have.
    """
    names = (*dialect_names(), *observed_dialect_names())
    wrong = WRONG.get((axis, value), Wrong()).dialect
    having = [name for name in names if dialect(name).value(axis) == value]
    last = [name for name in having if name.startswith(("claude-code", "copilot-cli"))]
    silent = {name for name in last if dialect(name).axes[axis].measured}
    return wrong or min(having, key=silent.__contains__)


def _misreading(axis: str, value: str) -> AbstractContextManager[object]:
    """Patch the reader of every dialect."""
    if (axis, value) == ("order", "as-configured"):  # a reader of configured files has no other order
        return patch.object(reading, "read_workspace", _read_backward)
    if (axis, value) == ("import-cycle", "silent"):  # a reader that loads imports after the text changes no text
        return patch.object(reading, "read_workspace", _read_with_comments)

    def wrong(name: str, *, observed: bool = False) -> Reader:
        known: Dialect = dialect(name)
        values = {each: choice.judged for each, choice in known.axes.items()}
        bug = WRONG.get((axis, value)) or Wrong({axis: wrong_value(axis, value)})
        return dialects.reader_with({**values, **bug.values}, {**known.reader, **bug.details})

    return patch.object(dialects, "reader_of", wrong)


def _read_backward(
    dialect: str, cwd: Path, home: Path, configured: Sequence[str], agreed: bool = False
) -> WorkspaceReading:
    return read_workspace(dialect, cwd, home, configured[::-1], agreed)


def _read_with_comments(
    dialect: str, cwd: Path, home: Path, configured: Sequence[str], agreed: bool = False
) -> WorkspaceReading:
    read = read_workspace(dialect, cwd, home, configured, agreed)
    cycles = [one for one in read.warnings if one.endswith("import-cycle")]
    return WorkspaceReading([*read.files, *(WorkspaceFile(None, f"<!-- {one} -->") for one in cycles)])


def wrong_value(axis: str, value: str) -> str:
    """The value after this one in the list of an axis."""
    values = [*instruction_axes()[axis].values]
    return values[(values.index(value) + 1) % len(values)]


def _enter_all() -> None:
    for axis, of in instruction_axes().items():
        for value, one in of.values.items():
            name = f"{axis}-not-{value}"
            neighbors = WRONG.get((axis, value), Wrong()).neighbors
            bug = partial(_misreading, axis, value)
            of_dialect = _dialect_with(axis, value)
            enter(Misread(name, one.rule, bug, neighbors, dialect=of_dialect, axis=axis, value=value))


_enter_all()
