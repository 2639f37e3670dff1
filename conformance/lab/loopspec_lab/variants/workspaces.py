"""Variants about workspaces: the names and the place of folders, files that no tool reads, and another reading."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from loopspec.contract.roles import Role
from loopspec.contract.scene import Scene
from loopspec.contract.workspaces import NAME, Entry, Workspace, sentinel

from .facts import Facts
from .restoring_files import WithOtherTexts, with_last_load
from .texts import with_texts
from .variant import Variant, Varied

ROLES: tuple[Role, ...] = ("workspace",)

# A folder above the workspace. The name has a space and a letter beyond ASCII, as names of home folders have.
_BASE = "Überall da"
_UNRELATED = ("README.md", "agents.txt", "AGENTS.md.bak", "AGENTS.txt", "main.py")
_BELOW = "below-all"  # a folder in the working directory
_SIBLING = "sibling-all"  # a folder next to each folder down to the working directory

_ORDINARY = re.compile(r"[a-y]+")  # a name of which each letter has a next one
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_NEXT = str.maketrans(_LETTERS[:-1], _LETTERS[1:])
_WRITTEN = re.compile(r"[\w.~\-/{}()]*[/.][\w.~\-/{}()]*")  # a path, or another word with a slash or a dot


def workspace_of(scene: Scene) -> Workspace:
    """The workspace of the scene, which the predicate of each variant here requires."""
    assert scene.workspace is not None, "the role workspace has scenes with a workspace only"
    return scene.workspace


def _is_read(facts: Facts) -> bool:
    return facts.scene.workspace is not None


def _with_workspace(scene: Scene, workspace: Workspace) -> Scene:
    return replace(scene, workspace=workspace)


def _with_paths(workspace: Workspace, change: Callable[[str], str]) -> Workspace:
    """The workspace with a change to each path that is relative to the base folder."""
    configured = workspace.configured
    return replace(
        workspace,
        entries={change(path): entry for path, entry in workspace.entries.items()},
        working_directory=change(workspace.working_directory),
        home=change(workspace.home),
        configured=None if configured is None else tuple(map(change, configured)),
    )


def _parents(path: str) -> Iterator[str]:
    """The folders above a path, the nearest one first."""
    while path := path.rpartition("/")[0]:
        yield path


# -- other names of folders --------------------------------------------------------------------------------------------


def _folders(workspace: Workspace) -> set[str]:
    """The folders of the workspace, by their paths."""
    places = [workspace.working_directory, workspace.home]
    kinds = {path: entry.kind for path, entry in workspace.entries.items()}
    found = {path for path, kind in kinds.items() if kind == "folder"} | set(places)
    return found.union(*(_parents(path) for path in (*kinds, *places)))


class _Renamed:
    """Replaces each letter in the names of folders by the next one, in paths and in all texts.

    The order and the length of the names stay. A name with another character, and the names inside such a folder are
    kept, since tools know such names.
    """

    def __init__(self, workspace: Workspace) -> None:
        folders = [path.split("/") for path in _folders(workspace)]
        kept = {name for path in folders if not all(map(_ORDINARY.fullmatch, path)) for name in _from_special(path)}
        names = {name for path in folders for name in path} - kept
        self._names = {name: name.translate(_NEXT) for name in names}
        self._back = {new: old for old, new in self._names.items()}

    def __bool__(self) -> bool:
        return bool(self._names)

    def path(self, path: str) -> str:
        """A path with the new names."""
        return "/".join(self._names.get(name, name) for name in path.split("/"))

    def text(self, text: str) -> str:
        """A text with the new names in each path."""
        return _WRITTEN.sub(lambda written: self.path(written[0]), text)

    def back(self, text: str) -> str:
        """A text with the former names in each path."""
        return _WRITTEN.sub(lambda w: "/".join(self._back.get(name, name) for name in w[0].split("/")), text)


def _from_special(names: list[str]) -> list[str]:
    """The names of a path from the first one on that is not ordinary."""
    first = next(at for at, name in enumerate(names) if not _ORDINARY.fullmatch(name))
    return names[first:]


def _with_other_folders(scene: Scene) -> Varied:
    """The scene with other names of folders, also in imports and in the targets of links."""
    workspace = workspace_of(scene)
    change = _Renamed(workspace)
    renamed = _with_paths(workspace, change.path)

    def entry(one: Entry) -> Entry:
        changed = replace(one, target=change.path(one.target)) if one.target else one
        return changed if one.repeat > 1 else with_texts(changed, change.text)

    renamed = replace(renamed, entries={path: entry(one) for path, one in renamed.entries.items()})
    return Varied(_with_workspace(scene, renamed), (WithOtherTexts(change.back),))


def _can_be_renamed(facts: Facts) -> bool:
    """Whether a folder has an ordinary name."""
    return _is_read(facts) and bool(_Renamed(workspace_of(facts.scene)))


# -- another base ------------------------------------------------------------------------------------------------------


def _with_another_base(scene: Scene) -> Varied:
    moved = _with_paths(workspace_of(scene), lambda path: f"{_BASE}/{path}" if path else _BASE)
    return Varied(_with_workspace(scene, moved), (WithOtherTexts(lambda text: text.replace(f"{_BASE}/", "")),))


# -- files that no tool reads ------------------------------------------------------------------------------------------


def _with_entries(scene: Scene, paths: Iterator[str]) -> Varied:
    """The scene with a file at each of these paths that is free, and that no file, link or text names."""
    workspace = workspace_of(scene)
    texts = [text for entry in workspace.entries.values() for text in (entry.target, _text(entry))]
    added = {}
    for path in paths:
        name = path.rpartition("/")[2]
        if path not in workspace.entries and (name == NAME or not any(name in text for text in texts)):
            added[path] = Entry(text=f"{sentinel(path)}\n")
    return Varied(_with_workspace(scene, replace(workspace, entries={**workspace.entries, **added})))


def _text(entry: Entry) -> str:
    return "" if entry.repeat > 1 else entry.content.decode(errors="replace")


def _real_folders(workspace: Workspace) -> list[str]:
    """The folders that are neither a repository's own nor below a link."""
    others = {path for path, entry in workspace.entries.items() if entry.kind not in ("folder",)}
    return sorted(path for path in _folders(workspace) if path not in others and others.isdisjoint(_parents(path)))


