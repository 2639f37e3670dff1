"""`loopspec docs DIR`: which folder is written to, and which is left alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from loopspec.cli import main
from loopspec.contract.faults import UsageError
from loopspec_docs import command
from loopspec_docs.site import write_site
from loopspec_docs.site.build import render

FILES = {"index.html": b"<p>Hello.", "rules/A.html": b"<p>A.", "rules/B.html": b"<p>B."}


def tree(folder: Path) -> dict[str, bytes]:
    """The files in a folder, without the marker."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".loopspec-docs"
    }


def refusal(folder: Path) -> str:
    """The error for a folder that cannot be written to."""
    with pytest.raises(UsageError) as caught:
        write_site(folder, FILES)
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


def test_the_command_writes_the_site(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And says where to begin."""
    monkeypatch.setattr(command, "site", lambda: FILES)
    folder = tmp_path / "deep" / "in"

    assert main(["docs", str(folder)]) == 0

    assert tree(folder) == FILES
    assert capsys.readouterr().out == f"wrote {folder}: 3 pages; open {folder / 'index.html'}\n"


@pytest.mark.parametrize("lacks", ["zensical", "pytest"])
def test_without_a_package_a_sentence_names_what_to_install(
    lacks: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is written."""
    monkeypatch.setattr("loopspec_docs.site.build.find_spec", lambda name: None if name == lacks else name)

    assert main(["docs", str(tmp_path / "site")]) == 2

    assert capsys.readouterr().err == (
        "loopspec: `loopspec docs` needs the packages zensical and pytest: pip install 'loopspec[docs]'\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_failure_of_the_docs_tool_is_one_sentence(tmp_path: Path) -> None:
    """With the last words of the tool."""
    with pytest.raises(UsageError, match=r"^zensical cannot render the site: [^\n]+$"):
        render(tmp_path, {"zensical.toml": "[project"})


def test_a_site_is_written_over_an_earlier_one(tmp_path: Path) -> None:
    """Files that only the earlier one had are removed; other files stay. An empty folder is as good as a new one."""
    write_site(tmp_path, FILES)
    assert tree(tmp_path) == FILES
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")

    write_site(tmp_path, {"index.html": b"<p>New.", "rules/A.html": b"<p>A."})
    write_site(tmp_path, {"index.html": b"<p>Newer.", "rules/A.html": b"<p>A."})

    assert tree(tmp_path) == {"index.html": b"<p>Newer.", "rules/A.html": b"<p>A.", "notes.txt": b"mine"}


def test_a_site_that_was_cut_off_can_be_written_again(tmp_path: Path) -> None:
    """The folder is marked before the first file is in it."""
    with pytest.raises(UsageError, match="cannot be written"):
        write_site(tmp_path, {"old.html": b"<p>Old.", "old.html/below": b"no place for a file"})
    assert tree(tmp_path) == {"old.html": b"<p>Old."}

    write_site(tmp_path, FILES)

    assert tree(tmp_path) == FILES


def test_another_file_in_the_folder_of_a_site_is_not_overwritten(tmp_path: Path) -> None:
    """Its name has become one of ours."""
    write_site(tmp_path, {"index.html": b"<p>Hello."})
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "A.html").write_text("mine", encoding="utf-8")

    assert refusal(tmp_path) == (
        f"{tmp_path / 'rules/A.html'} was not written by `loopspec docs`: "
        "nothing was written; move it, or name another folder"
    )
    assert tree(tmp_path) == {"index.html": b"<p>Hello.", "rules/A.html": b"mine"}


def test_a_marker_that_leads_out_of_the_folder_removes_nothing(tmp_path: Path) -> None:
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
    """Neither to a file nor to a folder: its target is not part of the site."""
    folder, outside = tmp_path / "site", tmp_path / "outside"
    outside.mkdir()
    (outside / "A.html").write_text("mine", encoding="utf-8")
    for name, target in (("index.html", outside / "A.html"), ("rules", outside)):
        write_site(folder, FILES)
        shutil.rmtree(folder / name) if name == "rules" else (folder / name).unlink()
        (folder / name).symlink_to(target)

        assert "was not written by `loopspec docs`: nothing was written" in refusal(folder)
        assert tree(outside) == {"A.html": b"mine"}
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


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    """Nothing is written."""
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")

    assert refusal(tmp_path) == (
        f"{tmp_path} is not empty and was not written by `loopspec docs`: nothing was written; name another folder"
    )
    assert tree(tmp_path) == {"thesis.txt": b"mine"}
