"""The two backends: their answers and their errors."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from loopspec_reference import Backend, Content, LocalBackend, MemoryBackend, ReadRequest


def read(backend: Backend, path: str, offset: int = 1, limit: int = 0) -> Content | None:
    """Read a file once."""
    return asyncio.run(backend.read(ReadRequest(path, offset, limit)))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a file and a subfolder, next to a folder whose name has the same beginning."""
    root = tmp_path / "root"
    (root / "docs").mkdir(parents=True)
    (root / "a.md").write_bytes(b"one\r\ntwo\nthree")
    (root / "docs/b.md").write_bytes(b"\xff\xfe")
    (tmp_path / "root-2").mkdir()
    (tmp_path / "root-2/secret.md").write_bytes(b"secret")
    return root


def test_a_root_that_is_a_link_is_the_folder_it_leads_to(root: Path) -> None:
    """Files are inside the root under both names."""
    link = root.with_name("link")
    link.symlink_to(root)

    assert read(LocalBackend(link), str(link / "a.md")) == read(LocalBackend(link), str(root / "a.md"))


def test_the_root_may_be_relative(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The root is resolved when the backend is built, and does not change with the current folder."""
    monkeypatch.chdir(root)
    backend = LocalBackend(".")
    monkeypatch.chdir("/")

    assert read(backend, "a.md") == b"one\r\ntwo\nthree"


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("missing.md", FileNotFoundError),
        ("doc", FileNotFoundError),
        ("./docs/b.md", FileNotFoundError),
        ("docs", IsADirectoryError),
        ("docs/", IsADirectoryError),
        ("", IsADirectoryError),
        ("docs/..", IsADirectoryError),
        ("docs/a.md/b.md", NotADirectoryError),
        ("docs/a.md/", NotADirectoryError),
        ("..", PermissionError),
        ("docs/../../docs/a.md", PermissionError),
        ("/docs/a.md", FileNotFoundError),
    ],
)
def test_a_path_outside_a_memory_has_the_error_of_its_kind(path: str, error: type[OSError]) -> None:
    """The folder of a file is a folder, and nothing is above the root."""
    with pytest.raises(error) as caught:
        read(MemoryBackend({"docs/a.md": "A"}), path)

    assert caught.type is error


@pytest.mark.parametrize("path", ["./docs/a.md", "docs//a.md", "docs/./a.md", "docs/../docs/a.md"])
def test_a_memory_resolves_a_path(path: str) -> None:
    """Another spelling of a stored path is the same file, and the stored spelling takes precedence."""
    assert read(MemoryBackend({"docs/a.md": "A"}), path) == "A"
    assert read(MemoryBackend({"docs/a.md": "A", path: "B"}), path) == "B"


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("", IsADirectoryError),
        ("docs", IsADirectoryError),
        ("new/", IsADirectoryError),
        ("docs/a.md/b", NotADirectoryError),
    ],
)
def test_a_memory_does_not_write_what_it_could_not_read(path: str, error: type[OSError]) -> None:
    """A rejected write changes nothing."""
    memory = MemoryBackend({"docs/a.md": "A"})

    with pytest.raises(error):
        memory.write(path, "B")

    assert read(memory, "docs/a.md") == "A"


def test_a_text_is_read_by_lines_as_bytes() -> None:
    """A backend in memory gives a whole text as it is."""
    memory = MemoryBackend({"a.md": "one\ntwo\n"})

    assert read(memory, "a.md") == "one\ntwo\n"
    assert read(memory, "a.md", offset=2) == b"two\n"


def test_no_file_is_missing_from_a_root_that_is_gone(tmp_path: Path) -> None:
    """The error has no missing-file error among its causes either."""
    (tmp_path / "root").mkdir()
    backend = LocalBackend(tmp_path / "root")
    (tmp_path / "root").rmdir()

    with pytest.raises(NotADirectoryError, match="the root of the backend is gone") as caught:
        read(backend, "a.md")

    assert caught.value.__context__ is None


def test_a_link_created_after_the_check_is_not_followed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process may create the link after the check; the test skips the resolution."""
    (root / "sub").mkdir(exist_ok=True)
    (root / "late.md").symlink_to("../outside.md")
    (root / "late").symlink_to("..")
    (root.parent / "outside.md").write_text("secret", encoding="utf-8")
    monkeypatch.setattr("loopspec_reference.agentsmd.backends.os.path.realpath", lambda path, strict=False: path)
    backend = LocalBackend(root)

    for path in ("late.md", "late/outside.md"):
        with pytest.raises(OSError, match=r"symbolic links|[Nn]ot a directory"):
            asyncio.run(backend.read(ReadRequest(path)))


def test_a_pipe_is_no_file(root: Path) -> None:
    """The error is raised without waiting."""
    os.mkfifo(root / "pipe")

    with pytest.raises(OSError, match="Invalid argument"):
        asyncio.run(LocalBackend(root).read(ReadRequest("pipe")))
