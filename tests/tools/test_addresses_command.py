"""The command lists units, checks the ledger, and writes digests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tools.addresses.__main__ import main
from tools.addresses.units import digest_of

from .tea import LEDGER, written

Captured = pytest.CaptureFixture[str]
Run = Callable[..., int]

SPOON, COOL, BREW = digest_of("Count: one spoon each."), digest_of("kept cool"), digest_of("brew(pot)")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents, their forms, and a ledger without their digests."""
    return written(tmp_path)


@pytest.fixture
def run(folder: Path) -> Run:
    """Runs the command on the folder."""

    def on_folder(*arguments: str) -> int:
        return main([str(folder / "documents"), *arguments], folder / "forms.toml", folder / "ledger.toml")

    return on_folder


def ledger_of(folder: Path) -> str:
    """The text of the ledger."""
    return (folder / "ledger.toml").read_text(encoding="utf-8")


def change(folder: Path, name: str, old: str, new: str) -> None:
    """Replace a text in the ledger or in a document."""
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_units_are_listed_with_address_digest_and_text(run: Run, capsys: Captured) -> None:
    """Units of one document or of all are listed. A figure is printed as words; its digest is of the whole."""
    assert run("--list", "cups") == 0
    cups = capsys.readouterr().out
    assert run("--list") == 0
    everything = capsys.readouterr().out

    assert cups.splitlines()[0] == f"Cups, item 1\t{digest_of('Wash them')}\tWash them"
    assert len(cups.splitlines()) == 3
    assert everything.endswith(cups)
    assert f"Notes, figure 1\t{digest_of('+---+ | x |')}\t" in everything


def test_units_without_a_row_are_listed_when_asked(run: Run, capsys: Captured) -> None:
    """Units are listed that are the address of neither a rule nor a statement without a rule."""
    assert run("--list", "--unaddressed") == 0
    found = {line.split("\t")[0] for line in capsys.readouterr().out.splitlines()}
    assert run("--list") == 0
    everything = {line.split("\t")[0] for line in capsys.readouterr().out.splitlines()}
    sort = 'Notes, row "White" × "Sort"'
    assert everything - found == {"Brewing, item 2, sentence 1", sort, "Cups, item 1", "Code, code line 1"}


def test_an_unknown_document_is_named(run: Run, capsys: Captured) -> None:
    """The error lists the documents."""
    assert run("--list", "mugs") == 2
    assert capsys.readouterr().err == "tools.addresses: there is no document 'mugs'; there are tea, cups\n"


def test_a_missing_document_is_named(folder: Path, run: Run, capsys: Captured) -> None:
    """The error has the first characters of the file name."""
    (folder / "documents" / "1_cups.txt").unlink()

    assert run() == 2
    assert "0 files begin with '1'; one is expected" in capsys.readouterr().err


def test_a_digest_is_added_after_the_statement_or_replaced(folder: Path, run: Run) -> None:
    """Everything else in the ledger stays, comments and order included."""
    assert run("--write") == 0

    says = 'says = "A \\"spoon\\" for each cup."\n'
    expected = LEDGER.replace(says, f'{says}digest = "{SPOON}"\n').replace("000000000000", COOL)
    tea, cups = f'line 1"\ndigest = "{BREW}"', f'item 1"\ndigest = "{digest_of("Wash them")}"'
    assert ledger_of(folder) == expected.replace('line 1"\ndigest = ""', tea).replace('item 1"\ndigest = ""', cups)
    assert run("--write") == run() == 0


def test_a_changed_document_is_found_and_written(folder: Path, run: Run, capsys: Captured) -> None:
    """Each row with another digest is named; `--write` writes the digests and nothing else."""
    run("--write")
    before = ledger_of(folder)
    change(folder, "documents/0_tea.txt", "one spoon", "two spoons")
    change(folder, "documents/0_tea.txt", "brew(pot)", "brew(cup)")
    capsys.readouterr()

    assert run() == 1
    spoons, cup = digest_of("Count: two spoons each."), digest_of("brew(cup)")
    code = f"not_covered in tea: digest {BREW!r}, the document has {cup!r}: Code, code line 1"
    assert capsys.readouterr().out.splitlines() == [
        f"TEA-01: digest {SPOON!r}, the document has {spoons!r}: Brewing, item 2, sentence 1",
        code,
        code,
        "3 of the ledger's addresses are wrong",
    ]
    assert ledger_of(folder) == before
    assert run("--write") == 0
    assert ledger_of(folder) == before.replace(SPOON, spoons).replace(BREW, cup)


def test_a_missing_address_is_found(folder: Path, run: Run, capsys: Captured) -> None:
    """No digest can be written. The address of a rule is in one of its documents."""
    change(folder, "documents/0_tea.txt", "each. And", "each, and")
    change(folder, "ledger.toml", 'document = "cups"\nsection', 'document = "ours"\nsection')

    assert run() == 1
    printed = capsys.readouterr().out
    assert "TEA-01: the document has no 'Brewing, item 2, sentence 1'" in printed
    assert "not_covered in ours: the document has no 'Cups, item 1'" in printed
    assert run("--write") == 2


def test_a_statement_does_not_copy_the_document(folder: Path, run: Run, capsys: Captured) -> None:
    """A statement may share at most eight consecutive words with the document."""
    long = "water that comes from a well in the old town"
    change(folder, "documents/0_tea.txt", "one spoon each", long)
    change(folder, "ledger.toml", 'A \\"spoon\\" for each cup.', f"It is {long}.")
    assert run("--write") == 1
    assert "`says` repeats the document's words 'water that comes from a well in the old'" in capsys.readouterr().out
    change(folder, "ledger.toml", "It is water that comes", "It is")
    assert run("--write") == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('says = "A \\"spoon\\" for each cup."', 'decision = """\nsays = 1\n"""\nsays = """\nA spoon"""'),
        ('digest = "000000000000"', 'digest = """\n000000000000"""'),
        ('"By accident."', '"""\n[rules.TEA-01]\n"""'),
    ],
)
def test_a_ledger_that_cannot_be_edited_by_lines_is_rejected(
    folder: Path, run: Run, capsys: Captured, old: str, new: str
) -> None:
    """A value of several lines would be cut, or would receive the digest."""
    change(folder, "ledger.toml", old, new)
    before = ledger_of(folder)

    assert run("--write") == 2
    assert "write each key of a rule in one line of its own" in capsys.readouterr().err
    assert ledger_of(folder) == before
