"""`loopspec show --as`: what each tool reads of the instruction files of a folder."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import get_args

import pytest
from syrupy.assertion import SnapshotAssertion

from loopspec.contract.dialects import dialect_names, instruction_axes
from loopspec_instructions import user_tools
from loopspec_instructions.answers import note_texts
from loopspec_instructions.reader.reading import Reason

from ..conformance.cli.in_process import called
from ..conformance.cli.test_page import COLORS, on_terminal

API = "home/code/repo/packages/api"
LENGTH = 150  # characters of the base of the tree, since the text of a tool can contain the path of a file
FILES = {
    "home/.codex/AGENTS.md": "Answer in English.\n",
    "home/code/AGENTS.md": "The folder above the repository.\n",
    "home/code/repo/AGENTS.md": "Run the tests before a commit.\n",
    f"{API}/AGENTS.override.md": "",
    f"{API}/AGENTS.md": "Rules of the API.\n",
    f"{API}/CLAUDE.md": "Rules for Claude. @docs/style.md\n@missing.md\n",
    f"{API}/GEMINI.md": "Rules for Gemini.\n\n@./docs/style.md\n",
    f"{API}/docs/style.md": "The style.\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a repository with instruction files, which is the current folder."""
    tmp_path /= "x" * (LENGTH - len(str(tmp_path)))
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    git = tmp_path / "home/code/repo/.git"
    for name in ("objects", "refs/heads"):
        (git / name).mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (git / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path / API)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr("shutil.which", lambda name: None)  # no tool of this machine
    return tmp_path


