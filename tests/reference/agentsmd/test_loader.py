"""Loads of small trees."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from loopspec_reference import Content, MemoryBackend, ReadRequest
from loopspec_reference.agentsmd import LoadWarning, load


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


def test_an_error_is_raised_with_a_note() -> None:
    """The error is the backend's, and its note names the importing files."""
    error = PermissionError("forbidden")
    backend = Failing({"/p/a.md": "@b.md", "/p/b.md": "@sub/c.md"}, {"/p/sub/c.md": error})

    with pytest.raises(PermissionError) as caught:
        asyncio.run(load(backend, ["/p/a.md"], 0, no_warning))

    assert caught.value is error
    assert error.__notes__ == ["while loading '/p/sub/c.md' imported from '/p/b.md' imported from '/p/a.md'"]
