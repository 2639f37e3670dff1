"""Dialects of no tool, for tests of single axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from loopspec_instructions.reader import Dialect, MemoryFiles, Reading, read_instructions
from loopspec_instructions.reader.dialect import Markers
from loopspec_instructions.reader.memory import Node, Special
from loopspec_instructions.reader.reading import Note

Files = dict[str, Node]

# The axes have the value "none" where there is one; each other axis has the value with the least effect.
_NONE: dict[str, Any] = dict.fromkeys(  # Any: the values of the axes have types of their own
    """
configured_dots global_place global_again global_empty local_file budget_order budget_cut budget_counts
budget_character global_budget imports import_place import_paths import_code import_indented import_comment
import_html import_fragment import_base import_boundary import_global import_missing import_unreadable
import_outside import_links import_home import_repeat import_cycle import_own_file
""".split(),
    "none",
)
PLAIN = Dialect(
    **_NONE,
    file_names=(("A.md",),),
    order="from-root",
    working_directory="as-written",
    walk="project-root",
    root="git-entry",
    no_root="working-directory",
    at_home="as-elsewhere",
    worktree="no",
    below="no",
    selection="first-in-folder",
    grouping="by-folder",
    empty_file="hides",
    blank_file="skipped",
    not_a_file="next-name",
    unreadable="skipped",
    link_loop="skipped",
    through_file="next-name",
    links="each-path",
    outside_links="followed",
    bad_bytes="replaced",
    byte_order_mark="kept",
    line_endings="kept",
    surrounding_space="kept",
    comments="kept",
    front_matter="kept",
)

# Markers without words.
BARE = Markers(before="[", after="]", failed="!{path}!", repeated="={path}=")

# Imports take the place of their mentions, in code and comments too.
INLINE = replace(
    PLAIN,
    imports="inline",
    import_depth=5,
    import_place="anywhere",
    import_paths="letter-dot-or-slash",
    import_code="expanded",
    import_indented="expanded",
    import_comment="expanded",
    import_html="expanded",
    import_fragment="kept",
    import_base="link",
    import_boundary="project",
    import_global="no",
    import_missing="text",
    import_unreadable="comment",
    import_outside="loaded",
    import_links="as-written",
    import_home="text",
    import_repeat="again",
    import_cycle="comment",
    import_own_file="never",
)

# Configured files, and a section for each import: what the AgentsMD middleware does.
AFTER = replace(
    INLINE,
    order="as-configured",
    walk="configured",
    root="nothing",
    no_root="configured",
    through_file="ends",
    configured_dots="resolved",
    blank_file="blank-loaded",
    not_a_file="ends",
    unreadable="ends",
    link_loop="ends",
    imports="after",
    import_paths="slash-or-extension",
    import_missing="warning",
    import_unreadable="ends",
    import_home="relative",
    import_repeat="once",
    import_cycle="warning",
    budget_order="root-first",
    budget_cut="whole-files",
    budget_counts="contents",
)


def changed(dialect: Dialect, values: Mapping[str, Any]) -> Dialect:
    """The dialect with other values on some axes."""
    return replace(dialect, **values)


def read(
    nodes: Mapping[str, Node],
    dialect: Dialect,
    cwd: str = "/p/a/b",
    configured: Sequence[str] = (),
    **values: Any,
) -> Reading:
    """What a dialect reads from files in memory. The working directory exists, and "/p" is a project."""
    files = MemoryFiles({"/p/.git": Special.FOLDER, cwd: Special.FOLDER, **nodes})
    return read_instructions(files, cwd, "/home", changed(dialect, values), configured)


def loaded(reading: Reading) -> list[tuple[str, str]]:
    """The path and the text of each file with a text of its own."""
    return [(file.path, file.text) for file in reading.sections]


def noted(reading: Reading) -> list[tuple[str, str]]:
    """The reason and the path of each note."""
    return [(note.reason, note.path) for note in reading.notes]


def first_note(reading: Reading) -> Note:
    """The only note."""
    [note] = reading.notes
    return note


def paths(nodes: Files, **values: Any) -> list[str]:
    """The paths of the loaded files, from the working directory /p/a/b."""
    return [path for path, _ in loaded(read(nodes, PLAIN, **values))]


def text(content: str, nodes: Files | None = None, **values: Any) -> str:
    """The text of the file /p/A.md with imports inline, between brackets."""
    files: Files = {"/p/A.md": content, "/p/b.md": "B", "/p/x/c.md": "C", "/home/h.md": "H", "/o.md": "O"}
    [(_, found)] = loaded(read({**files, **(nodes or {})}, INLINE, cwd="/p", markers=BARE, **values))
    return found
