"""The folders of a repository, and the entries with the names of instruction files."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from msgspec import Struct

from ..reader.files import Kind
from .rules import known_tools
from .version_control import IGNORE, Ignored, Index

# Folders that are not searched: the stores of version control, and packages of others.
SKIPPED = frozenset({".git", ".hg", ".svn", ".jj", "node_modules", "__pycache__"})
MOST_LEVELS = 64  # folders below the folder that is linted
GIT = ".git"
# Files that say which commands there are.
MANIFESTS = frozenset({"package.json", "Makefile", "makefile", "GNUmakefile"})
BY_GIT, BY_NAME, BY_CONFIGURATION = "ignored by Git", "templates", "excluded"


class Choice:
    """Which entries of a repository are linted: all but those that are left out or excluded, or only the named ones."""

    def __init__(self, root: str, repository: str, exclude: Sequence[str] = (), include: Sequence[str] = ()) -> None:
        self._root = root
        self._exclude = [pattern.rstrip("/") for pattern in exclude]
        self._include = [pattern.rstrip("/") for pattern in include]
        self._repository = repository
        self.index = Index(repository)
        self._ignored: dict[str, list[tuple[str, Ignored]]] = {}
        above = [each for each in reversed(Path(root).parents) if each.is_relative_to(repository)]
        start = [(repository, Ignored(Path(repository, GIT, "info", "exclude")))]
        start += [(str(each), Ignored(each / IGNORE)) for each in above]
        self._start = [pair for pair in start if pair[1].patterns]

    def enter(self, folder: str, *, has_patterns: bool) -> None:
        """Read the patterns of a folder, after those of the folder above."""
        known = self._ignored.get(folder.rpartition("/")[0], self._start)
        self._ignored[folder] = [*known, (folder, Ignored(Path(folder, IGNORE)))] if has_patterns else known

    def reason(self, path: str, *, is_folder: bool) -> str:
        """Why an entry is not linted; empty for one that is."""
        short = path[len(self._root.rstrip("/")) + 1 :]
        if self._exclude and any(fnmatchcase(short, pattern) for pattern in self._exclude):
            return BY_CONFIGURATION
        found = BY_GIT if self._is_ignored(path, is_folder=is_folder) else ""
        if is_folder and not found:
            name = path.rpartition("/")[2]
            found = BY_NAME if name.startswith("{{") else known_tools().left_out.get(name, "")
        if found and any(fnmatchcase(short, each) or each.startswith(short + "/") for each in self._include):
            return ""
        return found

    def _is_ignored(self, path: str, *, is_folder: bool) -> bool:
        for folder, patterns in self._ignored.get(path.rpartition("/")[0], ())[::-1]:
            decided = patterns.decides(path[len(folder.rstrip("/")) + 1 :], is_folder=is_folder)
            if decided is not None:
                return decided and not self.is_tracked(path)
        return False

    def is_tracked(self, path: str) -> bool:
        """Whether Git tracks a file, or a file below a folder."""
        return self.index.holds(path[len(self._repository.rstrip("/")) + 1 :])


class Survey(Struct, frozen=True):
    """What a walk has found. `listed` has the entries with a known name by folder, and `cased` other spellings.

    `unreadable` are the folders that cannot be listed, `deep` the folders that are too deep to be searched. `left_out`
    has what is not linted, with the reason, `unchecked` the files by what no rule is about, and `manifests` those that
    say which commands there are.
    """

    root: str
    folders: set[str] = set()
    listed: dict[str, dict[str, Kind | None]] = {}  # None: a link, a pipe or a device
    cased: dict[str, list[str]] = {}
    unreadable: list[str] = []
    deep: list[str] = []
    left_out: dict[str, str] = {}
    unchecked: dict[str, list[str]] = {}
    manifests: list[str] = []


def survey(root: str, names: Iterable[str], choice: Choice) -> Survey:
    """Walk through a folder, without following links, and list the entries with these names in any letter case."""
    known = frozenset(names)
    lowered = frozenset(name.lower() for name in known)
    found = Survey(root)
    labels = known_tools().unchecked
    wanted = lowered | {name.rpartition("/")[2].lower() for name in (IGNORE, *MANIFESTS, *labels)}
    waiting = [(root, 0)]
    while waiting:
        folder, level = waiting.pop()
        prefix = folder if folder.endswith("/") else folder + "/"
        listed = _entries(found, folder, level, wanted)
        choice.enter(folder, has_patterns=any(entry.name == IGNORE for entry in listed))
        for entry in listed:
            name, is_folder = entry.name, entry.is_dir(follow_symlinks=False)
            if name != GIT and (reason := choice.reason(prefix + name, is_folder=is_folder)):
                found.left_out[prefix + name] = reason
                if reason == BY_GIT or is_folder:
                    continue
            if name in known:
                kind: Kind | None = "folder" if is_folder else "file" if entry.is_file(follow_symlinks=False) else None
                found.listed.setdefault(folder, {})[name] = kind
            elif name.lower() in lowered and not is_folder:
                found.cased.setdefault(folder, []).append(name)
            if is_folder and name not in SKIPPED:
                waiting.append((prefix + name, level + 1))
            elif name in MANIFESTS:
                found.manifests.append(prefix + name)
            elif label := labels.get(name) or labels.get(f"{folder.rpartition('/')[2]}/{name}"):
                found.unchecked.setdefault(label, []).append(prefix + name)
    return found


def _entries(found: Survey, folder: str, level: int, wanted: frozenset[str]) -> list[os.DirEntry[str]]:
    """The folders in a folder, and the entries with one of the names; none of one that is too deep or unreadable."""
    if level > MOST_LEVELS:
        found.deep.append(folder)
        return []
    label = known_tools().unchecked.get("/".join(folder.rsplit("/", 2)[-2:]))
    try:
        with os.scandir(folder) as entries:
            listed = [
                each for each in entries if label or each.is_dir(follow_symlinks=False) or each.name.lower() in wanted
            ]
    except OSError:
        found.unreadable.append(folder)
        return []
    found.folders.add(folder)
    if label:
        found.unchecked.setdefault(label, []).extend(each.path for each in listed if not Path(each).is_dir())
    return listed


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
