"""Two small documents, their forms and their ledger, for the tests."""

from __future__ import annotations

from pathlib import Path

TEA = """\
Tea
How to brew
Boil the water. Wait, e.g. for a minute! Then pour?
- Warm the pot
first- Count: one spoon each. And one more.

| Sort | Minutes |
|---|---|
Green | two |
| Black | four
brew(pot)

    // slowly
NotesSortPlace
White
kept
coolopen
+---+
| x |
"""

CUPS = "Cups\n\N{BULLET} Wash them\n  2. Dry them. (By hand.)"

FORMS = """
[tea]
file = "0"
parts = [
    ["Brewing", 1, "hhpi+i-T-t"],
    ["Brewing, again", 10, "t"],
    ["Code", 11, "c-c"],
    ["Notes", 14, "Kvvkv+vf+"],
]
[tea.cuts]
5 = [5]
14 = [5, 9]
17 = [4]
[cups]
file = "1"
parts = [["Cups", 1, "hii"]]
"""

LEDGER = """\
# Head.
schema = 1

[documents]
tea = "Tea"
cups = "Cups"
ours = "Ours"

[reasons]
accident = "By accident."

[sections.tea]
"Brewing" = ""
"Brewing, again" = ""
"Code" = ""
"Notes" = ""

[sections.cups]
"Cups" = ""

[[not_covered]]
document = "tea"
section = "Code"
where = "Code, code line 1"
digest = ""
says = "Brewing is a call."
why = "Of one language."

# Mine.
[[not_covered]]
document = "tea"
section = "Code"
where = "Code, code line 1"
digest = ""
says = "The call takes a pot."
why = "Of one language."

[[not_covered]]
document = "cups"
section = "Cups"
where = "Cups, item 1"
digest = ""
says = "Cups are washed."
why = "Advice."

# About TEA-01.
[rules.TEA-01]
basis = "documented"
document = "tea"
sections = ["Brewing"]
also = { cups = ["Cups"] }
where = "Brewing, item 2, sentence 1"
says = "A \\"spoon\\" for each cup."
mutant = "cold"  # a comment

[rules.TEA-02]
basis = "clarified"
document = "tea"
sections = ["Notes"]
where = 'Notes, row "White" × "Sort"'
says = "White tea is stored in a cool place."
digest = "000000000000"
decision = "We chose. where = nowhere."

# Between.
[rules.TEA-03]
basis = "clarified"
document = "tea"
sections = ["Notes"]
status = "quirk"
reason = "accident"
sentence = "Tea is cold."
decision = "Recorded."

[rules.OUR-01]
basis = "clarified"
document = "ours"
decision = "We chose."
"""

COVERED = """\
[classes.label]
why = "A label."
places = 'row "([^"]+)" × "([^"]+)"'

[classes.slow]
why = "Said slowly."
places = 'code line \\d+'
texts = ["// slowly"]

[units.tea."Brewing"]
'item 1' = "- OUR-01"
"""


def written(folder: Path) -> Path:
    """The folder with the documents in `documents`, the forms, the ledger and the list of units."""
    (folder / "documents").mkdir()
    (folder / "documents" / "0_tea.txt").write_text(TEA, encoding="utf-8")
    (folder / "documents" / "1_cups.txt").write_text(CUPS, encoding="utf-8")
    (folder / "forms.toml").write_text(FORMS, encoding="utf-8")
    (folder / "ledger.toml").write_text(LEDGER, encoding="utf-8")
    (folder / "covered.toml").write_text(COVERED, encoding="utf-8")
    return folder
