"""`loopspec run` and `loopspec baseline prune`, called as functions, and in some tests as a process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from loopspec.cli import main
from loopspec.engine.baseline import UNEXPLAINED, prune
from loopspec.engine.output import Printed
from loopspec.engine.result import CaseLine, Result
from loopspec.engine.run import SuiteRun, Summary
from loopspec.reports.jsonl import read_report
from loopspec.specification.features import compiled

from .. import broken
from ..process import reported, run_loopspec
from ..staging import close_what_is_resolved, fill_the_disk

BROKEN = f"py:{broken.__name__}"
COMMENTED = """\
# A comment to keep.

# about the first
[[known]]
case = "AMD-CFG-01 :: No configuration"
reason = '''
# no comment
'''
# about the second
[[known]]
case = "AMD-CFG-02"
reason = "on purpose"

  [[ known ]]  # about the third
  case = "AMD-CFG-05 :: A limit of 0 bytes"
  reason = "on purpose"
# the end
"""


class Left(BaseException):
    """Raised instead of leaving the process."""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder for the reports of this module's runs."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def here(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary current folder; `os._exit` raises an exception."""

    def leave(code: int) -> NoReturn:
        raise Left(code)

    monkeypatch.setattr(os, "_exit", leave)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.chdir(tmp_path)
    close = close_what_is_resolved(monkeypatch)
    yield tmp_path
    close()


def test_a_role_limits_the_run_to_what_it_can_perform(here: Path) -> None:
    """Cases of other roles are not planned; a seed shuffles those of the role, and loses none."""
    assert main(["run", "reference", "--role=backend", "--seed=7", "--report=r", "--quiet"]) == 0

    report, ids = reported(here / "r"), [case.id for case in compiled() if "backend" in case.roles]
    assert [case.case for case in report.cases] == list(report.run.planned) != ids
    assert (report.run.seed, sorted(report.run.planned), report.summary.accounted) == (7, sorted(ids), len(ids))
    other = {case.id for case in compiled() if "one-name" in case.postures.values()}
    assert report.run.role == "backend"
    assert {case for case, verdict in report.verdicts.items() if verdict != "passed"} == other
    assert {report.verdicts[case] for case in other} == {"inapplicable"}


