"""Variants about the place and the names of instruction files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from loopspec.contract.scene import Scene

from .facts import Facts
from .file_facts import ROLES, all_files, configured, has_files, has_limit, imports, leads_to_root, written_imports
from .names import mirrored
from .restoring_files import WithOtherTexts
from .texts import with_texts
from .variant import Variant, Varied

_ROOT = "/.elsewhere"
_ABOVE = "../elsewhere"
# What precedes the beginning of a path: neither a part of a path or of an address, nor the bracket of a closing tag.
_BEGIN = r"(?<![\w.~\-/<:])"
# The slash at the beginning of an absolute path, also after another root.
_ABSOLUTE = re.compile(rf"{_BEGIN}({re.escape(_ROOT)}(?=/))?(/+)(?=[\w.~])")
_ABSOLUTE_OR_ABOVE = re.compile(rf"{_BEGIN}({re.escape(_ABOVE)}(?=/))?(/+)(?=[\w.~])")
_WRITTEN = re.compile(r"(@?)([a-zA-Z0-9_.~/\-]+)")  # an import, a path, or any other word
_EXTENSIONS = {"md": "txt", "txt": "md"}


def _changed(scene: Scene, change: Callable[[str], str], back: Callable[[str], str]) -> Varied:
    return Varied(with_texts(scene, change), (WithOtherTexts(back),))


def _all_paths(scene: Scene) -> Iterator[str]:
    """The paths of files and of configured files, and the absolute ones of imports."""
    yield from configured(scene)
    yield from (path for path, _ in all_files(scene))
    yield from (imported for _, imported in written_imports(scene) if imported.startswith("/"))


# -- another root ------------------------------------------------------------------------------------------------------


def _moved(text: str) -> str:
    """The text with each absolute path below the other root, and with each path below the other root outside."""
    return _ABSOLUTE.sub(lambda path: path[2] if path[1] else _ROOT + path[2], text)


def _can_be_moved(facts: Facts) -> bool:
    """Whether a file has an absolute path, no path leads to the root, and no counted content has such a path."""
    scene = facts.scene
    if not has_files(facts) or not any(path.startswith("/") for path in scene.files):
        return False
    written = written_imports(scene)
    if has_limit(scene) and any(imported.startswith("/") for _, imported in written):
        return False
    return not any(leads_to_root(path, imported) for path, imported in written)


# -- at the root -------------------------------------------------------------------------------------------------------


def _at_root(scene: Scene) -> Varied:
    """The scene without the folder that contains all files."""
    folder = _folder(scene)
    first = re.compile(rf"{_BEGIN}{re.escape(folder)}(?=/+[\w.~])")

    def back(text: str) -> str:
        return _ABSOLUTE.sub(lambda path: folder + path[0], text)

    return _changed(scene, lambda text: first.sub("", text), back)


def _folder(scene: Scene) -> str:
    """The first folder of all paths; empty if there is no such folder."""
    paths = list(_all_paths(scene))
    folders = {"/" + path.lstrip("/").split("/")[0] for path in paths}
    deep = all(path.startswith("/") and path[1:2] != "/" and path.strip("/").count("/") for path in paths)
    return folders.pop() if deep and len(folders) == 1 else ""


def _has_one_folder(facts: Facts) -> bool:
    """Whether one folder contains all files, and no path leads out of the folder."""
    scene = facts.scene
    folder = has_files(facts) and _folder(scene)
    if not folder or not _can_be_moved(facts):
        return False
    written = written_imports(scene)
    return not any(leads_to_root(path.removeprefix(folder), one.removeprefix(folder)) for path, one in written)


# -- above the working directory ---------------------------------------------------------------------------------------


def _above(text: str) -> str:
    """The text with each absolute path as one above the working directory, and the other way around."""
    return _ABSOLUTE_OR_ABOVE.sub(lambda path: path[2] if path[1] else _ABOVE + path[2], text)


def _can_be_relative(facts: Facts) -> bool:
    """Whether all files have absolute paths, no import is absolute, and no path leads to the root."""
    scene = facts.scene
    return (
        _can_be_moved(facts)
        and all(path.startswith("/") for path in (*scene.files, *configured(scene)))
        and not any(imported.startswith("/") for _, imported in written_imports(scene))
    )


# -- other names -------------------------------------------------------------------------------------------------------


class _OtherNames:
    """Replaces the name of each file and of each folder by its mirror image in the alphabet.

    What follows the first dot of a name is its extension: md and txt replace each other, and other extensions are kept.
    The replacement is its own inverse.
    """

    def __init__(self, scene: Scene) -> None:
        self._extensions = {} if has_limit(scene) else _EXTENSIONS  # the bytes of an import count
        paths = [*configured(scene)]
        for path, file in all_files(scene):
            paths += [path, *imports(file)]
        parts = {part for path in paths for piece in _WRITTEN.findall(path) for part in piece[1].split("/")}
        self._names = parts | {self._other(part) for part in parts}

    def __call__(self, text: str) -> str:
        return _WRITTEN.sub(self._path, text)

    def _path(self, written: re.Match[str]) -> str:
        at, path = written.groups()
        if not at and "/" not in path and "." not in path:  # a word
            return written[0]
        return at + "/".join(self._other(part) if part in self._names else part for part in path.split("/"))

    def _other(self, name: str) -> str:
        stem, dot, extension = name.partition(".")
        return mirrored(stem) + dot + self._extensions.get(extension, extension)


def _with_other_names(scene: Scene) -> Varied:
    change = _OtherNames(scene)
    return _changed(scene, change, change)


VARIANTS = (
    Variant("another-root", _can_be_moved, lambda scene: _changed(scene, _moved, _moved), roles=ROLES),
    Variant("other-names", has_files, _with_other_names, roles=ROLES),
    Variant("at-the-root", _has_one_folder, _at_root, roles=ROLES),
    Variant(
        "above-the-working-directory", _can_be_relative, lambda scene: _changed(scene, _above, _above), roles=ROLES
    ),
)
