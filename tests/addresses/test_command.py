"""The command lists units, checks the ledger, writes digests, and merges proposed rows."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from .address import NO_SENTENCE
from .command import main
from .made_up import LEDGER, TEA, written
from .units import digest_of

Captured = pytest.CaptureFixture[str]
Run = Callable[..., int]

ROWS = """
[TEA-01]
where = "Brewing, item 2, sentence 1"
says = "A \\"spoon\\" for each cup."

[TEA-02]
where = 'Notes, row "White" × "Sort"'
says = "White tea is stored in a cool place."

[TEA-03]
no_sentence = true
"""

STATEMENTS = """
[[not_covered]]
document = "cups"
where = "Cups, item 1"
says = "Cups are washed."
why = "Advice."

[[not_covered]]
document = "tea"
where = "Code, code line 1"
says = "Brewing is a call."
why = "Of one language."

[[not_covered]]
document = "tea"
where = "Code, code line 1"
says = "The call takes a pot."
why = "Of one language."
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents, their forms, a ledger, and proposed rows."""
    (tmp_path / "rows.toml").write_text(ROWS, encoding="utf-8")
    (tmp_path / "statements.toml").write_text(STATEMENTS, encoding="utf-8")
    return written(tmp_path)


@pytest.fixture
def run(folder: Path) -> Run:
    """Runs the command on the folder."""

    def on_folder(*arguments: str) -> int:
        paths = [str(folder / each) if each.endswith(".toml") else each for each in arguments]
        return main([str(folder / "documents"), *paths], folder / "forms.toml", folder / "ledger.toml")

    return on_folder


def ledger_of(folder: Path) -> str:
    """The text of the ledger."""
    return (folder / "ledger.toml").read_text(encoding="utf-8")


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
    run("--merge", "rows.toml", "statements.toml")
    capsys.readouterr()

    assert run("--list", "--unaddressed") == 0
    found = {line.split("\t")[0] for line in capsys.readouterr().out.splitlines()}
    assert run("--list") == 0
    everything = {line.split("\t")[0] for line in capsys.readouterr().out.splitlines()}
    sort = 'Notes, row "White" × "Sort"'
    assert everything - found == {"Brewing, item 2, sentence 1", sort, "Cups, item 1", "Code, code line 1"}


def test_an_unknown_document_is_named(run: Run, capsys: Captured) -> None:
    """The error lists the documents."""
    assert run("--list", "mugs") == 2
    assert capsys.readouterr().err == "tests.addresses: there is no document 'mugs'; there are tea, cups\n"


def test_a_missing_document_is_named(folder: Path, run: Run, capsys: Captured) -> None:
    """The error has the first characters of the file name."""
    (folder / "documents" / "1_cups.txt").unlink()

    assert run() == 2
    assert "0 files begin with '1'; one is expected" in capsys.readouterr().err


def test_rows_are_merged_by_lines(folder: Path, run: Run) -> None:
    """Comments, order and all other keys are kept; addresses follow the sections, statements precede the rules."""
    assert run("--merge", "rows.toml", "statements.toml") == 0

    text = ledger_of(folder)
    count = digest_of("Count: one spoon each.")
    assert (
        'also = { cups = ["Cups"] }\n'
        'where = "Brewing, item 2, sentence 1"\n'
        'says = "A \\"spoon\\" for each cup."\n'
        f'digest = "{count}"\n'
        'mutant = "cold"  # a comment\n'
    ) in text
    assert f'decision = "{NO_SENTENCE} Recorded."\n' in text
    kept = [line for line in LEDGER.splitlines() if line != 'decision = "Recorded."']
    lines = iter(text.splitlines())
    assert [line for line in kept if line not in lines] == []
    found = [(one["where"], one["section"], one["says"]) for one in tomllib.loads(text)["not_covered"]]
    assert found == [
        ("Code, code line 1", "Code", "Brewing is a call."),
        ("Code, code line 1", "Code", "The call takes a pot."),
        ("Cups, item 1", "Cups", "Cups are washed."),
    ]
    assert text.index("[sections.cups]") < text.index("[[not_covered]]") < text.index("[rules.TEA-01]")


def test_merging_again_changes_nothing(folder: Path, run: Run) -> None:
    """A changed row replaces the former row."""
    run("--merge", "rows.toml", "statements.toml")
    first = ledger_of(folder)
    assert run("--merge", "rows.toml", "statements.toml") == 0
    assert ledger_of(folder) == first

    for name, old, new in (("rows", "cool", "dark"), ("statements", "a pot", "one pot")):
        path = folder / f"{name}.toml"
        path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert run("--merge", "rows.toml", "statements.toml") == 0
    assert ledger_of(folder) == first.replace("cool", "dark").replace("a pot", "one pot")


def test_a_comment_stays_above_its_table(folder: Path, run: Run) -> None:
    """A comment of a replaced statement, and of the first rule, is kept."""
    run("--merge", "statements.toml")
    text = ledger_of(folder).replace(
        '[[not_covered]]\ndocument = "cups"', '# Mine.\n[[not_covered]]\ndocument = "cups"'
    )
    (folder / "ledger.toml").write_text(text, encoding="utf-8")

    assert run("--merge", "statements.toml") == 0
    assert ledger_of(folder) == text
    assert text.count("# Mine.\n") == text.count("# About TEA-01.\n[rules.TEA-01]\n") == 1


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ('["TEA-09"]\nwhere = "Cups, item 1"\nsays = "X."', "TEA-09: the ledger has no such rule"),
        ('["TEA-01"]\nwhere = "Brewing, item 9"\nsays = "X."', "TEA-01: the document has no 'Brewing, item 9'"),
        ('["TEA-01"]\nwhere = "Brewing, line 9"\nsays = "X."', "is no address in a section of the rule"),
        ('["TEA-01"]\nwhere = "Code, code line 1"\nsays = "X."', "is no address in a section of the rule"),
        ('["OUR-01"]\nwhere = "Code, code line 1"\nsays = "X."', "is no address in a section of the rule"),
        ('["TEA-02"]\nno_sentence = false', "a rule has `where` and `says`, or `no_sentence = true`"),
        ('["TEA-02"]\nwhere = "Notes, figure 1"', "a rule has `where` and `says`"),
        ('["TEA-02"]\nno_sentence = true', "TEA-02: `no_sentence` is for rules with a decision, and with neither"),
        ('["TEA-02"]\nwhen = "now"', "unknown field `when`"),
        (STATEMENTS.replace("item 1", "item 7"), "not_covered in cups: the document has no 'Cups, item 7'"),
        (STATEMENTS.replace('"cups"', '"ours"'), "not_covered in ours: the document has no 'Cups, item 1'"),
        ("= nothing", "more.toml: "),
    ],
)
def test_rows_that_cannot_be_merged_are_rejected(
    folder: Path, run: Run, capsys: Captured, rows: str, words: str
) -> None:
    """All rejected rows are named, and the ledger is not changed."""
    (folder / "more.toml").write_text(rows, encoding="utf-8")

    assert run("--merge", "statements.toml", "more.toml") == 2
    assert words in capsys.readouterr().err
    assert ledger_of(folder) == LEDGER


def test_two_rows_of_one_rule_are_rejected_if_they_differ(folder: Path, run: Run, capsys: Captured) -> None:
    """A repeated equal row is accepted."""
    (folder / "more.toml").write_text(ROWS, encoding="utf-8")
    assert run("--merge", "rows.toml", "more.toml") == 0
    (folder / "more.toml").write_text(ROWS.replace("cool", "dark"), encoding="utf-8")
    assert run("--merge", "rows.toml", "more.toml") == 2
    assert "TEA-02 has a different row in another file" in capsys.readouterr().err


def test_sections_are_added_when_asked(folder: Path, run: Run) -> None:
    """The section is the first of its document's sections; a section of another document is added to `also`."""
    rows = '["TEA-01"]\nwhere = "Code, code line 1"\nsays = "X."\n["TEA-02"]\nwhere = "Cups, item 1"\nsays = "Y."'
    (folder / "more.toml").write_text(rows, encoding="utf-8")

    assert run("--add-sections", "--merge", "more.toml") == 0
    text = ledger_of(folder)
    assert 'sections = ["Code", "Brewing"]\nalso = { cups = ["Cups"] }\nwhere = "Code, code line 1"\n' in text
    assert 'sections = ["Notes"]\nalso = { cups = ["Cups"] }\nwhere = "Cups, item 1"\n' in text


