"""`loopspec lint` in repositories that no person wrote: bounded in time and memory, and without effects."""

from __future__ import annotations

import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from loopspec_instructions.linting import lint

LIMIT = 2 << 30  # bytes of address space
MOST_SECONDS = 60.0  # of CPU; each takes less than a fifth on an idle machine


def called(command: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Call `loopspec lint` or `loopspec show` as all tools read a folder, in a process with little memory."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
        resource.setrlimit(resource.RLIMIT_CPU, (int(MOST_SECONDS), int(MOST_SECONDS)))

    arguments = [sys.executable, "-m", "loopspec", command, str(folder), "--as", "all"]
    arguments += ["--fail-on", "note"] if command == "lint" else []
    return subprocess.run(arguments, capture_output=True, timeout=600, check=False, preexec_fn=limited)


def link_loops(root: Path) -> str:
    (root / "AGENTS.md").symlink_to("AGENTS.md")
    (root / "a").mkdir()
    (root / "a" / "up").symlink_to("..")
    (root / ".continue" / "rules").mkdir(parents=True)
    (root / ".continue" / "rules" / "style.md").symlink_to("style.md")
    return "LINT-24 is a link that leads to itself"


def long_chain(root: Path) -> str:
    for number in range(10_000):
        (root / f"{number}.md").write_text(f"{number}\n@./{number + 1}.md\n", encoding="utf-8")
    (root / "GEMINI.md").write_text("@./0.md\n", encoding="utf-8")
    return "LINT-04 imports 5.md, which is below the last level of imports"


def deep_folders(root: Path) -> str:
    """Folders down to the longest path."""
    here = Path.cwd()
    os.chdir(root)
    try:
        for _ in range(2_000):
            Path("AGENTS.md").write_text("Use tabs.\n", encoding="utf-8")
            Path("d").mkdir()
            os.chdir("d")
    finally:
        os.chdir(here)
    return "LINT-31 loopspec reads a part only: the folder has more than 64 levels above"


def sparse_file(root: Path) -> str:
    with (root / "AGENTS.md").open("wb") as file:
        file.truncate(1 << 30)
    return "LINT-31 loopspec reads a part only: the file or its imports exceed the limits of loopspec"


def pipes(root: Path) -> str:
    os.mkfifo(root / "AGENTS.md")
    (root / "CLAUDE.md").write_text("@./pipe.md\n", encoding="utf-8")
    os.mkfifo(root / "pipe.md")
    return "LINT-08 imports pipe.md, which is no readable file"


def devices(root: Path) -> str:
    (root / "AGENTS.md").symlink_to("/dev/zero")
    return "LINT-23 is no file"


def impossible_paths(root: Path) -> str:
    """A null character in an import, and a file that is used like a folder."""
    (root / "CLAUDE.md").write_text("@./a\x00b.md\n@./a/b.md\n", encoding="utf-8")
    (root / "a").write_text("a file\n", encoding="utf-8")
    return "LINT-08 imports a/b.md, which is no readable file"


def strange_names(root: Path) -> str:
    folder = root / os.fsdecode(b"a\nb\xff")
    folder.mkdir()
    (folder / "CLAUDE.md").write_bytes(b"@./miss\xffing.md\n")
    return "a\\nb\\udcff/CLAUDE.md:1: error LINT-18 is not UTF-8 from byte 7 on"


def many_mentions(root: Path) -> str:
    """Many working directories below a file with many imports."""
    for number in range(300):
        (root / f"f{number}").mkdir()
        (root / f"f{number}" / "QWEN.md").write_text("Use tabs.\n", encoding="utf-8")
        (root / f"{number}.md").write_text("One.\n", encoding="utf-8")
    (root / "QWEN.md").write_text("".join(f"@./{number}.md\n" for number in range(300)), encoding="utf-8")
    return "no findings"


def dense_text(root: Path) -> str:
    """Files of four megabytes with nothing but code, comments, links and mentions."""
    for name in ("AGENTS.md", "CLAUDE.md", "GEMINI.md", "QWEN.md"):
        (root / name).write_text("`@a.md` <!-- @b.md --> [x](y.md) " * 120_000, encoding="utf-8")
    return "LINT-31 loopspec reads a part only: the file or its imports exceed the limits of loopspec"


SHAPES = [
    *(link_loops, long_chain, deep_folders, sparse_file, pipes, devices),
    *(impossible_paths, strange_names, many_mentions, dense_text),
]


@pytest.mark.long
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_a_hostile_repository_has_its_sentence(shape: Callable[[Path], str], tmp_path: Path) -> None:
    """The command ends by itself, with the sentence expected and without a traceback."""
    root = tmp_path / "project"
    root.mkdir()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    sentence = shape(root)
    began = time.monotonic()

    ended, shown = called("lint", root), called("show", root)

    assert ended.stderr == shown.stderr == b""
    assert shown.returncode == 0
    assert shown.stdout.startswith((b"file ", b"Your tools, as this machine has them:\nfile "))
    assert ended.returncode == (0 if sentence == "no findings" else 1)
    assert sentence in ended.stdout.decode()
    assert time.monotonic() - began < 240
    if shape is deep_folders:
        subprocess.run(["rm", "-rf", str(root)], check=True)  # longer paths than Python's own removal takes


def test_nothing_is_written(tmp_path: Path) -> None:
    """The names, contents and times of a repository are the same afterwards."""
    (tmp_path / "AGENTS.md").write_text("@./missing.md\n", encoding="utf-8")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")

    def state() -> dict[str, tuple[int, int]]:
        return {path.name: ((found := path.lstat()).st_mtime_ns, found.st_size) for path in tmp_path.iterdir()}

    before = state()
    called("lint", tmp_path)
    called("show", tmp_path)
    assert state() == before


def test_a_folder_that_cannot_be_listed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other folders are linted."""
    (tmp_path / "closed").mkdir()
    (tmp_path / "CLAUDE.md").write_text("@./missing.md\n", encoding="utf-8")
    listing = os.scandir

    def refusing(folder: object) -> object:
        if str(folder).endswith("/closed"):
            raise PermissionError(folder)
        return listing(folder)  # type: ignore[call-overload]  # what os.scandir takes

    monkeypatch.setattr(os, "scandir", refusing)
    found = [(one.rule, one.path) for one in lint(tmp_path).findings]

    assert found == [("LINT-01", "CLAUDE.md"), ("LINT-31", "closed")]


def _lint_without_permission(root: Path, sent: Connection) -> None:
    os.setgid(65534)
    os.setuid(65534)
    sent.send([(one.rule, one.path) for one in lint(root, ["opencode"]).findings])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a process of another user")
def test_another_user_has_a_sentence_for_each_path_without_permission(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process has no permission to read the file, and none to list the folder, which root has in other tests."""
    with tempfile.TemporaryDirectory() as base:
        root = Path(base)
        (root / "closed").mkdir()
        (root / "closed" / "AGENTS.md").write_text("Use tabs.\n", encoding="utf-8")
        (root / "AGENTS.md").write_text("Use tabs.\n", encoding="utf-8")
        (root / "CLAUDE.md").write_text("Use spaces.\n", encoding="utf-8")
        (root / "AGENTS.md").chmod(0)
        (root / "closed").chmod(0)
        root.chmod(0o755)
        monkeypatch.setenv("HOME", base)
        readers = multiprocessing.get_context("fork")
        received, sent = readers.Pipe(duplex=False)
        process = readers.Process(target=_lint_without_permission, args=(root, sent))
        process.start()
        found = received.recv() if received.poll(60) else None
        process.join(60)

    assert found == [("LINT-15", "AGENTS.md"), ("LINT-11", "CLAUDE.md"), ("LINT-31", "closed")]