def _with_unrelated(scene: Scene) -> Varied:
    # in a folder of rules, a tool looks for each name
    folders = [one for one in _real_folders(workspace_of(scene)) if not re.search(r"/\.(claude|continue)/rules", one)]
    return _with_entries(scene, (f"{one}/{name}" for one in folders for name in _UNRELATED))


def _with_files_below(scene: Scene) -> Varied:
    return _with_entries(scene, iter([f"{workspace_of(scene).working_directory}/{_BELOW}/{NAME}"]))


def _with_files_in_siblings(scene: Scene) -> Varied:
    cwd = workspace_of(scene).working_directory
    places = (f"{folder}/{_SIBLING}/{NAME}" for folder in _parents(cwd))
    return _with_entries(scene, (path for path in (*places, f"{_SIBLING}/{NAME}")))


def _has_a_real_working_directory(facts: Facts) -> bool:
    return _is_read(facts) and workspace_of(facts.scene).working_directory in _real_folders(workspace_of(facts.scene))


VARIANTS = (
    Variant("other-folders", _can_be_renamed, _with_other_folders, roles=ROLES),
    Variant("another-base", _is_read, _with_another_base, roles=ROLES),
    Variant("unrelated-workspace-files", _is_read, _with_unrelated, roles=ROLES),
    Variant("files-below", _has_a_real_working_directory, _with_files_below, roles=ROLES, postures={"below": "no"}),
    Variant("files-in-sibling-folders", _has_a_real_working_directory, _with_files_in_siblings, roles=ROLES),
    Variant("read-twice", _is_read, lambda scene: Varied(replace(scene, times=2), (with_last_load,)), roles=ROLES),
)
