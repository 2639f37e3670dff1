"""The command that records what tools read: a stand-in has the place of the tool."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

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
