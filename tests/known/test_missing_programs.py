"""Adapters in Python without the program of Node or the package that they need."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from loopspec.contract.faults import TargetUnusable
from loopspec.targets.process import ProcessTarget
from loopspec.targets.resolve import python_factory
from loopspec_known.declarations import known
from loopspec_known.environments import program_folder
from loopspec_known.target import command_of


@pytest.mark.parametrize(("name", "variable"), [("codex", "CODEX_FOLDER"), ("qwen-code", "QWEN_CODE_FOLDER")])
def test_the_adapter_looks_for_its_program_in_the_environment(name: str, variable: str, tmp_path: Path) -> None:
    """The Python of the caller serves the adapter, and npm has run in the folder of the program."""
    command = command_of(known(name), tmp_path)
    program = program_folder(known(name), tmp_path)

    assert shlex.split(command)[:3] == ["env", f"{variable}={program}", sys.executable]
    with pytest.raises(TargetUnusable, match=f"{program} has no node_modules/.*: run `npm install"):
        ProcessTarget(command)


def test_a_missing_package_of_an_adapter_has_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only for the target of a known adapter, in the folder of the adapter."""
    one = known("deepagents-memory")
    monkeypatch.chdir(one.folder)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setitem(sys.modules, "deepagents", None)
    monkeypatch.delitem(sys.modules, "memory_adapter", raising=False)
    needs = "the module memory_adapter needs 'deepagents', which is not installed"

    with pytest.raises(TargetUnusable, match=f"^{needs}: `loopspec run known:deepagents-memory` installs what"):
        python_factory(one.declared.target)
    with pytest.raises(TargetUnusable, match=f"^{needs}$"):
        python_factory(f"{one.declared.target}Alone")
