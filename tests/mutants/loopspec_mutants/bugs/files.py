"""Realistic bugs about instructions files and backends."""

from __future__ import annotations

import posixpath
import unicodedata
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import AnyMessage, ModelContext, ReadRequest, State
from loopspec_reference.agentsmd import AgentsMD, Section, backends, handler, loader, rendering
from loopspec_reference.agentsmd.config import Reason
from loopspec_reference.agentsmd.mentions import mentions
from loopspec_reference.agentsmd.paths import resolve_all

from ..agentsmd.patching import reading
from ..registry import bug

_Loading = loader._Loading


@bug("AMD-INJECT-06")
def inserts_the_instructions_into_the_system_message_as_well() -> AbstractContextManager[object]:
    """Inserts the instructions as a message, and also appends them to the system message."""
    before_model = AgentsMD.before_model

    async def inserts(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        after = await before_model(self, state, context)
        added = [one for one in after.messages if all(one is not known for known in state.messages)]
        first, *others = after.messages or (None,)
        if not added or first is None or first.role != "system":
            return after
        system = self._message_type.system(f"{first.text}\n\n{added[0].text}")
        return replace(after, messages=(system, *(one for one in others if one is not None)))

    return patch.object(AgentsMD, "before_model", inserts)


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
        outside = path.startswith("../") or (not importers and path.count("/") == 1 and path[0] == "/")
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


@bug("AMD-IMPORT-17")
def finds_cycles_in_a_joined_text() -> AbstractContextManager[object]:
    """Looks up the importers of a file in one joined text: a path that ends the path of an importer is a cycle."""

    def change(loading: Loading, path: str, importers: Sequence[str], text: str) -> str:
        chain = (*importers, path)
        for written, imported in zip(mentions(text), resolve_all(mentions(text), path), strict=True):
            if imported not in chain and imported in "|".join(chain):
                loading.warn(imported, Reason.CYCLE)
                text = text.replace(f"@{written}", written)
        return text

    return reading(change)


@bug("AMD-IMPORT-17")
def takes_the_end_of_a_path_for_a_loaded_file() -> AbstractContextManager[object]:
    """Takes an import for a loaded file if the path of a loaded file ends with the import's path."""

    class Seen(set[str]):
        def __contains__(self, path: object) -> bool:
            return any(one.endswith(str(path)) for one in self)

    init = Loading.__init__

    def begins(self: Loading, *given: Any) -> None:  # Any: passed on
        init(self, *given)
        self.seen = Seen()

    return patch.object(Loading, "__init__", begins)


@bug("AMD-FORMAT-06")
def takes_equal_contents_for_one_file() -> AbstractContextManager[object]:
    """Inserts one of several files with the same content."""

    def once(sections: Sequence[Section]) -> str:
        return rendering.render(list({one.text: one for one in reversed(sections)}.values())[::-1])

    return _rendering(once)


@bug("AMD-DEDUP-07")
def warns_about_the_depth_of_a_loaded_file() -> AbstractContextManager[object]:
    """Checks the depth of an import before whether the file is loaded: a loaded file causes a warning on level 6."""

    def change(loading: Loading, path: str, importers: Sequence[str], text: str) -> str:
        for imported in resolve_all(mentions(text), path) if len(importers) >= 5 else ():
            if imported in loading.seen and imported not in (*importers, path):
                loading.warn(imported, Reason.DEPTH)
        return text

    return reading(change)


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
