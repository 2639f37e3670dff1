"""Known targets whose adapter in Python starts a program of Node."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from loopspec.contract.faults import TargetUnusable
from loopspec.targets.known import known
from loopspec.targets.known.installing import program_folder
from loopspec.targets.known.target import command_of
from loopspec.targets.process import ProcessTarget


@pytest.mark.parametrize(("name", "variable"), [("codex", "CODEX_FOLDER"), ("qwen-code", "QWEN_CODE_FOLDER")])
def test_the_adapter_looks_for_its_program_in_the_environment(name: str, variable: str, tmp_path: Path) -> None:
    """The Python of the caller serves the adapter, and npm has run in the folder of the program."""
    command = command_of(known(name), tmp_path)
    program = program_folder(known(name), tmp_path)

    assert shlex.split(command)[:3] == ["env", f"{variable}={program}", sys.executable]
    with pytest.raises(TargetUnusable, match=f"{program} has no node_modules/.*: run `npm install"):
        ProcessTarget(command)
