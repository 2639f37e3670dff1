"""The form in which pytest shows a verdict."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

import pytest

from ..engine.printed import last_of
from ..engine.result import Result
from ..engine.run import SuiteRun
from ..engine.verdict import FAILURES
from ..specification.cases import Case


def printed_in(report: pytest.TestReport) -> Mapping[str, str]:
    """The captured output of the call, by the names in the evidence."""
    captured = {"standard output": "Captured stdout call", "standard error": "Captured stderr call"}
    sections = dict(report.sections)
    return {name: last_of(sections[title].encode()) for name, title in captured.items() if sections.get(title)}


def show(report: pytest.TestReport, case: Case, result: Result, suite_run: SuiteRun) -> None:
    """Show a verdict as one paragraph, without a traceback through the harness."""
    if result.verdict == "known":
        entry = suite_run.baseline.entry(result)
        report.outcome = "skipped"
        report.wasxfail = entry.reason if entry else ""
    elif result.verdict in FAILURES and not suite_run.fails_run(result):
        report.outcome = "skipped"
        report.wasxfail = printable(f"advisory, so it counts under --loopspec-strict only: {result.message}")
    elif result.verdict not in ("passed", "inapplicable"):
        report.outcome = "failed"
        report.longrepr = paragraph(case, result, suite_run.name)


def paragraph(case: Case, result: Result, target: str) -> str:
    """The failing step, the place, the reason, and the commands to repeat it. pytest's summary shows the first line."""
    verdict = "" if result.verdict == "failed" else f"{result.verdict}: "
    lines = [f"{verdict}{', '.join(case.rule.ids)}: {case.rule.sentence}"]
    lines += [f"{result.location}  {result.step}", result.message]
    lines.append(f"why:   loopspec explain {case.rule.ids[0]}")
    if target:
        lines.append(f"again: loopspec run {shlex.quote(target)} --case {shlex.quote(case.id)}")
    return printable("\n".join(lines))


def printable(text: str) -> str:
    """A text whose lone surrogates are escaped: pytest-xdist cannot send them."""
    return text.encode("utf-8", "backslashreplace").decode()
