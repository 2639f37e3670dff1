"""The reader accounts for every line of a document, and gives every statement one address."""

from __future__ import annotations

import hashlib

import msgspec
import pytest

from tools.addresses.forms import AddressError, Form, check_sections, load_forms
from tools.addresses.units import digest_of, sentences, units_of

from .tea import CUPS, FORMS, TEA

FORM = msgspec.toml.decode(FORMS, type=dict[str, Form], strict=False)


def addressed(form: Form, text: str) -> list[tuple[str, str]]:
    """Each address with its text."""
    return [(unit.where, unit.text) for unit in units_of(form, text)]


def test_the_units_of_a_document_are_its_sentences_items_cells_lines_and_figures() -> None:
    """Headings and empty lines are no units. A header row is valid in the next section, too."""
    assert addressed(FORM["tea"], TEA) == [
        ("Brewing, ¶1, sentence 1", "Boil the water."),
        ("Brewing, ¶1, sentence 2", "Wait, e.g. for a minute!"),
        ("Brewing, ¶1, sentence 3", "Then pour?"),
        ("Brewing, item 1", "Warm the pot first"),
        ("Brewing, item 2, sentence 1", "Count: one spoon each."),
        ("Brewing, item 2, sentence 2", "And one more."),
        ('Brewing, row "Sort" × "Sort"', "Sort"),
        ('Brewing, row "Sort" × "Minutes"', "Minutes"),
        ('Brewing, row "Green" × "Sort"', "Green"),
        ('Brewing, row "Green" × "Minutes"', "two"),
        ('Brewing, again, row "Black" × "Sort"', "Black"),
        ('Brewing, again, row "Black" × "Minutes"', "four"),
        ("Code, code line 1", "brew(pot)"),
        ("Code, code line 2", "// slowly"),
        ('Notes, row "Notes" × "Notes"', "Notes"),
        ('Notes, row "Notes" × "Sort"', "Sort"),
        ('Notes, row "Notes" × "Place"', "Place"),
        ('Notes, row "White" × "Notes"', "White"),
        ('Notes, row "White" × "Sort"', "kept cool"),
        ('Notes, row "White" × "Place"', "open"),
        ("Notes, figure 1", "+---+ | x |"),
    ]
    assert addressed(FORM["cups"], CUPS) == [
        ("Cups, item 1", "Wash them"),
        ("Cups, item 2, sentence 1", "Dry them."),
        ("Cups, item 2, sentence 2", "(By hand.)"),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One. Two! Three? Four.", ["One.", "Two!", "Three?", "Four."]),
        ("In v0.9. See it.", ["In v0.9.", "See it."]),
        ("Red, etc. Blue vs. Green, i.e. Both.", ["Red, etc. Blue vs. Green, i.e. Both."]),
        ("Plan B. Then C.", ["Plan B. Then C."]),
        ('Done. "Quoted." (Bracket.) {x} [y]', ["Done.", '"Quoted." (Bracket.) {x} [y]']),
        ("Done. (Bracket). {x} is. [y]", ["Done.", "(Bracket).", "{x} is.", "[y]"]),
        ("see a.md. lower case", ["see a.md. lower case"]),
        ("one", ["one"]),
    ],
)
def test_sentences_end_mechanically(text: str, found: list[str]) -> None:
    """A sentence ends at ., ! or ? before a capital, a quote or a bracket, but not after an abbreviation or letter."""
    assert sentences(text) == found


def test_the_digest_is_of_the_text_with_single_spaces() -> None:
    """White space is normalized; everything else changes the digest."""
    assert digest_of("  one\n\ttwo ") == hashlib.sha256(b"one two").hexdigest()[:12]
    assert digest_of("é") == hashlib.sha256(b"\xc3\xa9").hexdigest()[:12]
    assert digest_of("one two") != digest_of("One two")


@pytest.mark.parametrize(
    ("part", "cuts", "words"),
    [
        ((1, "hi"), {}, "the document has 1 pieces more than declared"),
        ((1, "hiii"), {}, "'Cups': the document ends 1 pieces too early"),
        ((2, "hii"), {}, "'Cups': begins at line 1, declared is 2"),
        ((1, "hix"), {}, r"'Cups': unknown letters \['x'\]"),
        ((1, "+ii"), {}, "'Cups': line 1 has nothing to continue"),
        ((1, "hc+"), {}, "'Cups': line 3 has nothing to continue"),
        ((1, "hiv"), {}, "'Cups': line 3 has nothing to continue"),
        ((1, "htt"), {}, r"row '• Wash them' has 1 cells under \[\]"),
        ((1, "hii"), {2: (99,)}, r"line 2: columns \(99,\) are not columns of the line, in their order"),
        ((1, "hiii"), {2: (5, 3)}, r"line 2: columns \(5, 3\) are not"),
        ((1, "hii"), {9: (1,)}, r"cuts of lines that the document does not have: \[9\]"),
        ((1, "hTT"), {}, "more than one unit"),
    ],
)
def test_forms_that_do_not_fit_are_rejected(
    part: tuple[int, str], cuts: dict[int, tuple[int, ...]], words: str
) -> None:
    """The error names the section and the line."""
    text = "Cups\n| Wash |\n| Wash |" if part[1] == "hTT" else CUPS
    with pytest.raises(AddressError, match=words):
        units_of(Form("1", (("Cups", *part),), cuts), text)


def test_an_empty_line_has_no_letter() -> None:
    """A letter on an empty line shows that the declaration is off by a line."""
    with pytest.raises(AddressError, match="'Cups': line 2 is empty, declared is 'i'"):
        units_of(Form("1", (("Cups", 1, "hi-"),)), "Cups\n\nWash")


def test_a_continuation_stays_in_its_section() -> None:
    """The first piece of a section cannot be a continuation."""
    with pytest.raises(AddressError, match="'Mugs': line 2 has nothing to continue"):
        units_of(Form("1", (("Cups", 1, "h"), ("Mugs", 2, "+i"))), CUPS)


def test_counts_continue_in_the_next_part_of_a_section() -> None:
    """The numbers of a section continue in its later parts."""
    form = Form("1", (("Cups", 1, "i"), ("Mugs", 2, "i"), ("Cups", 3, "i")))

    assert [where for where, _ in addressed(form, "One\nTwo\nThree")] == [
        "Cups, item 1",
        "Mugs, item 1",
        "Cups, item 2",
    ]


def test_the_forms_cover_the_sections_of_the_ledger() -> None:
    """The forms have the documents and sections of the ledger, and no others."""
    forms = {"cups": Form("1", (("Cups", 1, "hii"),))}

    check_sections(forms, {"cups": {"Cups": ""}})
    with pytest.raises(AddressError, match=r"cups: sections of the ledger and of the forms differ: \['Mugs'\]"):
        check_sections(forms, {"cups": {"Cups": "", "Mugs": ""}})
    with pytest.raises(AddressError, match=r"documents of the ledger and of the forms differ: \['mugs'\]"):
        check_sections(forms, {"cups": {"Cups": ""}, "mugs": {}})


def test_our_forms_hold_no_text() -> None:
    """The documents are no part of the repository: the forms have section names, letters and numbers."""
    for form in load_forms().values():
        assert all(set(letters) <= set("hpitTkKvcf+-") for _, _, letters in form.parts)
