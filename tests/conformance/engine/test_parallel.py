"""A run in several processes: what it finds is what a run in one finds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from loopspec.cli import main
from loopspec.specification.features import compiled

from ..process import ADAPTERS, Ended, Reported, ended, reported, run_loopspec, started

CHOSEN = ["--area=AMD-DEPTH", "--area=AMD-CFG"]
PLUGINS = "pytest_bdd.plugin,loopspec.pytest_plugin.entry,xdist.plugin"
STALE = "AMD-DEPTH-03 :: A level that exists"
BASELINE = "".join(f'[[known]]\ncase = "{entry}"\nreason = "so"\n' for entry in ("AMD-DEPTH-01", STALE))


def written(folder: Path, adapter: str) -> str:
    """Write an adapter, and return the target of its class `Mine`."""
    (folder / "mine.py").write_text(adapter, encoding="utf-8")
    return "py:mine:Mine"


# A loader that does one thing each of the first times that it is called, by whichever process.
BY_TURNS = """\
import os, time
import broken

class Mine(broken.Loader):
    def do(self):
        for turn in ("die", "sleep", "swallow"):
            try:
                os.close(os.open(turn, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            getattr(self, turn)()
        return [], []

    def die(self):
        os._exit(9)

    def sleep(self):
        time.sleep(1000)

    def swallow(self):
        while True:
            try:
                time.sleep(0.01)
            except BaseException:
                pass
"""

# One that says who calls it, and never comes back.
SLEEPING = """\
import os, time
from pathlib import Path
import broken

class Mine(broken.Loader):
    def do(self):
        Path(f"judging-{os.getpid()}").touch()
        time.sleep(1000)
"""


def plain(report: Reported) -> tuple[object, ...]:
    """What a report says, but for the order, the time, and how long it took."""
    cases = {case.case: replace(case, seconds=0.0) for case in report.cases}
    return replace(report.run, began=0.0), [cases[name] for name in report.run.planned], report.summary


def same_junit(one: Path, other: Path) -> bool:
    """Whether two files say the same, but for how long it took."""
    told = []
    for path in (one, other):
        root = ElementTree.parse(path).getroot()
        for element in root.iter():
            element.attrib.pop("time", None)
        told.append(ElementTree.tostring(root))
    return told[0] == told[1]


def test_two_workers_find_what_one_process_finds(tmp_path: Path) -> None:
    """Report, JUnit, what is shown, a baseline that is written, and the exit code: all the same.

    Also where an adapter breaks in words that JSON cannot hold. Each worker has a target of its own.
    """
    target = written(
        tmp_path,
        "import os, sys\n"
        "from pathlib import Path\n"
        "import broken\n"
        "class Mine(broken.Loader):\n"
        "    def load(self, backend, files, max_bytes):\n"
        "        Path(f'judged-{os.getpid()}').touch()\n"
        "        if files[1:] == ['/q/level0.md']:\n"
        "            return 7\n"
        "        if len(files) > 1:\n"
        "            raise ValueError('no \\udcff\\ud800')\n"
        "        return [], []\n",
    )
    (tmp_path / "b.toml").write_text(BASELINE, encoding="utf-8")
    run = ["run", target, *CHOSEN, "--baseline=b.toml", "--strict", "--seed=4", "--shard=1/1"]

    one = run_loopspec(tmp_path, *run, "--report=one", "--junit=one.xml", "--write-baseline=one.toml")
    (alone,) = pids(tmp_path, "judged")
    process = started(tmp_path, *run, "-n2", "--report=two", "--junit=two.xml", "--write-baseline=two.toml")
    two = ended(process)

    report = reported(tmp_path / "two")
    assert {case.verdict for case in report.cases} == {"errored", "failed", "known", "stale", "inapplicable"}
    assert (one.code, two.code) == (1, 1)
    assert two.said.replace("two.", "one.") == one.said
    assert plain(report) == plain(reported(tmp_path / "one"))
    assert same_junit(tmp_path / "one.xml", tmp_path / "two.xml")
    assert (tmp_path / "two.toml").read_bytes() == (tmp_path / "one.toml").read_bytes()
    assert len(pids(tmp_path, "judged") - {alone, process.pid}) == 2


def test_a_worker_that_is_lost_costs_its_own_case(tmp_path: Path) -> None:
    """One that crashes, and one that hangs, which in one process would end the run: nothing can be stopped in it."""
    target = written(tmp_path, BY_TURNS)

    end = run_loopspec(tmp_path, "run", target, *CHOSEN, "-n2", "--timeout=0.5", "--report=r")

    report = reported(tmp_path / "r")
    (crashed,) = [case for case in report.cases if case.verdict == "crashed"]
    late = {case.message for case in report.cases if case.verdict == "timed-out"}
    assert (end.code, report.summary.exit_code, report.summary.aborted) == (1, 1, "")
    assert report.summary.cases["not-run"] == 0
    assert crashed.message == "py:mine:Mine took the process down that it was judged in"
    assert crashed.scene == next(case.scene for case in compiled() if case.id == crashed.case)
    assert crashed.location
    assert f"crashed {crashed.rules[0]} " in end.said
    assert late == {f"py:mine:Mine did not come back within {seconds} s" for seconds in ("0.5", "3.5")}


def test_what_takes_every_worker_down_is_unusable(tmp_path: Path) -> None:
    """Workers are not replaced for ever. What was not judged then says so."""
    (tmp_path / "few.py").write_text(
        "import sys, loopspec.pytest_plugin.pytesting\n"
        "from loopspec.cli import main\n"
        "loopspec.pytest_plugin.pytesting._REPLACED = 1\n"
        "sys.exit(main(sys.argv[1:]))\n",
        encoding="utf-8",
    )
    written(tmp_path, "import os, broken\nclass Mine(broken.Loader):\n    def do(self): os._exit(9)\n")
    (tmp_path / "broken.py").write_bytes(ADAPTERS.read_bytes())

    command = [sys.executable, "few.py", "run", "py:mine:Mine", *CHOSEN, "-n1", "-q", "--report=r"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)

    report = reported(tmp_path / "r")
    assert (done.returncode, report.summary.cases["crashed"]) == (4, 2)
    assert report.summary.aborted.startswith("2 worker processes were lost, the last one in 'AMD-")
    assert report.summary.cases["not-run"] > 0
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("second", "sentence"),
    [
        ("raise ConnectionError('no')", "loopspec: the factory py:mine:Mine failed: ConnectionError: no\n"),
        ("os._exit(9)", "loopspec: a worker process ended before its first case: Not properly terminated\n"),
    ],
)
def test_a_target_that_no_worker_can_build_is_unusable(second: str, sentence: str, tmp_path: Path) -> None:
    """It was built once, to be asked what it is; the second time it fails."""
    target = written(
        tmp_path,
        "import os, broken\n"
        "class Mine(broken.Loader):\n"
        "    def __init__(self):\n"
        "        if os.path.exists('built'):\n"
        f"            {second}\n"
        "        open('built', 'w').close()\n",
    )

    end = run_loopspec(tmp_path, "run", target, *CHOSEN, "-n1")

    assert (end.code, end.err) == (4, sentence)


@pytest.mark.parametrize(
    ("everybody", "workers"), [(False, 2), (True, 1)], ids=["who adds up alone", "the whole group, as a terminal does"]
)
def test_ctrl_c_ends_the_run_and_every_worker(everybody: bool, workers: int, tmp_path: Path) -> None:
    """What was judged is in the report, the rest was not run, and no process is left."""
    target = written(tmp_path, SLEEPING)
    (tmp_path / "broken.py").write_bytes(ADAPTERS.read_bytes())
    command = [sys.executable, "-m", "loopspec", "run", target, "--area=AMD-DEPTH", f"-n{workers}", "--report=r"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    wait_until(lambda: len(pids(tmp_path, "judging")) == workers, process)

    if everybody:
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.send_signal(signal.SIGINT)
    end = ended(process)

    report = reported(tmp_path / "r")
    planned = report.summary.planned
    assert (end.code, report.summary.exit_code, report.summary.cases["not-run"]) == (130, 130, planned)
    assert end.said.splitlines()[-1] == f"interrupted: {planned} of {planned} cases were not run."
    wait_until(lambda: not any(is_alive(pid) for pid in pids(tmp_path, "judging")))


def test_workers_do_not_outlive_who_they_work_for(tmp_path: Path) -> None:
    """Not even one that is killed."""
    process = started(tmp_path, "run", written(tmp_path, SLEEPING), "--area=AMD-DEPTH", "-n1")
    wait_until(lambda: len(pids(tmp_path, "judging")) == 1, process)

    process.kill()
    process.communicate()

    wait_until(lambda: not any(is_alive(pid) for pid in pids(tmp_path, "judging")))


def pids(folder: Path, doing: str) -> set[int]:
    """The processes that have said what they are doing."""
    return {int(path.name.rpartition("-")[2]) for path in folder.glob(f"{doing}-*")}


def is_alive(pid: int) -> bool:
    """Whether there is such a process, and not only what is left of one."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(met: Callable[[], bool], process: subprocess.Popen[str] | None = None) -> None:
    """Wait for what another process does."""
    deadline = time.monotonic() + 120
    while not met():
        assert time.monotonic() < deadline
        assert process is None or process.poll() is None
        time.sleep(0.01)


@pytest.mark.parametrize("workers", ["0", "-1", "many", "1.5"])
def test_what_is_no_number_of_workers(workers: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence."""
    assert main(["run", "reference", f"-n{workers}"]) == 2
    assert capsys.readouterr().err == (f"loopspec: -n {workers} is no number of processes: say 1 or more, or auto\n")


def test_without_xdist_there_is_a_cure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """And nothing is judged in one process instead."""
    monkeypatch.setattr("loopspec.pytest_plugin.pytesting.find_spec", lambda name: None)

    assert main(["run", "reference", "-n2"]) == 2
    assert capsys.readouterr().err == (
        "loopspec: -n needs pytest-xdist, which is not installed: pip install 'loopspec[xdist]'\n"
    )


# -- the plugin --------------------------------------------------------------------------------------------------------


def run_pytest(folder: Path, *options: str) -> Ended:
    """Run pytest in a folder that holds the broken adapters, with the plugins that are needed and no others."""
    (folder / "broken.py").write_bytes(ADAPTERS.read_bytes())
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": PLUGINS}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-W", "error", *options]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    return Ended(done.returncode, done.stdout, done.stderr)


def test_a_divided_run_of_pytest_adds_up(tmp_path: Path) -> None:
    """As in one process: report, baseline, counts, and what is shown of each failure."""
    (tmp_path / "b.toml").write_text(BASELINE, encoding="utf-8")
    options = ["--loopspec-target=py:broken:Loader", "--loopspec-baseline=b.toml", "--loopspec-area=AMD-DEPTH", "-rxs"]

    one = run_pytest(tmp_path, *options, "--loopspec-report=one")
    two = run_pytest(tmp_path, *options, "--loopspec-report=two", "-n2")

    counts, others = (
        sorted(line for line in end.said.splitlines() if line.startswith("loopspec ")) for end in (one, two)
    )
    assert (one.code, two.code) == (1, 1)
    assert plain(reported(tmp_path / "two")) == plain(reported(tmp_path / "one"))
    assert len(counts) == 2
    assert counts == others
    for shown in ("failed: AMD-DEPTH-0", "stale: AMD-DEPTH-03", "XFAIL "):
        assert one.said.count(shown) == two.said.count(shown) > 0


def test_two_targets_of_ones_own_are_judged_by_workers(tmp_path: Path) -> None:
    """Beside tests that have nothing to do with it. A case that crashes or hangs is shown as any other failure is."""
    mine = "from loopspec.suite import *\nLOOPSPEC_TARGET = {target!r}\n"
    target = written(tmp_path, BY_TURNS.replace(', "swallow"', ""))
    (tmp_path / "test_one.py").write_text(mine.format(target=target), encoding="utf-8")
    (tmp_path / "test_two.py").write_text(mine.format(target="reference"), encoding="utf-8")
    (tmp_path / "test_other.py").write_text("def test_other(): pass\n", encoding="utf-8")

    end = run_pytest(tmp_path, "-n2", "--loopspec-rule=AMD-DEPTH-01", "--loopspec-timeout=0.5")

    assert end.code == 1
    assert "3 failed, 6 passed" in end.said
    assert "loopspec py:mine:Mine: rules: 1 crashed" in end.said
    assert "loopspec reference: rules: 1 passed" in end.said
    for shown in ("crashed: AMD-DEPTH-01: ", "timed-out: AMD-DEPTH-01: ", "did not come back within 0.5 s"):
        assert shown in end.said


def test_a_run_that_is_none_of_ours_is_left_alone(tmp_path: Path) -> None:
    """A worker that crashes in it is xdist's to tell."""
    (tmp_path / "test_other.py").write_text(
        "import os\ndef test_one(): pass\ndef test_two(): os._exit(9)\ndef test_three(): pass\n", encoding="utf-8"
    )

    end = run_pytest(tmp_path, "-n1")

    assert (end.code, "1 failed, 2 passed" in end.said, "loopspec" in end.said) == (1, True, False)


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("--loopspec-rule=zzz", "there is no rule 'zzz'"),  # as a worker finds out
        ("--loopspec-report=.", "the report . cannot be written"),  # as who adds up does
    ],
)
def test_what_workers_refuse_is_a_usage_error(option: str, sentence: str, tmp_path: Path) -> None:
    """Said once."""
    end = run_pytest(tmp_path, "--loopspec-target=py:broken:Loader", "--loopspec-area=AMD-DEPTH", option, "-n2")

    assert end.code == pytest.ExitCode.USAGE_ERROR
    assert end.said.count(f"ERROR: loopspec: {sentence}") == 1


def test_stopping_at_the_first_failure_is_not_ctrl_c(tmp_path: Path) -> None:
    """What was left out is missed, as in one process."""
    options = ["--loopspec-target=py:broken:Loader", "--loopspec-area=AMD-DEPTH", "-x", "-n1", "--loopspec-report=r"]

    run_pytest(tmp_path, *options)

    last = (tmp_path / "r").read_text(encoding="utf-8").splitlines()[-1]
    assert '"interrupted":false' in last
    assert '"exit_code":5' in last
