"""An agent that nobody here wrote is judged by the command that its README names."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import pytest

from loopspec.baseline import UNEXPLAINED
from loopspec.cli import main

from .judged import ADAPTERS, Judged, judged_by

FOLDER = ADAPTERS / "langchain"


@pytest.fixture(scope="module")
def judged(do_without: Callable[[str, str], NoReturn], tmp_path_factory: pytest.TempPathFactory) -> Judged:
    """The command, run in the adapter's folder."""
    if find_spec("langchain") is None:
        do_without("langchain", "langchain is not installed: pip install -e '.[langchain]'")
    _is_the_version_judged()
    found = re.search(r"^loopspec (run py:langchain_adapter.*?[^\\])$", (FOLDER / "README.md").read_text(), re.M | re.S)
    assert found, "the README names no command"
    report = tmp_path_factory.mktemp("judged") / "report.jsonl"
    command = shlex.split(found[1].replace("\\\n", ""))
    return judged_by(command, FOLDER, "baseline.toml", report, timeout=300)


def _is_the_version_judged() -> None:
    """Another one may differ in other things: that is news for whoever keeps the baseline, and no fault of ours."""
    known = dict(re.findall(r"(langchain|langgraph) (\d[\d.]*\d)", (FOLDER / "README.md").read_text()))
    there = {name: version(name) for name in known}
    if there != known:
        pytest.skip(f"the baseline is that of {known}, and {there} is installed: judge that one, and mend the baseline")


def test_it_is_conformant_apart_from_what_is_known(judged: Judged) -> None:
    """Clarified rules count here, too: a failure of one is known as well, or none. Nothing that is known is stale."""
    assert judged.exit_code == 0, judged.output
    assert {case.verdict for case in judged.cases} <= {"passed", "known", "inapplicable"}
    assert judged.summary.planned == judged.summary.accounted == len(judged.cases)


def test_every_entry_of_the_baseline_is_met(judged: Judged) -> None:
    """An entry for a case that has become inapplicable would be neither stale nor of use."""
    known = [case.case for case in judged.cases if case.verdict == "known"]
    assert sorted(known) == sorted(entry.case for entry in judged.baseline.known)


def test_every_entry_of_the_baseline_is_explained(judged: Judged) -> None:
    """Each has a reason of more than a few words, and says where LangChain does so."""
    for entry in judged.baseline.known:
        assert entry.reason != UNEXPLAINED
        assert len(entry.reason) > len(UNEXPLAINED)
        assert entry.link.startswith("https://")


def test_both_roles_are_judged_and_all_that_is_declared(judged: Judged) -> None:
    """At least one case that needs it was performed for each capability, and more pass than are known to fail."""
    assert set(judged.run.roles) == {"agent", "plugins"}
    assert set(judged.run.capabilities) == judged.needed
    verdicts = [case.verdict for case in judged.cases]
    assert verdicts.count("passed") > 3 * verdicts.count("known")


def test_the_table_in_readme_is_what_the_suite_finds(judged: Judged, tmp_path: Path) -> None:
    """Nobody has typed it."""
    reference = tmp_path / "reference.jsonl"
    assert main(["run", "reference", "--quiet", "--report", str(reference)]) == 0
    compared = [sys.executable, "-m", "tests.table", "--check", str(reference), str(judged.report)]
    ran = subprocess.run(compared, cwd=FOLDER.parents[2], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
