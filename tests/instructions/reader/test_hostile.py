"""Trees that no person made: bounded memory and time, and a note instead of a crash."""

from __future__ import annotations

import os
import shutil
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyfakefs import helpers
from pyfakefs.fake_filesystem import FakeFilesystem

from loopspec_instructions.reader import DiskFiles, Limits, MemoryFiles, Reading, read_instructions
from loopspec_instructions.reader.memory import Node, Special
from loopspec_instructions.reader.reading import Note

from .dialects import AFTER, INLINE, PLAIN, changed, loaded, noted, read

CUT = changed(
    PLAIN, {"budget": 32768, "budget_cut": "cut", "budget_counts": "contents", "budget_character": "replaced"}
)
LENGTH = 10_000


def on_disk(folder: Path, dialect: object = PLAIN) -> Reading:
    """What a dialect reads from a folder of the disk."""
    assert isinstance(dialect, type(PLAIN))
    return read_instructions(DiskFiles(), str(folder), str(folder), dialect)


def chain(length: int) -> dict[str, Node]:
    """Files of which each imports the next."""
    return {
        "/p/A.md": "0 @1.md",
        **{f"/p/{n}.md": f"{n} @{n + 1}.md" for n in range(1, length)},
        f"/p/{length}.md": "end",
    }


@pytest.mark.parametrize("imports", ["inline", "after"])
def test_a_long_chain_of_imports(imports: str) -> None:
    """There is no limit of recursion, and the texts take no quadratic space."""
    values: dict[str, Any] = {"imports": imports, "import_depth": 0, "import_paths": "slash-or-extension"}
    nodes = chain(LENGTH)
    tracemalloc.start()
    reading = read(nodes, INLINE, cwd="/p", **values)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert [file.level for file in reading.files] == list(range(LENGTH + 1))
    assert reading.files[-1].text == "end"
    assert reading.notes == ()
    assert peak < 30 << 20


def test_a_cycle_of_many_files() -> None:
    """The last file imports the first."""
    nodes = {**chain(LENGTH), f"/p/{LENGTH}.md": "@A.md"}
    reading = read(nodes, INLINE, cwd="/p", import_depth=0, import_paths="slash-or-extension")

    assert reading.notes == (Note("import-cycle", f"/p/{LENGTH}.md", 1, "/p/A.md"),)


def test_imports_that_multiply() -> None:
    """Each file imports the next one ten times: the number of imports has a limit, which is noted once for each."""
    nodes: dict[str, Node] = {f"/p/{n}.md": f"@{n + 1}.md " * 10 for n in range(9)}
    nodes["/p/A.md"] = "@0.md"
    files = MemoryFiles({"/p/.git": Special.FOLDER, **nodes, "/p/9.md": "x" * 50})
    dialect = changed(INLINE, {"import_depth": 0, "import_paths": "slash-or-extension"})
    reading = read_instructions(files, "/p", "/h", dialect, limits=Limits(imports=1000))

    assert len(reading.files) == 1001
    assert {note.reason for note in reading.notes} == {"over-limit"}


def test_imports_that_grow() -> None:
    """All files together have a limit of bytes."""
    files = MemoryFiles({"/p/A.md": "@b.md " * 100, "/p/b.md": "x" * 1000})
    reading = read_instructions(files, "/p", "/h", INLINE, limits=Limits(all_bytes=5600))

    assert sum(file.received for file in reading.files if file.inline) == 5000
    assert [note.at for note in reading.notes[:2]] == [0, 0]
    assert {note.reason for note in reading.notes} == {"over-limit"}


def test_mentions_after_a_limit_of_characters() -> None:
    """All files together have a limit of characters: the rest of a text stays text, and the note names the line."""
    files = MemoryFiles({"/p/A.md": "@b.md \n@c.md " + "x" * 100 + "@b.md", "/p/b.md": "bbb", "/p/c.md": "@b.md "})
    reading = read_instructions(files, "/p", "/h", INLINE, limits=Limits(searched=17))

    assert [file.path for file in reading.files] == ["/p/A.md", "/p/b.md", "/p/c.md"]
    assert reading.files[0].text.endswith("x@b.md")
    assert reading.notes == (Note("over-limit", "/p/A.md", 2), Note("over-limit", "/p/c.md", 1))


def test_texts_without_mentions_do_not_count_toward_the_limit_of_characters() -> None:
    """A file of the limit exactly is searched to its end."""
    files = MemoryFiles({"/p/A.md": "@b.md @c.md ", "/p/b.md": "b" * 100, "/p/c.md": "@b.md"})
    reading = read_instructions(files, "/p", "/h", INLINE, limits=Limits(searched=17))

    assert [file.path for file in reading.files] == ["/p/A.md", "/p/b.md", "/p/c.md", "/p/b.md"]
    assert reading.notes == ()


@pytest.mark.parametrize(("dialect", "read_bytes", "reason"), [(CUT, 32768, "cut"), (PLAIN, 1 << 22, "over-limit")])
def test_a_large_file(tmp_path: Path, dialect: object, read_bytes: int, reason: str) -> None:
    """A sparse file of a gigabyte is not read into memory; the note says how many bytes are left."""
    with (tmp_path / "A.md").open("wb") as file:
        file.write(b"x")
        file.truncate(1 << 30)
    tracemalloc.start()
    reading = on_disk(tmp_path, dialect)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    [loaded_file] = reading.files

    assert (loaded_file.size, loaded_file.received) == (1 << 30, read_bytes)
    assert [(note.reason, note.at) for note in reading.notes] == [(reason, read_bytes)]
    assert peak < 40 << 20