def test_a_changed_document_is_found_and_written(folder: Path, run: Run, capsys: Captured) -> None:
    """Each row with another digest is named; `--write` writes the digests and nothing else."""
    run("--merge", "rows.toml", "statements.toml")
    before = ledger_of(folder)
    assert run() == 0
    document = folder / "documents" / "0_tea.txt"
    document.write_text(TEA.replace("one spoon", "two spoons").replace("brew(pot)", "brew(cup)"), encoding="utf-8")
    capsys.readouterr()

    assert run() == 1
    old, new = digest_of("Count: one spoon each."), digest_of("Count: two spoons each.")
    code = f"digest {digest_of('brew(pot)')!r}, the document has {digest_of('brew(cup)')!r}: Code, code line 1"
    assert capsys.readouterr().out.splitlines() == [
        f"TEA-01: digest {old!r}, the document has {new!r}: Brewing, item 2, sentence 1",
        f"not_covered in tea: {code}",
        f"not_covered in tea: {code}",
        "3 of the ledger's addresses are wrong",
    ]
    assert ledger_of(folder) == before
    assert run("--write") == 0
    assert ledger_of(folder) == before.replace(old, new).replace(digest_of("brew(pot)"), digest_of("brew(cup)"))


def test_a_missing_address_is_found(folder: Path, run: Run, capsys: Captured) -> None:
    """No digest can be written."""
    run("--merge", "rows.toml")
    (folder / "documents" / "0_tea.txt").write_text(TEA.replace("each. And", "each, and"), encoding="utf-8")
    capsys.readouterr()

    assert run() == 1
    assert "TEA-01: the document has no 'Brewing, item 2, sentence 1'" in capsys.readouterr().out
    assert run("--write") == 2


