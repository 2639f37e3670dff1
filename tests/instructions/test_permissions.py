"""Files of a workspace that the user may not read: permissions are applied to the reader, also if the user is root."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as with_fields

from loopspec import WorkspaceReading
from loopspec.contract.reasons import Inapplicable
from loopspec.contract.workspaces import Entry, sentinel
from loopspec.engine.judge import judge, role_for
from loopspec.specification.cases import Case
from loopspec.targets.python import PythonTarget
from loopspec_instructions import trees
from loopspec_instructions.permissions import permissions_applied

from ..conformance.staging import case_of

LINUX = sys.platform.startswith("linux")
on_linux = pytest.mark.skipif(not LINUX, reason="root reads every file elsewhere")
FORBIDDEN = "project/AGENTS.md"


@pytest.fixture
def forbidden(tmp_path: Path) -> Path:
    path = tmp_path / "AGENTS.md"
    path.write_text("secret")
    path.chmod(0)
    return path


@on_linux
def test_a_file_without_read_permission_cannot_be_read(forbidden: Path) -> None:
    """Python raises an error."""
    with permissions_applied(), pytest.raises(PermissionError):
        forbidden.read_text()


@on_linux
def test_a_program_that_is_started_cannot_read_the_file(forbidden: Path) -> None:
    """A program started by root would have all capabilities again."""
    with permissions_applied():
        done = subprocess.run(["cat", forbidden], capture_output=True, check=False)

    assert done.returncode != 0
    assert done.stdout == b""


@on_linux
def test_a_file_with_read_permission_can_be_read(forbidden: Path) -> None:
    """The owner of a file reads and changes the file as before."""
    with permissions_applied():
        forbidden.chmod(0o600)
        assert forbidden.read_text() == "secret"


@on_linux
def test_the_permissions_of_the_thread_return(forbidden: Path) -> None:
    """After an error too, the user reads the same files as before."""

    def is_readable() -> bool:
        try:
            return bool(forbidden.read_text())
        except PermissionError:
            return False

    before = is_readable()
    with pytest.raises(ValueError, match="a mistake"), permissions_applied():
        raise ValueError("a mistake")

    assert is_readable() == before


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
    entries = {FORBIDDEN: Entry(kind="forbidden", text=f"{sentinel(FORBIDDEN)}\n"), **workspace.entries}
    scene = with_fields(case.scene, workspace=with_fields(workspace, entries=entries))
    return replace(case, load=lambda: replace(case.load(), scene=scene))


@pytest.mark.parametrize("as_root", [True, False])
def test_a_forbidden_file_is_judged_by_a_user_without_access(as_root: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "reads_forbidden_files", lambda in_process: as_root and in_process)
    with closing(PythonTarget(ReadsNothing, "tool")) as target:
        role = role_for(forbidding(), target)
        verdict = judge(forbidding(), target).verdict
        assert role_for(case_of("INS-WALK-01"), target) == "workspace"
    assert role == (Inapplicable("privileges") if as_root else "workspace")
    assert verdict == ("inapplicable" if as_root else "failed")


def test_access_to_every_file_is_found_by_trying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file that is tried is removed. In this process, the permissions are applied to root as well."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    trees.reads_forbidden_files.cache_clear()
    can = trees.reads_forbidden_files(in_process=False)
    path = tmp_path / "forbidden"
    path.touch()
    path.chmod(0)
    try:
        path.read_bytes()
        really = True
    except PermissionError:
        really = False
    assert can == really
    assert not trees.reads_forbidden_files(in_process=True) or not LINUX
    assert list(tmp_path.iterdir()) == [path]
