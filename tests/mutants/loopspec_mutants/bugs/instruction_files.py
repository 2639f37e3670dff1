"""Realistic bugs about instructions files: which ones are loaded, and how they are inserted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from loopspec_reference.agentsmd import handler, loader
from loopspec_reference.agentsmd.loader import Section, load
from loopspec_reference.agentsmd.mentions import mentions
from loopspec_reference.agentsmd.rendering import render

from ..registry import bug


@bug("AMD-FORMAT-06")
def wraps_the_reminder_twice() -> AbstractContextManager[object]:
    """Writes the opening and the closing tag around a text that already has both."""

    def renders(sections: Sequence[Section]) -> str:
        text = render(sections)
        return f"<system-reminder>\n{text}\n</system-reminder>" if text else ""

    return patch.object(handler, "render", renders)


@bug("AMD-FORMAT-06")
def loads_the_first_configured_file_only() -> AbstractContextManager[object]:
    """Takes the first entry of the list of configured files for the whole list."""

    async def loads(backend: Any, files: Iterable[str], *rest: Any) -> list[Section]:  # Any: passed on
        return await load(backend, list(files)[:1], *rest)

    return patch.object(handler, "load", loads)


@bug("AMD-IMPORT-03")
def imports_markdown_files_only() -> AbstractContextManager[object]:
    """Follows imports of Markdown files only."""
    return patch.object(loader, "mentions", lambda text: [one for one in mentions(text) if one.endswith(".md")])


@bug("AMD-ERROR-02")
def skips_missing_imports_silently() -> AbstractContextManager[object]:
    """Skips a missing import without a warning."""
    is_missing = loader._Loading._is_missing

    def is_skipped(self: Any, path: str, ancestors: Sequence[str], error: Exception) -> bool:  # Any: a private type
        if ancestors and loader._means_missing(error):
            return True
        return is_missing(self, path, ancestors, error)

    return patch.object(loader._Loading, "_is_missing", is_skipped)
