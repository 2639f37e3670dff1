"""`loopspec report --markdown` compares reports in a table."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from loopspec.cli import main
from loopspec.contract.faults import UsageError
from loopspec.contract.specification import VERSION
from loopspec.reports.matrix import Column, as_markdown, column

BASE = Column("one 1.0", "same", {"AMD-CFG-01": "passed", "LOOP-01": "passed", "LOOP-02": "passed", "CFG-01": "passed"})


def test_an_area_that_is_judged_in_two_reports_has_a_row() -> None:
    other = Column("two", "same", {"LOOP-01": "known", "LOOP-02": "passed", "AMD-CFG-01": "inapplicable"})
    table = as_markdown([BASE, other]).splitlines()
    assert table[0] == "| | rules | one 1.0 | two |"
    assert "| LOOP | 2 · 0 | 2/2 · – | 1/2 · – |" in table
    assert "| **AgentsMD** | 1 · 0 | 1/1 · – | – · – |" in table
    assert not any(line.startswith(("| CFG ", "| AMD-CFG ")) for line in table)


@pytest.mark.parametrize("verdict", ["failed", "known", "errored", "crashed", "not-run", "stale"])
def test_only_a_pass_counts(verdict: str) -> None:
    other = Column("two", "same", {"LOOP-01": verdict, "LOOP-02": "passed"})  # type: ignore[dict-item]  # all are
    assert "| LOOP | 2 · 0 | 2/2 · – | 1/2 · – |" in as_markdown([BASE, other])


def test_normative_and_advisory_rules_are_counted_separately() -> None:
    one = Column("one", "same", {"LOOP-01": "passed", "LOOP-13": "passed", "CFG-01": "passed"})
    other = Column("two", "same", {"LOOP-01": "passed", "LOOP-13": "known"})
    assert "| LOOP | 1 · 1 | 1/1 · 1/1 | 1/1 · 0/1 |" in as_markdown([one, other])


def test_reports_about_different_features_are_rejected() -> None:
    with pytest.raises(UsageError, match="different features"):
        as_markdown([BASE, Column("two", "other", {})])


def _line(**values: object) -> bytes:
    return msgspec.json.encode(values) + b"\n"


def test_a_report_is_read(tmp_path: Path, report_of_two_rules: bytes) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(report_of_two_rules)
    read = column(path)
    assert read.name == f"loopspec reference {VERSION}"
    of_features = {rule: verdict for rule, verdict in read.verdicts.items() if not rule.startswith("INVARIANT-")}
    assert of_features == {"MAXITER-01": "passed", "AMD-CFG-01": "passed"}
    assert read.verdicts["INVARIANT-01"] == "passed"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "does not begin with one"),
        (b"{}\n", "is not a report of a run"),
        (b"not JSON\n", "is not a report of a run"),
        (
            _line(type="case", case="x", rules=[], verdict="passed", seconds=0, location="", message=""),
            "begin with one",
        ),
    ],
)
def test_a_file_that_is_no_report_is_rejected(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=sentence):
        column(path)


def test_a_truncated_report_is_rejected(tmp_path: Path, report_of_two_rules: bytes) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"\n".join(report_of_two_rules.split(b"\n")[:-2]) + b"\n")
    with pytest.raises(UsageError, match="was cut off"):
        column(path)


def test_a_missing_report_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.jsonl cannot be read"):
        column(tmp_path / "none.jsonl")


def test_the_command_prints_the_table(
    tmp_path: Path, report_of_two_rules: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(report_of_two_rules)
    assert main(["report", str(path), str(path), "--markdown"]) == 0
    printed, _ = capsys.readouterr()
    assert printed == as_markdown([column(path), column(path)])
    assert printed.endswith("|\n")


def test_a_missing_report_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(tmp_path / "none.jsonl"), "--markdown"]) == 2
    printed, said = capsys.readouterr()
    assert printed == ""
    assert "none.jsonl cannot be read" in said


@pytest.fixture(scope="module")
def report_of_two_rules(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("report") / "r.jsonl"
    assert main(["run", "reference", "--rule", "MAXITER-01", "--rule", "AMD-CFG-01", "--report", str(path), "-q"]) == 0
    return path.read_bytes()
