"""Backends of other projects are judged with the commands from their adapters' READMEs."""

from __future__ import annotations

import pytest

from loopspec.contract.capabilities import CAPABILITIES
from loopspec.engine.baseline import UNEXPLAINED
from loopspec.engine.counting import counted
from loopspec_known.declarations import FILE
from tools.workspace_tools import TOOLS

from .judged import ADAPTERS, Judged, judged_by

pytestmark = pytest.mark.long

# Folder, target, baseline.
TARGETS = [
    ("deepagents", "py:deepagents_adapter:Filesystem", "filesystem.toml"),
    ("fsspec", "py:fsspec_adapter:Local", "local.toml"),
    ("fsspec", "py:fsspec_adapter:Memory", "memory.toml"),
    ("fsspec", "py:fsspec_adapter:Zip", "zip.toml"),
    ("local_files", "py:local_files_adapter:LocalFiles", "local_files.toml"),
    ("universal_pathlib", "py:universal_pathlib_adapter:Local", "local.toml"),
    ("universal_pathlib", "py:universal_pathlib_adapter:Memory", "memory.toml"),
]


@pytest.fixture(scope="module", params=TARGETS, ids=[target for _, target, _ in TARGETS])
def judged(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Judged:
    """Judges one target with the command from its README."""
    folder, target, baseline = request.param
    report = tmp_path_factory.mktemp("judged") / "report.jsonl"
    return judged_by(["run", target, "--baseline", baseline], ADAPTERS / folder, baseline, report, timeout=60)


def test_the_backend_is_conformant_apart_from_known_failures(judged: Judged) -> None:
    """Known failures include those of advisory rules."""
    known = f" except for known failures: {counted(len(judged.baseline.known), 'case')}"
    assert f"{judged.target} is conformant{known if judged.baseline.known else ''}." in judged.output
    assert judged.exit_code == 0
    assert {case.verdict for case in judged.cases} <= {"passed", "known", "inapplicable"}
    assert judged.summary.planned == judged.summary.accounted == len(judged.cases)


def test_every_baseline_entry_is_a_known_failure(judged: Judged) -> None:
    """Each entry names a case that fails. An entry for an inapplicable case would be neither stale nor useful."""
    known = [case.case for case in judged.cases if case.verdict == "known"]
    assert sorted(known) == sorted(entry.case for entry in judged.baseline.known)


def test_every_baseline_entry_is_explained(judged: Judged) -> None:
    """The placeholder that `--write-baseline` leaves does not count as a reason."""
    assert all(len(entry.reason) > len(UNEXPLAINED) for entry in judged.baseline.known)
    assert UNEXPLAINED not in {entry.reason for entry in judged.baseline.known}


def test_every_declared_capability_exists_and_is_judged(judged: Judged) -> None:
    """Each declared capability exists, and a performed case needs it."""
    assert judged.run.roles == ("backend",)
    assert judged.run.capabilities
    assert set(judged.run.capabilities) <= CAPABILITIES.keys()
    assert set(judged.run.capabilities) == judged.needed


def test_every_baseline_belongs_to_a_target() -> None:
    """Each baseline file in these folders is used by a target, or by a tool that reads instruction files."""
    used = {ADAPTERS / folder / baseline for folder, _, baseline in TARGETS}
    of_tools = {tool.folder / tool.baseline_name for tool in TOOLS}
    assert (
        used
        == {path for folder, _, _ in TARGETS for path in (ADAPTERS / folder).glob("*.toml") if path.name != FILE}
        - of_tools
    )
