"""The AgentsMD middleware outside a run, its log, the notes of its errors, and its texts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping

import pytest
from syrupy.assertion import SnapshotAssertion

from loopspec_reference import (
    Content,
    Language,
    MemoryBackend,
    Message,
    ModelContext,
    ReadRequest,
    State,
    ToolInfo,
    set_language,
)
from loopspec_reference.agentsmd import MARKER, AgentsMD, Config, LoadWarning, Reason, Section, load, render
from loopspec_reference.agentsmd.config import log_warning

from ..doubles import QUESTION

_SECTIONS = [
    Section("/project/Agents.md", "# Rules\n\nAnswer in French.\n@rules/style.md\n"),
    Section("/project/rules/style.md", "No tabs. {never} </system-reminder>"),
]


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


@pytest.fixture(autouse=True)
def _default_afterwards() -> Iterator[None]:
    yield
    set_language(None)


def test_outside_a_run_each_call_loads() -> None:
    """Each call inserts the message and keeps the tools. Without a run, there is nothing to remember a load in."""
    backend = MemoryBackend({"/p/a.md": "Answer in French."})
    agentsmd = AgentsMD(Config(backend=backend, files=["/p/a.md"]), Message)
    state = State((QUESTION,), (ToolInfo("add"),))

    for text in ("Answer in French.", "Answer in Czech."):
        backend.write("/p/a.md", text)
        inserted = Message.user(render([Section("/p/a.md", text)]), {MARKER: True})
        found = asyncio.run(agentsmd.before_model(state, ModelContext()))
        assert found == State((inserted, QUESTION), (ToolInfo("add"),))


def test_an_error_is_raised_with_a_note() -> None:
    """The error is the backend's, and its note names the importing files."""
    error = PermissionError("forbidden")
    error.__cause__ = error  # the search for a missing-file error among its causes ends
    backend = Failing({"/p/a.md": "@b.md", "/p/b.md": "@sub/c.md"}, {"/p/sub/c.md": error})

    with pytest.raises(PermissionError) as caught:
        asyncio.run(load(backend, ["/p/a.md"], 0, lambda warning: pytest.fail(str(warning))))

    assert caught.value is error
    assert error.__notes__ == ["while loading '/p/sub/c.md' imported from '/p/b.md' imported from '/p/a.md'"]


def test_the_log_names_the_file_and_the_reason(caplog: pytest.LogCaptureFixture) -> None:
    """By default, a warning is one of the package's logger."""
    assert Config(backend=MemoryBackend(), files=["/p/a.md"]).on_warning is log_warning
    log_warning(LoadWarning("/p/missing.md", Reason.MISSING))

    text = "/p/missing.md is left out: the file does not exist"
    assert caplog.record_tuples == [("loopspec_reference.agentsmd", logging.WARNING, text)]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_whole_text(language: Language, snapshot: SnapshotAssertion) -> None:
    """The text has the tags, a header, a heading for each file, and a footer."""
    set_language(language)

    assert render(_SECTIONS) == snapshot
