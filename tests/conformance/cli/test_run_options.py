"""`loopspec run` with -x, -v, --lf, and the report that each run leaves."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from loopspec.cli import main
from loopspec.reports.account import read_account
from loopspec.reports.jsonl import RunLine, last_report, read_report
from loopspec.specification.features import compiled
from loopspec_instructions.permissions import permissions_applied

from .. import broken
from ..process import PATIENCE, reported, run_loopspec, takes_ctrl_c

LOADER = f"py:{broken.__name__}:Loader"
FAILS = "AMD-DEPTH-01"  # three cases, which this loader fails
PASSES = "AMD-DEPTH-03 :: A readable file on level 6"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder and an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def planned(path: Path) -> list[str]:
    """The cases that the run of a report planned."""
    run = read_report(path)[0]
    assert isinstance(run, RunLine)
    return list(run.planned)


def last_failures(folder: Path) -> set[str]:
    """The failures in the last report of a folder."""
    return read_account(last_report(LOADER, folder)).failed_cases()


def test_x_stops_after_the_first_failure(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code is 1, never 5; the report and the last sentence say that the rest was not run."""
    assert main(["run", LOADER, f"--rule={FAILS}", "--rule=AMD-CACHE-13", "-x", "--variants=none", "--report=r"]) == 1

    report = reported(here / "r")
    assert sorted(report.verdicts.values()) == ["failed", "inapplicable", "not-run", "not-run"]
    assert {case.message for case in report.cases if case.verdict == "not-run"} == {
        f"the run stopped after {report.summary.stopped!r}"
    }
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == (
        f"{LOADER} is not conformant: 1 normative case failed. The run stopped there: 2 of 4 cases were not run."
    )


def test_x_without_a_failure_judges_everything(here: Path) -> None:
    """An advisory failure stops a run only with `--strict`."""
    options = ["run", LOADER, "--rule=AMD-DEPTH-07", "--rule=AMD-IMPORT-01", "-x", "--role=loader"]

    assert main([*options, "--report=lenient"]) == 1
    assert main([*options, "--report=strict", "--strict"]) == 1

    lenient, strict = reported(here / "lenient"), reported(here / "strict")
    advisory = next(case.id for case in compiled() if "AMD-DEPTH-07" in case.rule.ids)
    assert lenient.verdicts[advisory] == "failed" != lenient.summary.stopped
    assert lenient.summary.stopped.startswith("AMD-IMPORT-01 :: ")
    assert strict.summary.stopped == advisory


