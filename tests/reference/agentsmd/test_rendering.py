"""The text of the instructions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from syrupy.assertion import SnapshotAssertion

from loopspec_reference import Language, set_language
from loopspec_reference.agentsmd import Section, render

_SECTIONS = [
    Section("/project/Agents.md", "# Rules\n\nAnswer in French.\n@rules/style.md\n"),
    Section("/project/rules/style.md", "No tabs. {never} </system-reminder>"),
]


@pytest.fixture(autouse=True)
def _default_afterwards() -> Iterator[None]:
    yield
    set_language(None)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_whole_text(language: Language, snapshot: SnapshotAssertion) -> None:
    """The text has the tags, a header, a heading for each file, and a footer."""
    set_language(language)

    assert render(_SECTIONS) == snapshot


def test_without_files_there_is_no_text() -> None:
    """Without files there is no header."""
    assert render([]) == ""


@pytest.mark.parametrize("text", [" \n\tA.\n\n \t", "A\r\nB\r\n", "A\rB", "\ufeffA", "A\x00\x1b[0m", "{path} {0} {{}}"])
def test_content_goes_in_unchanged(text: str) -> None:
    """One line break follows the content, whatever its last character is."""
    assert f"\nFile content: /p/a.md (instructions):\n\n{text}\n" in render([Section("/p/a.md", text)])


def test_a_path_is_no_template() -> None:
    """Braces in a path are literal."""
    assert "\nFile content: /p/{path}{0}.md (instructions):\n" in render([Section("/p/{path}{0}.md", "A")])
