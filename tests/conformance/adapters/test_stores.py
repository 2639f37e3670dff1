"""Stores in Python, on the disk, in archives, in memory and with servers, are judged with the commands from READMEs."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NoReturn

import pytest

from loopspec.contract.capabilities import CAPABILITIES
from loopspec.contract.target import Identity
from loopspec.engine.baseline import UNEXPLAINED
from loopspec.engine.output import counted
from loopspec.engine.result import Verdict
from loopspec_known.declarations import FILE, known_targets
from tools.pages import reasons
from tools.store_table import COMMANDS, PAGE, Command, Row, page_of
from tools.workspace_tools import TOOLS

from .judged import ADAPTERS, Judged, judged_by, must_match_baseline
from .modules import adapter_module

STORES = ADAPTERS / "stores"
IN_PYTHON = [one for one in COMMANDS if one.folder not in ("eino_stores", "node_stores")]
FAILURES = {"fault-gone", "fault-timeout", "fault-refused", "fault-container"}
PROGRAMS = {"databases:Postgresql": "initdb", "network:SshfsOpenssh": "sshd", "databases:Redis": "redis-server"}


@pytest.fixture(scope="session")
def installed(do_without: Callable[[str, str], NoReturn]) -> None:
    """The packages of the stores, at the versions that the baselines were written for."""
    wanted = known_targets()["redis"].packages
    try:
        found = {name: version(name.partition("[")[0]) for name in wanted}
    except PackageNotFoundError as error:
        do_without("stores", f"{error.name} is not installed: pip install -e '.[stores]'")
    if found != dict(wanted):
        other = sorted(name for name in wanted if found[name] != wanted[name])
        pytest.skip(f"the baselines are for other versions of {', '.join(other)}: update the baselines")


@pytest.fixture(scope="module", params=IN_PYTHON, ids=lambda one: one.target)
def judged(
    request: pytest.FixtureRequest,
    do_without: Callable[[str, str], NoReturn],
    tmp_path_factory: pytest.TempPathFactory,
) -> Judged:
    """Judges one store with the command from the README. A server runs on 127.0.0.1."""
    one: Command = request.param
    if one.folder == "stores":
        request.getfixturevalue("installed")
    places = f"{os.environ['PATH']}:/usr/sbin:{':'.join(map(str, Path('/usr/lib/postgresql').glob('*/bin')))}"
    for target, program in PROGRAMS.items():
        if one.target.endswith((target, f"{target}Untranslated")) and shutil.which(program, path=places) is None:
            do_without("stores", f"{program} is not installed")
    report = tmp_path_factory.mktemp("judged") / "report.jsonl"
    return judged_by(one.words, ADAPTERS / one.folder, one.baseline, report)


@pytest.mark.long
def test_the_store_is_conformant_apart_from_known_failures(judged: Judged) -> None:
    """Known failures include those of advisory rules, and those of the flaky cases that failed in this run."""
    failed = sum(case.verdict == "known" for case in judged.cases)
    known = f" except for known failures: {counted(failed, 'case')}"
    assert f"{judged.target} is conformant{known if failed else ''}." in judged.output
    assert judged.exit_code == 0
    assert {case.verdict for case in judged.cases} <= {"passed", "known", "inapplicable"}
    assert judged.summary.planned == judged.summary.accounted == len(judged.cases)
    must_match_baseline(judged)


@pytest.mark.long
def test_every_declared_capability_exists_and_is_judged(judged: Judged) -> None:
    """Each declared capability exists, and a performed case needs it."""
    assert set(judged.run.capabilities) <= CAPABILITIES.keys()
    assert set(judged.run.capabilities) <= judged.needed


@pytest.mark.long
def test_no_store_whose_server_fails_reports_a_missing_file(judged: Judged) -> None:
    """A server that is gone, silent, or rejects the credentials is never read as a missing file, in any baseline."""
    rules = {"AMD-BACKEND-14", "AMD-BACKEND-15", "AMD-BACKEND-16"}
    of_servers = [case for case in judged.cases if rules & set(case.rules) and case.verdict != "inapplicable"]
    assert {case.verdict for case in of_servers} <= {"passed"}
    assert bool(of_servers) == bool(FAILURES - {"fault-container"} & set(judged.run.capabilities))


def test_the_readmes_have_a_command_for_each_known_target_and_each_baseline() -> None:
    """Python's own stores have no package, so they are no known targets."""
    used = {ADAPTERS / one.folder / one.baseline for one in IN_PYTHON}
    known = {one.folder / one.declared.baseline for one in known_targets().values()}
    of_tools = {tool.folder / tool.baseline_name for tool in TOOLS}
    folders = {path.parent for path in used}

    assert used == {path for folder in folders for path in folder.glob("*.toml") if path.name != FILE} - of_tools
    assert used - known == {
        ADAPTERS / "local_files" / "local_files.toml",
        *(STORES / f"baselines/{name}.toml" for name in ("importlib-resources", "sqlite", "zipfile-path")),
    }


