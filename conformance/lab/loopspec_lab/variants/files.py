"""Variants about the contents of instruction files, and about other files."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec.structs import replace

from loopspec.contract.agents import Config
from loopspec.contract.scene import File, Scene

from .facts import Facts, mapped
from .file_facts import (
    IMPORT,
    ROLES,
    all_files,
    configs,
    configured,
    has_files,
    has_limit,
    imports,
    is_import,
    with_configs,
)
from .restoring_files import WithOtherTexts, without_file
from .texts import with_texts
from .variant import Variant, Varied

_UNRELATED = "/unrelated/{place}.md"
_UNRELATED_TEXT = "Unrelated notes."
_USUAL = ("AGENTS.md", "CLAUDE.md", "README.md", "index.md")
_ABSOLUTE_DETOUR = "//detour/../."
_RELATIVE_DETOUR = "./detour/..//"

_MARK = "\u0301"  # the combining acute accent, which many letters have a composed form with
_BLANKS = " \t\n\n\n \t"
_WORD = re.compile(r"(?<!\S)[a-zA-Z]+(?!\S)")  # of letters alone, so that it is no part of an import
_MARKED = re.compile(rf"(?<=[a-zA-Z]){_MARK}")


# -- the form of contents ----------------------------------------------------------------------------------------------


def with_contents(scene: Scene, change: Callable[[str], str]) -> Scene:
    """The scene with a change to the text of each file, except in a filler of many bytes."""

    def content(file: File) -> File:
        if file.repeat > 1:
            return file
        if file.base64 is not None:
            text = file.base64.decode("utf-8", "surrogateescape")
            return replace(file, base64=change(text).encode("utf-8", "surrogateescape"))
        return replace(file, text=change(file.text)) if file.text is not None else file

    files = {path: content(file) for path, file in scene.files.items()}
    return replace(scene, files=files, changes=mapped(scene.changes, (File,), content))


def _with_marks(scene: Scene) -> Varied:
    """The scene with a combining mark after each word of the files, and with more white space for each space."""
    varied = with_contents(scene, lambda text: _WORD.sub(lambda word: word[0] + _MARK, text).replace(" ", _BLANKS))
    return Varied(varied, (WithOtherTexts(_without_marks),))


def _without_marks(text: str) -> str:
    return _MARKED.sub("", text.replace(_BLANKS, " "))


def _has_words(facts: Facts) -> bool:
    """Whether a file has a word, and there is neither a byte limit nor a letter with such a mark."""
    files = [file for _, file in all_files(facts.scene) if file.repeat == 1]
    texts = [file.content.decode("utf-8", "replace") for file in files]
    marked = any(_MARK in text for text in texts)
    return has_files(facts) and not has_limit(facts.scene) and not marked and any(map(_WORD.search, texts))


# -- unread files ------------------------------------------------------------------------------------------------------


def _with_unread(scene: Scene) -> Varied:
    """The scene with files of usual names in the folder of each file, none of which is configured or imported."""
    named = {path.rpartition("/")[2].lower() for path in configured(scene)}
    for path, file in all_files(scene):
        named |= {part.rpartition("/")[2].lower() for part in (path, *imports(file))}
    folders = {path.rpartition("/")[0] + "/" for path in scene.files if "/" in path}
    paths = [folder + name for folder in sorted(folders) for name in _USUAL if name.lower() not in named]
    unread = {path: File(text="Unread notes.") for path in paths}
    return Varied(replace(scene, files={**scene.files, **unread}))


# -- an unrelated file -------------------------------------------------------------------------------------------------


def _with_unrelated(scene: Scene, *, first: bool) -> Varied:
    unrelated = _UNRELATED.format(place="first" if first else "last")

    def change(config: Config) -> Config:
        files = config.files or ()
        return replace(config, files=(unrelated, *files) if first else (*files, unrelated))

    varied = replace(with_configs(scene, change), files={**scene.files, unrelated: File(text=_UNRELATED_TEXT)})
    return Varied(varied, (without_file(unrelated, _UNRELATED_TEXT),))


def loads_something(facts: Facts) -> bool:
    """Whether there is no byte limit, and each configuration has a file with content from the beginning."""
    scene = facts.scene
    return (
        has_files(facts)
        and not has_limit(scene)
        and all(any(_has_content(scene, path) for path in config.files or ()) for config in configs(scene))
    )


def _has_content(scene: Scene, path: str) -> bool:
    file = scene.files.get(path)
    return file is not None and bool(file.content) and not file.fault and not file.nothing


# -- detours in paths --------------------------------------------------------------------------------------------------


def _with_detours(scene: Scene) -> Varied:
    """The scene with superfluous segments in every configured path, and in every import."""

    def with_paths(config: Config) -> Config:
        return replace(config, files=tuple(map(_with_detour, config.files or ())) or config.files)

    varied = with_configs(with_contents(scene, lambda text: IMPORT.sub(_import_with_detour, text)), with_paths)
    return Varied(varied, (lambda seen: with_texts(seen, _without_detours),))


def _with_detour(path: str) -> str:
    return (_ABSOLUTE_DETOUR if path.startswith("/") else _RELATIVE_DETOUR) + path


def _without_detours(text: str) -> str:
    """The text with the imports of the original files; a path that was not normalized stays as it is."""
    return text.replace(f"@{_ABSOLUTE_DETOUR}", "@").replace(f"@{_RELATIVE_DETOUR}", "@")


def _import_with_detour(found: re.Match[str]) -> str:
    path = found[1]
    return f"@{_with_detour(path)}" if is_import(path) else found[0]


VARIANTS = (
    Variant("files-as-bytes", has_files, lambda scene: Varied(replace(scene, read_as="bytes")), roles=ROLES),
    Variant("files-as-text", has_files, lambda scene: Varied(replace(scene, read_as="text")), roles=ROLES),
    Variant("unrelated-file-first", loads_something, lambda scene: _with_unrelated(scene, first=True), roles=ROLES),
    Variant("unrelated-file-last", loads_something, lambda scene: _with_unrelated(scene, first=False), roles=ROLES),
    Variant(
        "detours-in-paths", lambda facts: has_files(facts) and not has_limit(facts.scene), _with_detours, roles=ROLES
    ),
    Variant(
        "unread-files",
        lambda facts: has_files(facts) and any("/" in path for path in facts.scene.files),
        _with_unread,
        roles=ROLES,
    ),
    Variant("marks-and-blanks", _has_words, _with_marks, roles=ROLES),
)
