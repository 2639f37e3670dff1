"""Recognizes instructions in any wording by the contents of the files."""

from __future__ import annotations

from collections.abc import Iterable

from .observation import Read, Section
from .scene import Scene


def file_texts(scene: Scene) -> tuple[str, ...]:
    """The contents of the scene's files at any time, without surrounding white space."""
    files = [*scene.files.values(), *(change.file for change in scene.changes if change.file)]
    texts = (file.content.decode(errors="replace").strip() for file in files if not file.fault)
    return tuple(text for text in texts if text)


def carries_instructions(content: str, scene: Scene) -> bool:
    """Whether a text contains the content of a file of the scene, and is not a message of the caller."""
    own = {message.content for message in scene.messages}
    own |= {message.content for run in scene.runs for message in run.messages}
    return content not in own and any(text in content for text in file_texts(scene))


def find_sections(text: str, reads: Iterable[Read]) -> tuple[Section, ...]:
    """Find the sections of the files in a text, in order.

    A section starts with a line that contains the path of a file that was read; the first such line that the file's
    content follows within two lines counts. Headings may have any wording and spacing.
    """
    contents = {read.path: read.content.data.decode(errors="replace") for read in reads if read.content}
    found: list[Section] = []
    at = 0
    while hits := [hit for path, content in contents.items() if content and (hit := _find(text, at, path, content))]:
        start, path = min(hits)
        content = contents.pop(path)
        found.append(Section(path=path, text=content))
        at = start + len(content)
    return tuple(found)


def _find(text: str, at: int, path: str, content: str) -> tuple[int, str] | None:
    """The start of the content under a heading with the path."""
    while (heading := text.find(path, at)) >= 0:
        line_end = text.find("\n", heading)
        if line_end < 0:
            return None
        for gap in (1, 2):
            if text.startswith(content, line_end + gap):
                return line_end + gap, path
        at = heading + 1
    return None
