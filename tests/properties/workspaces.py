"""Generated trees and dialects, and a second, simple reader of discovery and budget to compare with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from loopspec_instructions.reader import Dialect
from loopspec_instructions.reader.memory import Link, Node, Special

from ..instructions.reader.dialects import PLAIN, changed

FOLDERS = ("", "/w", "/w/v", "/w/v/Q", "/w/v/Q/r", "/h")
NAMES = ("A.md", "O.md", "n/A.md")
GROUPS = st.sampled_from([(("A.md",),), (("O.md", "A.md"),), (("n/A.md",), ("O.md", "A.md")), (("A.md",), ("O.md",))])
TEXTS = st.sampled_from(["", " \n", "a", "é", "€uro ", " bc", "d" * 9])


@dataclass(frozen=True)
class Tree:
    """Files below a base folder, folders with a `.git`, a working directory and a dialect."""

    files: Mapping[str, str]
    roots: frozenset[str]
    cwd: str
    dialect: Dialect

    def nodes(self, base: str) -> dict[str, Node]:
        """The files for the reader, below a base."""
        folders: dict[str, Node] = {base + folder: Special.FOLDER for folder in FOLDERS if base + folder}
        marks: dict[str, Node] = {f"{base}{folder}/.git": Special.FOLDER for folder in self.roots}
        return {**folders, **marks, **{base + path: text for path, text in self.files.items()}}


def expected(tree: Tree, base: str) -> list[tuple[str, str]]:
    """The path and the text of each file, computed from the list of all files."""
    chosen = [(path, text) for path in _ordered(tree) for text in [tree.files[path]]]
    return [(base + path, text) for path, text in _within_budget(tree.dialect, chosen)]


def _folders(tree: Tree) -> list[str]:
    """The folders of the search, the deepest first."""
    dialect = tree.dialect
    above = [folder for folder in FOLDERS if tree.cwd == folder or tree.cwd.startswith(folder + "/")]
    roots = [folder for folder in above if folder in tree.roots and dialect.root == "git-entry"]
    lowest = 0
    if dialect.walk != "file-system-root":
        if roots:
            lowest = above.index(roots[-1]) - (dialect.walk == "above-root")
        elif dialect.no_root == "working-directory":
            lowest = len(above) - 1
    return above[max(lowest, 0) :][::-1]


def _counts(tree: Tree, path: str) -> bool:
    """Whether a file is there, and is not passed over for being empty."""
    return path in tree.files and (tree.dialect.empty_file == "hides" or bool(tree.files[path].strip()))


def _ordered(tree: Tree) -> list[str]:
    """The paths of the chosen files, in order."""
    dialect, folders = tree.dialect, _folders(tree)
    chosen: list[tuple[int, int, int, str]] = []  # depth, group, name
    for number, group in enumerate(dialect.file_names):
        in_use = list(group)
        if dialect.selection == "one-name-per-project":
            used = [name for name in group if any(_counts(tree, f"{folder}/{name}") for folder in folders)]
            in_use = used[:1]
        for folder in folders:
            there = [name for name in in_use if f"{folder}/{name}" in tree.files]
            if dialect.empty_file == "next-name":
                there = [name for name in there if tree.files[f"{folder}/{name}"].strip()]
            if dialect.selection == "first-in-folder":
                there = there[:1]
            chosen += [(folder.count("/"), number, group.index(name), f"{folder}/{name}") for name in there]
    sign = -1 if dialect.order == "from-working-directory" else 1
    if dialect.order == "by-path":
        return sorted(path for *_, path in chosen)
    if dialect.grouping == "by-name":
        return [path for *_, path in sorted(chosen, key=lambda each: (each[1], sign * each[0], each[2]))]
    return [path for *_, path in sorted(chosen, key=lambda each: (sign * each[0], each[1], each[2]))]


def _within_budget(dialect: Dialect, chosen: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The texts that are left: each byte of the files has a place in one long line, which is cut once."""
    with_text = [(path, text) for path, text in chosen if text.strip()]
    if not dialect.budget:
        return with_text
    reverse = (dialect.budget_order == "leaf-first") != (dialect.order == "from-working-directory")
    left: dict[str, str] = {}
    position = 0
    for path, text in reversed(with_text) if reverse else with_text:
        data = text.encode()
        kept = data[: max(dialect.budget - position, 0)]
        shown = kept.decode(errors="replace" if dialect.budget_character == "replaced" else "ignore")
        if shown.strip():
            position += len(kept)
            left[path] = shown
    return [(path, left[path]) for path, _ in with_text if left.get(path, "").strip()]


