"""A resumed run is performed in a new process, which the adapter starts itself, or else the harness."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from loopspec.engine.judge import judge
from loopspec.engine.result import Result
from loopspec.specification.features import compiled
from loopspec.targets.process import connection
from loopspec.targets.process.target import ProcessTarget

from .hostile.scripted import scripted

# An implementation that notes its processes, how often a module was imported, and the runs of each process.
NOTING = """
import os
from pathlib import Path
from loopspec_reference_adapter import Reference

performed = 0
with open("imports", "a") as file:
    file.write(".")

class Noting(Reference):
    async def perform(self, stage):
        global performed
        performed += 1
        with open("performed", "a") as file:
            file.write(f"{os.getpid()} {performed}\\n")
        await super().perform(stage)

class Mortal(Noting):
    async def perform(self, stage):
        def forgotten(run):
            os.write(2, b"cannot remember\\n")
            DIES
        stage.runs.checkpoint = forgotten
        await super().perform(stage)
"""
THREAD = "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,), daemon=True).start()\n"
FILE = "import os\nleft_open = os.open(os.devnull, os.O_RDONLY)\n"

PLAIN, RESUMED = (
    next(case for case in compiled() if case.id.startswith(name))
    for name in ("LOOP-02 :: ", "INTERRUPT-15 :: One interrupt in a synchronous run")
)
Served = Callable[..., ProcessTarget]


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """Starts the adapter for one of the classes above, after `first`."""
    targets: list[ProcessTarget] = []
    monkeypatch.chdir(tmp_path)

    def start(name: str, first: str = "", dies: str = "pass") -> ProcessTarget:
        Path("noting.py").write_text(first + NOTING.replace("DIES", dies), encoding="utf-8")
        targets.append(ProcessTarget(f"{shlex.quote(sys.executable)} -m loopspec serve py:noting:{name}"))
        return targets[-1]

    yield start
    for target in targets:
        target.close()


def verdicts(target: ProcessTarget) -> list[Result]:
    """The results of a case with a resumed run, between two others."""
    return [judge(case, target, "agent") for case in (PLAIN, RESUMED, PLAIN)]


def test_a_restarted_adapter_continues_as_after_its_import(served: Served) -> None:
    """The new process has another id and the state that the modules had after the import; it performs the next case."""
    assert [result.verdict for result in verdicts(served("Noting"))] == ["passed"] * 3

    (first, *counts), *others = [line.split() for line in Path("performed").read_text().splitlines()]
    assert counts == ["1"]
    assert [pid == first for pid, _ in others] == [True, False, False]
    assert [count for _, count in others] == ["2", "1", "2"]
    assert Path("imports").read_text() == "."


@pytest.mark.parametrize("first", [THREAD, FILE])
def test_an_adapter_that_cannot_restart_gets_a_new_process(first: str, served: Served) -> None:
    """A process with a thread or an open file cannot be copied. The first process performs the next case."""
    assert [result.verdict for result in verdicts(served("Noting", first))] == ["passed"] * 3

    pids, counts = zip(*(line.split() for line in Path("performed").read_text().splitlines()), strict=True)
    assert [pid == pids[0] for pid in pids] == [True, True, False, True]
    assert counts == ("1", "2", "1", "3")
    assert Path("imports").read_text() == ".."


@pytest.mark.long
@pytest.mark.parametrize("first", ["", THREAD])
@pytest.mark.parametrize(
    ("dies", "how"),
    [
        ("os._exit(3)", "ended with exit code 3"),
        ("os._exit(75)", "ended with exit code 75"),
        ("os.kill(os.getpid(), 9)", "was ended by SIGKILL"),
        ("os.kill(os.getpid(), 15)", "was ended by SIGTERM"),
    ],
)
def test_dying_in_the_new_process_costs_that_case(first: str, dies: str, how: str, served: Served) -> None:
    """The output of both processes is evidence, and the next case has a process."""
    target = served("Mortal", first, dies)

    before, own, after = verdicts(target)

    assert [result.verdict for result in (before, own, after)] == ["passed", "crashed", "passed"]
    assert own.message.endswith(f"{how} before it answered agent/resume; stderr ends with 'cannot remember'")
    second = ", process 2" if first else ""
    assert own.evidence[f"standard error{second}"] == "cannot remember\n"
    assert '"method":"agent/run"' in own.evidence["messages"]
    assert '"method":"agent/resume"' in own.evidence[f"messages{second}"]
    assert target.unusable == ""


@pytest.mark.parametrize(
    ("restart", "verdict", "said"),
    [
        ('[{"error": {"code": -32601}}]', "errored", "the adapter does not know restart, which its declarations need"),
        ("os._exit(0)", "crashed", "the process of scripted ended with exit code 0 before it answered restart"),
        ("time.sleep(1000)", "timed-out", "scripted did not answer restart within 0.5 s"),
    ],
)
def test_a_wrong_restart_costs_its_case(
    restart: str, verdict: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A restart has the time of a start, and a process that does not restart is ended."""
    monkeypatch.setattr(connection, "_START", 0.5)
    declared = {"roles": ["agent"], "capabilities": sorted(RESUMED.needs), "restart": True}
    answers = {
        "agent/create": '[{"result": {"value": "a"}}]',
        "agent/run": '[{"result": {"interrupted": {"checkpoint": "eA=="}}}]',
        "restart": restart,
    }

    with closing(ProcessTarget(scripted(tmp_path, declared, answers))) as target:
        results = [judge(RESUMED, target, "agent") for _ in range(2)]

    assert [result.verdict for result in results] == [verdict] * 2
    assert results[0].message.startswith(said)
