"""A run in several processes finds the same as a run in one process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from loopspec.cli import main
from loopspec.specification.features import compiled

from ..process import ADAPTERS, PATIENCE, Reported, Start, ended, is_alive, reported, run_loopspec, untimed, wait_until

CHOSEN = ["--area=AMD-DEPTH", "--area=AMD-CFG"]
STALE = "AMD-DEPTH-03 :: A readable file on level 6"
BASELINE = "".join(f'[[known]]\ncase = "{entry}"\nreason = "so"\n' for entry in ("AMD-DEPTH-01", STALE))


def written(folder: Path, adapter: str) -> str:
    """Write an adapter and return the target of its class `Mine`."""
    (folder / "mine.py").write_text(adapter, encoding="utf-8")
    return "py:mine:Mine"


# a loader that behaves differently in each of its first calls, counted over all processes
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
        os.write(1, b"good bye\\n")
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

# a loader that records its process and never returns
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
    """The contents of a report without order and times."""
    cases = {case.case: replace(case, seconds=0.0) for case in report.cases}
    return replace(report.run, began=0.0), [cases[name] for name in report.run.planned], report.summary


def same_junit(one: Path, other: Path) -> bool:
    """Whether two JUnit files are equal except for the times."""
    texts = []
    for path in (one, other):
        root = ElementTree.parse(path).getroot()
        for element in root.iter():
            element.attrib.pop("time", None)
        texts.append(ElementTree.tostring(root))
    return texts[0] == texts[1]


def test_two_workers_find_what_one_process_finds(start: Start, tmp_path: Path) -> None:
    """Report, JUnit, output, written baseline and exit code are the same.

    An adapter may raise an error that JSON cannot hold. Each worker has its own target.
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
    run = ["run", target, *CHOSEN, "--baseline=b.toml", "--strict", "--seed=4", "--shard=1/1", "--variants=none"]

    one = run_loopspec(tmp_path, *run, "--report=one", "--junit=one.xml", "--write-baseline=one.toml")
    (alone,) = pids(tmp_path, "judged")
    process = start(tmp_path, *run, "-n2", "--report=two", "--junit=two.xml", "--write-baseline=two.toml")
    two = ended(process)

    report = reported(tmp_path / "two")
    assert {case.verdict for case in report.cases} == {"errored", "failed", "known", "stale", "inapplicable"}
    assert (one.code, two.code) == (1, 1)
    assert untimed(two.said.replace("two.", "one.")) == untimed(one.said)
    assert plain(report) == plain(reported(tmp_path / "one"))
    assert same_junit(tmp_path / "one.xml", tmp_path / "two.xml")
    assert (tmp_path / "two.toml").read_bytes() == (tmp_path / "one.toml").read_bytes()
    assert len(pids(tmp_path, "judged") - {alone, process.pid}) == 2


def test_a_lost_worker_loses_only_its_own_case(tmp_path: Path) -> None:
    """A worker that crashes or hangs loses its own case; in one process, a hang would end the run."""
    target = written(tmp_path, BY_TURNS)

    end = run_loopspec(tmp_path, "run", target, *CHOSEN, "-n2", "--timeout=0.5", "--report=r")

    report = reported(tmp_path / "r")
    (crashed,) = [case for case in report.cases if case.verdict == "crashed"]
    late = {case.message for case in report.cases if case.verdict == "timed-out"}
    assert (end.code, report.summary.exit_code, report.summary.aborted) == (1, 1, "")
    assert report.summary.cases["not-run"] == 0
    assert crashed.message == ("py:mine:Mine ended the process that judged it: it ended with exit code 9")
    assert crashed.evidence == {"standard output": "good bye\n"}
    assert crashed.scene == next(case.scene for case in compiled() if case.id == crashed.case)
    assert crashed.location
    assert f"crashed {crashed.rules[0]} " in end.said
    assert late == {f"py:mine:Mine did not return within {seconds} s" for seconds in ("0.5", "3.5")}


