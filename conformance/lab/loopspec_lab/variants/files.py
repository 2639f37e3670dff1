"""Variants about the contents of instruction files, and about another file."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec.structs import replace

from loopspec.contract.agents import Config
from loopspec.contract.scene import File, Scene

from .facts import Facts, mapped
from .file_facts import ROLES, all_files, configs, has_files, has_limit, with_configs
from .restoring_files import WithOtherTexts, without_file
from .variant import Variant, Varied

_UNRELATED = "/unrelated/first.md"
_UNRELATED_TEXT = "Unrelated notes."

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


# -- an unrelated file -------------------------------------------------------------------------------------------------


def _with_unrelated(scene: Scene) -> Varied:
    def change(config: Config) -> Config:
        return replace(config, files=(_UNRELATED, *(config.files or ())))

    varied = replace(with_configs(scene, change), files={**scene.files, _UNRELATED: File(text=_UNRELATED_TEXT)})
    return Varied(varied, (without_file(_UNRELATED, _UNRELATED_TEXT),))


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


VARIANTS = (
    Variant("files-as-bytes", has_files, lambda scene: Varied(replace(scene, read_as="bytes")), roles=ROLES),
    Variant("files-as-text", has_files, lambda scene: Varied(replace(scene, read_as="text")), roles=ROLES),
    Variant("unrelated-file-first", loads_something, _with_unrelated, roles=ROLES),
    Variant("marks-and-blanks", _has_words, _with_marks, roles=ROLES),
)
