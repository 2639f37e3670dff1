"""Mutants about the text."""

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
    """Change what is read of a file."""
    text = loader._Loading._text
    return patch.object(loader._Loading, "_text", lambda self, content: change(text(self, content)))


def _receives(change: Callable[[str, Content | None], Content | None]) -> AbstractContextManager[object]:
    """Change what the backend answers: told the path, too."""
    init = loader._Loading.__init__

    def begins(self: loader._Loading, backend: Backend, max_bytes: int, on_warning: Any) -> None:  # Any: handed on
        async def reads(request: ReadRequest) -> Content | None:
            return change(request.file_path, await backend.read(request))

        init(self, backend, max_bytes, on_warning)
        self._read = reads

    return patch.object(loader._Loading, "__init__", begins)


def _lays_out(change: Callable[[str], str]) -> AbstractContextManager[object]:
    """Change what is shown of a file that is shown."""
    return patch.object(
        handler, "render", lambda sections: rendering.render([Section(s.path, change(s.text)) for s in sections])
    )


def _writes(change: Callable[[_Handler, str], str]) -> AbstractContextManager[object]:
    """Change the text, unless it is empty."""
    load = AgentsMD._load

    async def loads(self: _Handler) -> str:
        text = await load(self)
        return text and change(self, text)

    return patch.object(AgentsMD, "_load", loads)


def _heads_imports(heading: Callable[[str], str]) -> AbstractContextManager[object]:
    """Write the headings of imports differently, in English."""

    def words(handler: _Handler, text: str) -> str:
        configured = set(map(clean_path, handler._config.files))
        heads = re.compile(r"\nFile content: (.*) \(instructions\):\n")
        return heads.sub(lambda found: found[0] if found[1] in configured else heading(found[1]), text)

    return _writes(words)


@mutant(
    "AMD-FORMAT-01", neighbors={"AMD-FORMAT-14": "agentic messages carry the same text, and it asks how that begins"}
)
def begins_with_a_word_of_its_own() -> AbstractContextManager[object]:
    """Says what comes before the tag in which it says it."""
    return _writes(lambda handler, text: "Instructions: " + text)


@mutant(
    "AMD-FORMAT-01",
    neighbors={
        "AMD-FORMAT-06": "it asks for all parts, the header among them",
        "AMD-FORMAT-14": "agentic messages carry the same text, and it asks for the header",
    },
)
def has_no_header() -> AbstractContextManager[object]:
    """Begins with the first file, in English."""
    return _writes(lambda handler, text: text.replace(rendering._WORDINGS["en"].header, ""))


@mutant(
    "AMD-FORMAT-02",
    neighbors={
        "AMD-FORMAT-06": "it asks for all parts, the footer among them",
        "AMD-FORMAT-14": "agentic messages carry the same text, and it asks for the footer",
    },
)
def has_no_footer() -> AbstractContextManager[object]:
    """Ends with the last file, in English."""
    return _writes(lambda handler, text: text.replace(rendering._WORDINGS["en"].footer + "\n", ""))


@mutant(
    "AMD-FORMAT-02",
    neighbors={
        "AMD-FORMAT-06": "it asks for all parts, the closing tag among them",
        "AMD-FORMAT-14": "agentic messages carry the same text, and it asks how that ends",
    },
)
def leaves_the_tag_open() -> AbstractContextManager[object]:
    """Ends with the footer."""
    return _writes(lambda handler, text: text.removesuffix("\n</system-reminder>"))


@mutant("AMD-FORMAT-03")
def words_imports_differently() -> AbstractContextManager[object]:
    """Puts another word into the heading of an import."""
    return _heads_imports(lambda path: f"\nFile content: {path} (imported):\n")


@mutant("AMD-FORMAT-03")
def lists_the_headings_first() -> AbstractContextManager[object]:
    """Puts the headings of all files into a list before the first file, and other headings over the files."""

    def lists(handler: _Handler, text: str) -> str:
        heads = re.compile(r"\n(File content: (.*) \(instructions\):)\n")
        header = rendering._WORDINGS["en"].header
        listed = "\n".join([header, *(head[1] for head in heads.finditer(text))])
        return heads.sub(r"\n## \2\n", text).replace(header, listed, 1)

    return _writes(lists)


