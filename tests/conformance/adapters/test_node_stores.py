"""Stores in Node are judged with the commands from their README."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

import pytest

from loopspec.contract.capabilities import CAPABILITIES
from loopspec_known.declarations import known_targets

from .installing import install_packages
from .judged import ADAPTERS, Judged, judged_by, must_match_baseline

FOLDER = ADAPTERS / "node_stores"
README = (FOLDER / "README.md").read_text(encoding="utf-8")
COMMANDS = [shlex.split(line) for line in re.findall(r"^loopspec (run cmd:.*)$", README, re.MULTILINE)]
NAMES = [command[1].split()[-1] for command in COMMANDS]


@pytest.fixture(scope="module")
def installed(do_without: Callable[[str, str], NoReturn], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the pinned packages."""
    return install_packages(FOLDER, tmp_path_factory.mktemp("node_stores"), do_without)


@pytest.fixture(scope="module", params=COMMANDS, ids=NAMES)
def judged(request: pytest.FixtureRequest, installed: Path) -> Judged:
    """Judges one store with the command from the README."""
    words: Sequence[str] = request.param
    baseline = words[words.index("--baseline") + 1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NODE_STORES_FOLDER", str(installed))
        return judged_by(words, FOLDER, baseline, installed / f"{Path(baseline).stem}.jsonl")


@pytest.mark.long
def test_the_store_is_conformant_apart_from_known_failures(judged: Judged) -> None:
    """Known failures include those of advisory rules, and no entry is stale or about an inapplicable case."""
    assert judged.exit_code == 0, judged.output
    assert judged.run.roles == ("backend",)
    assert {case.verdict for case in judged.cases} == {"passed", "known", "inapplicable"}
    must_match_baseline(judged)


@pytest.mark.long
def test_every_declared_capability_exists_and_is_judged(judged: Judged) -> None:
    """A performed case needs each of them. The kit declares `resources`, and the adapter the rest."""
    assert set(judged.run.capabilities) <= CAPABILITIES.keys()
    assert "resources" in judged.run.capabilities
    assert set(judged.run.capabilities) == judged.needed


@pytest.mark.long
def test_every_difference_links_to_a_line_of_the_judged_version(judged: Judged, installed: Path) -> None:
    """The source of memfs is in the maps of its packages; that of Node is in Node, if it has the version."""
    for entry in judged.baseline.known:
        link = re.fullmatch(r"https://github\.com/(\w+/\w+)/blob/v([\d.]+)/(.+)#L(\d+)", entry.link)
        assert link, entry.link
        repository, version, path, line = link.groups()
        if repository == "streamich/memfs":
            assert version == judged.run.identity.version
            source = _source_of_memfs(installed, path)
        elif version == judged.run.identity.version:
            source = _source_of_node(path)
        else:
            continue
        assert source[int(line) - 1].strip(), entry.link


def _source_of_memfs(installed: Path, path: str) -> list[str]:
    """The lines of a module in TypeScript of a package of memfs."""
    found = re.fullmatch(r"packages/([\w-]+)/src/(\w+)\.ts", path)
    assert found, path
    source_map = installed / "node_modules" / "@jsonjoy.com" / found[1] / "lib" / f"{found[2]}.js.map"
    (text,) = json.loads(source_map.read_text(encoding="utf-8"))["sourcesContent"]
    lines: list[str] = text.splitlines()
    return lines


def _source_of_node(path: str) -> list[str]:
    """The lines of a module of Node, as Node holds them."""
    name = path.removeprefix("lib/").removesuffix(".js")
    shown = f"process.stdout.write(process.binding('natives')[{json.dumps(name)}])"
    ran = subprocess.run(["node", "--no-deprecation", "-e", shown], capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()


def test_the_readme_has_a_command_for_each_known_target_and_each_baseline() -> None:
    """The names in the commands are those of the known targets."""
    known = {one.name: one.declared.baseline for one in known_targets().values() if one.folder == FOLDER}

    assert known == dict(zip(NAMES, [command[command.index("--baseline") + 1] for command in COMMANDS], strict=True))
    assert {*known.values()} == {path.relative_to(FOLDER).as_posix() for path in (FOLDER / "baselines").iterdir()}


def test_an_unknown_store_is_one_sentence(do_without: Callable[[str, str], NoReturn]) -> None:
    """Nothing is served."""
    if shutil.which("node") is None:
        do_without("node", "node is not installed")

    ran = subprocess.run(["node", "adapter.mjs", "mems"], cwd=FOLDER, capture_output=True, text=True, check=False)

    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == 'adapter.mjs has no store "mems": name node-fs or memfs\n'
