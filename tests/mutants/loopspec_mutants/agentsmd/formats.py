"""Mutants about the text of the instructions."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

from loopspec_reference import AgenticMessage, AnyMessage, Backend, Content, ReadRequest
from loopspec_reference.agentsmd import AgentsMD, Section, handler, loader, rendering
from loopspec_reference.agentsmd.paths import clean_path
from loopspec_reference.runs.run import current_run

from ..registry import mutant

_Handler = AgentsMD[AnyMessage]


def _reads(change: Callable[[str], str]) -> AbstractContextManager[object]:
    """Patch the text that is read from a file."""
    text = loader._Loading._text
    return patch.object(loader._Loading, "_text", lambda self, content: change(text(self, content)))


def _receives(change: Callable[[str, Content | None], Content | None]) -> AbstractContextManager[object]:
    """Patch the content that the backend returns, by its path."""
    init = loader._Loading.__init__

    def begins(self: loader._Loading, backend: Backend, max_bytes: int, on_warning: Any) -> None:  # Any: passed on
        async def reads(request: ReadRequest) -> Content | None:
            return change(request.file_path, await backend.read(request))

        init(self, backend, max_bytes, on_warning)
        self._read = reads

    return patch.object(loader._Loading, "__init__", begins)


def _lays_out(change: Callable[[str], str]) -> AbstractContextManager[object]:
    """Patch the text of each loaded file in the instructions."""
    return patch.object(
        handler, "render", lambda sections: rendering.render([Section(s.path, change(s.text)) for s in sections])
    )


def _writes(change: Callable[[_Handler, str], str]) -> AbstractContextManager[object]:
    """Patch the instructions, unless they are empty."""
    load = AgentsMD._load

    async def loads(self: _Handler) -> str:
        text = await load(self)
        return text and change(self, text)

    return patch.object(AgentsMD, "_load", loads)


def _heads_imports(heading: Callable[[str], str]) -> AbstractContextManager[object]:
    """Patch the headings of imports, in English."""

    def words(handler: _Handler, text: str) -> str:
        configured = set(map(clean_path, handler._config.files))
        heads = re.compile(r"\nFile content: (.*) \(instructions\):\n")
        return heads.sub(lambda found: found[0] if found[1] in configured else heading(found[1]), text)

    return _writes(words)


@mutant(
    "AMD-FORMAT-01",
    neighbors={"AMD-FORMAT-14": "agentic messages contain the same text, and the example compares its start"},
)
def writes_a_text_before_the_tag() -> AbstractContextManager[object]:
    """Writes a text before the opening tag."""
    return _writes(lambda handler, text: "Instructions: " + text)


@mutant(
    "AMD-FORMAT-01",
    neighbors={
        "AMD-FORMAT-06": "the example compares all parts, including the header",
        "AMD-FORMAT-14": "agentic messages contain the same text, and the example compares the header",
    },
)
def has_no_header() -> AbstractContextManager[object]:
    """Omits the header in English."""
    return _writes(lambda handler, text: text.replace(rendering._WORDINGS["en"].header, ""))


@mutant(
    "AMD-FORMAT-02",
    neighbors={
        "AMD-FORMAT-06": "the example compares all parts, including the footer",
        "AMD-FORMAT-14": "agentic messages contain the same text, and the example compares the footer",
    },
)
def has_no_footer() -> AbstractContextManager[object]:
    """Omits the footer in English."""
    return _writes(lambda handler, text: text.replace(rendering._WORDINGS["en"].footer + "\n", ""))


@mutant(
    "AMD-FORMAT-02",
    neighbors={
        "AMD-FORMAT-06": "the example compares all parts, including the closing tag",
        "AMD-FORMAT-14": "agentic messages contain the same text, and the example compares its end",
    },
)
def omits_the_closing_tag() -> AbstractContextManager[object]:
    """Omits the closing tag."""
    return _writes(lambda handler, text: text.removesuffix("\n</system-reminder>"))


@mutant("AMD-FORMAT-03")
def words_imports_differently() -> AbstractContextManager[object]:
    """Writes another word into the heading of an import."""
    return _heads_imports(lambda path: f"\nFile content: {path} (imported):\n")


@mutant("AMD-FORMAT-03")
def lists_the_headings_first() -> AbstractContextManager[object]:
    """Lists the headings of all files before the first file, and writes other headings above the files."""

    def lists(handler: _Handler, text: str) -> str:
        heads = re.compile(r"\n(File content: (.*) \(instructions\):)\n")
        header = rendering._WORDINGS["en"].header
        listed = "\n".join([header, *(head[1] for head in heads.finditer(text))])
        return heads.sub(r"\n## \2\n", text).replace(header, listed, 1)

    return _writes(lists)


@mutant(
    "AMD-FORMAT-04",
    neighbors={
        "AMD-FORMAT-06": "an example has an import",
        "AMD-FORMAT-03": "the example compares the heading of an import",
        "AMD-FORMAT-14": "agentic messages contain the same text, and one of the files is an import",
        "AMD-INJECT-12": "the example finds files by their headings, and one of the files is an import",
    },
)
def omits_headings_of_imports() -> AbstractContextManager[object]:
    """Omits the heading of an import."""
    return _heads_imports(lambda path: "")


@mutant("AMD-FORMAT-05")
def removes_indentation() -> AbstractContextManager[object]:
    """Removes common indentation, and white space on empty lines, from a file."""
    return _lays_out(textwrap.dedent)


@mutant(
    "AMD-FORMAT-05",
    neighbors={
        "AMD-FORMAT-08": "the first file ends in a line ending, which is white space",
        "AMD-FORMAT-15": "the second file ends in a space",
    },
)
def strips_files() -> AbstractContextManager[object]:
    """Removes white space at the start and the end of a file."""
    return _lays_out(str.strip)


@mutant("AMD-FORMAT-07")
def takes_white_space_for_empty() -> AbstractContextManager[object]:
    """Takes a file that contains only white space for empty: `if not text.strip()`."""
    return _reads(lambda text: text if text.strip() else "")


@mutant("AMD-FORMAT-08")
def opens_in_text_mode() -> AbstractContextManager[object]:
    """Reads files in text mode, which converts every line ending to a line feed."""
    return _reads(lambda text: text.replace("\r\n", "\n").replace("\r", "\n"))


@mutant("AMD-FORMAT-08", neighbors={"AMD-FORMAT-07": "a file that contains only a byte order mark becomes empty"})
def removes_the_byte_order_mark() -> AbstractContextManager[object]:
    """Decodes files as `utf-8-sig`, which removes the byte order mark."""
    return _reads(lambda text: text.removeprefix("\ufeff"))


@mutant("AMD-FORMAT-08", neighbors={"AMD-FORMAT-15": "a line ending at the end of the content is lost, too"})
def splits_lines_at_unicode_separators() -> AbstractContextManager[object]:
    """Joins the lines of a file as `str.splitlines` splits them."""
    return _lays_out(lambda text: "\n".join(text.splitlines()))


@mutant("AMD-FORMAT-08")
def drops_control_characters() -> AbstractContextManager[object]:
    """Removes the control characters from a file, except line endings and tabs."""
    return _lays_out(lambda text: re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", "", text))


@mutant("AMD-IMPORT-13")
def decodes_strictly() -> AbstractContextManager[object]:
    """Fails on a file that is not UTF-8."""
    return _receives(lambda path, content: content.decode() if isinstance(content, bytes) else content)


@mutant("AMD-FORMAT-09")
def renders_session_values() -> AbstractContextManager[object]:
    """Renders session values into the instructions, as into the agent's instruction."""

    def fills_in(handler: _Handler, text: str) -> str:
        run = current_run.get()
        return text.format_map(run.session) if run and run.session else text

    return _writes(fills_in)


@mutant("AMD-INJECT-10")
@contextmanager
def takes_two_empty_files_for_a_text() -> Iterator[None]:
    """Inserts a message for two empty files: it joins the files before it checks for a text."""
    load = AgentsMD._load
    empty: list[str] = []

    def notes(path: str, content: Content | None) -> Content | None:
        if content is not None and not content:
            empty.append(path)
        return content

    async def loads(self: _Handler) -> str:
        empty.clear()
        text = await load(self)
        return text or (rendering.render([Section(path, "") for path in empty]) if len(empty) > 1 else "")

    with _receives(notes), patch.object(AgentsMD, "_load", loads):
        yield


@mutant("AMD-FORMAT-13")
def shortens_long_files() -> AbstractContextManager[object]:
    """Loads only the first 32 KiB of a file."""
    return _lays_out(lambda text: text if len(text) <= 1 << 15 else text[: 1 << 15] + "…")


@mutant("AMD-FORMAT-14")
def omits_the_tags_in_agentic_messages() -> AbstractContextManager[object]:
    """Omits both tags in agentic messages."""

    def bare(handler: _Handler, text: str) -> str:
        return "\n".join(text.split("\n")[1:-1]) if handler._message_type is AgenticMessage else text

    return _writes(bare)