@mutant(
    "AMD-FORMAT-04",
    neighbors={
        "AMD-FORMAT-03": "it asks for the heading of an import",
        "AMD-FORMAT-14": "agentic messages carry the same text, and one of its files is an import",
        "AMD-INJECT-12": "files are found by their headings, and one of its files is an import",
    },
)
def runs_imports_on() -> AbstractContextManager[object]:
    """Puts an import behind its importer without a heading."""
    return _heads_imports(lambda path: "")


@mutant("AMD-FORMAT-05")
def dedents() -> AbstractContextManager[object]:
    """Takes common indentation, and white space on empty lines, out of a file."""
    return _lays_out(textwrap.dedent)


@mutant(
    "AMD-FORMAT-05",
    neighbors={
        "AMD-FORMAT-08": "its first file ends in a line end, which is white space",
        "AMD-FORMAT-15": "its second file ends in a space",
    },
)
def strips_files() -> AbstractContextManager[object]:
    """Takes the white space around a file away."""
    return _lays_out(str.strip)


@mutant("AMD-FORMAT-07")
def takes_white_space_for_nothing() -> AbstractContextManager[object]:
    """Takes a file of nothing but white space for empty: `if not text.strip()`."""
    return _reads(lambda text: text if text.strip() else "")


@mutant("AMD-FORMAT-08")
def opens_in_text_mode() -> AbstractContextManager[object]:
    """Reads files in text mode, which makes every line end a line feed."""
    return _reads(lambda text: text.replace("\r\n", "\n").replace("\r", "\n"))


@mutant("AMD-FORMAT-08", neighbors={"AMD-FORMAT-07": "a file of nothing but a byte order mark becomes an empty one"})
def eats_the_byte_order_mark() -> AbstractContextManager[object]:
    """Decodes files as "utf-8-sig"."""
    return _reads(lambda text: text.removeprefix("\ufeff"))


@mutant("AMD-FORMAT-08", neighbors={"AMD-FORMAT-15": "a line end at the end of the content is lost, too"})
def splits_lines_where_unicode_does() -> AbstractContextManager[object]:
    """Puts a file in line by line, as `str.splitlines` sees lines."""
    return _lays_out(lambda text: "\n".join(text.splitlines()))


@mutant("AMD-FORMAT-08")
def drops_control_characters() -> AbstractContextManager[object]:
    """Leaves out the control characters of a file, line ends and tabs apart."""
    return _lays_out(lambda text: re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", "", text))


@mutant("AMD-IMPORT-13")
def decodes_strictly() -> AbstractContextManager[object]:
    """Fails on a file that is no UTF-8."""
    return _receives(lambda path, content: content.decode() if isinstance(content, bytes) else content)


@mutant("AMD-FORMAT-09")
def fills_in_session_values() -> AbstractContextManager[object]:
    """Renders the text with the run's session values, as it does the agent's instruction."""

    def fills_in(handler: _Handler, text: str) -> str:
        run = current_run.get()
        return text.format_map(run.session) if run and run.session else text

    return _writes(fills_in)


@mutant("AMD-INJECT-10")
@contextmanager
def joins_before_it_looks() -> Iterator[None]:
    """Joins the files with line ends before it asks whether there is any text, so two empty files are some."""
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
    """Shows the first 32 KiB of a file."""
    return _lays_out(lambda text: text if len(text) <= 1 << 15 else text[: 1 << 15] + "…")


@mutant("AMD-FORMAT-14")
def leaves_the_tags_off_in_agentic_messages() -> AbstractContextManager[object]:
    """Writes neither tag in agentic messages."""

    def bare(handler: _Handler, text: str) -> str:
        return "\n".join(text.split("\n")[1:-1]) if handler._message_type is AgenticMessage else text

    return _writes(bare)
