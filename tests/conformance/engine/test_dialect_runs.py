"""A run in a dialect: in workers, in shards that are merged, and as JUnit, with the same verdicts."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from loopspec.cli import main
from loopspec.engine.result import CaseLine
from loopspec.reports.jsonl import Line, RunLine, read_report

RUN = ["run", "reference", "--dialect", "codex", "--area", "INS-W*", "--area", "INS-O*", "--quiet"]


def judged(path: Path, *options: str) -> list[Line]:
    """The report of a run with these options, which passes."""
    assert main([*RUN, *options, "--report", str(path)]) == 0
    return read_report(path)


def verdicts(report: list[Line]) -> dict[str, tuple[str, str]]:
    """The verdict and the message of each case."""
    return {line.case: (line.verdict, line.message) for line in report if isinstance(line, CaseLine)}


@pytest.fixture
def whole(tmp_path: Path) -> dict[str, tuple[str, str]]:
    """What one process says of each case."""
    found = verdicts(judged(tmp_path / "whole.jsonl"))
    assert {verdict for verdict, _ in found.values()} == {"passed", "inapplicable"}
    return found


def test_workers_judge_in_the_dialect(whole: dict[str, tuple[str, str]], tmp_path: Path) -> None:
    assert verdicts(judged(tmp_path / "workers.jsonl", "-n", "2")) == whole


def test_merged_shards_are_the_whole_run(whole: dict[str, tuple[str, str]], tmp_path: Path) -> None:
    parts = [tmp_path / f"{number}.jsonl" for number in (1, 2)]
    for number, path in enumerate(parts, 1):
        assert len(verdicts(judged(path, "--shard", f"{number}/2"))) < len(whole)
    merged = tmp_path / "merged.jsonl"

    assert main(["report", *map(str, parts), "--merge", str(merged)]) == 0
    assert verdicts(read_report(merged)) == whole
    [run] = [line for line in read_report(merged) if isinstance(line, RunLine)]
    assert run.postures["dialect"].value == "codex"


def test_junit_has_the_passed_cases(whole: dict[str, tuple[str, str]], tmp_path: Path) -> None:
    """A case of another value is skipped."""
    path = tmp_path / "junit.xml"
    judged(tmp_path / "report.jsonl", "--junit", str(path))
    cases = ElementTree.parse(path).getroot().findall(".//testcase")  # our own file
    skipped = [case for case in cases if case.find("skipped") is not None]

    assert len(cases) == len(whole)
    assert len(skipped) == sum(verdict == "inapplicable" for verdict, _ in whole.values())
