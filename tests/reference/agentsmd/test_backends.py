"""The two backends: what each answers, and with which error."""

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
    """One read."""
    return asyncio.run(backend.read(ReadRequest(path, offset, limit)))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a file, another in a folder below, and one outside beside it whose name begins alike."""
    root = tmp_path / "root"
    (root / "docs").mkdir(parents=True)
    (root / "a.md").write_bytes(b"one\r\ntwo\nthree")
    (root / "docs/b.md").write_bytes(b"\xff\xfe")
    (tmp_path / "root-2").mkdir()
    (tmp_path / "root-2/secret.md").write_bytes(b"secret")
    return root


@pytest.fixture
def as_a_user(fs: FakeFilesystem) -> Iterator[None]:
    """Whoever runs the tests, on a fake disk and without the rights of a superuser."""
    helpers.set_uid(1000)
    yield
    helpers.reset_ids()


def test_a_relative_path_starts_at_the_root(root: Path) -> None:
    """Bytes come back as they are stored."""
    assert read(LocalBackend(root), "docs/b.md") == b"\xff\xfe"


def test_an_absolute_path_under_the_root_is_read(root: Path) -> None:
    """It is what a handler asks for that was configured with absolute paths."""
    assert read(LocalBackend(root), str(root / "a.md")) == b"one\r\ntwo\nthree"


def test_dots_inside_the_root_are_followed(root: Path) -> None:
    """A path may go down and up again."""
    assert read(LocalBackend(root), "docs/../a.md") == b"one\r\ntwo\nthree"


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "/nowhere/at/all", "../root-2/secret.md", "docs/../../a.md", "/", ".."]
)
def test_what_is_outside_is_forbidden_whether_it_exists_or_not(root: Path, path: str) -> None:
    """Nobody learns from the error what is there."""
    with pytest.raises(PermissionError, match="is outside"):
        read(LocalBackend(root), path)


def test_a_link_to_the_outside_is_forbidden(root: Path) -> None:
    """What counts is where a link leads."""
    (root / "link.md").symlink_to("../root-2/secret.md")

    with pytest.raises(PermissionError):
        read(LocalBackend(root), "link.md")


def test_a_link_inside_the_root_is_followed(root: Path) -> None:
    """A link is a way like any other."""
    (root / "link.md").symlink_to(root / "a.md")

    assert read(LocalBackend(root), "link.md") == b"one\r\ntwo\nthree"


def test_a_root_that_is_a_link_is_the_folder_it_leads_to(root: Path) -> None:
    """Its files are inside by either name."""
    link = root.with_name("link")
    link.symlink_to(root)

    assert read(LocalBackend(link), str(link / "a.md")) == read(LocalBackend(link), str(root / "a.md"))


def test_the_root_may_be_relative(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found when the backend is built, and stays the same when the process moves on."""
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
def test_what_cannot_be_read_from_disk_has_the_error_of_its_kind(root: Path, path: str, error: type[OSError]) -> None:
    """Only what does not exist is a missing file; a path below a file is none."""
    with pytest.raises(error) as caught:
        read(LocalBackend(root), path)

    assert caught.type is error


def test_a_link_that_leads_nowhere_is_a_missing_file(root: Path) -> None:
    """As it is for everybody else."""
    (root / "link.md").symlink_to("missing.md")

    with pytest.raises(FileNotFoundError):
        read(LocalBackend(root), "link.md")


def test_a_link_to_itself_is_an_error_other_than_missing(root: Path) -> None:
    """Something is there, and it is broken."""
    (root / "link.md").symlink_to("link.md")

    with pytest.raises(OSError, match="Too many levels") as caught:
        read(LocalBackend(root), "link.md")

    assert not isinstance(caught.value, FileNotFoundError)


@pytest.mark.usefixtures("as_a_user")
def test_a_file_without_rights_is_a_permission_error(fs: FakeFilesystem) -> None:
    """On a fake disk, since nothing is forbidden to a superuser."""
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
def test_lines_are_picked_with_their_ends(offset: int, limit: int, lines: bytes) -> None:
    """From the first line asked for, as many as asked for, as far as there are any."""
    assert pick_lines(b"one\r\ntwo\nthree", ReadRequest("a.md", offset, limit)) == lines


def test_a_lone_carriage_return_ends_no_line() -> None:
    """Nor does anything but a newline."""
    assert pick_lines("one\rstill\u2028one\x0c\ntwo".encode(), ReadRequest("a.md", 2)) == b"two"


def test_lines_of_a_file_on_disk_are_picked(root: Path) -> None:
    """The request reaches the lines."""
    assert read(LocalBackend(root), "a.md", 2, 1) == b"two\n"


def test_reads_of_a_disk_at_the_same_time_get_their_own_files(root: Path) -> None:
    """And the error of one is not the error of another."""
    backend = LocalBackend(root)

    async def all_at_once() -> list[bytes | BaseException]:
        reads = (backend.read(ReadRequest(path)) for path in ["a.md", "missing.md", "docs/b.md"])
        return await asyncio.gather(*reads, return_exceptions=True)

    first, missing, last = asyncio.run(all_at_once())

    assert (first, last) == (b"one\r\ntwo\nthree", b"\xff\xfe")
    assert isinstance(missing, FileNotFoundError)


@pytest.mark.parametrize("content", ["Grüße", b"\xff", "", b""])
def test_a_memory_gives_back_what_it_was_given(content: Content) -> None:
    """Text as text, bytes as bytes."""
    got = read(MemoryBackend({"a.md": content}), "a.md")

    assert (got, type(got)) == (content, type(content))


def test_a_memory_holds_what_was_written_last() -> None:
    """A file may be replaced, and the mapping it began with is left alone."""
    files: dict[str, Content] = {"a.md": "old"}
    backend = MemoryBackend(files)
    backend.write("a.md", "new")

    assert (read(backend, "a.md"), files) == ("new", {"a.md": "old"})


def test_lines_of_a_memory_are_bytes() -> None:
    """A part of a file is the same part whether it was written as text or as bytes."""
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
def test_what_a_memory_does_not_hold_has_the_error_of_its_kind(path: str, error: type[OSError]) -> None:
    """A path is its exact words, and the folder of a file is a folder."""
    with pytest.raises(error) as caught:
        read(MemoryBackend({"docs/a.md": "A"}), path)

    assert caught.type is error


def test_a_link_that_comes_after_the_path_was_resolved_is_not_followed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody may put it there in between: here, the path is resolved as if there were none."""
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
    """It is refused at once, and not waited for."""
    os.mkfifo(root / "pipe")

    with pytest.raises(OSError, match="Invalid argument"):
        asyncio.run(LocalBackend(root).read(ReadRequest("pipe")))


def test_a_memory_knows_every_folder_above_a_file() -> None:
    """A folder is one as soon as a file is below it, however deep."""
    memory = MemoryBackend()
    memory.write("/p/q/r/a.md", "")

    for folder in ("/p", "/p/q", "/p/q/r", "/p/"):
        with pytest.raises(IsADirectoryError):
            asyncio.run(memory.read(ReadRequest(folder)))
    with pytest.raises(FileNotFoundError):
        asyncio.run(memory.read(ReadRequest("/p/q/x")))
