"""Names that a backend refuses are counted where a reader of a run sees them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing

import pytest

from loopspec import CannotStore
from loopspec.cli import main
from loopspec.engine.judge import judge
from loopspec.engine.result import case_line, refused_names
from loopspec.specification.features import cases_of_rule
from loopspec.targets.python import PythonTarget
from loopspec_reference_adapter.stores import MemoryStore


class Mine:
    """A backend that cannot store a number sign."""

    def open(self, files: Mapping[str, bytes]) -> MemoryStore:
        """Open, or refuse a name."""
        if bad := [path for path in files if "#" in path]:
            raise CannotStore(bad[0])
        return MemoryStore(files)


def test_a_passed_case_says_that_its_name_is_refused() -> None:
    """The message survives the line of a report; a case without a refusal has none."""
    cases = cases_of_rule("BACKEND-14")
    with closing(PythonTarget(Mine, "mine")) as target:
        results = [judge(case, target) for case in cases]

    assert {result.verdict for result in results} == {"passed"}
    assert refused_names(results) == refused_names(case_line(result) for result in results)
    assert list(refused_names(results).values()) == ["the backend cannot store a file with the path 'notes#section.md'"]


def test_a_run_prints_the_number_of_refused_names(capsys: pytest.CaptureFixture[str]) -> None:
    """The number is printed after the counts, and with -v each case."""
    assert main(["run", f"py:{__name__}:Mine", "--rule", "BACKEND-14", "-v"]) == 0
    printed = capsys.readouterr().out

    assert "  refused names: 1 case passed\n" in printed
    assert "cannot store a file with the path 'notes#section.md'" in " ".join(printed.split())
