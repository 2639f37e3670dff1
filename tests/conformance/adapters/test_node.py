"""The adapters on the kit for Node: LangChain JS and the AI SDK, judged with the commands from their READMEs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest

from loopspec.engine.baseline import UNEXPLAINED
from tools.recorded import command

from .installing import install_packages
from .judged import ADAPTERS, Judged, judged_by

pytestmark = pytest.mark.long

PACKAGES = {"vercel_ai": "ai", "langchain_js": "langchain"}  # by folder, the package whose version is reported


@dataclass(frozen=True)
class NodeAdapter:
    """An adapter, the folder in which its packages are installed, and its result."""

    folder: Path
    package: str
    installed: Path
    judged: Judged

    def pinned(self) -> dict[str, str]:
        """The versions of its packages, as package.json pins them."""
        manifest: dict[str, Any] = json.loads((self.folder / "package.json").read_text("utf-8"))  # Any: JSON
        versions: dict[str, str] = manifest["dependencies"]
        return versions

    def source(self, link: str) -> tuple[list[str], int]:
        """The lines of the source to which a link leads, as the package ships the source, and the linked line."""
        found = re.fullmatch(
            r"https://github\.com/[\w-]+/\w+/blob/((?:@[\w-]+/)?[\w-]+)@([\d.]+)/[\w/-]+?/src/(.+)#L(\d+)", link
        )
        assert found, link
        package, version, path, line = found[1], found[2], found[3], int(found[4])
        assert version == self.pinned()[package], link
        folder = self.installed / "node_modules" / package
        if (shipped := folder / "src" / path).exists():
            return shipped.read_text("utf-8").splitlines(), line
        (text,) = json.loads((folder / "dist" / path).with_suffix(".js.map").read_text("utf-8"))["sourcesContent"]
        return text.splitlines(), line


@pytest.fixture(scope="module", params=sorted(PACKAGES))
def adapter(
    request: pytest.FixtureRequest,
    do_without: Callable[[str, str], NoReturn],
    tmp_path_factory: pytest.TempPathFactory,
) -> NodeAdapter:
    """Installs the pinned packages into a temporary folder, and judges the adapter."""
    folder = ADAPTERS / request.param
    installed = install_packages(folder, tmp_path_factory.mktemp(request.param), do_without)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(f"{request.param.upper()}_FOLDER", str(installed))
        judged = judged_by(command(folder), folder, "baseline.toml", installed / "report.jsonl", timeout=300)
    return NodeAdapter(folder, PACKAGES[request.param], installed, judged)


def test_an_adapter_is_conformant_apart_from_known_failures(adapter: NodeAdapter) -> None:
    """Every failure is known, advisory rules included, and no baseline entry is stale."""
    judged = adapter.judged
    assert judged.exit_code == 0, judged.output
    assert {case.verdict for case in judged.cases} == {"passed", "known", "inapplicable"}
    assert judged.summary.planned == judged.summary.accounted == len(judged.cases)


def test_every_baseline_entry_is_a_known_failure(adapter: NodeAdapter) -> None:
    """Each entry names a case that fails. An entry for an inapplicable case would be neither stale nor useful."""
    known = [case.case for case in adapter.judged.cases if case.verdict == "known"]
    assert sorted(known) == sorted(entry.case for entry in adapter.judged.baseline.known)


def test_every_baseline_entry_is_explained(adapter: NodeAdapter) -> None:
    """Each entry has a written reason and links to a line of code that exists in the judged version."""
    for entry in adapter.judged.baseline.known:
        assert len(entry.reason) > len(UNEXPLAINED)
        lines, line = adapter.source(entry.link)
        assert lines[line - 1].strip(), entry.link


def test_every_declared_capability_is_proven(adapter: NodeAdapter) -> None:
    """Each declared capability is needed by a passed case, each other one has a reason, and most cases pass."""
    judged = adapter.judged
    verdicts = [case.verdict for case in judged.cases]
    assert judged.run.roles == ("agent",)
    assert set(judged.run.capabilities) == judged.proven
    assert verdicts.count("passed") > 4 * verdicts.count("known")
    judged.assert_all_else_has_a_reason(adapter.folder)


def test_every_file_names_the_same_versions(adapter: NodeAdapter) -> None:
    """package.json, the adapter's identity and the README name the same versions."""
    pinned = adapter.pinned()
    assert adapter.judged.run.identity.version == pinned[adapter.package]
    readme = " ".join((adapter.folder / "README.md").read_text("utf-8").split())
    said = re.search(r"Judged with (.+?)\. ", readme)
    assert said
    assert dict(re.findall(r"(\S+) (\d[\d.]*\d)", said[1])) == pinned
