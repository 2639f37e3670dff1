"""Adapters that read instruction files with a program: a stand-in has the place of the tool."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from loopspec import WorkspaceFile
from loopspec_instructions.command_line.programs import ProgramError

from ..process import has_ended
from .modules import adapter_module

if TYPE_CHECKING:
    from adapters.codex.codex_adapter import Codex
    from adapters.pi.pi_adapter import OldPi, Pi
else:
    Codex = adapter_module("codex", "codex_adapter").Codex
    pi_adapter = adapter_module("pi", "pi_adapter")
    OldPi, Pi = pi_adapter.OldPi, pi_adapter.Pi

WRAPPED = "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\n{}\n</INSTRUCTIONS>"


def codex_that(folder: Path, script: str, timeout: float = 20) -> Codex:
    """Codex, with a shell script in the place of its program."""
    program = folder / "node_modules/@openai/codex-test/vendor/test/bin/codex"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    package = folder / "node_modules/@openai/codex"
    package.mkdir()
    (package / "package.json").write_text('{"version": "1.2"}')
    return Codex(folder, timeout)


def messages(*texts: str) -> str:
    """What the debug command prints about a developer's message and some of the user's."""
    parts = [{"type": "input_text", "text": text} for text in texts]
    return json.dumps([{"role": "developer", "content": [{"text": WRAPPED}]}, {"role": "user", "content": parts}])


@pytest.mark.parametrize("text", ["one\n", "", "</INSTRUCTIONS>", "\n\n<INSTRUCTIONS>\ntwice"])
def test_the_text_has_no_line_of_codex(text: str, tmp_path: Path) -> None:
    (tmp_path / "said.json").write_text(messages("<environment_context>", WRAPPED.format(text)))
    codex = codex_that(tmp_path / "codex", f"cat '{tmp_path}/said.json'")
    assert codex.read_workspace(tmp_path, tmp_path / "home").files == (WorkspaceFile(None, text),)


def test_without_a_message_of_instructions_codex_reads_no_file(tmp_path: Path) -> None:
    (tmp_path / "said.json").write_text(messages("<environment_context>"))
    codex = codex_that(tmp_path / "codex", f"cat '{tmp_path}/said.json'")
    assert codex.read_workspace(tmp_path, tmp_path / "home").files == ()


def test_codex_runs_in_the_working_directory_with_its_own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    folder = tmp_path / "repo"
    folder.mkdir()
    codex = codex_that(tmp_path / "codex", 'echo "$HOME $CODEX_HOME $(pwd) [$OPENAI_API_KEY]" >&2; echo "[]"')
    reading = codex.read_workspace(folder, tmp_path / "home")
    assert reading.warnings == (f"{tmp_path}/home {tmp_path}/home/.codex {folder} []",)
    assert reading.files == ()


def test_the_line_about_the_temporary_folder_is_no_warning(tmp_path: Path) -> None:
    line = "WARNING: proceeding, even though we could not create PATH aliases: Refusing"
    codex = codex_that(tmp_path / "codex", f"echo '{line}' >&2; echo; echo 'bad file' >&2; echo '[]'")
    assert codex.read_workspace(tmp_path, tmp_path / "home").warnings == ("bad file",)


def test_a_failure_of_codex_has_its_words(tmp_path: Path) -> None:
    codex = codex_that(tmp_path / "codex", "echo 'no such folder' >&2; exit 3")
    with pytest.raises(ProgramError, match="exit code 3: no such folder"):
        codex.read_workspace(tmp_path, tmp_path / "home")


def test_codex_that_does_not_answer_is_killed_with_its_children(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    codex = codex_that(tmp_path / "codex", f"sleep 600 & echo $! > '{note}'; wait", timeout=3)
    with pytest.raises(ProgramError, match="no answer in 3 seconds"):
        codex.read_workspace(tmp_path, tmp_path / "home")
    assert has_ended(int(note.read_text()))


def test_the_version_is_the_installed_one(tmp_path: Path) -> None:
    assert codex_that(tmp_path / "codex", "").version == "1.2"
    assert pi_that(tmp_path / "pi", "").version == "1.2"


def pi_that(folder: Path, body: str, kind: type[Pi] = Pi, timeout: float = 60) -> Pi:
    """Pi, with a module of one function in the place of its package."""
    if shutil.which("node") is None:
        pytest.skip("PATH has no node")
    package = folder / "node_modules" / kind.package
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"main": "index.mjs", "version": "1.2"}')
    (package / "index.mjs").write_text(f"export function loadProjectContextFiles({{ cwd, agentDir }}) {{ {body} }}")
    return kind(folder, timeout)


@pytest.mark.parametrize("kind", [Pi, OldPi])
def test_one_process_of_pi_serves_all_readings(kind: type[Pi], tmp_path: Path) -> None:
    body = r"""
    console.error('\x1b[33mslow %s\x1b[39m'.replace('%s', process.pid));
    return [{ path: agentDir, content: 'ü' }, { path: cwd, content: '' }];
    """
    with closing(pi_that(tmp_path / "pi", body, kind)) as pi:
        first, second = (pi.read_workspace(tmp_path, tmp_path / "home") for _ in range(2))
    assert first.files == [WorkspaceFile(f"{tmp_path}/home/.pi/agent", "ü"), WorkspaceFile(str(tmp_path), "")]
    assert first == second
    assert len(first.warnings) == 1
    assert first.warnings[0].startswith("slow ")


def test_pi_receives_the_real_path_of_the_working_directory(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    with closing(pi_that(tmp_path / "pi", "return [{ path: cwd, content: '' }];")) as pi:
        assert pi.read_workspace(tmp_path / "link", tmp_path).files == [WorkspaceFile(f"{tmp_path}/real", "")]


def test_an_error_of_pi_is_raised_and_the_process_continues(tmp_path: Path) -> None:
    with closing(pi_that(tmp_path / "pi", "if (agentDir.includes('bad')) throw new Error('no'); return [];")) as pi:
        with pytest.raises(ProgramError, match="Error: no"):
            pi.read_workspace(tmp_path, tmp_path / "bad")
        assert pi.read_workspace(tmp_path, tmp_path / "good").files == []


@pytest.mark.long
def test_pi_that_does_not_answer_is_killed_and_starts_again(tmp_path: Path) -> None:
    body = "if (agentDir.includes('bad')) for (;;); return [];"
    with closing(pi_that(tmp_path / "pi", body, timeout=8)) as pi:
        with pytest.raises(ProgramError, match="no answer in 8 seconds"):
            pi.read_workspace(tmp_path, tmp_path / "bad")
        assert pi.read_workspace(tmp_path, tmp_path / "good").files == []
