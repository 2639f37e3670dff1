"""The command lists units, checks the ledger and the list of units, and writes digests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tools.addresses.__main__ import main
from tools.addresses.covering import Line, load_covered
from tools.addresses.units import digest_of

from .tea import written

Captured = pytest.CaptureFixture[str]
Run = Callable[..., int]

SPOON = digest_of("Count: one spoon each.")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents, their forms, and a ledger without their digests."""
    return written(tmp_path)


@pytest.fixture
def run(folder: Path) -> Run:
    """Runs the command on the folder."""

    def on_folder(*arguments: str) -> int:
        files = (folder / f"{name}.toml" for name in ("forms", "ledger", "covered"))
        return main([str(folder / "documents"), *arguments], *files)

    return on_folder


def list_of(folder: Path) -> str:
    """The text of the list of units."""
    return (folder / "covered.toml").read_text(encoding="utf-8")


def change(folder: Path, name: str, old: str, new: str) -> None:
    """Replace a text in the ledger or in a document."""
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_units_are_listed_with_address_digest_and_text(run: Run, capsys: Captured) -> None:
    """A figure is printed as words; its digest is of the whole."""
    assert run("--list") == 0
    listed = capsys.readouterr().out.splitlines()

    assert len(listed) == 24
    assert listed[-3] == f"Cups, item 1\t{digest_of('Wash them')}\tWash them"
    assert f"Notes, figure 1\t{digest_of('+---+ | x |')}\t+---+ | x |" in listed


def test_a_missing_document_is_named(folder: Path, run: Run, capsys: Captured) -> None:
    """The error has the first characters of the file name."""
    (folder / "documents" / "1_cups.txt").unlink()

    assert run() == 2
    assert "0 files begin with '1'; one is expected" in capsys.readouterr().err


def test_a_changed_document_is_found_and_written(folder: Path, run: Run, capsys: Captured) -> None:
    """Each unit that is new, gone or changed is named; `--write` writes the units, with their rules and classes."""
    assert run("--write") == run() == 0
    before = list_of(folder)
    assert f"'item 1' = \"{digest_of('Warm the pot first')} OUR-01\"\n" in before
    change(folder, "documents/0_tea.txt", "one spoon", "two spoons")
    change(folder, "documents/1_cups.txt", " (By hand.)", "")
    capsys.readouterr()

    assert run() == 1
    two, dry, hand = map(digest_of, ("Count: two spoons each.", "Dry them.", "(By hand.)"))
    assert capsys.readouterr().out.splitlines() == [
        f"Brewing, item 2, sentence 1: digest {SPOON!r} in the list, the document tea has {two!r}",
        f"Cups, item 2: digest None in the list, the document cups has {dry!r}",
        f"Cups, item 2, sentence 1: digest {dry!r} in the list, the document cups has None",
        f"Cups, item 2, sentence 2: digest {hand!r} in the list, the document cups has None",
        "4 differences in 23 units",
    ]
    assert list_of(folder) == before
    assert run("--write") == 0
    assert list_of(folder).startswith(before[: before.index("\n[units.cups")].replace(SPOON, two))


@pytest.mark.parametrize(
    ("by", "has"), [("// slowly", True), ("// fast", False), ("Green", False)], ids=["its text", "another", "a label"]
)
def test_a_class_is_for_its_places_and_texts(folder: Path, by: str, has: bool) -> None:
    """A group in the pattern of places is a text as well, so a label is the text in its own address."""
    classes = load_covered(folder / "covered.toml").classes
    places = ("code line 2", 'row "Green" × "Sort"')
    code, row = (Line("tea", "Code", f"Code, {place}", digest_of(by), ()) for place in places)

    assert classes["slow"].has(code) is has
    assert not classes["slow"].has(row)
    assert classes["label"].has(row) is (by == "Green")


def test_a_statement_does_not_copy_the_document(folder: Path, run: Run, capsys: Captured) -> None:
    """A statement may share at most eight consecutive words with the document."""
    long = "water that comes from a well in the old town"
    change(folder, "documents/0_tea.txt", "one spoon each", long)
    change(folder, "ledger.toml", 'A \\"spoon\\" for each cup.', f"It is {long}.")
    assert run("--write") == 1
    assert "`says` repeats the document's words 'water that comes from a well in the old'" in capsys.readouterr().out
    change(folder, "ledger.toml", "It is water that comes", "It is")
    assert run() == 0
