"""The two kinds of files: what they say of a path, and their errors."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from loopspec_instructions.reader import DiskFiles, MemoryFiles
from loopspec_instructions.reader.files import Content, Entry, Files, Kind
from loopspec_instructions.reader.memory import Link, Node, Special

PLACES: dict[str, Node] = {
    "/d/file": b"12345",
    "/d/hard": Link("/d/file", hard=True),
    "/d/sub/x": b"",
    "/d/link": Link("file"),
    "/d/folder-link": Link("sub"),
    "/d/gone": Link("nowhere"),
    "/d/self": Link("self"),
    "/d/ping": Link("pong"),
    "/d/pong": Link("ping"),
    "/d/through": Link("file/x"),
    "/d/pipe": Special.PIPE,
    "/d/up": Link("sub/../file"),
    "/d/line\nbreak": b"n",
    "/d/bad\udcff": b"b",
}


@pytest.fixture(params=["disk", "memory"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Files, str]:
    """The files and their base folder."""
    base = os.path.realpath(tmp_path)
    if request.param == "memory":
        nodes = {
            base + path: Link(base + node.target, hard=True) if isinstance(node, Link) and node.hard else node
            for path, node in PLACES.items()
        }
        return MemoryFiles(nodes), base
    for path, node in PLACES.items():
        place = Path(base + path)
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(node, Link) and node.hard:
            place.hardlink_to(base + node.target)
        elif isinstance(node, Link):
            place.symlink_to(node.target)
        elif isinstance(node, bytes):
            place.write_bytes(node)
        else:
            os.mkfifo(place)
    return DiskFiles(), base


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/d/file", "file"),
        ("/d/hard", "file"),
        ("/d", "folder"),
        ("/d/link", "file"),
        ("/d/folder-link", "folder"),
        ("/d/folder-link/x", "file"),
        ("/d/folder-link/../file", "file"),
        ("/d/up", "file"),
        ("/d/./sub//x", "file"),
        ("/d/none", "missing"),
        ("/d/none/none", "missing"),
        ("/d/gone", "missing"),
        ("/d/a\0b", "missing"),
        ("/d/file/x", "through-file"),
        ("/d/through", "through-file"),
        ("/d/self", "loop"),
        ("/d/ping", "loop"),
        ("/d/self/x", "loop"),
        ("/d/pipe", "other"),
        ("/d/line\nbreak", "file"),
        ("/d/bad\udcff", "file"),
        ("/d/" + "n" * 255, "missing"),
        ("/d/" + "n" * 256, "unreadable"),
        ("/d/" + "n/" * 2048, "unreadable"),
    ],
)
def test_the_kind_of_a_path(files: tuple[Files, str], path: str, kind: Kind) -> None:
    """Links are followed, and a loop is found."""
    disk, base = files

    assert disk.kind(base + path) == kind


@pytest.mark.parametrize(("limit", "data"), [(0, b""), (4, b"1234"), (5, b"12345"), (6, b"12345"), (1 << 40, b"12345")])
def test_the_bytes_of_a_file(files: tuple[Files, str], limit: int, data: bytes) -> None:
    """At most as many as wanted, and the size of the whole file."""
    disk, base = files

    assert disk.read(base + "/d/link", limit) == Content(data, 5)


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("/d/none", FileNotFoundError),
        ("/d/gone", FileNotFoundError),
        ("/d/sub", IsADirectoryError),
        ("/d/file/x", NotADirectoryError),
        ("/d/self", OSError),
        ("/d/pipe", OSError),
        ("/d/a\0b", OSError),
        ("/d/" + "n" * 256, OSError),
    ],
)
def test_a_path_that_cannot_be_read(files: tuple[Files, str], path: str, error: type[OSError]) -> None:
    """Only a missing file raises `FileNotFoundError`, and no read waits."""
    disk, base = files

    with pytest.raises(error) as caught:
        disk.read(base + path, 10)
    assert caught.type is error


@pytest.mark.parametrize(
    ("path", "real"),
    [
        ("/d/link", "/d/file"),
        ("/d/hard", "/d/hard"),
        ("/d/folder-link/x", "/d/sub/x"),
        ("/d/folder-link/none", "/d/sub/none"),
        ("/d/none/none", "/d/none/none"),
        ("/d/gone", "/d/nowhere"),
        ("/d/up", "/d/file"),
        ("/d/file/x", "/d/file/x"),
    ],
)
def test_the_path_without_links(files: tuple[Files, str], path: str, real: str) -> None:
    """What does not exist is kept."""
    disk, base = files

    assert disk.real_path(base + path) == base + real


def test_a_pipe_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To open a device can have an effect, so the kind is known before."""
    os.mkfifo(tmp_path / "pipe")
    opened: list[object] = []
    monkeypatch.setattr(os, "open", lambda *given: opened.append(given))

    with pytest.raises(OSError, match="Invalid argument"):
        DiskFiles().read(str(tmp_path / "pipe"), 1)
    assert opened == []


def test_a_null_byte_in_a_path(files: tuple[Files, str]) -> None:
    """No file has such a path."""
    disk, base = files

    for call in (disk.real_path, disk.identity, disk.entries):
        with pytest.raises(OSError, match=r"null byte|Invalid argument"):
            call(base + "/d/a\0b")


@pytest.mark.parametrize("path", ["/d/self", "/d/ping/x"])
def test_a_link_loop_has_no_real_path(files: tuple[Files, str], path: str) -> None:
    """The error is the system's."""
    disk, base = files

    with pytest.raises(OSError, match="Too many levels"):
        disk.real_path(base + path)


def test_the_identity_of_a_file(files: tuple[Files, str]) -> None:
    """Hard links and symbolic links lead to the same file."""
    disk, base = files

    assert disk.identity(base + "/d/hard") == disk.identity(base + "/d/file") == disk.identity(base + "/d/link")
    assert disk.identity(base + "/d/sub/x") != disk.identity(base + "/d/file")


def test_the_names_in_a_folder(files: tuple[Files, str]) -> None:
    """Sorted; a link to a folder is no folder."""
    disk, base = files
    entries = disk.entries(base + "/d")

    assert [entry.name for entry in entries] == sorted({path.split("/")[2] for path in PLACES})
    assert [entry for entry in entries if entry.is_folder] == [Entry("sub", True)]
    assert list(disk.entries(base + "/d/sub")) == [Entry("x", False)]
    with pytest.raises(NotADirectoryError):
        disk.entries(base + "/d/file")


def test_a_file_cannot_have_files_below() -> None:
    """The mistake is the caller's."""
    with pytest.raises(ValueError, match="is below it"):
        MemoryFiles({"/a": b"", "/a/b": b""})


def test_a_forbidden_file() -> None:
    """Its kind is known, and its content is not."""
    memory = MemoryFiles({"/a": Special.FORBIDDEN})

    assert memory.kind("/a") == "file"
    with pytest.raises(PermissionError):
        memory.read("/a", 1)
