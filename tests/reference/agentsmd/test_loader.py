"""Loads of small trees."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from loopspec_reference import Content, MemoryBackend, ReadRequest
from loopspec_reference.agentsmd import LoadWarning, Reason, Section, load


class Failing(MemoryBackend):
    """Raises the configured errors."""

    def __init__(self, files: Mapping[str, Content], errors: Mapping[str, Exception]) -> None:
        super().__init__(files)
        self._errors = errors

    async def read(self, request: ReadRequest) -> Content:
        """Read the file or raise its error."""
        if request.file_path in self._errors:
            raise self._errors[request.file_path]
        return await super().read(request)


def no_warning(warning: LoadWarning) -> None:
    """Fail the test if a load causes a warning."""
    pytest.fail(str(warning))


def loaded(
    files: Mapping[str, Content], configured: Sequence[str] = ("/p/a.md",), limit: int = 0
) -> tuple[list[tuple[str, str]], list[LoadWarning]]:
    """The paths and texts of the loaded sections, and the warnings."""
    warnings: list[LoadWarning] = []
    sections = asyncio.run(load(MemoryBackend(files), configured, limit, warnings.append))
    return [(section.path, section.text) for section in sections], warnings


def test_imports_follow_their_importer_depth_first() -> None:
    """All imports of a file precede the next import and the next configured file."""
    files = {"/p/a.md": "@b.md @c.md", "/p/b.md": "@sub/d.md", "/p/c.md": "C", "/p/sub/d.md": "D", "/p/e.md": "E"}
    sections, warnings = loaded(files, ["/p/a.md", "/p/e.md"])

    assert sections == [(path, files[path]) for path in ["/p/a.md", "/p/b.md", "/p/sub/d.md", "/p/c.md", "/p/e.md"]]
    assert warnings == []


def test_each_path_is_loaded_once() -> None:
    """Spelling and importer do not matter; only import cycles cause warnings."""
    files: dict[str, Content] = {"/p/a.md": "@b.md @./b.md @a.md", "/p/b.md": "@../p/a.md"}
    sections, warnings = loaded(files, ["/p/a.md", "/p//a.md", "/p/b.md"])

    assert [path for path, _ in sections] == ["/p/a.md", "/p/b.md"]
    assert warnings == [LoadWarning("/p/a.md", Reason.CYCLE)] * 2


def test_a_section_has_the_path_and_the_text() -> None:
    """The path is normalized, and the text is complete."""
    [section] = asyncio.run(load(MemoryBackend({"/p/a.md": " A\r\n"}), ["/p/./a.md"], 0, no_warning))

    assert section == Section("/p/a.md", " A\r\n")


def test_bytes_that_are_not_utf8_are_replaced() -> None:
    """Nothing else is changed: a byte order mark is kept."""
    assert loaded({"/p/a.md": b"\xef\xbb\xbfA\xff\r\n"}) == ([("/p/a.md", "\ufeffA\ufffd\r\n")], [])


def test_skipped_files_cause_warnings() -> None:
    """Missing files, import cycles and deep imports are in the order of their discovery."""
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


def test_the_first_file_may_exceed_the_limit_with_its_imports() -> None:
    """An import that crosses the limit is kept; later files are not read."""
    files: dict[str, Content] = {"/p/a.md": "@b.md @c.md", "/p/b.md": b"\xff" * 20, "/p/c.md": "C", "/p/d.md": "D"}
    sections, warnings = loaded(files, ["/p/a.md", "/p/d.md"], limit=30)

    assert [path for path, _ in sections] == ["/p/a.md", "/p/b.md"]
    assert warnings == [LoadWarning("/p/c.md", Reason.BUDGET), LoadWarning("/p/d.md", Reason.BUDGET)]


def test_a_later_file_that_crosses_the_limit_is_skipped_with_its_imports() -> None:
    """The warnings name the file and the imports that were not read."""
    files: dict[str, Content] = {"/p/a.md": "A", "/p/b.md": "@c.md @d.md", "/p/c.md": "C" * 9, "/p/d.md": "D"}
    sections, warnings = loaded(files, ["/p/a.md", "/p/b.md"], limit=20)

    assert sections == [("/p/a.md", "A")]
    assert warnings == [LoadWarning("/p/d.md", Reason.BUDGET), LoadWarning("/p/b.md", Reason.BUDGET)]


def test_reaching_the_limit_is_not_exceeding_it() -> None:
    """The limit counts bytes, also for text."""
    files: dict[str, Content] = {"/p/a.md": "规则", "/p/b.md": b"B"}

    assert [len(loaded(files, list(files), limit)[0]) for limit in (5, 6, 7)] == [1, 1, 2]


@pytest.mark.parametrize("content", ["", b""])
def test_an_empty_file_leaves_no_section(content: Content) -> None:
    """An empty file causes no warning."""
    assert loaded({"/p/a.md": content}) == ([], [])


def test_an_error_is_raised_with_a_note() -> None:
    """The error is the backend's, and its note names the importing files."""
    error = PermissionError("forbidden")
    backend = Failing({"/p/a.md": "@b.md", "/p/b.md": "@sub/c.md"}, {"/p/sub/c.md": error})

    with pytest.raises(PermissionError) as caught:
        asyncio.run(load(backend, ["/p/a.md"], 0, no_warning))

    assert caught.value is error
    assert error.__notes__ == ["while loading '/p/sub/c.md' imported from '/p/b.md' imported from '/p/a.md'"]


def test_a_missing_file_inside_another_error_is_missing() -> None:
    """Causes are searched at any depth; the context of an error is not a cause."""
    wrapped, unrelated = RuntimeError("outer"), OSError("the second store is broken")
    wrapped.__cause__ = ValueError("middle")
    wrapped.__cause__.__cause__ = FileNotFoundError("inner")
    unrelated.__context__ = FileNotFoundError("in the first store")
    warnings: list[LoadWarning] = []

    with pytest.raises(OSError, match="second store"):
        asyncio.run(load(Failing({}, {"/a.md": wrapped, "/b.md": unrelated}), ["/a.md", "/b.md"], 0, warnings.append))

    assert warnings == [LoadWarning("/a.md", Reason.MISSING)]
