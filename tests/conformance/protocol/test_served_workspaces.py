"""A workspace over the protocol: the served reference in each dialect, and adapters that answer wrongly."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from loopspec.contract.axes import declared_dialect
from loopspec.contract.dialects import dialect_names
from loopspec.contract.faults import TargetUnusable
from loopspec.contract.target import Target
from loopspec.engine.judge import applies, judge
from loopspec.engine.perform import perform
from loopspec.engine.result import Verdict
from loopspec.specification.features import compiled
from loopspec.targets.resolve import resolve

from ..staging import case_of
from .hostile.scripted import scripted

pytestmark = pytest.mark.usefixtures("workspaces_in_memory")

QUICK = ("codex", "deepagents", "qwen-code")  # a search, configured files, and imports
SERVE = f"cmd:{sys.executable} -m loopspec serve"
CASES = [case for case in compiled() if case.roles == ("workspace",)]


def observed(target: Target, number: int) -> str:
    """What a target shows in a case, without the name of the temporary folder."""
    seen = perform(target, CASES[number].scene, "workspace")
    loads = [(load.sections, load.text, load.error and load.error.kind, load.empty_files) for load in seen.loads]
    return re.sub(r"loopspec-workspace-\w+", "base", repr((loads, seen.warnings)))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.long]) for name in dialect_names()]
)
def test_the_served_reference_reads_as_in_process(name: str) -> None:
    """Files, texts, warnings and errors are equal in every case that the dialect has."""
    with closing(resolve(f"reference as {name}")) as here, closing(resolve(f'{SERVE} "reference as {name}"')) as served:
        assert served.postures == here.postures == declared_dialect(name)
        able = [number for number, case in enumerate(CASES) if applies(case, here)]
        differing = [CASES[number].id for number in able if observed(here, number) != observed(served, number)]
    assert able
    assert differing == []


CODEX = {"dialect": "codex"}


def hostile(folder: Path, declared: Mapping[str, object], read: str = "{}") -> str:
    """The target string of an adapter with these declarations, and this answer to `workspace/read`."""
    return f"cmd:{scripted(folder, {'roles': ['workspace'], **declared}, {'workspace/read': f'[{read}]'})}"


@pytest.mark.parametrize(
    ("read", "verdict", "words"),
    [
        ("{'result': {'value': {}}}", "failed", ""),
        ("{'result': {}}", "errored", "answered workspace/read with '{}': it has neither a `value` nor an `error`"),
        ("{'result': {'value': {'files': [{'text': 7}]}}}", "errored", "answered workspace/read with"),
        ("{'result': {'value': {'files': [{'path': 'a'}]}}}", "errored", "answered workspace/read with"),
        ("{'result': {'value': {'files': [], 'warnings': 'x'}}}", "errored", "answered workspace/read with"),
        ("{'result': []}", "errored", "answered workspace/read with"),
        ("{'error': {'code': -32603, 'message': 'oh'}}", "errored", "with the error -32603: oh"),
        ("os._exit(3)", "crashed", "ended with exit code 3 before it answered workspace/read"),
        ("{'result': {'error': {'kind': 'permission', 'message': 'no'}}}", "failed", ""),
    ],
)
def test_a_wrong_answer_is_the_adapters_error(read: str, verdict: Verdict, words: str, tmp_path: Path) -> None:
    """An error of the tool is an outcome, and an error of the adapter is none."""
    with closing(resolve(hostile(tmp_path, CODEX, read))) as target:
        result = judge(case_of("INS-WALK-01"), target)
    assert (result.verdict, words in result.message) == (verdict, True), result.message


IN_PYTHON = """
from pathlib import Path
from loopspec import WorkspaceFile, WorkspaceReading

class Adapter:
    dialect = "DIALECT"

    def read_workspace(self, cwd, home):
        READ
"""
WRONG = {
    "return None": "read_workspace() returned nothing: return a loopspec.WorkspaceReading",
    "(cwd / 'CLAUDE.md').touch(); return WorkspaceReading([])": "CLAUDE.md was created; a reader only reads",
}


@pytest.mark.parametrize(
    ("read", "rule", "dialect", "verdict", "words"),
    [
        *((read, "INS-WALK-01", "codex", "errored", words) for read, words in WRONG.items()),
        *((read, "INS-ERROR-03", "deepagents", "errored", words) for read, words in WRONG.items()),
        ("return WorkspaceReading([WorkspaceFile(Path('x'), 'x')])", "INS-WALK-01", "codex", "failed", ""),
        ("raise PermissionError('no')", "INS-WALK-01", "codex", "failed", ""),
        ("raise IsADirectoryError('no')", "INS-ERROR-03", "deepagents", "passed", ""),
    ],
)
def test_a_wrong_result_is_named_in_process_and_over_the_pipe(
    read: str, rule: str, dialect: str, verdict: Verdict, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The adapter is at fault, and not the tool: in the second rule, loading fails."""
    name = f"mine_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(IN_PYTHON.replace("READ", read).replace("DIALECT", dialect))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    for there in (f"py:{name}:Adapter", f"{SERVE} py:{name}:Adapter"):
        with closing(resolve(there)) as target:
            result = judge(case_of(rule), target)
        assert (result.verdict, words in result.message) == (verdict, True), (there, result.message)


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({}, "scripted has the role workspace and declares no dialect: add `dialect`, one of agents-md, "),
        ({"dialect": "codx"}, "scripted declares the dialect 'codx', which is none: did you mean 'codex'?"),
        ({"dialect": 7}, "initialize"),
    ],
)
def test_a_process_declares_a_dialect_that_exists(declared: Mapping[str, object], message: str, tmp_path: Path) -> None:
    with pytest.raises(TargetUnusable) as raised:
        resolve(hostile(tmp_path, declared))
    assert message in str(raised.value)


def test_the_dialect_of_the_command_line_precedes_that_of_a_process(tmp_path: Path) -> None:
    """Without a declared one, too."""
    for declared in (CODEX, {}):
        with closing(resolve(f"{hostile(tmp_path, declared)} as pi")) as target:
            assert target.postures == declared_dialect("pi")
