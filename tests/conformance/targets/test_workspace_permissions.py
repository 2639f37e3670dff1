"""Files of a workspace that the user may not read."""

from __future__ import annotations

import sys
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as with_fields

from loopspec import WorkspaceReading
from loopspec.contract.reasons import Inapplicable
from loopspec.contract.workspaces import Entry, Workspace, sentinel
from loopspec.engine import judge as judging
from loopspec.engine.judge import judge, role_for
from loopspec.specification.cases import Case
from loopspec.targets.python import PythonTarget
from loopspec_lab.fuzzing.scenes import workspaces

from ..staging import case_of

A, B = "project/AGENTS.md", "project/a/AGENTS.md"
FIRST, SECOND = sentinel(A), sentinel(B)
TWO = Workspace(entries={A: Entry(text=f"{FIRST}\none\n"), B: Entry(text=f"{SECOND}\ntwo\n")})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The temporary folder of the test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


class ReadsNothing:
    """A reader in the dialect of Codex that loads no file."""

    dialect = "codex"

    def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading:
        return WorkspaceReading([])


def forbidding() -> Case:
    """A case with a forbidden file above a readable one."""
    case = case_of("INS-WALK-01")
    workspace = case.scene.workspace
    assert workspace is not None, "a case of instruction files has a workspace"
    entries = {A: Entry(kind="forbidden", text=f"{FIRST}\n"), **workspace.entries}
    scene = with_fields(case.scene, workspace=with_fields(workspace, entries=entries))
    return replace(case, load=lambda: replace(case.load(), scene=scene))


@pytest.mark.parametrize("as_root", [True, False])
def test_a_forbidden_file_is_judged_by_a_user_without_access(as_root: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "reads_forbidden_files", lambda in_process: as_root and in_process)
    with closing(PythonTarget(ReadsNothing, "tool")) as target:
        role = role_for(forbidding(), target)
        verdict = judge(forbidding(), target).verdict
        assert role_for(case_of("INS-WALK-01"), target) == "workspace"
    assert role == (Inapplicable("privileges") if as_root else "workspace")
    assert verdict == ("inapplicable" if as_root else "failed")


def test_access_to_every_file_is_found_by_trying(folder: Path) -> None:
    """The file that is tried is removed. In this process, the permissions are applied to root as well."""
    workspaces.reads_forbidden_files.cache_clear()
    can = workspaces.reads_forbidden_files(in_process=False)
    path = folder / "forbidden"
    path.touch()
    path.chmod(0)
    try:
        path.read_bytes()
        really = True
    except PermissionError:
        really = False
    assert can == really
    assert not workspaces.reads_forbidden_files(in_process=True) or not sys.platform.startswith("linux")
    assert list(folder.iterdir()) == [path]
