"""The two backends: their answers and their errors."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyfakefs import helpers
from pyfakefs.fake_filesystem import FakeFilesystem

from loopspec_reference import Backend, Content, LocalBackend, MemoryBackend, ReadRequest
from loopspec_reference.agentsmd.backends import pick_lines


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


@pytest.fixture
def as_a_user(fs: FakeFilesystem) -> Iterator[None]:
    """Makes the fake disk enforce permissions, which a superuser bypasses."""
    helpers.set_uid(1000)
    yield
    helpers.reset_ids()


def test_a_relative_path_starts_at_the_root(root: Path) -> None:
    """Bytes are returned unchanged."""
    assert read(LocalBackend(root), "docs/b.md") == b"\xff\xfe"


def test_an_absolute_path_under_the_root_is_read(root: Path) -> None:
    """A middleware may be configured with absolute paths."""
    assert read(LocalBackend(root), str(root / "a.md")) == b"one\r\ntwo\nthree"


def test_dots_inside_the_root_are_followed(root: Path) -> None:
    """A path may lead into a folder and out again."""
    assert read(LocalBackend(root), "docs/../a.md") == b"one\r\ntwo\nthree"


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "/nowhere/at/all", "../root-2/secret.md", "docs/../../a.md", "/", ".."]
)
def test_a_path_outside_is_forbidden_whether_it_exists_or_not(root: Path, path: str) -> None:
    """The error does not reveal whether the file exists."""
    with pytest.raises(PermissionError, match="is outside"):
        read(LocalBackend(root), path)


def test_a_link_to_the_outside_is_forbidden(root: Path) -> None:
    """The target of a link is checked."""
    (root / "link.md").symlink_to("../root-2/secret.md")

    with pytest.raises(PermissionError):
        read(LocalBackend(root), "link.md")


def test_a_link_inside_the_root_is_followed(root: Path) -> None:
    """A link inside the root is an ordinary path."""
    (root / "link.md").symlink_to(root / "a.md")

    assert read(LocalBackend(root), "link.md") == b"one\r\ntwo\nthree"


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
        ("nowhere/missing.md", FileNotFoundError),
        ("docs", IsADirectoryError),
        (".", IsADirectoryError),
        ("", IsADirectoryError),
        ("a.md/b.md", NotADirectoryError),
    ],
)
def test_an_unreadable_path_on_disk_has_the_error_of_its_kind(root: Path, path: str, error: type[OSError]) -> None:
    """Only a file that does not exist is missing; a path below a file is another error."""
    with pytest.raises(error) as caught:
        read(LocalBackend(root), path)

    assert caught.type is error


def test_a_link_that_leads_nowhere_is_a_missing_file(root: Path) -> None:
    """A broken link has the error of a missing file."""
    (root / "link.md").symlink_to("missing.md")

    with pytest.raises(FileNotFoundError):
        read(LocalBackend(root), "link.md")


def test_a_link_to_itself_is_an_error_other_than_missing(root: Path) -> None:
    """The link exists, so the file is not missing."""
    (root / "link.md").symlink_to("link.md")

    with pytest.raises(OSError, match="Too many levels") as caught:
        read(LocalBackend(root), "link.md")

    assert not isinstance(caught.value, FileNotFoundError)


@pytest.mark.usefixtures("as_a_user")
def test_a_file_without_rights_is_a_permission_error(fs: FakeFilesystem) -> None:
    """The test uses a fake disk, since a superuser can read every file."""
    fs.create_file("/root/a.md", contents="secret", st_mode=0o100000)

    with pytest.raises(PermissionError, match="Permission denied"):
        read(LocalBackend("/root"), "a.md")


@pytest.mark.parametrize(
    ("offset", "limit", "lines"),
    [
        (1, 0, b"one\r\ntwo\nthree"),
        (0, 0, b"one\r\ntwo\nthree"),
        (1, -1, b"one\r\ntwo\nthree"),
        (1, 1, b"one\r\n"),
        (-5, 2, b"one\r\ntwo\n"),
        (2, 1, b"two\n"),
        (2, 0, b"two\nthree"),
        (3, 9, b"three"),
        (4, 1, b""),
        (99, 0, b""),
    ],
)
def test_lines_are_picked_with_their_line_breaks(offset: int, limit: int, lines: bytes) -> None:
    """The lines start at the offset, and their number is at most the limit."""
    assert pick_lines(b"one\r\ntwo\nthree", ReadRequest("a.md", offset, limit)) == lines


def test_a_lone_carriage_return_ends_no_line() -> None:
    """Only a newline ends a line."""
    assert pick_lines("one\rstill\u2028one\x0c\ntwo".encode(), ReadRequest("a.md", 2)) == b"two"


def test_lines_of_a_file_on_disk_are_picked(root: Path) -> None:
    """The request's lines are picked."""
    assert read(LocalBackend(root), "a.md", 2, 1) == b"two\n"


def test_concurrent_reads_return_their_own_files(root: Path) -> None:
    """The error of one read does not affect the others."""
    backend = LocalBackend(root)

    async def read_concurrently() -> list[bytes | BaseException]:
        reads = (backend.read(ReadRequest(path)) for path in ["a.md", "missing.md", "docs/b.md"])
        return await asyncio.gather(*reads, return_exceptions=True)

    first, missing, last = asyncio.run(read_concurrently())

    assert (first, last) == (b"one\r\ntwo\nthree", b"\xff\xfe")
    assert isinstance(missing, FileNotFoundError)


@pytest.mark.parametrize("content", ["Grüße", b"\xff", "", b""])
def test_a_memory_returns_content_unchanged(content: Content) -> None:
    """Text is returned as text, and bytes as bytes."""
    got = read(MemoryBackend({"a.md": content}), "a.md")

    assert (got, type(got)) == (content, type(content))


def test_a_memory_holds_the_last_content() -> None:
    """A file can be replaced, and the initial mapping is not changed."""
    files: dict[str, Content] = {"a.md": "old"}
    backend = MemoryBackend(files)
    backend.write("a.md", "new")

    assert (read(backend, "a.md"), files) == ("new", {"a.md": "old"})


def test_lines_of_a_memory_are_bytes() -> None:
    """The lines are the same whether the file was written as text or as bytes."""
    assert read(MemoryBackend({"a.md": "eins\nzwölf\n"}), "a.md", 2) == "zwölf\n".encode()


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("missing.md", FileNotFoundError),
        ("doc", FileNotFoundError),
        ("./docs/a.md", FileNotFoundError),
        ("docs", IsADirectoryError),
        ("docs/", IsADirectoryError),
    ],
)
def test_a_path_outside_a_memory_has_the_error_of_its_kind(path: str, error: type[OSError]) -> None:
    """Paths are compared literally, and the folder of a file is a folder."""
    with pytest.raises(error) as caught:
        read(MemoryBackend({"docs/a.md": "A"}), path)

    assert caught.type is error


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


def test_a_memory_knows_every_folder_above_a_file() -> None:
    """Every ancestor of a file is a folder."""
    memory = MemoryBackend()
    memory.write("/p/q/r/a.md", "")

    for folder in ("/p", "/p/q", "/p/q/r", "/p/"):
        with pytest.raises(IsADirectoryError):
            asyncio.run(memory.read(ReadRequest(folder)))
    with pytest.raises(FileNotFoundError):
        asyncio.run(memory.read(ReadRequest("/p/q/x")))
