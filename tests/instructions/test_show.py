"""`loopspec show`: the text that the middleware of the reference inserts, its files, and its warnings."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..conformance.cli.in_process import said

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_show_prints_the_instructions_that_an_agent_receives(tmp_path: Path, capsys: Captured) -> None:
    """`show` prints the text, the files in order, and the warnings."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "AGENTS.md").write_text("Answer in French.\n@docs/more.md @none.md\n", encoding="utf-8")
    (tmp_path / "docs/more.md").write_text("Be brief.", encoding="utf-8")

    lines = said(capsys, "show", ".")

    assert said(capsys, "show") == lines  # the current folder, as in `show --as` and `lint`
    end = lines.index("Files, in order:")
    assert {"Answer in French.", "Be brief."} < set(lines[:end])
    assert lines[end:] == [
        "Files, in order:",
        "  AGENTS.md  41 bytes",
        "  docs/more.md  9 bytes",
        "",
        "Warnings:",
        "  none.md: the file does not exist",
    ]


def test_show_takes_a_limit_a_language_and_a_wider_root(tmp_path: Path, capsys: Captured) -> None:
    """Options of `show` apply, and `none` is printed where there are no warnings or files."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("See @../b.md", encoding="utf-8")
    (tmp_path / "b.md").write_text("B.", encoding="utf-8")
    (tmp_path / "empty.md").touch()

    wider = said(capsys, "show", "docs/a.md", "--root", ".", "--language", "zh")
    limited = said(capsys, "show", "docs/a.md", "--root", ".", "--max-bytes", "3")
    empty = said(capsys, "show", "empty.md")

    assert wider[-6:] == ["Files, in order:", "  docs/a.md  12 bytes", "  b.md  2 bytes", "", "Warnings:", "  none"]
    assert any("\u4e00" <= letter <= "\u9fff" for line in wider for letter in line)
    assert limited[-1] == "  b.md: the byte limit is used up"
    assert empty == ["(nothing: there is no content to insert)", "", "Files, in order:", "", "Warnings:", "  none"]


def test_show_says_why_loading_fails(tmp_path: Path, capsys: Captured) -> None:
    """The error names the importing file."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a/Agents.md").write_text("@../b.md", encoding="utf-8")
    (tmp_path / "b.md").touch()
    (tmp_path / "d/Agents.md").mkdir(parents=True)

    (outside,), (folder,) = said(capsys, "show", "a", code=1), said(capsys, "show", "d", code=1)

    assert outside.startswith("loading fails: '../b.md' is outside ")
    assert outside.endswith("(while loading '../b.md' imported from 'Agents.md')")
    assert folder.startswith("loading fails: [Errno 21] Is a directory:")