def test_v_shows_the_steps_of_each_failure_and_what_is_inapplicable(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The steps include the Givens."""
    assert main(["run", LOADER, f"--rule={FAILS}", "--rule=AMD-CFG-05", "-v"]) == 1

    out = capsys.readouterr().out
    for case in (case for case in compiled() if FAILS in case.rule.ids):
        assert [step for step in case.steps if f"{case.file}:{step.line}  {step}\n" not in out] == []
    assert "    AMD-CFG-05 :: A limit of 0 bytes: needs the role middleware or agent\n" in out


def test_lf_judges_the_last_failures(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--lf` reads the report that the last run left in the cache for this folder and target."""
    assert main(["run", LOADER, "--area=AMD-DEPTH"]) == 1
    failed = last_failures(here)

    assert main(["run", LOADER, "--lf", "--report=r"]) == 1

    head = capsys.readouterr().out.splitlines()
    assert set(planned(here / "r")) == failed
    assert PASSES not in failed
    assert any(line.endswith(f"{len(failed)} cases on {LOADER}; the last failures") for line in head)


def test_lf_takes_another_report_and_any_order_of_arguments(here: Path) -> None:
    """`--lf REPORT` names a report; a target after `--lf` is the target."""
    assert main(["run", LOADER, f"--rule={FAILS}", "--report=mine"]) == 1
    assert main(["run", LOADER, f"--case={PASSES}"]) == 0

    assert main(["run", LOADER, "--lf", "mine", "--report=r"]) == 1
    assert len(planned(here / "r")) == 3
    assert main(["run", "--lf", LOADER, "--report=again"]) == 1
    assert planned(here / "again") == planned(here / "r")


def test_lf_with_x_keeps_failures_that_were_not_run(here: Path) -> None:
    """A case that was not run keeps its earlier failure."""
    assert main(["run", LOADER, "--area=AMD-DEPTH"]) == 1
    failed = last_failures(here)

    assert main(["run", LOADER, "--lf", "-x"]) == 1

    assert last_failures(here) == failed


def test_a_stopped_run_has_one_failure(here: Path) -> None:
    """Cases that were not run have not failed, so the next `--lf` judges only the failure."""
    assert main(["run", LOADER, f"--rule={FAILS}", "-x"]) == 1

    assert len(last_failures(here)) == 1


@pytest.mark.parametrize("before", [[], ["run", "reference", "--rule=AMD-CFG-01"]])
def test_lf_judges_everything_if_nothing_failed(
    before: list[str], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a failure or without an earlier run, all cases are judged and the output says so."""
    if before:
        assert main(before) == 0

    assert main(["run", "reference", "--lf", "--rule=AMD-CFG-0[12]", "--report=r"]) == 0

    count = sum(bool({"AMD-CFG-01", "AMD-CFG-02"} & set(case.rule.ids)) for case in compiled())
    why = "nothing failed in the last run" if before else "there is no earlier run in this folder"
    assert len(planned(here / "r")) == count
    assert f"cases on reference; {why}, so all are judged\n" in capsys.readouterr().out


def test_the_last_report_belongs_to_a_folder_and_a_target(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs in other folders and of other targets do not change the last report."""
    assert main(["run", LOADER, f"--rule={FAILS}"]) == 1
    (here / "sub").mkdir()
    assert main(["run", "reference", "--rule=AMD-CFG-01"]) == 0
    monkeypatch.chdir(here / "sub")
    assert main(["run", LOADER, f"--case={PASSES}"]) == 0
    monkeypatch.chdir(here)

    assert len(last_failures(here)) == 3


def test_old_reports_are_removed_from_the_cache(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache keeps a limited number of reports."""
    monkeypatch.setattr("loopspec.reports.jsonl._KEPT", 2)
    for n in range(5):
        (here / str(n)).mkdir()
        monkeypatch.chdir(here / str(n))
        assert main(["run", "reference", "--rule=AMD-CFG-01", "-q"]) == 0

    assert len(list(last_report("reference", here).parent.iterdir())) == 3


def test_a_cache_that_cannot_be_written_is_ignored(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache that cannot be written causes neither an error nor a message."""
    (here / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "file"))

    assert main(["run", "reference", "--rule=AMD-CFG-01", "-q"]) == 0
    assert main(["run", "reference", "--rule=AMD-CFG-01", "-q", "--lf"]) == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="root enters every folder elsewhere")
@pytest.mark.parametrize("command", ["run reference --rule=AMD-CFG-01 -q --lf", "known", "known --remove all"])
def test_a_cache_that_cannot_be_entered_is_ignored(command: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home folder without permission is that of a container's user, and no reason to fail."""
    (here / "home").mkdir(mode=0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "home" / ".cache"))

    with permissions_applied():
        done = run_loopspec(here, *command.split())

    assert (done.code, done.err) == (0, "")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="root enters every folder elsewhere")
def test_a_known_target_without_a_cache_is_one_sentence(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment has no other place than the cache."""
    (here / "home").mkdir(mode=0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "home"))

    with permissions_applied():
        done = run_loopspec(here, "run", "known:langchain")

    assert done.code == 4
    assert done.said.endswith(f" cannot be installed into {here}/home/loopspec/known: Permission denied\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "name the target: loopspec run reference, py:package.module:factory, cmd:'command line' or known:name"),
        (["--lf"], "name the target: "),
        (["reference", "--lf", "nothing"], "the report nothing cannot be read: No such file or directory"),
    ],
)
def test_wrong_arguments_are_one_sentence(
    arguments: list[str], sentence: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code is 2."""
    assert main(["run", *arguments]) == 2
    assert capsys.readouterr().err.startswith(f"loopspec: {sentence}")


def test_the_terminal_shows_progress_before_the_target_is_imported(tmp_path: Path) -> None:
    """The first line is printed before the module is imported: the import waits until the test has read the line."""
    (tmp_path / "slow.py").write_text(
        "import os, time\n"
        "while not os.path.exists('seen'):\n"
        "    time.sleep(0.01)\n"
        "from loopspec_reference_adapter import Reference\n",
        encoding="utf-8",
    )
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "loopspec", "run", "py:slow:Reference", "--rule=AMD-CYCLE-01", "--variants=none"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs, preexec_fn=takes_ctrl_c
    ) as process:
        os.close(theirs)
        before = read_until(ours, b"starting it")
        (tmp_path / "seen").touch()
        read_until(ours, b"conformant")
        process.wait(PATIENCE)
    os.close(ours)

    assert b"1 case on py:slow:Reference" in before
    assert b"conformant" not in before


def read_until(terminal: int, words: bytes) -> bytes:
    """Read what a terminal shows until it shows these words."""
    seen, deadline = b"", time.monotonic() + PATIENCE
    while words not in seen:
        assert time.monotonic() < deadline, seen
        if select.select([terminal], [], [], 1)[0]:
            try:
                seen += os.read(terminal, 4096)
            except OSError:  # the other end is closed
                break
    return seen
