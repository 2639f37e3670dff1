"""Scripts for maintainers: records of what tools read, the corpus of lint, and the settings of pinned scenes."""

from __future__ import annotations

import re
import sys
from itertools import combinations
from pathlib import Path

import pytest

from tools import lint_corpus
from tools.generated.__main__ import chosen, rows
from tools.generated.covered import SETTINGS, TOGETHER, Settings
from tools.generated.reach import Reached
from tools.workspace_records import Line, NamesThisMachine, ask, read_record, write_record
from tools.workspace_tools import Tool

READER = """
from loopspec import WorkspaceFile, WorkspaceReading
class Reader:
    name, version, dialect = "reader", "1.2", "agents-md"
    def read_workspace(self, cwd, home):
        return WorkspaceReading([WorkspaceFile(str(cwd / "AGENTS.md"), {text})])
"""


def tool_that(folder: Path, text: str) -> Tool:
    """A tool that returns the value of an expression for each workspace."""
    name = f"reader_{abs(hash(text))}"
    (folder / f"{name}.py").write_text(READER.format(text=text))
    return Tool("reader", folder, f"py:{name}:Reader", slow=True)


def test_a_record_has_the_workspaces_of_the_current_cases_alone(tmp_path: Path) -> None:
    """A line of a former workspace is dropped, and a known workspace is not read again."""
    tool = tool_that(tmp_path, "'a'")
    ask(tool)
    record = read_record(tool.record)
    key, kept = next(iter(record.lines.items()))
    former = Line(case=kept.case, workspace="former", answer=kept.answer)
    write_record(tool, record.asked, {key: kept, "former": former})
    ask(tool_that(tmp_path, "'b'"))
    again = read_record(tool.record)

    assert b'"text":"a"' in record.lines[key].encoded()
    assert again.lines[key] == kept
    assert again.lines.keys() == record.lines.keys()
    assert {b'"text":"b"' in line.encoded() for each, line in again.lines.items() if each != key} == {True}
    assert {*re.findall(rb'"path":"(.*?)/', b"".join(line.encoded() for line in again.lines.values()))} == {b"{base}"}


@pytest.mark.parametrize("text", ["__import__('tempfile').gettempdir() + '/x'", "str(cwd.home())", "__file__"])
def test_a_reading_with_a_path_of_this_machine_is_not_recorded(text: str, tmp_path: Path) -> None:
    tool = tool_that(tmp_path, text)
    with pytest.raises(NamesThisMachine, match=r"the reading of '.*' contains '/"):
        ask(tool)
    assert not tool.record.exists()


def test_the_table_counts_findings_and_repositories(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder without instruction files does not count."""
    for name, text in (("a", "@./x.md\n@./y.md\n"), ("b", "@./x.md\n"), ("c", "Use tabs.\n"), ("d", "")):
        (tmp_path / name).mkdir()
        if text:
            (tmp_path / name / "CLAUDE.md").write_text(text, encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["lint_corpus", str(tmp_path)])

    lint_corpus.main()

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("a/CLAUDE.md:1: LINT-01 imports x.md, which does not exist")
    assert lines[1] == "    @./x.md"
    assert lines[7:9] == ["3 repositories", "1 without errors, 1 without errors and warnings"]
    assert lines[-1] == "| LINT-01 | An import names a file that does not exist | error | 3 | 2 |"


def is_possible(row: Settings) -> bool:
    """Whether the known settings of a row are possible together, as far as they are known."""
    return all(fits(row) for names, fits in TOGETHER if row.keys() >= set(names))


def test_each_possible_pair_of_settings_occurs() -> None:
    """A pair is impossible if its two settings exclude each other, alone or through what one of them requires."""
    found = rows(0)

    assert all(map(is_possible, found))
    pairs = {pair for row in found for pair in combinations(sorted(row.items()), 2)}
    every = {
        pair
        for one, other in combinations(sorted(SETTINGS), 2)
        for pair in [((one, value), (other, second)) for value in SETTINGS[one] for second in SETTINGS[other]]
    }
    runs = {"cancel at once": {"resumed"}, "a second run": {"together"}, "a change of a file": {"twice"}}
    runs["cancel at a safe point"] = {"once", "resumed"}
    assert {pair for pair in every - pairs if is_possible(dict(pair)) and dict(pair).get("runs") not in runs} == set()


def test_each_cover_has_its_share_of_the_scenes() -> None:
    """The scene that reaches most comes first."""
    one, two, three = (Reached("f", (name,)) for name in ("one", "two", "three"))
    cover = {"a": frozenset({one}), "b": frozenset({two, three}), "c": frozenset({three})}
    other = {"a": frozenset({one, two}), "b": frozenset({one, two, three}), "c": frozenset({three})}

    assert chosen([cover, other], 2) == ["b", "a"]
    assert chosen([cover], 2) == ["b", "a"]