@pytest.mark.parametrize("one", COMMANDS, ids=lambda one: f"{one.folder}/{one.baseline}")
def test_every_difference_has_a_reason_and_a_place_on_the_page(one: Command) -> None:
    """The page has the reasons of the baselines, and a reason names a source."""
    text = PAGE.read_text(encoding="utf-8")

    assert all(entry.reason != UNEXPLAINED for entry in one.entries())
    for line in reasons(one.entries()):
        assert line in text


def test_the_page_counts_the_rules_of_a_report() -> None:
    """A rule is failed if one case is; a rule of which every case is inapplicable is not counted."""
    cases: list[tuple[str, Verdict]] = [
        ("BACKEND-01", "passed"),
        ("BACKEND-01", "known"),
        ("BACKEND-02", "passed"),
        ("BACKEND-03", "inapplicable"),
    ]

    text = page_of([Row.of(Identity("It", "1"), cases, ["- BACKEND-01: a reason"]), Row.of(Identity("Other"), (), ())])

    of_features, of_rules, of_stores = text.split("\n## ")
    [row] = re.findall(r"^\| It 1 \| (.*) \|$", of_features, re.MULTILINE)
    assert sorted({*row.split(" | ")}) == ["0/1", "1/1", "–"]
    assert re.search(r"^\| BACKEND-01: .* \| 0/1 \| It \|$", of_rules, re.MULTILINE)
    assert re.search(r"^\| BACKEND-02: .* \| 1/1 \|  \|$", of_rules, re.MULTILINE)
    assert re.search(r"^\| BACKEND-03: .* \| – \|  \|$", of_rules, re.MULTILINE)
    assert "### It 1\n\n- BACKEND-01: a reason\n" in of_stores
    assert "### Other\n\nThe store passes every rule that applies.\n" in of_stores


def test_a_server_that_is_not_installed_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No server is waited for that cannot start."""
    servers = adapter_module("stores", "stores_adapter.servers")
    monkeypatch.setattr("tempfile.mkdtemp", lambda prefix: str(tmp_path))

    with pytest.raises(RuntimeError, match="no-such-server is not installed"):
        servers.Server(lambda _: ["no-such-server"], lambda _: False, None)


def test_a_server_that_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The error has what the server wrote."""
    servers = adapter_module("stores", "stores_adapter.servers")
    folder = tmp_path / "server"
    folder.mkdir()
    monkeypatch.setattr("tempfile.mkdtemp", lambda prefix: str(folder))

    with pytest.raises(RuntimeError, match="no such port"):
        servers.Server(lambda _: shlex.split("sh -c 'echo no such port; exit 1'"), lambda _: False, None)


@pytest.mark.parametrize(("kind", "error"), [("gone", ConnectionError), ("timeout", TimeoutError)])
def test_a_server_is_killed_or_stopped_and_runs_again(kind: str, error: type[Exception]) -> None:
    """Python's own HTTP server: a killed one refuses connections; a stopped one accepts them and never answers."""
    servers = adapter_module("stores", "stores_adapter.servers")
    server = servers.http()
    assert _status(server.port) == "HTTP/1.1 401"

    server.fail(kind)
    with pytest.raises(error):
        _status(server.port)

    assert _status(servers.http().port) == "HTTP/1.1 401"


def _status(port: int) -> str:
    """The status of a request without a password, with a time limit."""
    import socket

    with socket.create_connection(("127.0.0.1", port), 0.3) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return line.recv(12).decode()
