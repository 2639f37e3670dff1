"""The report that a run writes: JSON lines, one after the other, for one run at a time."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest
from msgspec.structs import replace

from loopspec.contract.faults import UsageError
from loopspec.contract.specification import digest
from loopspec.engine.result import CaseLine
from loopspec.reports.jsonl import Report, RunLine, read_report

from ..recorded import SEEN, failing, run_of
from ..staging import case_of

DEPTH = [case_of("AMD-DEPTH-01", number) for number in range(3)]


def test_the_report_has_the_plan_the_results_and_the_totals(tmp_path: Path) -> None:
    """The report has the plan, the result of each case, the evidence of failing cases, and the totals."""
    run = run_of(DEPTH)
    report = Report(tmp_path / "r")
    report.begin(run)
    run.watchers.append(report.case)

    run.take(replace(failing(DEPTH[0]), verdict="passed"))
    run.take(failing(DEPTH[1]))
    part = read_report(tmp_path / "r")  # the report is readable during the run
    run.take(replace(failing(DEPTH[2]), verdict="inapplicable"))
    summary = run.finish()
    report.write(summary)
    report.close()

    lines = read_report(tmp_path / "r")
    first, *cases, last = lines
    assert part == lines[:3]
    assert isinstance(first, RunLine)
    assert replace(first, began=0.0) == RunLine(
        features=digest(),
        target="py:some:target",
        identity=run.target.identity,
        roles=("loader",),
        capabilities=("edits",),
        role=None,
        strict=False,
        seed=0,
        planned=tuple(case.id for case in DEPTH),
    )
    assert [(line.verdict, line.scene, line.observation) for line in cases if isinstance(line, CaseLine)] == [
        ("passed", None, None),
        ("failed", DEPTH[1].scene, SEEN),
        ("inapplicable", None, None),
    ]
    assert last == summary
    assert (summary.planned, summary.accounted, summary.executed, summary.exit_code) == (3, 3, 2, 1)


@pytest.mark.parametrize("cut", [1, 7, 200])
def test_a_truncated_report_ends_with_the_previous_line(cut: int, tmp_path: Path) -> None:
    """The cut can be at any position of the last line."""
    run = run_of(DEPTH)
    report = Report(tmp_path / "r")
    report.begin(run)
    report.case(failing(DEPTH[0]))
    report.case(failing(DEPTH[1]))
    report.close()
    whole = read_report(tmp_path / "r")

    (tmp_path / "r").write_bytes((tmp_path / "r").read_bytes()[:-cut])

    assert read_report(tmp_path / "r") == whole[:-1]


def test_a_report_that_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    """The error is raised before the run."""
    with pytest.raises(UsageError, match="cannot be written: Is a directory"):
        Report(tmp_path)


def test_a_report_has_one_run(tmp_path: Path) -> None:
    """A second run that writes into the file is refused, and changes nothing; after the first one, it is not."""
    first = Report(tmp_path / "r")
    first.begin(run_of(DEPTH))
    written = (tmp_path / "r").read_bytes()

    with pytest.raises(UsageError, match=f"^another run is writing {tmp_path}/r: name another file$"):
        Report(tmp_path / "r")
    assert (tmp_path / "r").read_bytes() == written

    first.close()
    Report(tmp_path / "r").close()
    assert (tmp_path / "r").read_bytes() == b""


def test_the_file_of_a_run_that_died_is_free(tmp_path: Path) -> None:
    """The system releases the file, so nothing has to be removed by hand."""
    program = "import sys; from pathlib import Path; from loopspec.reports.jsonl import Report"
    program += "; report = Report(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", program, str(tmp_path / "r")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout
        assert other.stdout.readline() == "open\n"
        with pytest.raises(UsageError, match="another run is writing"):
            Report(tmp_path / "r")
        other.kill()

    Report(tmp_path / "r").close()


def test_a_file_that_another_run_removes_meanwhile_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that checks whether it can write the file removes the file again."""
    removed: list[IO[bytes]] = []

    def lock(file: IO[bytes], how: int) -> None:
        if not removed:
            (tmp_path / "r").unlink()
            removed.append(file)

    monkeypatch.setattr(fcntl, "flock", lock)

    report = Report(tmp_path / "r")
    report.begin(run_of(DEPTH))
    report.close()

    assert removed
    assert len(read_report(tmp_path / "r")) == 1


def test_surrogates_are_escaped_in_the_report(tmp_path: Path) -> None:
    """A file name that is not UTF-8 contains surrogates."""
    run = run_of([DEPTH[0]])
    report = Report(tmp_path / "r")
    report.case(replace(failing(DEPTH[0]), message="bad \udce9"))
    report.write(run.finish())
    report.close()

    line = read_report(tmp_path / "r")[0]
    assert isinstance(line, CaseLine)
    assert line.message == "bad \\udce9"


def test_several_runs_can_write_to_a_device(tmp_path: Path) -> None:
    """A device keeps nothing."""
    reports = [Report(Path("/dev/null")) for _ in range(2)]
    for report in reports:
        report.close()


def test_a_full_disk_ends_the_report_and_not_the_run() -> None:
    """The report has a `problem`; a report whose first line cannot be written is an error."""
    report = Report(Path("/dev/full"))

    report.case(failing(DEPTH[0]))
    report.case(failing(DEPTH[1]))
    report.close()

    assert report.problem == "the report /dev/full cannot be written: No space left on device"
    with pytest.raises(UsageError, match="No space left"):
        Report(Path("/dev/full")).begin(run_of(DEPTH))


def test_output_without_a_reader_is_discarded() -> None:
    """Output to a closed pipe is discarded without a flush at exit and without an open descriptor."""
    program = (
        "import os\n"
        "from loopspec.engine.output import print_no_more\n"
        "free = os.dup(0); os.close(free)\n"
        "print_no_more()\n"
        "print('thrown away')\n"
        "os.write(2, str(os.dup(0) - free).encode())\n"
    )

    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "0")