def test_quiet_is_one_sentence(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without failures, `--quiet` prints one sentence."""
    assert main(["run", "reference", "--rule=AMD-CFG-01", "-q"]) == 0
    assert capsys.readouterr() == ("reference is conformant in 2 selected cases.\n", "")


def test_a_written_baseline_is_known_and_can_be_pruned(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A baseline is written, used for a run, and pruned after the failures are fixed."""
    assert main(["run", f"{BROKEN}:Loader", "--rule=AMD-DEPTH-01", "--write-baseline=b.toml", "-q"]) == 1
    entries = tomllib.loads((here / "b.toml").read_text(encoding="utf-8"))["known"]
    assert f"{len(entries)} failures are written to b.toml: add a reason to each.\n" in capsys.readouterr().out
    assert {entry["reason"] for entry in entries} == {UNEXPLAINED}

    assert main(["run", f"{BROKEN}:Loader", "--rule=AMD-DEPTH-01", "--baseline=b.toml", "-q"]) == 0

    assert main(["run", "reference", "--rule=AMD-DEPTH-01", "--baseline=b.toml", "-q"]) == 3
    capsys.readouterr()
    assert main(["baseline", "prune", "reference", "b.toml"]) == 0
    assert capsys.readouterr().out == f"{len(entries)} stale entries removed from b.toml.\n"
    assert "known" not in tomllib.loads((here / "b.toml").read_text(encoding="utf-8"))
    assert main(["run", "reference", "--rule=AMD-DEPTH-01", "--baseline=b.toml", "-q"]) == 0


def test_pruning_keeps_failing_entries_and_other_comments(here: Path) -> None:
    """Pruning removes stale entries and their own comments only."""
    (here / "b.toml").write_text(COMMENTED, encoding="utf-8")

    gone = prune(here / "b.toml", ["AMD-CFG-01 :: No configuration", "AMD-CFG-05 :: A limit of 0 bytes"])

    assert gone == 2
    assert (here / "b.toml").read_text(encoding="utf-8") == (
        "# A comment to keep.\n\n# about the first\n# about the second\n"
        '[[known]]\ncase = "AMD-CFG-02"\nreason = "on purpose"\n\n# the end\n'
    )


def test_pruning_a_baseline_without_entries_changes_nothing(here: Path) -> None:
    """Pruning a file without entries removes none."""
    (here / "b.toml").write_text("# nothing yet", encoding="utf-8")

    assert prune(here / "b.toml", ["AMD-CFG-01"]) == 0
    assert (here / "b.toml").read_text(encoding="utf-8") == "# nothing yet"


# The deadline's exception can be raised in a callback of the garbage collection, which swallows it, as the case does.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_case_that_swallows_exceptions_ends_the_process(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The watchdog waits a little longer than the deadline, finishes the run and ends the process."""
    over, codes = threading.Event(), list[int]()

    def leave(code: int) -> None:
        codes.append(code)
        over.set()

    def swallow(self: broken.Loader) -> object:
        while not over.is_set():
            try:
                over.wait()
            except BaseException:  # the watchdog's exception must not end the case
                continue
        return None

    monkeypatch.setattr(os, "_exit", leave)
    monkeypatch.setattr("loopspec.engine.deadlines._GRACE", 0.3)
    monkeypatch.setattr(broken.Loader, "do", swallow)

    main(["run", f"{BROKEN}:Loader", "--rule=AMD-DEPTH-01", "--timeout=0.1", "--variants=none", "--report=r"])

    *lines, summary, again = read_report(here / "r")  # in a test, the run continues after `os._exit`
    assert (codes, summary) == ([4, 4], again)
    assert [line.verdict for line in lines if isinstance(line, CaseLine)] == ["timed-out", "not-run", "not-run"]
    assert "did not return within 0.4 s" in capsys.readouterr().out


def test_a_report_that_cannot_be_written_is_reported_before_the_process_ends(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A report that cannot be written is also reported when the watchdog ends the process."""
    errors: list[str] = []

    def end(run: SuiteRun, timeout: float, printed: Printed, finish: Callable[[Summary], None]) -> Summary:
        run.aborted = "it hangs"
        run.watchers[0](Result(run.plan[0].id, (), "passed"))  # the watcher that writes the report
        printed.release()
        finish(run.finish())
        errors.append(capsys.readouterr().err)
        raise Left(4)

    fill_the_disk(monkeypatch)
    monkeypatch.setattr("loopspec.cli.commands.run.judge_in_process", end)

    with pytest.raises(Left):
        main(["run", "reference", "--rule=AMD-CFG-01", "--report=r"])

    assert errors == ["loopspec: the report r cannot be written: No space left on device\n"]


def test_an_incomplete_run_changes_no_baseline(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An incomplete run neither writes nor prunes a baseline."""
    with pytest.raises(Left, match="4"):
        main(["run", f"{BROKEN}:SleepsAsync", "--rule=AMD-DEPTH-01", "--timeout=0.1", "--write-baseline=new.toml"])
    assert "new.toml is not written: the run did not judge everything." in capsys.readouterr().out
    assert not (here / "new.toml").exists()

    (here / "b.toml").write_text(COMMENTED, encoding="utf-8")
    with pytest.raises(Left, match="4"):
        main(["baseline", "prune", f"{BROKEN}:SleepsAsync", "b.toml", "--timeout=0.1"])
    assert "SleepsAsync is unusable: " in capsys.readouterr().out
    assert (here / "b.toml").read_text(encoding="utf-8") == COMMENTED


def test_a_run_does_not_import_pytest(tmp_path: Path) -> None:
    """A run imports neither pytest nor the Gherkin compiler, and ignores pytest's settings."""
    (tmp_path / "conftest.py").write_text("raise RuntimeError('not mine')\n", encoding="utf-8")
    code = (
        "import sys; from loopspec.cli import main; "
        "code = main(['run', 'reference', '-q', *map('--rule={}'.format, sys.argv[1:])]); "
        "print(code, sorted({'pytest', 'pytest_bdd', 'gherkin', 'parse', 'jinja2'} & set(sys.modules)))"
    )
    rules = ["AMD-BACKEND-05", "AMD-DEPTH-02", "INS-WALK-01", "LOOP-01", "XP-SUM-01"]  # of each role
    assert run_loopspec(tmp_path, "list", "LOOP-01").code == 0  # the features are compiled then
    environment = os.environ | {"PYTEST_ADDOPTS": "--no-such-option", "PYTEST_PLUGINS": "no_such_plugin"}

    done = subprocess.run(
        [sys.executable, "-c", code, *rules], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )

    assert re.fullmatch(r"reference is conformant in \d+ selected cases\.\n0 \[\]\n", done.stdout)


def test_a_timeout_may_be_very_long(here: Path) -> None:
    """The watchdog accepts any deadline as well."""
    assert main(["run", "reference", "--rule=AMD-CFG-01", "--timeout=1e300"]) == 0