def test_a_target_that_ends_every_worker_is_unusable(tmp_path: Path) -> None:
    """Workers are replaced a limited number of times; cases that were not judged say so."""
    (tmp_path / "few.py").write_text(
        "import sys, loopspec.engine.workers\n"
        "from loopspec.cli import main\n"
        "loopspec.engine.workers._REPLACED = 1\n"
        "sys.exit(main(sys.argv[1:]))\n",
        encoding="utf-8",
    )
    written(tmp_path, "import os, broken\nclass Mine(broken.Loader):\n    def do(self): os._exit(9)\n")
    (tmp_path / "broken.py").write_bytes(ADAPTERS.read_bytes())

    command = [sys.executable, "few.py", "run", "py:mine:Mine", *CHOSEN, "-n1", "-q", "--report=r"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)

    report = reported(tmp_path / "r")
    assert (done.returncode, report.summary.cases["crashed"]) == (4, 2)
    assert report.summary.aborted.startswith("2 worker processes were lost, the last one in 'AMD-")
    assert report.summary.cases["not-run"] > 0
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("build", "sentence"),
    [
        ("raise OSError('no')", "the factory py:mine:Mine failed: OSError: no (mine.py:4 in Mine.__init__)"),
        ("os._exit(9)", "a worker process ended before its first case: it ended with exit code 9"),
    ],
)
def test_a_target_that_no_worker_can_build_is_unusable(build: str, sentence: str, tmp_path: Path) -> None:
    """Only workers build the target, so its factory cannot end the main process."""
    target = written(
        tmp_path, f"import os, broken\nclass Mine(broken.Loader):\n    def __init__(self):\n        {build}\n"
    )

    end = run_loopspec(tmp_path, "run", target, *CHOSEN, "-n2")

    assert (end.code, end.err) == (4, f"loopspec: {sentence}\n")


def test_an_unknown_target_is_a_usage_error(tmp_path: Path) -> None:
    """The error is the same as in one process."""
    end = run_loopspec(tmp_path, "run", "py:nothing:Here", *CHOSEN, "-n2")

    assert (end.code, end.err.count("loopspec: there is no module 'nothing'")) == (2, 1)


def test_a_target_that_fails_in_a_later_process_is_unusable(tmp_path: Path) -> None:
    """Results of the first worker are kept."""
    target = written(
        tmp_path,
        "import os, broken\n"
        "class Mine(broken.Loader):\n"
        "    def __init__(self):\n"
        "        if os.path.exists('built'):\n"
        "            raise ConnectionError('no second one')\n"
        "        open('built', 'w').close()\n"
        "    def do(self):\n"
        "        os._exit(9)\n",
    )

    end = run_loopspec(tmp_path, "run", target, *CHOSEN, "-n1", "--report=r")

    report = reported(tmp_path / "r")
    assert (end.code, report.summary.cases["crashed"]) == (4, 1)
    assert report.summary.aborted == (
        "the factory py:mine:Mine failed: ConnectionError: no second one (mine.py:5 in Mine.__init__)"
    )
    assert report.summary.cases["not-run"] > 0


# the kit, with a clock that is past every deadline while the worker whose process is recorded is stopped
LATE = """\
import sys, time, types
from pathlib import Path
import loopspec.engine.workers
from loopspec.cli import main

def is_stopped():
    try:
        process = Path("stopped").read_text()
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    except OSError:
        return False

def monotonic():
    return time.monotonic() + (1e6 if is_stopped() else 0)

loopspec.engine.workers.time = types.SimpleNamespace(monotonic=monotonic)
sys.exit(main(sys.argv[1:]))
"""


def test_a_worker_that_holds_the_interpreter_is_killed(tmp_path: Path) -> None:
    """A worker that blocks its own watchdog is killed: its case timed out, and the others are judged."""
    (tmp_path / "late.py").write_text(LATE, encoding="utf-8")
    written(
        tmp_path,
        "import os, signal, broken\n"
        "from pathlib import Path\n"
        "class Mine(broken.Loader):\n"
        "    def do(self):\n"
        "        if not os.path.exists('stopped'):\n"
        "            Path('stopped').write_text(str(os.getpid()))\n"
        "            os.kill(os.getpid(), signal.SIGSTOP)\n"
        "        return [], []\n",
    )
    (tmp_path / "broken.py").write_bytes(ADAPTERS.read_bytes())

    command = [sys.executable, "late.py", "run", "py:mine:Mine", *CHOSEN, "-n1", "--timeout=600", "--report=r"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)

    report = reported(tmp_path / "r")
    assert (done.returncode, report.summary.cases["timed-out"], report.summary.cases["not-run"]) == (1, 1, 0)
    (late,) = [case for case in report.cases if case.verdict == "timed-out"]
    assert late.message == "py:mine:Mine did not return within 603 s"


# an agent that fails only in the variant with unused tools
GUILTY = """\
import os, time
from loopspec_reference_adapter import Reference

class Mine(Reference):
    async def perform(self, stage):
        if any(one.name.startswith("inert-last-") for one in stage.scene.agent.handlers):
            self.fail()
        await super().perform(stage)

    def fail(self):
"""


