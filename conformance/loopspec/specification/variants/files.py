"""Variants about instructions files: their form, their place and their names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from ...contract.agents import Config
from ...contract.capabilities import Role
from ...contract.scene import File, ReadForm, Scene
from .facts import Facts, found, mapped
from .restoring_files import WithOtherTexts, WithoutFile, WithShortImports
from .texts import with_texts
from .variant import Variant, Varied

_ROLES: tuple[Role, ...] = ("loader", "middleware", "agent", "plugins")
_ACTS = ("load", "hook", "run")

_ROOT = "/elsewhere"
# The slash at the beginning of an absolute path, in a path or in a text: not of a closing tag, nor of an address.
_ABSOLUTE = re.compile(rf"(?<![\w.~\-/<:])({_ROOT}(?=/))?(/+)(?=[\w.])")
_IMPORT = re.compile(r"@([a-zA-Z0-9_.~/][a-zA-Z0-9_.~/\-]*)")
_WRITTEN = re.compile(r"(@?)([a-zA-Z0-9_.~/\-]+)")  # an import, a path, or any other word
_EXTENSIONS = (".md", ".txt", ".mdx", ".yaml", ".yml", ".json", ".toml")

_UNRELATED = "/unrelated/notes.md"
_UNRELATED_TEXT = "Unrelated notes."
_ABSOLUTE_DETOUR = "//detour/../."
_RELATIVE_DETOUR = "./detour/..//"

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MIRRORED = str.maketrans(_LETTERS + _LETTERS.upper(), _LETTERS[::-1] + _LETTERS[::-1].upper())


def _has_files(facts: Facts) -> bool:
    """Whether the scene's files are read for instructions."""
    return facts.scene.act in _ACTS and bool(facts.scene.files)


def _configs(scene: Scene) -> Iterator[Config]:
    for config in found((scene.instructions, scene.agent), (Config,)):
        assert isinstance(config, Config)
        yield config


def _configured(scene: Scene) -> Iterator[str]:
    for config in _configs(scene):
        yield from config.files or ()


def _has_limit(scene: Scene) -> bool:
    return any(config.max_bytes for config in _configs(scene))


def _all_files(scene: Scene) -> Iterator[tuple[str, File]]:
    """The files at any time, with their paths."""
    yield from scene.files.items()
    for change in scene.changes:
        if change.path is not None and change.file is not None:
            yield change.path, change.file


def _imports(file: File) -> list[str]:
    """The imports in a file, as written."""
    if file.repeat > 1:  # a filler of many bytes
        return []
    texts = _IMPORT.findall(file.content.decode(errors="replace"))
    return [text for text in texts if "/" in text or text.endswith(_EXTENSIONS)]


# -- the form of contents ----------------------------------------------------------------------------------------------


def _read_as(scene: Scene, form: ReadForm) -> Varied:
    return Varied(replace(scene, read_as=form))


# -- another root ------------------------------------------------------------------------------------------------------


def _moved(text: str) -> str:
    """The text with each absolute path below the other root, and with each path below the other root outside."""
    return _ABSOLUTE.sub(lambda path: path[2] if path[1] else _ROOT + path[2], text)


def _below_another_root(scene: Scene) -> Varied:
    return Varied(with_texts(scene, _moved), (WithOtherTexts(_moved),))


def _can_be_moved(facts: Facts) -> bool:
    """Whether a file has an absolute path, no path leads to the root, and no counted content has such a path."""
    scene = facts.scene
    if not _has_files(facts) or not any(path.startswith("/") for path in scene.files):
        return False
    paths = [(path, imported) for path, file in _all_files(scene) for imported in _imports(file)]
    if _has_limit(scene) and any(imported.startswith("/") for _, imported in paths):
        return False
    return not any(_leads_to_root(path, imported) for path, imported in paths)


def _leads_to_root(path: str, imported: str) -> bool:
    """Whether a path that a file imports is the root, or leads above the root on its way."""
    depth = 0
    whole = imported if imported.startswith("/") else f"{path.rpartition('/')[0]}/{imported}"
    for part in whole.split("/"):
        depth += -1 if part == ".." else 1 if part not in ("", ".") else 0
        if depth < 0:
            return True
    return depth == 0


# -- other names -------------------------------------------------------------------------------------------------------