@pytest.mark.parametrize("name", [*dialect_names(), "all"])
def test_a_tool_is_shown(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    """The whole output is compared, with the base of the tree left out."""
    ended = called(capsys, "show", "--as", name)

    assert (ended.code, ended.err) == (0, "")
    assert ended.out.replace(str(folder), "…") == snapshot


def test_a_cut_is_shown_with_its_place(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Codex loads 32 KiB of the files of a project: 31 bytes of the first one, and the rest of the second one."""
    (folder / API / "AGENTS.override.md").unlink()
    (folder / API / "AGENTS.md").write_text(f"{'x' * 99}\n" * 400, encoding="utf-8")

    ended = called(capsys, "show", "--as", "codex")

    left = 32768 - len(FILES["home/code/repo/AGENTS.md"])
    assert f"  3  AGENTS.md  40000 bytes, cut after {left} bytes, in line {left // 100 + 1}" in ended.out.splitlines()
    assert f"  AGENTS.md: cut after {left} bytes by the budget" in ended.out.splitlines()
    assert ended.out.index("xxx") < ended.out.index("Files that Codex")
    assert ended.out.partition("\n\nFiles that")[0].count("x") == left - left // 100

    assert "  together 32786 bytes, about 8197 tokens, 100% of the limit of 32,768 bytes" in ended.out.splitlines()
    table = called(capsys, "show", "--as", "codex,pi").out.splitlines()
    codex = table[0].index("codex")
    assert next(line for line in table if line.startswith("AGENTS.md "))[codex:].startswith("3 cut")


def test_a_tool_that_loads_nothing_has_the_file_that_is_the_reason(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code is 1; the table names the tool and the file."""
    (folder / API / "AGENTS.md").write_bytes(b"Rules \xff of the API.\n")

    ended = called(capsys, "show", "--as", "deepagents")
    table = called(capsys, "show", "--as", "codex,deepagents")

    assert ended.code == 1
    assert ended.out.startswith("(nothing: the tool loads no text)\n")
    assert "  none: AGENTS.md: not UTF-8 from byte 6 on" in ended.out.splitlines()
    assert "deepagents loads nothing: AGENTS.md: not UTF-8 from byte 6 on." in table.out.splitlines()
    assert table.code == 0

    (folder / API / "AGENTS.md").write_text("See @src.md\n", "utf-8")
    (folder / API / "src.md").mkdir()
    read = called(capsys, "show", "--as", "eino")
    assert "  none: AGENTS.md: line 1 imports src.md, which cannot be read as a file" in read.out.splitlines()


def test_the_home_folder_can_be_another_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "other/.codex").mkdir(parents=True)
    (folder / "other/.codex/AGENTS.md").write_text("Answer in German.\n", encoding="utf-8")

    ended = called(capsys, "show", "--as", "codex", "--home", str(folder / "other"))

    assert ended.out.startswith("Answer in German.\n")
    assert "  1  ~/.codex/AGENTS.md  18 bytes" in ended.out.splitlines()


def test_another_folder_than_the_current_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ended = called(capsys, "show", str(folder / "home/code/repo"), "--as", "codex")

    assert [line for line in ended.out.splitlines() if line.startswith("  ")] == [
        "  1  ~/.codex/AGENTS.md  19 bytes",
        "  2  AGENTS.md  31 bytes",
        "  together 49 bytes, about 13 tokens, <1% of the limit of 32,768 bytes",
        "  none",
    ]


def test_a_name_with_a_line_break_stays_on_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = folder / API / "a\nb\udcff"
    odd.mkdir()
    (odd / "AGENTS.md").write_text("Odd.\n", encoding="utf-8")

    ended = called(capsys, "show", os.fspath(odd), "--as", "codex")

    shown = f"{folder / API}/" + r"a\nb\udcff"
    assert f"Files that Codex CLI 0.169.0 loads in {shown}, in order:" in ended.out.splitlines()


def test_a_terminal_gets_as_many_parts_of_the_table_as_it_needs(folder: Path) -> None:
    narrow = COLORS.sub("", on_terminal(60, ["show", "--as", "all"])).splitlines()
    wide = COLORS.sub("", on_terminal(200, ["show", "--as", ",".join(dialect_names())])).splitlines()

    assert all(len(line) <= 60 for line in narrow)
    assert sum(line.startswith("file ") for line in narrow) > 2
    assert wide[0].replace("*", "").split() == ["file", *dialect_names()]


def test_a_table_in_a_pipe_has_at_most_80_columns(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also with a path that is longer, which has a line of its own."""
    path = "a-folder-with-a-long-name/another-folder/notes.md"
    (folder / API / path).parent.mkdir(parents=True)
    (folder / API / path).write_text("Deep.\n", encoding="utf-8")
    (folder / API / "GEMINI.md").write_text(f"@./{path}\n", encoding="utf-8")

    lines = called(capsys, "show", "--as", ",".join(dialect_names())).out.splitlines()
    static = next(at for at, line in enumerate(lines) if line.startswith("Hidden: "))

    assert max(map(len, lines[:static])) <= 80
    assert lines[lines.index(path) + 1].split() == ["–"] * 5


def test_the_tools_of_the_user_come_first(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that the configuration names, else those with a folder in the home folder or a command on PATH."""

    def tables() -> list[list[str]]:
        lines = called(capsys, "show", "--as", "all").out.splitlines()
        return [line.replace("*", "").split()[1:] for line in lines if line.startswith("file ")]

    found = tables()
    monkeypatch.setattr("shutil.which", lambda name: "/bin/pi" if name == "pi" else None)
    on_path = tables()
    (folder / "home/code/repo/loopspec.toml").write_text('[lint]\ntools = ["qwen-code", "eino"]\n', encoding="utf-8")
    named = tables()
    (folder / "home/.codex/AGENTS.md").unlink()
    (folder / "home/.codex").rmdir()
    (folder / "home/code/repo/loopspec.toml").unlink()
    monkeypatch.setattr("shutil.which", lambda name: None)
    none = tables()

    assert (found[0], on_path[0], named[0]) == (["codex"], ["codex", "pi"], ["qwen-code", "eino"])
    programs = sorted(name for name, program in user_tools.programs().items() if program)
    for shown in (found, on_path):
        assert sorted(name for part in shown for name in part) == programs
    assert sorted(name for part in none for name in part) == programs
    assert not {"agents-md", "deepagents"} & {name for part in named for name in part}


def test_each_dialect_is_known_as_a_program_or_as_none() -> None:
    """A new dialect needs an entry in `tools.toml`: its command, or nothing if no user starts it."""
    assert sorted(user_tools.programs()) == sorted(dialect_names())
    assert user_tools.programs()["codex"] == {"command": "codex", "folder": ".codex"}


def test_a_hidden_file_that_is_imported_is_not_called_hidden(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / API / "CLAUDE.md").write_text("@AGENTS.md\n", encoding="utf-8")

    ended = called(capsys, "show", "--as", "claude-code")
    table = called(capsys, "show", "--as", "claude-code,opencode").out

    assert "AGENTS.md  18 bytes, imported by line 1 of CLAUDE.md" in ended.out
    assert "  AGENTS.md: hidden by" not in ended.out
    assert re.search(r"^AGENTS\.md +\d import +\d+$", table, re.MULTILINE)
    assert "Hidden: CLAUDE.md by AGENTS.md, for opencode." in table.splitlines()
    assert "Hidden: AGENTS.md" not in table


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--as", "codx"], "there is no dialect 'codx': did you mean 'codex'?"),
        (["--as", "zzz"], f"there is no dialect 'zzz': the dialects are {', '.join(dialect_names())}"),
        (["nowhere", "--as", "codex"], "nowhere is no folder: name the folder in which the tool is started"),
        (["AGENTS.md", "--as", "all"], "AGENTS.md is no folder: name the folder in which the tool is started"),
        (["--as", "codex", "--home", "nowhere"], "nowhere is no folder: name the home folder"),
        (["--as", "codex", "--max-bytes", "9"], "--max-bytes is not for --as, which reads as the tool reads"),
        (["--home", "."], "--home is for --as only: add --as DIALECT"),
        (["--against", "pi"], "--against is for --as only: add --as DIALECT"),
        (["--at", "HEAD"], "--at is for --as only: add --as DIALECT"),
        (["--as", "codex,all"], f"there is no dialect 'all': the dialects are {', '.join(dialect_names())}"),
        (["--as", "codex", "--against", "codx"], "there is no dialect 'codx': did you mean 'codex'?"),
        (["--as", "all", "--against", "pi"], "a difference is of one tool: name one tool after --as"),
        (["--as", "codex,pi", "--at", "a..b"], "a difference is of one tool: name one tool after --as"),
        (["--as", "pi", "--against", "pi"], "the two sides of the difference are the same: name another one"),
        (["--as", "pi", "--at", "..HEAD"], "the two sides of the difference are the same: name another one"),
        (
            ["--as", "codex", "--against", "pi", "--at", "a..b"],
            "--against compares two tools, and --at two commits: use one of them",
        ),
    ],
)
def test_a_wrong_option_is_one_sentence(
    arguments: list[str], sentence: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = called(capsys, "show", *arguments)

    assert (ended.code, ended.out, ended.err) == (2, "", f"loopspec: {sentence}\n")


def test_nothing_is_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(os.fspath(path) for path in folder.rglob("*"))

    called(capsys, "show", "--as", "all")

    assert sorted(os.fspath(path) for path in folder.rglob("*")) == before


def test_each_note_of_the_reader_has_a_sentence() -> None:
    """A reason without one would end the command."""
    assert note_texts().keys() == set(get_args(Reason))
    assert {text.axis for text in note_texts().values()} <= {"", *instruction_axes()}
