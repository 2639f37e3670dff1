"""Backends that nobody here wrote are judged by the command that their READMEs name."""

from __future__ import annotations

import pytest

from loopspec.contract.capabilities import CAPABILITIES
from loopspec.engine.baseline import UNEXPLAINED
from loopspec.engine.counting import counted

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
    """The command, run in the adapter's folder."""
    folder, target, baseline = request.param
    report = tmp_path_factory.mktemp("judged") / "report.jsonl"
    return judged_by(["run", target, "--baseline", baseline], ADAPTERS / folder, baseline, report, timeout=60)


def test_it_is_conformant_apart_from_what_is_known(judged: Judged) -> None:
    """Failures of advisory rules are known as well."""
    known = f" but for what its baseline knows: {counted(len(judged.baseline.known), 'case')}"
    assert f"{judged.target} is conformant{known if judged.baseline.known else ''}." in judged.output
    assert judged.exit_code == 0
    assert {case.verdict for case in judged.cases} <= {"passed", "known", "inapplicable"}
    assert judged.summary.planned == judged.summary.accounted == len(judged.cases)


def test_every_entry_of_the_baseline_is_met(judged: Judged) -> None:
    """An entry for a case that has become inapplicable would be neither stale nor of use."""
    known = [case.case for case in judged.cases if case.verdict == "known"]
    assert sorted(known) == sorted(entry.case for entry in judged.baseline.known)


def test_every_entry_of_the_baseline_is_explained(judged: Judged) -> None:
    """The placeholder that `--write-baseline` leaves is no reason."""
    assert all(len(entry.reason) > len(UNEXPLAINED) for entry in judged.baseline.known)
    assert UNEXPLAINED not in {entry.reason for entry in judged.baseline.known}


def test_what_is_declared_exists_and_is_judged(judged: Judged) -> None:
    """Each capability is one of the list, and at least one case that needs it was performed."""
    assert judged.run.roles == ("backend",)
    assert judged.run.capabilities
    assert set(judged.run.capabilities) <= CAPABILITIES.keys()
    assert set(judged.run.capabilities) == judged.needed


def test_every_baseline_belongs_to_a_target() -> None:
    """No baseline lies in these folders unused."""
    used = {ADAPTERS / folder / baseline for folder, _, baseline in TARGETS}
    assert used == {path for folder, _, _ in TARGETS for path in (ADAPTERS / folder).glob("*.toml")}
