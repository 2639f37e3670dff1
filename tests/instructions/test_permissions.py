"""The permissions of files are applied to the reader of a workspace, also if the user is root."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from loopspec_instructions.permissions import permissions_applied

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="root reads every file elsewhere")


@pytest.fixture
def forbidden(tmp_path: Path) -> Path:
    path = tmp_path / "AGENTS.md"
    path.write_text("secret")
    path.chmod(0)
    return path


def test_a_file_without_read_permission_cannot_be_read(forbidden: Path) -> None:
    """Python raises an error."""
    with permissions_applied(), pytest.raises(PermissionError):
        forbidden.read_text()


def test_a_program_that_is_started_cannot_read_the_file(forbidden: Path) -> None:
    """A program started by root would have all capabilities again."""
    with permissions_applied():
        done = subprocess.run(["cat", forbidden], capture_output=True, check=False)

    assert done.returncode != 0
    assert done.stdout == b""


def test_a_file_with_read_permission_can_be_read(forbidden: Path) -> None:
    """The owner of a file reads and changes the file as before."""
    with permissions_applied():
        forbidden.chmod(0o600)
        assert forbidden.read_text() == "secret"


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
