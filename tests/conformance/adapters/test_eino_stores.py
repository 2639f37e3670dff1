"""Stores in Go are judged through the pipe, with the commands from their README."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from loopspec.contract.capabilities import CAPABILITIES
from loopspec.engine.baseline import UNEXPLAINED
from loopspec_known.declarations import known_targets

from ..process import PATIENCE
from .frameworks import Frameworks
from .judged import ADAPTERS, Judged, judged_by, must_match_baseline

FOLDER = ADAPTERS / "eino_stores"
LINES = re.findall(r"^loopspec (run cmd:.*)$", (FOLDER / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
COMMANDS = [shlex.split(line) for line in LINES]
GO = r"https://github\.com/golang/go/blob/go1\.\d+\.\d+/src/os/root_unix\.go#L\d+-L\d+"
# Links to eino's stores, by module: the address of the folder at a tag, the file, and the lines.
MODULES = {
    "github.com/cloudwego/eino": r"https://github\.com/cloudwego/eino/blob/v{}/(.+\.go)#L(\d+)-L(\d+)",
    "github.com/cloudwego/eino-ext/adk/backend/local": (
        r"https://github\.com/cloudwego/eino-ext/blob/adk/backend/local/v{}/adk/backend/local/(.+\.go)#L(\d+)-L(\d+)"
    ),
}


def _store(words: list[str]) -> str:
    """The word that names the store on the command line of the adapter."""
    return words[1].rpartition(" ")[2]


@pytest.fixture(scope="module")
def program(frameworks: Frameworks, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The adapter, built in a temporary folder."""
    built = tmp_path_factory.mktemp("built") / "eino-stores"
    frameworks.installed("eino")
    frameworks.go("go", "build", "-C", str(FOLDER), "-o", str(built), ".")
    return built


@pytest.fixture(scope="module", params=COMMANDS, ids=_store)
def judged(request: pytest.FixtureRequest, program: Path, tmp_path_factory: pytest.TempPathFactory) -> Judged:
    """Judges one store with the command from the README."""
    words: list[str] = [*request.param]
    baseline = words[words.index("--baseline") + 1]
    words[1] = f"cmd:'{program}' {_store(words)}"
    return judged_by(words, FOLDER, baseline, tmp_path_factory.mktemp("judged") / "report.jsonl")


@pytest.mark.long
def test_the_store_is_conformant_apart_from_known_failures(judged: Judged) -> None:
    """Known failures include those of advisory rules, and no entry is stale."""
    assert judged.exit_code == 0, judged.output
    assert {case.verdict for case in judged.cases} == {"passed", "known", "inapplicable"}
    must_match_baseline(judged)


@pytest.mark.long
def test_every_declared_capability_exists_and_is_judged(judged: Judged) -> None:
    """Each declared capability exists, and a performed case needs it; the kit declares that resources are counted."""
    assert "resources" in judged.run.capabilities
    assert set(judged.run.capabilities) <= CAPABILITIES.keys()
    assert set(judged.run.capabilities) <= judged.needed


@pytest.mark.long
def test_no_read_leaves_a_descriptor_a_thread_or_a_goroutine(judged: Judged) -> None:
    """1,000 reads of a stored file leave nothing open in any of the stores."""
    rules = {"BACKEND-41", "BACKEND-42", "BACKEND-43"}
    verdicts = {case.verdict for case in judged.cases if rules & set(case.rules) and "one stored file" in case.case}
    assert verdicts == {"passed"}


@pytest.mark.long
def test_every_baseline_entry_is_explained(judged: Judged, frameworks: Frameworks) -> None:
    """Each entry has a written reason and links to lines that exist in the judged version."""
    for entry in judged.baseline.known:
        assert len(entry.reason) > len(UNEXPLAINED)
        if re.fullmatch(GO, entry.link):
            continue
        ((module, found),) = (
            (module, found)
            for module, link in MODULES.items()
            if (found := re.fullmatch(link.format(re.escape(judged.run.identity.version)), entry.link))
        )
        sources = Path(frameworks.go("go", "list", "-C", str(FOLDER), "-m", "-f", "{{.Dir}}", module).strip())
        assert int(found[2]) <= int(found[3]) <= len((sources / found[1]).read_text(encoding="utf-8").splitlines())


@pytest.mark.long
def test_go_tools_report_no_problem(frameworks: Frameworks) -> None:
    """The adapter is formatted and vetted."""
    assert frameworks.go("gofmt", "-l", str(FOLDER)) == ""
    assert frameworks.go("go", "vet", "-C", str(FOLDER), "./...") == ""


@pytest.mark.long
def test_an_unknown_store_is_one_sentence(program: Path) -> None:
    """The program names the stores that exist."""
    ran = subprocess.run([program, "disk"], capture_output=True, text=True, timeout=PATIENCE, check=False)

    stores = "|".join(sorted(_store(words) for words in COMMANDS))
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", f"usage: eino-stores {stores}\n")


def test_the_readme_has_a_command_for_each_known_target_and_each_baseline() -> None:
    """`os.Root` is Go's own and has no package, so it is no known target."""
    known = {one.declared.baseline for one in known_targets().values() if one.folder == FOLDER}
    used = {words[words.index("--baseline") + 1] for words in COMMANDS}

    assert used == {path.relative_to(FOLDER).as_posix() for path in (FOLDER / "baselines").glob("*.toml")}
    assert used - known == {"baselines/go-os-root.toml"}