@pytest.mark.parametrize(
    ("failure", "verdict"),
    [
        pytest.param("os._exit(9)", "crashed", id="exit"),
        pytest.param("time.sleep(1000)", "timed-out", id="hang"),
        pytest.param(
            "while True:\n            try: time.sleep(0.01)\n            except BaseException: pass",
            "timed-out",
            id="hang that swallows its interruption",
        ),
    ],
)
def test_a_failure_in_a_bundle_is_that_of_one_variant(failure: str, verdict: str, tmp_path: Path) -> None:
    """Variants that were judged together with the failing one are judged alone, and pass."""
    target = written(tmp_path, f"{GUILTY}        {failure}\n")
    variants = ("inert-handler-last", "inert-handler-first", "longer-conversation", "streaming")
    chosen = ["--case=LOOP-03 :: An empty result", *(f"--case=LOOP-03 :: An empty result + {one}" for one in variants)]

    end = run_loopspec(tmp_path, "run", target, *chosen, "-n2", "--timeout=2", "--report=r")

    report = reported(tmp_path / "r")
    verdicts = {case.case.partition(" + ")[2]: case.verdict for case in report.cases}
    assert verdicts == dict.fromkeys(("", *variants), "passed") | {"inert-handler-last": verdict}
    assert (end.code, report.summary.aborted) == (1, "")


def test_a_worker_judges_variants_together(tmp_path: Path) -> None:
    """A plain case and its variants go to one worker, which performs a bundle once."""
    target = written(
        tmp_path,
        "from loopspec_reference_adapter import Reference\n"
        "class Mine(Reference):\n"
        "    async def perform(self, stage):\n"
        "        with open('performed', 'a') as file:\n"
        "            print('once', file=file)\n"
        "        await super().perform(stage)\n",
    )
    variants = ("inert-handler-last", "inert-handler-first", "longer-conversation")
    chosen = ["--case=LOOP-03 :: An empty result", *(f"--case=LOOP-03 :: An empty result + {one}" for one in variants)]

    end = run_loopspec(tmp_path, "run", target, *chosen, "-n2", "--report=r")

    assert (end.code, len(reported(tmp_path / "r").cases)) == (0, 4)
    assert (tmp_path / "performed").read_text(encoding="utf-8") == "once\n" * 2


def test_a_run_in_several_processes_stops_early_too(tmp_path: Path) -> None:
    """Cases under way in other workers count as not run."""
    target = written(tmp_path, "import broken\nclass Mine(broken.Loader): pass\n")

    end = run_loopspec(tmp_path, "run", target, "--area=AMD-DEPTH", "-n2", "-x", "--report=r")

    report = reported(tmp_path / "r")
    assert (end.code, report.summary.cases["failed"] >= 1, report.summary.cases["not-run"] > 1) == (1, True, True)
    assert report.summary.stopped in report.verdicts
    assert "The run stopped there: " in end.said.splitlines()[-1]


@pytest.mark.parametrize(
    ("whole_group", "workers"), [(False, 2), (True, 1)], ids=["the main process", "the whole group, like a terminal"]
)
def test_ctrl_c_ends_the_run_and_every_worker(whole_group: bool, workers: int, start: Start, tmp_path: Path) -> None:
    """Judged cases are in the report, the rest was not run, and no process is left."""
    options = ["--rule=AMD-DEPTH-0[1-6]", f"-n{workers}", "--report=r"]
    process = start(tmp_path, "run", written(tmp_path, SLEEPING), *options, start_new_session=True)
    wait_until(lambda: len(pids(tmp_path, "judging")) == workers, process)

    if whole_group:
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.send_signal(signal.SIGINT)
    end = ended(process)

    report = reported(tmp_path / "r")
    planned = report.summary.planned
    assert (end.code, report.summary.exit_code, report.summary.cases["not-run"]) == (130, 130, planned)
    assert end.said.splitlines()[-1] == f"interrupted: {planned} of {planned} cases were not run."
    wait_until(lambda: not any(is_alive(pid) for pid in pids(tmp_path, "judging")))


def test_workers_do_not_outlive_the_main_process(start: Start, tmp_path: Path) -> None:
    """A worker ends even if the main process is killed."""
    process = start(tmp_path, "run", written(tmp_path, SLEEPING), "--area=AMD-DEPTH", "-n1")
    wait_until(lambda: len(pids(tmp_path, "judging")) == 1, process)

    process.kill()
    process.communicate()

    wait_until(lambda: not any(is_alive(pid) for pid in pids(tmp_path, "judging")))


def pids(folder: Path, doing: str) -> set[int]:
    """The processes that have recorded an activity."""
    return {int(path.name.rpartition("-")[2]) for path in folder.glob(f"{doing}-*")}


@pytest.mark.parametrize("workers", ["0", "-1", "many", "1.5"])
def test_an_invalid_number_of_workers_is_an_error(workers: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The error is one sentence."""
    assert main(["run", "reference", f"-n{workers}"]) == 2
    assert capsys.readouterr().err == (f"loopspec: -n {workers} is not a number of processes: use 1 or more, or auto\n")
