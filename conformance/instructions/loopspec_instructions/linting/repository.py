"""The folders of a repository, and the entries with the names of instruction files."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

# Folders that are not searched: the stores of version control, and packages of others.
SKIPPED = frozenset({".git", ".hg", ".svn", ".jj", "node_modules", "__pycache__"})
MOST_LEVELS = 64  # folders below the folder that is linted
GIT = ".git"


class Survey(Struct, frozen=True):
    """What a walk has found. `listed` has the entries with a known name by folder, and `cased` other spellings.

    `unreadable` are the folders that cannot be listed, `deep` the folders that are too deep to be searched.
    """

    root: str
    folders: set[str]
    listed: dict[str, dict[str, str]]
    cased: dict[str, list[str]]
    unreadable: list[str]
    deep: list[str]


def survey(root: str, names: Iterable[str]) -> Survey:
    """Walk through a folder, without following links, and list the entries with these names in any letter case."""
    known = frozenset(names)
    lowered = frozenset(name.lower() for name in known)
    found = Survey(root, set(), {}, {}, [], [])
    waiting = [(root, 0)]
    while waiting:
        folder, level = waiting.pop()
        if level > MOST_LEVELS:
            found.deep.append(folder)
            continue
        prefix = folder if folder.endswith("/") else folder + "/"
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    name = entry.name
                    if name.lower() in lowered:
                        _list(found, folder, entry, name in known)
                    if entry.is_dir(follow_symlinks=False) and name not in SKIPPED:
                        waiting.append((prefix + name, level + 1))
        except OSError:
            found.unreadable.append(folder)
            continue
        found.folders.add(folder)
    return found


def _list(found: Survey, folder: str, entry: os.DirEntry[str], is_known: bool) -> None:
    is_folder = entry.is_dir(follow_symlinks=False)
    if is_known:
        kind = "folder" if is_folder else "file" if entry.is_file(follow_symlinks=False) else "link"
        found.listed.setdefault(folder, {})[entry.name] = kind
    elif not is_folder:
        found.cased.setdefault(folder, []).append(entry.name)


def repository_of(folder: str) -> str:
    """The nearest folder at or above a folder that has an entry named .git; else the folder."""
    for above in (Path(folder), *Path(folder).parents):
        try:
            mode = os.lstat(above / GIT).st_mode
        except OSError:
            continue
        if stat.S_ISDIR(mode) or stat.S_ISREG(mode) or stat.S_ISLNK(mode):
            return str(above)
    return folder