class _OtherNames:
    """Replaces the name of each file and of each folder by its mirror image in the alphabet.

    What follows the first dot of a name is its extension, and is kept. The replacement is its own inverse.
    """

    def __init__(self, scene: Scene) -> None:
        paths = [*_configured(scene)]
        for path, file in _all_files(scene):
            paths += [path, *_imports(file)]
        parts = {part for path in paths for piece in _WRITTEN.findall(path) for part in piece[1].split("/")}
        self._names = parts | {_mirrored(part) for part in parts}

    def __call__(self, text: str) -> str:
        return _WRITTEN.sub(self._path, text)

    def _path(self, written: re.Match[str]) -> str:
        at, path = written.groups()
        if not at and "/" not in path and "." not in path:  # a word
            return written[0]
        return at + "/".join(_mirrored(part) if part in self._names else part for part in path.split("/"))


def _mirrored(name: str) -> str:
    stem, dot, extension = name.partition(".")
    return stem.translate(_MIRRORED) + dot + extension


def _with_other_names(scene: Scene) -> Varied:
    change = _OtherNames(scene)
    return Varied(with_texts(scene, change), (WithOtherTexts(change),))


# -- an unrelated file -------------------------------------------------------------------------------------------------


def _with_unrelated(scene: Scene, *, first: bool) -> Varied:
    def change(config: Config) -> Config:
        files = config.files or ()
        return replace(config, files=(_UNRELATED, *files) if first else (*files, _UNRELATED))

    varied = replace(scene, files={**scene.files, _UNRELATED: File(text=_UNRELATED_TEXT)})
    varied = replace(
        varied,
        instructions=mapped(varied.instructions, Config, change),
        agent=mapped(varied.agent, Config, change),
    )
    return Varied(varied, (WithoutFile(_UNRELATED, _UNRELATED_TEXT),))


def _loads_something(facts: Facts) -> bool:
    """Whether there is no byte limit, and each configuration has a file with content from the beginning."""
    scene = facts.scene
    return (
        _has_files(facts)
        and not _has_limit(scene)
        and all(any(_has_content(scene, path) for path in config.files or ()) for config in _configs(scene))
    )


def _has_content(scene: Scene, path: str) -> bool:
    file = scene.files.get(path)
    return file is not None and bool(file.content) and not file.fault and not file.nothing


# -- detours in paths --------------------------------------------------------------------------------------------------


def _with_detours(scene: Scene) -> Varied:
    """The scene with superfluous segments in every configured path, and in every import."""

    def configured(config: Config) -> Config:
        return replace(config, files=tuple(map(_with_detour, config.files or ())) or config.files)

    def content(file: File) -> File:
        if file.repeat > 1:
            return file
        changed = _IMPORT.sub(_import_with_detour, file.content.decode("latin-1")).encode("latin-1")
        return replace(file, base64=changed) if file.base64 is not None else replace(file, text=changed.decode())

    varied = replace(
        scene,
        files={path: content(file) for path, file in scene.files.items()},
        changes=mapped(scene.changes, File, content),
        instructions=mapped(scene.instructions, Config, configured),
        agent=mapped(scene.agent, Config, configured),
    )
    return Varied(varied, (WithShortImports((_ABSOLUTE_DETOUR, _RELATIVE_DETOUR)),))


def _with_detour(path: str) -> str:
    return (_ABSOLUTE_DETOUR if path.startswith("/") else _RELATIVE_DETOUR) + path


def _import_with_detour(found: re.Match[str]) -> str:
    path = found[1]
    return f"@{_with_detour(path)}" if "/" in path or path.endswith(_EXTENSIONS) else found[0]


VARIANTS = (
    Variant(
        name="files-as-bytes",
        rule="VARIANT-35",
        roles=_ROLES,
        applies=_has_files,
        vary=lambda scene: _read_as(scene, "bytes"),
    ),
    Variant(
        name="files-as-text",
        rule="VARIANT-36",
        roles=_ROLES,
        applies=_has_files,
        vary=lambda scene: _read_as(scene, "text"),
    ),
    Variant(
        name="another-root",
        rule="VARIANT-37",
        roles=_ROLES,
        applies=_can_be_moved,
        vary=_below_another_root,
    ),
    Variant(
        name="other-names",
        rule="VARIANT-38",
        roles=_ROLES,
        applies=_has_files,
        vary=_with_other_names,
    ),
    Variant(
        name="unrelated-file-first",
        rule="VARIANT-39",
        roles=_ROLES,
        applies=_loads_something,
        vary=lambda scene: _with_unrelated(scene, first=True),
    ),
    Variant(
        name="unrelated-file-last",
        rule="VARIANT-40",
        roles=_ROLES,
        applies=_loads_something,
        vary=lambda scene: _with_unrelated(scene, first=False),
    ),
    Variant(
        name="detours-in-paths",
        rule="VARIANT-44",
        roles=_ROLES,
        applies=lambda facts: _has_files(facts) and not _has_limit(facts.scene),
        vary=_with_detours,
    ),
)