def test_a_statement_does_not_copy_the_document(folder: Path, run: Run, capsys: Captured) -> None:
    """A statement may share at most eight consecutive words with the document."""
    long = "water that comes from a well in the old town"
    document = folder / "documents" / "0_tea.txt"
    document.write_text(TEA.replace("one spoon each", long), encoding="utf-8")
    rows = folder / "rows.toml"
    for words, code in ((long, 1), ("from a well in the old town", 0)):
        rows.write_text(f'[TEA-01]\nwhere = "Brewing, item 2, sentence 1"\nsays = "It is {words}."', encoding="utf-8")
        assert run("--merge", "rows.toml") == code
    assert "`says` repeats the document's words 'water that comes from a well in the old'" in capsys.readouterr().out


@pytest.mark.parametrize("value", ['"""\nsays = 1\nWe chose."""', '"We chose."\nwhere = """\nX"""\nsays = "Y"'])
def test_a_ledger_that_cannot_be_edited_by_lines_is_rejected(
    folder: Path, run: Run, capsys: Captured, value: str
) -> None:
    """A value of several lines would be cut."""
    text = LEDGER.replace('"We chose. where = nowhere."', value)
    (folder / "ledger.toml").write_text(text, encoding="utf-8")

    assert run("--merge", "rows.toml") == 2
    assert "write each key of a rule in one line of its own" in capsys.readouterr().err
    assert ledger_of(folder) == text


def test_a_text_that_looks_like_a_rule_is_not_cut(folder: Path, run: Run, capsys: Captured) -> None:
    """A statement would be inserted into the text."""
    text = LEDGER.replace('"By accident."', '"""\n[rules.TEA-01]\n"""')
    (folder / "ledger.toml").write_text(text, encoding="utf-8")

    assert run("--merge", "statements.toml") == 2
    assert "write each key of a rule in one line of its own" in capsys.readouterr().err
    assert ledger_of(folder) == text
