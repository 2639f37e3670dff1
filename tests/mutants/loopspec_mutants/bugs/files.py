"""Realistic bugs about instructions files."""

from __future__ import annotations

import posixpath
import unicodedata
from collections.abc import Sequence
from contextlib import AbstractContextManager
from unittest.mock import patch

from loopspec_reference.agentsmd import AgentsMD, Section, handler, loader, rendering
from loopspec_reference.agentsmd.config import LoadWarning, Reason
from loopspec_reference.values.messages import AnyMessage

from ..agentsmd.patching import reading
from ..registry import bug

Loading = loader._Loading


def _rendering(change: object) -> AbstractContextManager[object]:
    """Patch how the loaded files become a text."""
    return patch.object(handler, "render", change)


@bug("AMD-FORMAT-06")
def wraps_the_instructions_twice() -> AbstractContextManager[object]:
    """Wraps the instructions in their tags a second time."""

    def twice(sections: Sequence[Section]) -> str:
        text = rendering.render(sections)
        return text and f"<system-reminder>\n{text}\n</system-reminder>"

    return _rendering(twice)


@bug("AMD-FORMAT-06")
def wraps_each_file() -> AbstractContextManager[object]:
    """Writes the opening and the closing tag, the header and the footer around each file."""

    def each(sections: Sequence[Section]) -> str:
        return "\n".join(rendering.render([section]) for section in sections)

    return _rendering(each)


@bug("AMD-FORMAT-03")
def writes_each_heading_twice() -> AbstractContextManager[object]:
    """Writes the heading of each file a second time, after the content."""

    def twice(sections: Sequence[Section]) -> str:
        text = rendering.render(sections)
        for section in sections:
            heading = rendering._WORDINGS["en"].heading.replace("{path}", section.path)
            text = text.replace(f"{section.text}\n", f"{section.text}\n{heading}\n", 1)
        return text

    return _rendering(twice)


@bug("AMD-IMPORT-24")
def expands_no_imports_above_the_working_directory() -> AbstractContextManager[object]:
    """Expands no imports in a configured file above the working directory."""

    def change(loading: Loading, path: str, importers: Sequence[str], text: str) -> str:
        outside = path.startswith("../") or not importers and path.count("/") == 1 and path[0] == "/"
        return text.replace("@", "＠") if outside else text

    return reading(change)


@bug("AMD-IMPORT-24")
def expands_no_imports_in_hidden_folders() -> AbstractContextManager[object]:
    """Expands no imports in a file below a folder whose name begins with a dot."""

    def change(loading: Loading, path: str, importers: Sequence[str], text: str) -> str:
        hidden = any(part.startswith(".") and part.strip(".") for part in posixpath.dirname(path).split("/"))
        return text.replace("@", "＠") if hidden else text

    return reading(change)


@bug("AMD-IMPORT-24")
def expands_imports_in_markdown_only_below_the_first_level() -> AbstractContextManager[object]:
    """Expands the imports of an imported file only if it is a Markdown file."""

    def change(loading: Loading, path: str, importers: Sequence[str], text: str) -> str:
        return text.replace("@", "＠") if importers and not path.endswith(".md") else text

    return reading(change)


class _Chain(tuple[str, ...]):
    """The ancestors of a file, looked up in one joined text."""

    def __contains__(self, path: object) -> bool:
        return str(path).lstrip("/") in "|".join(self)


@bug("AMD-DEDUP-07")
def finds_cycles_in_a_joined_text() -> AbstractContextManager[object]:
    """Looks up the importers of a file in one joined text: a name that ends the name of an importer is a cycle."""
    add, warn = Loading.add, Loading.warn

    async def adds(self: Loading, path: str, ancestors: Sequence[str], sections: list[Section]) -> None:
        chains.append((*ancestors, path))
        try:
            await add(self, path, ancestors, sections)
            for imported in loader.resolve_all(loader.mentions(_text_of(sections, path)), path):
                chain = (*ancestors, path)
                if imported in self.seen and imported not in chain and _name(imported) in "|".join(chain):
                    warn(self, imported, Reason.CYCLE)
        finally:
            chains.pop()

    chains: list[Sequence[str]] = []
    return patch.object(Loading, "add", adds)


def _name(path: str) -> str:
    return posixpath.basename(path)


def _text_of(sections: Sequence[Section], path: str) -> str:
    return next((one.text for one in sections if one.path == path), "")


@bug("AMD-DEDUP-09")
def takes_a_longer_name_for_a_loaded_file() -> AbstractContextManager[object]:
    """Takes an import for a loaded file if a loaded path begins with the import's path."""

    class Seen(set[str]):
        def __contains__(self, path: object) -> bool:
            return any(one.startswith(str(path)) for one in self)

    init = Loading.__init__

    def begins(self: Loading, *given: object) -> None:
        init(self, *given)  # type: ignore[arg-type]  # passed on
        self.seen = Seen()

    return patch.object(Loading, "__init__", begins)


@bug("AMD-DEDUP-09")
def takes_equal_contents_for_one_file() -> AbstractContextManager[object]:
    """Loads one of several files with the same content."""
    load = handler.load

    async def once(*given: object) -> list[Section]:
        return list({one.text: one for one in reversed(await load(*given))}.values())[::-1]  # type: ignore[arg-type]

    return patch.object(handler, "load", once)


@bug("AMD-FORMAT-05")
def composes_characters() -> AbstractContextManager[object]:
    """Converts the content of each file to Unicode's composed form."""
    return reading(lambda loading, path, importers, text: unicodedata.normalize("NFC", text))


@bug("AMD-FORMAT-05")
def expands_tabs() -> AbstractContextManager[object]:
    """Replaces each tab that follows a character by spaces."""
    return reading(lambda loading, path, importers, text: "\n".join(_expanded(line) for line in text.split("\n")))


def _expanded(line: str) -> str:
    start = line[: len(line) - len(line.lstrip("\t "))]
    return start + line[len(start) :].rstrip("\t").replace("\t", "    ") + line[len(line.rstrip("\t")) :]


@bug("AMD-FORMAT-05")
def squeezes_blank_lines() -> AbstractContextManager[object]:
    """Replaces three line breaks in a row by two."""

    def change(loading: Loading, path: str, importers: Sequence[str], text: str) -> str:
        while "\n\n\n" in text:
            text = text.replace("\n\n\n", "\n\n")
        return text

    return reading(change)


@bug("AMD-IMPORT-12")
def composes_paths() -> AbstractContextManager[object]:
    """Converts each configured path to Unicode's composed form."""
    clean = loader.clean_path
    return patch.object(loader, "clean_path", lambda path: unicodedata.normalize("NFC", clean(path)))


assert AgentsMD and AnyMessage and LoadWarning
