"""`loopspec docs DIR`: which folder is written to, and which is left alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from loopspec.cli import main
from loopspec.contract.faults import UsageError
from loopspec.pages.site import site, write_site

FILES = {"index.html": "<p>Hello.", "rules/A.html": "<p>A.", "rules/B.html": "<p>B."}


def tree(folder: Path) -> dict[str, str]:
    """What is in a folder, but for what says that it is ours."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".loopspec-docs"
    }


def refusal(folder: Path) -> str:
    """What is said about a folder that cannot be written to."""
    with pytest.raises(UsageError) as caught:
        write_site(folder, FILES)
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


def test_the_command_writes_the_same_site_in_every_process(tmp_path: Path) -> None:
    """Whatever the order of its sets; it says where to begin."""
    done = subprocess.run(
        [sys.executable, "-m", "loopspec", "docs", "deep/in"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    files = site(metadata.version("loopspec"))

    assert tree(tmp_path / "deep" / "in") == files
    pages = sum(name.endswith(".html") for name in files)
    assert done.stdout == f"wrote deep/in: {pages} pages; open deep/in/index.html\n"


def test_an_empty_folder_is_written_to(tmp_path: Path) -> None:
    """It is as good as a new one."""
    write_site(tmp_path, FILES)

    assert tree(tmp_path) == FILES


def test_a_site_is_written_over_an_earlier_one(tmp_path: Path) -> None:
    """What the earlier one had and this one has not goes; what somebody put beside it stays."""
    write_site(tmp_path, FILES)
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")

    write_site(tmp_path, {"index.html": "<p>New.", "rules/A.html": "<p>A."})
    write_site(tmp_path, {"index.html": "<p>Newer.", "rules/A.html": "<p>A."})

    assert tree(tmp_path) == {"index.html": "<p>Newer.", "rules/A.html": "<p>A.", "notes.txt": "mine"}


def test_a_site_that_was_cut_off_can_be_written_again(tmp_path: Path) -> None:
    """The folder is marked as ours before the first file is in it."""
    with pytest.raises(UsageError, match="cannot be written"):
        write_site(tmp_path, {"old.html": "<p>Old.", "old.html/below": "no place for a file"})
    assert tree(tmp_path) == {"old.html": "<p>Old."}

    write_site(tmp_path, FILES)

    assert tree(tmp_path) == FILES


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    """With nothing written to it."""
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")

    assert refusal(tmp_path) == (
        f"{tmp_path} is not empty and was not written by `loopspec docs`: nothing was written; name another folder"
    )
    assert tree(tmp_path) == {"thesis.txt": "mine"}


def test_a_file_of_somebody_else_in_our_folder_is_not_written_over(tmp_path: Path) -> None:
    """Its name has become one of ours."""
    write_site(tmp_path, {"index.html": "<p>Hello."})
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "A.html").write_text("mine", encoding="utf-8")

    assert refusal(tmp_path) == (
        f"{tmp_path / 'rules/A.html'} was not written by `loopspec docs`: "
        "nothing was written; move it, or name another folder"
    )
    assert tree(tmp_path) == {"index.html": "<p>Hello.", "rules/A.html": "mine"}


def test_a_marker_that_leads_out_of_the_folder_takes_nothing_away(tmp_path: Path) -> None:
    """Neither upwards nor from the root."""
    outside = tmp_path / "outside.txt"
    outside.write_text("mine", encoding="utf-8")
    folder = tmp_path / "site"
    write_site(folder, FILES)
    with (folder / ".loopspec-docs").open("a", encoding="utf-8") as marker:
        marker.write(f"../outside.txt\n{outside}\nrules/../../outside.txt\n")

    write_site(folder, FILES)

    assert outside.read_text(encoding="utf-8") == "mine"


def test_a_link_that_leads_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    """Neither to a file nor to a folder: what it leads to is somebody else's."""
    folder, outside = tmp_path / "site", tmp_path / "outside"
    outside.mkdir()
    (outside / "A.html").write_text("mine", encoding="utf-8")
    for name, target in (("index.html", outside / "A.html"), ("rules", outside)):
        write_site(folder, FILES)
        shutil.rmtree(folder / name) if name == "rules" else (folder / name).unlink()
        (folder / name).symlink_to(target)

        assert "was not written by `loopspec docs`: nothing was written" in refusal(folder)
        assert tree(outside) == {"A.html": "mine"}
        (folder / name).unlink()


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    """A file, a link to nowhere, and what is below a file."""
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("mine", encoding="utf-8")
    link.symlink_to(tmp_path / "nowhere")

    assert refusal(file) == f"{file} is no folder: nothing was written; name another one"
    assert refusal(link) == f"{link} is no folder: nothing was written; name another one"
    assert refusal(file / "below") == f"{file / 'below'} cannot be written: Not a directory"
    assert file.read_text(encoding="utf-8") == "mine"


def test_a_refusal_is_one_sentence_and_a_wrong_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the exit code for that."""
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")

    code = main(["docs", str(tmp_path)])

    captured = capsys.readouterr()
    assert (code, captured.out) == (2, "")
    assert captured.err == (
        f"loopspec: {tmp_path} is not empty and was not written by `loopspec docs`: "
        "nothing was written; name another folder\n"
    )
