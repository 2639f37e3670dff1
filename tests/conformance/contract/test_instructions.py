"""Instructions are found in a text of any wording."""

from __future__ import annotations

import pytest

from loopspec.contract.instructions import find_sections
from loopspec.contract.observation import Read, Section
from loopspec.contract.values import FileData

READS = [
    Read(n=number, path=path, offset=1, limit=0, content=FileData(text=text))
    for number, (path, text) in enumerate([("/p/a.md", "Answer."), ("/p/b.md", "Be brief.")])
]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Read /p/a.md and /p/b.md:\n# /p/a.md\nAnswer.\n\n# /p/b.md\n\nBe brief.", ["/p/a.md", "/p/b.md"]),
        ("<file path=/p/b.md>\nBe brief.</file><file path=/p/a.md>\nAnswer.", ["/p/b.md", "/p/a.md"]),
        ("/p/a.md\n\n\nAnswer.", []),
        ("Answer.\n/p/a.md", []),
        ("/p/a.md: Answer.", []),
        ("", []),
    ],
)
def test_a_section_is_a_heading_with_the_path_and_the_content(text: str, found: list[str]) -> None:
    """A path without content is no section, and neither is a content under another path."""
    contents = {read.path: read.content.data.decode() for read in READS if read.content}

    assert find_sections(text, READS) == tuple(Section(path=path, text=contents[path]) for path in found)
