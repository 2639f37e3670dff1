"""`python -m tools.lint_corpus`: errors with their lines, and the table of all rules."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools import lint_corpus


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
