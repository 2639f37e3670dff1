"""Baselines with the case names of an earlier version are renamed."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopspec.cli import main
from loopspec.contract.faults import UsageError
from loopspec.engine.baseline import load_baseline
from loopspec.engine.baseline_text import RenamingMap, load_map, new_name, rename, shipped_maps
from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger
from loopspec.specification.sources import case_named

MAP = RenamingMap({"A-01 :: old": "B-01 :: new", "A-02": "B-02", "A-03 :: gone": "", "A-04 :: twin": "B-01 :: new"})
BEFORE = """\
# What must stay.

[[known]]
case = "A-01 :: old"  # a comment of the line
reason = '''
case = "A-01 :: old"
'''
# about the second
[[known]]
  case = 'A-02'
reason = "because"

[[known]]
case = "C-01 :: other"
reason = "because"
"""
AFTER = BEFORE.replace('case = "A-01 :: old"  # a comment of the line', 'case = "B-01 :: new"', 1).replace(
    "case = 'A-02'", 'case = "B-02"'
)


@pytest.fixture
def baseline(tmp_path: Path) -> Path:
    """The path of the baseline."""
    return tmp_path / "b.toml"


def test_renaming_changes_only_the_names_of_entries(baseline: Path) -> None:
    """Comments, reasons and other entries are kept."""
    baseline.write_text(BEFORE, encoding="utf-8")

    assert list(rename(baseline, MAP).values()) == ["B-01 :: new", "B-02"]
    assert baseline.read_text(encoding="utf-8") == AFTER
    assert rename(baseline, MAP) == {}


def test_an_entry_without_a_successor_is_removed(baseline: Path) -> None:
    """A comment after the removed entry belongs to the next entry and stays."""
    baseline.write_text(
        '[[known]]\ncase = "A-03 :: gone"\nreason = "r"\n# next\n[[known]]\ncase = "D-01"\nreason = "r"\n',
        encoding="utf-8",
    )

    assert rename(baseline, MAP) == {"A-03 :: gone": ""}
    assert baseline.read_text(encoding="utf-8") == '# next\n[[known]]\ncase = "D-01"\nreason = "r"\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('[\n  "A-01 :: old",  # first\n  "C-01 :: other",\n]', '[\n  "B-01 :: new",  # first\n  "C-01 :: other",\n]'),
        ("[\n  \"A-03 :: gone\",  # first\n  # second\n  'A-02'\n]", '[\n  # second\n  "B-02"\n]'),
        ('["A-01 :: old", "A-04 :: twin", "A-03 :: gone"]', '["B-01 :: new", ]'),
        ('[ # "A-02"]\n "A-02", "A-03 :: gone"]', '[ # "A-02"]\n "B-02", ]'),
    ],
)
def test_cases_with_one_reason_are_renamed_in_their_entry(before: str, after: str, baseline: Path) -> None:
    """A case without a successor leaves the entry, with the comment in its line."""
    entry = '[[known]]\ncases = {}\nreason = "r"\n'
    baseline.write_text(entry.format(before), encoding="utf-8")

    rename(baseline, MAP)

    assert baseline.read_text(encoding="utf-8") == entry.format(after)


@pytest.mark.parametrize("other", ["A-04 :: twin", "B-01 :: new"])
def test_two_entries_with_one_new_name_become_one(other: str, baseline: Path) -> None:
    """A baseline lists a case once."""
    entries = [f'[[known]]\ncase = "{name}"\nreason = "r"\n' for name in ("A-01 :: old", other)]
    baseline.write_text("".join(entries), encoding="utf-8")

    renaming = rename(baseline, MAP)

    assert list(renaming.values()).count("") == 1
    assert baseline.read_text(encoding="utf-8") == '[[known]]\ncase = "B-01 :: new"\nreason = "r"\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("known = [{case = 'A-01 :: old', reason = 'r'}]", "cannot be renamed: write each entry below a line"),
        ('[[known]]\ncase = """\nA-01 :: old"""\nreason = "r"\n', "cannot be renamed: write `case = ` and its text in"),
        ('[[known]]\ncases = ["""\nA-01 :: old"""]\nreason = "r"\n', "write each name in `cases` in one line"),
        ('[[known]]\nreason = "r"\n', "give `case` or `cases`, and not both"),
        ("[[known", "is not valid TOML: "),
    ],
)
def test_renaming_an_unsupported_form_is_an_error(text: str, sentence: str, baseline: Path) -> None:
    """The file is not changed."""
    baseline.write_text(text, encoding="utf-8")

    with pytest.raises(UsageError, match=sentence):
        rename(baseline, MAP)
    assert baseline.read_text(encoding="utf-8") == text


LOOP = RenamingMap(
    {
        "A-01 :: One call, in a synchronous run": "A-01 :: One call",
        "A-01 :: One call, in a streaming run": "A-01 :: One call + streaming",
        "A-02 :: gone": "",
    }
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("One call, in a synchronous run + agentic", "A-01 :: One call + agentic"),
        ("One call, in a synchronous run + agentic + calls-end", "A-01 :: One call + agentic + calls-end"),
        ("One call, in a streaming run", "A-01 :: One call + streaming"),
        ("One call, in a streaming run + calls-end", "A-01 :: One call + streaming + calls-end"),
        ("One call, in a streaming run + agentic", ""),
        ("One call, in a streaming run + agentic + calls-end", ""),
        ("One call + agentic", None),
    ],
)
def test_a_case_of_a_variant_is_renamed_with_its_plain_case(old: str, new: str | None) -> None:
    """A case that is now one of a variant has no variants itself, and has the invariants of every case."""
    assert LOOP.new_name(f"A-01 :: {old}") == new


def test_a_variant_of_a_removed_case_is_removed() -> None:
    """The case has no successor."""
    assert [LOOP.new_name(f"A-02 :: gone{suffix}") for suffix in ("", " + agentic", " + calls-end")] == ["", "", ""]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["One call, in a synchronous run", "One call, in a streaming run"], ["One call"]),
        (["One call, in a streaming run", "One call, in a synchronous run"], ["One call"]),
        (["One call", "One call, in a streaming run"], ["One call"]),
        (["One call, in a streaming run"], ["One call + streaming"]),
        (["One call, in a streaming run", "One call, in a synchronous run + streaming"], ["One call + streaming"]),
        (
            ["One call, in a synchronous run + calls-end", "One call, in a streaming run + calls-end"],
            ["One call + calls-end"],
        ),
        (
            ["One call, in a synchronous run + calls-end", "One call, in a streaming run + calls-have-results"],
            ["One call + calls-end", "One call + streaming + calls-have-results"],
        ),
    ],
)
def test_a_case_that_is_now_a_variant_of_a_listed_case_is_removed(
    before: list[str], after: list[str], baseline: Path
) -> None:
    """A variant is judged where its plain case passes, and an invariant in a variant where the plain case keeps it."""
    entries = [f'[[known]]\ncase = "A-01 :: {name}"\nreason = "r"\n' for name in before]
    baseline.write_text("".join(entries), encoding="utf-8")

    rename(baseline, LOOP)

    text = baseline.read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if line.startswith("case")] == [f'case = "A-01 :: {n}"' for n in after]


def test_the_command_reports_what_it_renamed(baseline: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command accepts a shipped map or the path of a map."""
    baseline.write_text('[[known]]\ncase = "RETRY-18"\nreason = "r"\n', encoding="utf-8")
    own = baseline.with_name("map.toml")
    own.write_text('[renamed]\n"HOOK-WM-06" = ""\n', encoding="utf-8")

    codes = [main(["baseline", "rename", name, str(baseline)]) for name in ("0.2", str(own), "9.9")]

    printed = capsys.readouterr()
    assert codes == [0, 0, 2]
    assert printed.out.splitlines() == [
        f"1 entry renamed in {baseline}, 0 removed.",
        "removed: HOOK-WM-06",
        f"0 entries renamed in {baseline}, 1 removed.",
    ]
    assert printed.err.startswith("loopspec: the map 9.9 cannot be read: No such file or directory; loopspec has ")


def test_a_run_says_how_to_rename_old_entries(baseline: Path) -> None:
    """The message has the new name, or says that there is none."""
    baseline.write_text('[[known]]\ncase = "RETRY-18"\nreason = "r"\n', encoding="utf-8")

    with pytest.raises(UsageError, match=r"'RETRY-18': since 0\.2 it is 'HOOK-WM-06'; `loopspec baseline rename 0\.2 "):
        load_baseline(baseline, compiled())


def test_shipped_maps_lead_from_removed_names_to_existing_names() -> None:
    """Each merged rule is in a map."""
    names = {name for case in compiled() for name in (case.id, *case.rule.ids)}
    maps = {version: load_map(version).renamed for version in shipped_maps()}
    merged = {rule: row.into for rule, row in ledger().rules.items() if row.status == "merged"}

    assert maps.keys() == {"0.2"}
    for renamed in maps.values():
        assert set(renamed) & names == set()
        assert [new for new in renamed.values() if new and new not in names and case_named(new) is None] == []
    assert {rule: new_name(rule) for rule in merged} == {rule: ("0.2", into) for rule, into in merged.items()}
