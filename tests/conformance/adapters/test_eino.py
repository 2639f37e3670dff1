"""The eino adapter, written in Go, is judged with the command from its README."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from loopspec.engine.baseline import UNEXPLAINED

from .judged import ADAPTERS, Judged, must_match_baseline

pytestmark = pytest.mark.long

FOLDER = ADAPTERS / "eino"


def test_eino_is_conformant_apart_from_known_failures(eino: Judged) -> None:
    """Every failure is known, advisory rules included, and no baseline entry is stale."""
    assert eino.exit_code == 0, eino.output
    assert {case.verdict for case in eino.cases} == {"passed", "known", "inapplicable"}
    assert eino.summary.planned == eino.summary.accounted == len(eino.cases)


def test_every_baseline_entry_is_a_known_failure(eino: Judged) -> None:
    """Each entry names a case that fails. An entry for an inapplicable case would be neither stale nor useful."""
    must_match_baseline(eino)


def test_every_baseline_entry_is_explained(eino: Judged, go: Callable[..., str]) -> None:
    """Each entry has a written reason and links to lines that exist in the judged version."""
    sources = Path(go("go", "list", "-m", "-f", "{{.Dir}}", "github.com/cloudwego/eino").strip())
    for entry in eino.baseline.known:
        assert len(entry.reason) > len(UNEXPLAINED)
        link = rf"https://github\.com/cloudwego/eino/blob/v{eino.run.identity.version}/(.+\.go)#L(\d+)(?:-L(\d+))?"
        found = re.fullmatch(link, entry.link)
        assert found, entry.link
        assert int(found[2]) <= int(found[3] or found[2]) <= len((sources / found[1]).read_text().splitlines())


def test_three_roles_and_every_declared_capability_are_judged(eino: Judged) -> None:
    """Each declared capability is needed by a passed case, each other one has a reason, and most cases pass."""
    assert set(eino.run.roles) == {"loader", "middleware", "agent"}
    assert set(eino.run.capabilities) == eino.proven
    eino.assert_all_else_has_a_reason(FOLDER)
    verdicts = [case.verdict for case in eino.cases]
    assert verdicts.count("passed") > 15 * verdicts.count("known")


def test_every_file_names_the_same_version(eino: Judged) -> None:
    """The Go module, the adapter's identity and the README name the same version."""
    said = eino.run.identity.version
    assert f"\tgithub.com/cloudwego/eino v{said}\n" in (FOLDER / "go.mod").read_text()
    assert f"Judged with eino {said}." in (FOLDER / "README.md").read_text()


def test_go_tools_report_no_problem(go: Callable[..., str]) -> None:
    """The adapter is formatted and vetted, and its own tests pass."""
    assert go("gofmt", "-l", ".") == ""
    assert go("go", "vet", "./...") == ""
    assert go("go", "test", "./...").startswith("ok")
