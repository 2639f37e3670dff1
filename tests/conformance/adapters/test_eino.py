"""An agent in another language, judged by the command that its README names."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from loopspec.engine.baseline import UNEXPLAINED

from .judged import ADAPTERS, Judged

pytestmark = pytest.mark.long

FOLDER = ADAPTERS / "eino"


def test_it_is_conformant_apart_from_what_is_known(eino: Judged) -> None:
    """Clarified rules count here, too: a failure of one is known as well, or none. Nothing that is known is stale."""
    assert eino.exit_code == 0, eino.output
    assert {case.verdict for case in eino.cases} == {"passed", "known", "inapplicable"}
    assert eino.summary.planned == eino.summary.accounted == len(eino.cases)


def test_every_entry_of_the_baseline_is_met(eino: Judged) -> None:
    """An entry for a case that has become inapplicable would be neither stale nor of use."""
    known = [case.case for case in eino.cases if case.verdict == "known"]
    assert sorted(known) == sorted(entry.case for entry in eino.baseline.known)


def test_every_entry_of_the_baseline_is_explained(eino: Judged, go: Callable[..., str]) -> None:
    """Each has a reason of more than a few words, and names lines that there are in the version judged."""
    sources = Path(go("go", "list", "-m", "-f", "{{.Dir}}", "github.com/cloudwego/eino").strip())
    for entry in eino.baseline.known:
        assert len(entry.reason) > len(UNEXPLAINED)
        link = rf"https://github\.com/cloudwego/eino/blob/v{eino.run.identity.version}/(.+\.go)#L(\d+)(?:-L(\d+))?"
        found = re.fullmatch(link, entry.link)
        assert found, entry.link
        assert int(found[2]) <= int(found[3] or found[2]) <= len((sources / found[1]).read_text().splitlines())


def test_three_roles_are_judged_and_all_that_is_declared(eino: Judged) -> None:
    """At least one case that needs it was performed for each capability, and far more pass than are known to fail."""
    assert set(eino.run.roles) == {"loader", "middleware", "agent"}
    assert set(eino.run.capabilities) == eino.needed
    verdicts = [case.verdict for case in eino.cases]
    assert verdicts.count("passed") > 15 * verdicts.count("known")


def test_one_version_is_meant_everywhere(eino: Judged) -> None:
    """In what is built, in what it says of itself and in what the README says."""
    said = eino.run.identity.version
    assert f"\tgithub.com/cloudwego/eino v{said}\n" in (FOLDER / "go.mod").read_text()
    assert f"Judged with eino {said}." in (FOLDER / "README.md").read_text()


def test_the_tools_of_go_have_nothing_to_say(go: Callable[..., str]) -> None:
    """It is formatted and vetted, and its own tests pass."""
    assert go("gofmt", "-l", ".") == ""
    assert go("go", "vet", "./...") == ""
    assert go("go", "test", "./...").startswith("ok")
