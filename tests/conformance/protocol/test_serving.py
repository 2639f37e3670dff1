"""`loopspec serve` turns any Python target into an adapter."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from loopspec.contract.target import Target
from loopspec.engine.judge import judge
from loopspec.engine.result import Result
from loopspec.specification.features import compiled
from loopspec.targets.resolve import resolve
from tools.transcript import SERVED, conversation

from ..process import PATIENCE, run_loopspec

CASES = {case.id: case for case in compiled()}
LOAD = CASES["AMD-DEPTH-01 :: A chain that reaches level 4"]

ADAPTER = '''
import logging

print("imported, and said so where messages go")

def read(backend, path):
    content = backend.read(Request(path))
    return content if isinstance(content, str) else content.decode()

class Request:
    def __init__(self, path):
        self.file_path, self.offset, self.limit = path, 1, 0

class Plain:
    """A loader that knows no imports, and does not await."""

    def load(self, backend, files, max_bytes):
        print("loading")
        sections, warnings = [], []
        for path in files:
            try:
                sections.append((path, read(backend, path)))
            except FileNotFoundError:
                warnings.append(path)
        return sections, warnings

class InvalidValue:
    def load(self, backend, files, max_bytes):
        return "invalid"

class Store:
    """A backend that is a dictionary."""

    capabilities = ("edits",)

    def open(self, files):
        self.files = dict(files)
        return self

    def read(self, request):
        if request.file_path not in self.files:
            raise FileNotFoundError(request.file_path)
        return self.files[request.file_path]

    def write(self, path, content):
        self.files[path] = content

class Silent:
    """An agent that leaves the stage at once."""

    async def perform(self, stage):
        return None
'''


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[_Served]:
    """Judges cases on a served factory of the adapter above."""
    (tmp_path / "plain_adapter.py").write_text(ADAPTER)
    monkeypatch.chdir(tmp_path)
    with closing(_Served()) as targets:
        yield targets


class _Served:
    def __init__(self) -> None:
        self._targets: list[Target] = []

    def __call__(self, factory: str, case: str) -> Result:
        command = f"cmd:{sys.executable} -m loopspec serve py:plain_adapter:{factory}"
        self._targets.append(resolve(command))
        return judge(CASES[case], self._targets[-1])

    def close(self) -> None:
        for target in self._targets:
            target.close()


def test_a_synchronous_loader_is_served(served: _Served) -> None:
    """Reads wait for the pipe; printed output goes to standard error and is evidence of a failing case."""
    assert served("Plain", "AMD-DEPTH-01 :: A chain that reaches level 0").verdict == "passed"

    result = served("Plain", LOAD.id)

    assert result.verdict == "failed"
    assert "loading" in result.evidence["standard error"]
    assert '"loader/load"' in result.evidence["messages"]


def test_a_fault_of_a_served_adapter_is_reported(served: _Served) -> None:
    """The adapter is at fault, not the implementation."""
    result = served("InvalidValue", LOAD.id)

    assert result.verdict == "errored"
    assert "load() returned 'invalid': return a pair of lists" in result.message


def test_a_backend_is_served(served: _Served) -> None:
    """A served backend is opened, written to, and read by the harness."""
    for case in ("BACKEND-04 :: A file that was missing before", "BACKEND-05 :: The example project"):
        assert served("Store", case).verdict == "passed"


def test_an_agent_that_performs_no_runs_is_a_fault_of_the_adapter(served: _Served) -> None:
    """Neither a rejection nor a run is reported."""
    case = next(case for case in CASES.values() if case.roles == ("agent",) and not case.needs)

    result = served("Silent", case.id)

    assert result.verdict == "errored"
    assert "returned without performing the runs: iterate stage.runs.concurrent_runs()" in result.message


@pytest.mark.parametrize("streaming", [False, True])
def test_a_caller_can_choose_the_mode_of_a_resumption(streaming: bool) -> None:
    """The message that resumes a run names the mode of the interrupted run."""
    case = CASES[f"INTERRUPT-07 :: A {'streaming' if streaming else 'synchronous'} run is resumed"]

    def act(target: Target) -> None:
        assert judge(case, target).verdict == "passed"

    lines = conversation(SERVED, act)

    (resumed,) = [json.loads(line)["params"] for _, line in lines if b'"method":"agent/resume"' in line]
    assert resumed.get("streaming", False) is streaming


@pytest.mark.parametrize(
    ("target", "code", "sentence"),
    [
        ("nothing", 2, "there is no Python target 'nothing'"),
        ("py:no_such_module:Factory", 2, "there is no module 'no_such_module'"),
        ("cmd:cat", 2, "there is no Python target 'cmd:cat'"),
    ],
)
def test_a_target_that_cannot_be_served_is_one_sentence(tmp_path: Path, target: str, code: int, sentence: str) -> None:
    """The error is one sentence on standard error."""
    ran = run_loopspec(tmp_path, "serve", target)

    assert ran.code == code
    assert (ran.out, ran.said.count("\n")) == ("", 1)
    assert sentence in ran.said


def test_serve_rejects_a_file_as_its_input(tmp_path: Path) -> None:
    """A file is rejected as standard input."""
    (tmp_path / "lines").write_text("")
    command = [sys.executable, "-m", "loopspec", "serve", "reference"]

    with (tmp_path / "lines").open() as lines:
        ran = subprocess.run(command, stdin=lines, capture_output=True, text=True, timeout=PATIENCE, check=False)

    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "loopspec: an adapter talks to a harness over pipes: standard input is a file\n"
