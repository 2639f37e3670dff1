"""Projects and the folders that are searched."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from loopspec_reference.agentsmd.paths import clean_path

from .dialect import Dialect
from .files import Entry, Files

_HEAD = re.compile(rb"ref: *refs/|[0-9a-f]{40}(?:\s|$)")
_GIT_FOLDER = b"gitdir: "
_MOST = 1 << 16  # bytes of a HEAD or a .git file


def join(folder: str, name: str) -> str:
    """Return the path of a name in a folder."""
    return f"{'' if folder == '/' else folder}/{name}"


def parent(path: str) -> str:
    """Return the folder of a path; the root folder is its own parent."""
    return path.rpartition("/")[0] or "/"


def without_links(files: Files, path: str) -> str:
    """Return a path without links, or the path itself if its links lead nowhere."""
    try:
        return files.real_path(path)
    except OSError:
        return path


@lru_cache(maxsize=64)  # several dialects look at the same folders in turn
def folders_above(path: str) -> tuple[str, ...]:
    """Return a folder and every folder above it, the root folder last."""
    folders = [path]
    while path != "/":
        path = parent(path)
        folders.append(path)
    return tuple(folders)


@lru_cache(maxsize=64)
def _git_entries(path: str) -> tuple[tuple[str, str], ...]:
    """Return a folder and every folder above it, each with the path of its `.git`."""
    return tuple((folder, join(folder, ".git")) for folder in folders_above(path))


def is_inside(path: str, folder: str) -> bool:
    """Return whether a path is the folder or is below it."""
    return folder == "/" or path == folder or path.startswith(folder + "/")


def find_root(files: Files, dialect: Dialect, folder: str) -> str | None:
    """Return the nearest folder at or above a folder that is the root of a project."""
    if dialect.root == "nothing":
        return None
    for above, entry in _git_entries(folder):
        if dialect.root == "git-entry":
            if files.kind(entry) in ("file", "folder", "other"):
                return above
        elif dialect.root == "git-folder-or-file":
            if files.kind(entry) in ("file", "folder") and not _is_link(files, above, ".git"):
                return above
        elif _is_repository(files, entry):
            return above
        elif dialect.root == "git-folder-or-named" and files.kind(entry) == "file":
            return above if _start(files, entry).removeprefix(b"gitdir:").strip() else None
    return None


def _is_link(files: Files, folder: str, name: str) -> bool:
    try:
        return files.real_path(join(folder, name)) != join(files.real_path(folder), name)
    except OSError:
        return True


def _is_repository(files: Files, entry: str) -> bool:
    """Return whether git accepts a `.git`: a folder with HEAD, objects and refs, or a file that names such a folder."""
    kind = files.kind(entry)
    folder = entry if kind == "folder" else _named_folder(files, entry, _GIT_FOLDER) if kind == "file" else ""
    if not folder or not _HEAD.match(_start(files, join(folder, "HEAD"))):
        return False
    common = _named_folder(files, join(folder, "commondir")) or folder
    return all(files.kind(join(common, name)) == "folder" for name in ("objects", "refs"))


def _named_folder(files: Files, file: str, mark: bytes = b"") -> str:
    """Return the folder that a file of git names after a mark, or nothing."""
    line = _start(files, file)
    target = line[len(mark) :].strip().decode(errors="surrogateescape") if line.startswith(mark) else ""
    return target and (target if target[0] == "/" else clean_path(join(parent(file), target)))


def _start(files: Files, path: str) -> bytes:
    if files.kind(path) != "file":  # most repositories have no such file
        return b""
    try:
        return files.read(path, _MOST).data
    except OSError:
        return b""


def linked_worktree(files: Files, cwd: str) -> tuple[str, str] | None:
    """Return the root of a linked worktree and the root of its repository, if the worktree is below the repository."""
    roots = main_worktree(files, cwd)
    return roots if roots and is_inside(*roots) else None


def main_worktree(files: Files, cwd: str) -> tuple[str, str] | None:
    """Return the root of a linked worktree and the root of its repository."""
    for _, entry in _git_entries(cwd):
        named = _named_folder(files, entry, _GIT_FOLDER) if files.kind(entry) == "file" else ""
        if named or files.kind(entry) == "folder":
            break
    else:
        return None
    common = _named_folder(files, join(named, "commondir")) if named else ""
    if not common or files.kind(join(named, "HEAD")) == "missing":
        return None
    try:
        root, common = files.real_path(parent(entry)), files.real_path(common)
        repository = parent(common)
        is_its_own = files.real_path(join(repository, ".git")) == common
    except OSError:
        return None
    return (root, repository) if is_its_own and root != repository else None


def search_folders(files: Files, dialect: Dialect, cwd: str, home: str, root: str | None) -> list[str]:
    """Return the folders of the search, from the root down, and then those below the working directory."""
    folders = _folders_down_to(dialect, cwd, home, root)
    if dialect.global_again == "ends-search":
        ends = {parent(join(home, name)) for group in dialect.global_files for name in group}
        last = max((number for number, folder in enumerate(folders) if folder in ends), default=-1)
        folders = folders[last + 1 :]  # those that follow the folder of a global file
    return folders + _folders_below(files, cwd) if dialect.below == "yes" else folders


def _folders_down_to(dialect: Dialect, cwd: str, home: str, root: str | None) -> list[str]:
    """Return the folders of the search at and above the working directory, from the root down."""
    above = folders_above(cwd)
    if dialect.walk == "working-directory" or (dialect.at_home == "home-alone" and cwd == home):
        return [cwd]
    if dialect.walk == "file-system-root":
        return [*above[-2::-1]] or [*above]  # the root folder of the disk itself is not searched
    if root is None and dialect.no_root in ("every-folder-above", "names-above"):
        return [*above[::-1]]
    stop = {"working-directory": cwd, "up-to-home": home}.get(dialect.no_root, parent(home))
    if root is not None:
        stop = parent(root) if dialect.walk == "above-root" else root
    found = above[: above.index(stop) + 1] if stop in above else above
    if dialect.walk == "above-root" and len(found) > 1 and found[-1] == "/":
        found = found[:-1]  # the root folder of the disk is never searched as the folder above a project
    return [*found[::-1]]


def folders_with_names(files: Files, dialect: Dialect, folders: list[str]) -> list[str]:
    """Return the folders that have an entry with a file name of the dialect: few of the folders of a search."""
    names = [*chain.from_iterable(dialect.file_names), *dialect.rules_folders]
    looks = [(each, join(each, "")) for each in folders]
    # A generator for each folder takes twice the time, and lint asks this for each tool and working directory.
    having = [each for each, prefix in looks for name in names if files.kind(prefix + name) != "missing"]
    return [*dict.fromkeys(having)]


def _folders_below(files: Files, folder: str) -> list[str]:
    """Return every folder below a folder, each before its own folders, without following links."""
    found: list[str] = []
    waiting = [folder]
    while waiting:
        at = waiting.pop()
        below = [each.name for each in entries_in(files, at) if each.is_folder and each.name != ".git"]
        waiting += [join(at, name) for name in reversed(below)]
        found.append(at)
    return found[1:]


def entries_in(files: Files, folder: str) -> Sequence[Entry]:
    """Return the entries of a folder; none of one that cannot be listed."""
    try:
        return files.entries(folder)
    except OSError:
        return ()
