"""The adapter that reads instruction files with deepagents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from loopspec import WorkspaceFile

from .modules import adapter_module

if TYPE_CHECKING:
    from adapters.deepagents.memory_adapter import Memory

pytestmark = pytest.mark.long  # the import of deepagents takes seconds


@pytest.fixture(scope="module")
def memory() -> Memory:
    made: Memory = adapter_module("deepagents", "memory_adapter").Memory()
    return made


def test_the_configured_files_have_their_order(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("one <!-- hidden -->\n\n")
    (tmp_path / "b.md").write_text("two\n\nlines {x}\n")
    sources = [f"{tmp_path}/{name}.md" for name in ("b", "missing", "a", "b")]
    reading = memory.read_workspace(tmp_path, tmp_path, sources)
    two = WorkspaceFile(sources[0], "two\n\nlines {x}")
    assert reading.files == [two, WorkspaceFile(sources[2], "one"), two]


def test_without_a_file_nothing_is_read(memory: Memory, tmp_path: Path) -> None:
    assert memory.read_workspace(tmp_path, tmp_path, [f"{tmp_path}/missing.md"]).files == ()


def test_a_file_is_not_split_at_the_path_of_an_earlier_source(memory: Memory, tmp_path: Path) -> None:
    first, second = tmp_path / "a.md", tmp_path / "b.md"
    first.write_text("one")
    second.write_text(f"two\n\n{first}\n\nthree")
    reading = memory.read_workspace(tmp_path, tmp_path, [str(first), str(second)])
    assert reading.files == [
        WorkspaceFile(str(first), "one"),
        WorkspaceFile(str(second), f"two\n\n{first}\n\nthree"),
    ]


def test_a_folder_among_the_sources_ends_the_load(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is_directory"):
        memory.read_workspace(tmp_path, tmp_path, [str(tmp_path)])