def _dialect(values: Mapping[str, Any]) -> Dialect:
    if values["selection"] == "one-name-per-project":
        values = {**values, "grouping": "by-name"}
    return changed(PLAIN, values)


DIALECTS = st.fixed_dictionaries(
    {
        "file_names": GROUPS,
        "order": st.sampled_from(["from-root", "from-working-directory", "by-path"]),
        "walk": st.sampled_from(["project-root", "above-root", "file-system-root"]),
        "root": st.sampled_from(["git-entry", "nothing"]),
        "no_root": st.sampled_from(["working-directory", "every-folder-above"]),
        "selection": st.sampled_from(["first-in-folder", "one-name-per-project", "every-name"]),
        "grouping": st.sampled_from(["by-folder", "by-name"]),
        "empty_file": st.sampled_from(["hides", "next-name"]),
        "budget": st.sampled_from([0, 1, 2, 3, 5, 10, 20, 40]),
        "budget_order": st.sampled_from(["root-first", "leaf-first"]),
        "budget_cut": st.just("cut"),
        "budget_counts": st.just("contents"),
        "budget_character": st.sampled_from(["replaced", "dropped"]),
    }
).map(_dialect)
_PATHS = st.builds(lambda folder, name: f"{folder}/{name}", st.sampled_from(FOLDERS[1:]), st.sampled_from(NAMES))
TREES = st.builds(
    Tree,
    st.dictionaries(_PATHS, TEXTS, max_size=9),
    st.frozensets(st.sampled_from(FOLDERS[1:]), max_size=2),
    st.sampled_from(FOLDERS[1:]),
    DIALECTS,
)

# For a comparison of two disks, nodes of every kind, in every place.
_TARGETS = st.sampled_from(["A.md", "../A.md", "../O.md", "../../w", "/gone", "O.md/x", "n", "A.md/../O.md", ".."])
_CONTENT: st.SearchStrategy[Node] = st.sampled_from(
    [b"", b"x", b"\xff\xfe", b"x" * 30, "@../A.md @O.md `@A.md` é".encode(), b"@n/A.md\r\n\t@gone @a\0b"]
)
NODES: st.SearchStrategy[Node] = st.one_of(
    _CONTENT, _CONTENT, st.builds(Link, _TARGETS), st.sampled_from([Special.FOLDER, Special.PIPE])
)
_PLACES = st.one_of(_PATHS, st.builds(lambda folder: f"{folder}/.git", st.sampled_from(FOLDERS[1:])))


def _tree_of(nodes: dict[str, Node]) -> dict[str, Node]:
    """The nodes of which none is below a file."""
    files = [path for path, node in nodes.items() if node is not Special.FOLDER]
    return {path: node for path, node in nodes.items() if not any(path.startswith(file + "/") for file in files)}


WILD_TREES = st.dictionaries(_PLACES, NODES, max_size=10).map(_tree_of)
_VALUES: dict[str, list[Any]] = {
    "not_a_file": ["next-name", "hides", "ends"],
    "link_loop": ["skipped", "next-name", "drops-project", "drops-name", "ends"],
    "through_file": ["next-name", "drops-project", "drops-name", "ends"],
    "worktree": ["no", "hides"],
    "at_home": ["as-elsewhere", "home-alone"],
    "working_directory": ["as-written", "real-path"],
    "links": ["each-path", "real-path", "same-file"],
    "outside_links": ["followed", "skipped", "ends"],
    "root": ["git-entry", "git-folder-or-file", "git-repository", "nothing"],
    "bad_bytes": ["replaced", "skipped", "ends"],
    "below": ["no", "yes"],
    "imports": ["none", "inline", "after"],
    "import_depth": [2, 5],
    "import_place": ["anywhere", "after-space"],
    "import_paths": ["letter-dot-or-slash", "slash-or-extension"],
    "import_code": ["skipped", "between-backticks", "expanded"],
    "import_missing": ["text", "comment"],
    "import_unreadable": ["text", "comment", "ends"],
    "import_outside": ["refused", "loaded"],
    "import_links": ["as-written", "real-path"],
    "import_repeat": ["again", "once"],
    "import_cycle": ["comment", "silent"],
    "import_own_file": ["never", "once-more"],
}
WILD_DIALECTS = st.builds(
    lambda dialect, values: changed(dialect, values),
    DIALECTS,
    st.fixed_dictionaries({axis: st.sampled_from(values) for axis, values in _VALUES.items()}),
)