def test_a_file_that_the_budget_never_reaches_is_not_read_whole(tmp_path: Path) -> None:
    """Leading white space does not count toward every budget, so more than the budget is read, but not all."""
    with (tmp_path / "A.md").open("wb") as file:
        file.write(b" " * (1 << 21) + b"x")
    reading = on_disk(tmp_path, CUT)

    assert loaded(reading) == []
    assert noted(reading) == [("empty", str(tmp_path / "A.md"))]


@pytest.mark.parametrize("name", ["pipe", "device", "socket"])
def test_what_is_no_file_is_not_opened(tmp_path: Path, name: str) -> None:
    """A pipe without a writer would wait, and a device would never end."""
    place = tmp_path / "A.md"
    if name == "pipe":
        os.mkfifo(place)
    elif name == "device":
        place.symlink_to("/dev/zero")
    else:
        import socket

        with socket.socket(socket.AF_UNIX) as made:
            made.bind(os.path.relpath(place))
    (tmp_path / "A.import").write_text("@A.md x", encoding="utf-8")
    importing = changed(INLINE, {"file_names": (("A.import",),)})

    assert on_disk(tmp_path) == Reading((), (Note("not-a-file", str(place)),))
    assert on_disk(tmp_path, importing).notes == (Note("unreadable-import", str(tmp_path / "A.import"), 1, str(place)),)


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[Path]:
    """A folder whose path has more than 4096 bytes."""
    os.chdir(tmp_path)
    path = tmp_path
    while len(os.fsencode(path)) < 4300:
        name = "n" * 200
        Path(name).mkdir()
        os.chdir(name)
        path = path / name
    yield path
    os.chdir(tmp_path)
    shutil.rmtree(tmp_path / ("n" * 200))


def test_a_folder_with_a_very_long_path(deep: Path) -> None:
    """The system does not look at such a path: the folders above are searched, and the file is noted."""
    top = Path(str(deep).split("/nnn")[0])
    (top / "A.md").write_text("top", encoding="utf-8")
    (top / ".git").mkdir()
    reading = on_disk(deep)

    assert loaded(reading) == [(str(top / "A.md"), "top")]
    assert noted(reading)[-1] == ("unreadable", str(deep / "A.md"))


@pytest.mark.parametrize("name", ["line\nbreak", "tab\t", "bad\udcff", "\u202e", "-", "space ", "\x1b[2J"])
def test_folders_with_unusual_names(tmp_path: Path, name: str) -> None:
    """The path is what the system has, byte by byte."""
    folder = tmp_path / name
    folder.mkdir()
    (folder / "A.md").write_text("x", encoding="utf-8")
    reading = on_disk(
        folder,
        changed(
            PLAIN,
            {"order": "by-path", "budget": 9, "budget_cut": "cut", "budget_counts": "sections", "heading": "{path}"},
        ),
    )

    assert noted(reading) == [("over-budget", str(folder / "A.md"))]
    assert loaded(on_disk(folder)) == [(str(folder / "A.md"), "x")]


def test_a_folder_that_links_to_itself(tmp_path: Path) -> None:
    """A search below the working directory does not follow links."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a/A.md").write_text("x", encoding="utf-8")
    (tmp_path / "a/loop").symlink_to("..")
    reading = on_disk(tmp_path, changed(PLAIN, {"below": "yes"}))

    assert loaded(reading) == [(str(tmp_path / "a/A.md"), "x")]


@pytest.fixture
def as_a_user(fs: FakeFilesystem) -> Iterator[FakeFilesystem]:
    """A disk that enforces permissions, which a superuser bypasses."""
    helpers.set_uid(1000)
    yield fs
    helpers.reset_ids()


@pytest.mark.parametrize("forbidden", ["/p/s/A.md", "/p/s"])
def test_a_file_that_must_not_be_read(as_a_user: FakeFilesystem, forbidden: str) -> None:
    """The permission of the file is missing, or that of its folder."""
    as_a_user.create_file("/p/A.md", contents="p")
    as_a_user.create_file("/p/.git")
    as_a_user.create_file("/p/s/A.md", contents="s")
    as_a_user.chmod(forbidden, 0)
    reading = on_disk(Path("/p/s"))

    assert loaded(reading) == [("/p/A.md", "p")]
    assert noted(reading) == [("unreadable", "/p/s/A.md")]


@pytest.mark.parametrize(
    "text",
    [
        "`" * 100_000,
        "@a " * 50_000,
        "` `` " * 20_000,
        "<!--" * 50_000,
        "@" * 100_000,
        "- " * 500 + "`@a.md `",
        "> " * 500 + "@a.md",
    ],
)
@pytest.mark.parametrize("code", ["skipped", "between-backticks"])
def test_text_that_is_slow_to_parse(code: str, text: str) -> None:
    """The time does not grow with the square of the length."""
    values = {"import_code": code, "import_indented": "skipped", "import_comment": "skipped"}
    [(_, found)] = loaded(read({"/p/A.md": text}, INLINE, cwd="/p", **values))

    assert found == text


def test_a_configured_list_of_many_repeats() -> None:
    """Each is noted."""
    reading = read({"/p/x.md": "x"}, AFTER, configured=["/p/x.md"] * 5000)

    assert len(reading.files) == 1
    assert len(reading.notes) == 9998
