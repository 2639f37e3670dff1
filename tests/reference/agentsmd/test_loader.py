"""Loading small trees."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from loopspec_reference import Content, MemoryBackend, ReadRequest
from loopspec_reference.agentsmd import LoadWarning, Reason, Section, load


class Failing(MemoryBackend):
    """Fails for the paths it was given an error for."""

    def __init__(self, files: Mapping[str, Content], errors: Mapping[str, Exception]) -> None:
        super().__init__(files)
        self._errors = errors

    async def read(self, request: ReadRequest) -> Content:
        """Read or fail."""
        if request.file_path in self._errors:
            raise self._errors[request.file_path]
        return await super().read(request)


def no_warning(warning: LoadWarning) -> None:
    """For loads that give none."""
    pytest.fail(str(warning))


def loaded(
    files: Mapping[str, Content], configured: Sequence[str] = ("/p/a.md",), limit: int = 0
) -> tuple[list[tuple[str, str]], list[LoadWarning]]:
    """The paths and texts of what was loaded, and the warnings."""
    warnings: list[LoadWarning] = []
    sections = asyncio.run(load(MemoryBackend(files), configured, limit, warnings.append))
    return [(section.path, section.text) for section in sections], warnings


def test_imports_follow_their_importer_depth_first() -> None:
    """Each with all of its own, and the next configured file after them."""
    files = {"/p/a.md": "@b.md @c.md", "/p/b.md": "@sub/d.md", "/p/c.md": "C", "/p/sub/d.md": "D", "/p/e.md": "E"}
    sections, warnings = loaded(files, ["/p/a.md", "/p/e.md"])

    assert sections == [(path, files[path]) for path in ["/p/a.md", "/p/b.md", "/p/sub/d.md", "/p/c.md", "/p/e.md"]]
    assert warnings == []


def test_each_path_is_loaded_once() -> None:
    """In every spelling and from every importer; only import cycles are warned about."""
    files: dict[str, Content] = {"/p/a.md": "@b.md @./b.md @a.md", "/p/b.md": "@../p/a.md"}
    sections, warnings = loaded(files, ["/p/a.md", "/p//a.md", "/p/b.md"])

    assert [path for path, _ in sections] == ["/p/a.md", "/p/b.md"]
    assert warnings == [LoadWarning("/p/a.md", Reason.CYCLE)] * 2


def test_a_section_is_what_was_loaded() -> None:
    """The path is in normal form and the text whole."""
    [section] = asyncio.run(load(MemoryBackend({"/p/a.md": " A\r\n"}), ["/p/./a.md"], 0, no_warning))

    assert section == Section("/p/a.md", " A\r\n")


def test_bytes_that_are_no_text_are_replaced() -> None:
    """And nothing else is changed: a byte order mark stays."""
    assert loaded({"/p/a.md": b"\xef\xbb\xbfA\xff\r\n"}) == ([("/p/a.md", "\ufeffA\ufffd\r\n")], [])


def test_what_is_left_out_is_warned_about() -> None:
    """Missing files, circles and what is too deep, in the order in which they are met."""
    chain: dict[str, Content] = {f"/p/{level}.md": f"@{level + 1}.md" for level in range(7)}
    sections, warnings = loaded({**chain, "/p/5.md": "@0.md @6.md @missing.md @7.md"}, ["/p/none.md", "/p/0.md"])

    assert [path for path, _ in sections] == [f"/p/{level}.md" for level in range(6)]
    assert warnings == [
        LoadWarning("/p/none.md", Reason.MISSING),
        LoadWarning("/p/0.md", Reason.CYCLE),
        LoadWarning("/p/6.md", Reason.DEPTH),
        LoadWarning("/p/missing.md", Reason.DEPTH),
        LoadWarning("/p/7.md", Reason.DEPTH),
    ]


def test_the_limit_leaves_the_first_file_whole() -> None:
    """Of its imports the one that passes the limit stays; what would be read later is not."""
    files: dict[str, Content] = {"/p/a.md": "@b.md @c.md", "/p/b.md": b"\xff" * 20, "/p/c.md": "C", "/p/d.md": "D"}
    sections, warnings = loaded(files, ["/p/a.md", "/p/d.md"], limit=30)

    assert [path for path, _ in sections] == ["/p/a.md", "/p/b.md"]
    assert warnings == [LoadWarning("/p/c.md", Reason.BUDGET), LoadWarning("/p/d.md", Reason.BUDGET)]


def test_a_later_file_that_passes_the_limit_goes_with_its_imports() -> None:
    """It is named, and so is what was not read any more."""
    files: dict[str, Content] = {"/p/a.md": "A", "/p/b.md": "@c.md @d.md", "/p/c.md": "C" * 9, "/p/d.md": "D"}
    sections, warnings = loaded(files, ["/p/a.md", "/p/b.md"], limit=20)

    assert sections == [("/p/a.md", "A")]
    assert warnings == [LoadWarning("/p/d.md", Reason.BUDGET), LoadWarning("/p/b.md", Reason.BUDGET)]


def test_reaching_the_limit_is_not_exceeding_it() -> None:
    """What counts are bytes, of text too."""
    files: dict[str, Content] = {"/p/a.md": "规则", "/p/b.md": b"B"}

    assert [len(loaded(files, list(files), limit)[0]) for limit in (5, 6, 7)] == [1, 1, 2]


@pytest.mark.parametrize("content", ["", b""])
def test_an_empty_file_leaves_no_section(content: Content) -> None:
    """And no warning."""
    assert loaded({"/p/a.md": content}) == ([], [])


def test_an_error_comes_out_with_a_note() -> None:
    """It is the backend's own error, and the note says who asked for the file."""
    error = PermissionError("forbidden")
    backend = Failing({"/p/a.md": "@b.md", "/p/b.md": "@sub/c.md"}, {"/p/sub/c.md": error})

    with pytest.raises(PermissionError) as caught:
        asyncio.run(load(backend, ["/p/a.md"], 0, no_warning))

    assert caught.value is error
    assert error.__notes__ == ["while loading '/p/sub/c.md' imported from '/p/b.md' imported from '/p/a.md'"]


def test_a_missing_file_inside_another_error_is_missing() -> None:
    """However far inside; an error that was raised while another was dealt with is not inside it."""
    wrapped, beside = RuntimeError("outer"), OSError("the second store is broken")
    wrapped.__cause__ = ValueError("middle")
    wrapped.__cause__.__cause__ = FileNotFoundError("inner")
    beside.__context__ = FileNotFoundError("in the first store")
    warnings: list[LoadWarning] = []

    with pytest.raises(OSError, match="second store"):
        asyncio.run(load(Failing({}, {"/a.md": wrapped, "/b.md": beside}), ["/a.md", "/b.md"], 0, warnings.append))

    assert warnings == [LoadWarning("/a.md", Reason.MISSING)]
